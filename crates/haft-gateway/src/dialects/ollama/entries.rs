//! Entries of Ollama's list of models for models of other servers: with a digest and details, which
//! Ollama's clients require, as far as the server tells them.

use std::collections::HashMap;

use haft_core::ModelError;
use haft_models::ServerKind;
use jiff::Timestamp;
use ring::digest::{SHA256, digest};
use serde_json::{Value, json};

use super::super::openai::catalog::described;
use crate::scheduler::Member;

/// The entries of the models of a server that is not Ollama's.
pub(super) async fn entries(member: &Member) -> Result<Vec<Value>, ModelError> {
    let names = member.server().models().await?;
    let known = match member.server().kind() {
        ServerKind::OpenAi => described(member).await,
        ServerKind::Ollama | ServerKind::Anthropic => HashMap::new(),
    };
    let unknown = Value::Null;
    let entries = names
        .iter()
        .map(|name| entry(name, known.get(name).unwrap_or(&unknown)));
    Ok(entries.collect())
}

/// The entry of a model, with what its server's list says (`meta` is llama.cpp's).
fn entry(name: &str, listed: &Value) -> Value {
    let number = |pointer: &str| listed.pointer(pointer).and_then(Value::as_u64);
    let created = listed.get("created").and_then(Value::as_i64);
    let modified = Timestamp::from_second(created.unwrap_or_default()).unwrap_or_default();
    let is_gguf = listed.get("owned_by").and_then(Value::as_str) == Some("llamacpp");
    json!({
        "name": name,
        "model": name,
        "modified_at": modified.to_string(),
        "size": number("/meta/size").unwrap_or_default(),
        "digest": digest_of(name),
        "details": details(if is_gguf { "gguf" } else { "" }, number("/meta/n_params")),
    })
}

/// The details of a model; what is not known is empty.
pub(super) fn details(format: &str, parameters: Option<u64>) -> Value {
    json!({
        "parent_model": "",
        "format": format,
        "family": "",
        "families": [],
        "parameter_size": parameters.map(shown).unwrap_or_default(),
        "quantization_level": "",
    })
}

/// A stable digest. The server tells none of the model's file, so it is that of the name.
fn digest_of(name: &str) -> String {
    let digest = digest(&SHA256, name.as_bytes());
    let bytes = digest.as_ref().iter();
    bytes.map(|byte| format!("{byte:02x}")).collect()
}

/// A number of parameters as Ollama shows it, such as `8.2B` and `134.52M`.
fn shown(parameters: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "only some digits are shown")]
    let parameters = parameters as f64;
    if parameters >= 1e9 {
        format!("{:.1}B", parameters / 1e9)
    } else {
        format!("{:.2}M", parameters / 1e6)
    }
}

//! What Ollama's clients ask beside the conversation: which models there are, and what they can
//! do.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use haft_core::{ModelError, ModelErrorKind};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::super::dialect::Dialect;
use super::Ollama::Chat;
use crate::catalog::Models;
use crate::respond::{Refusal, json};
use crate::scheduler::{Member, is_same};
use crate::shared::Shared;

type Handle = State<Arc<Shared>>;

/// The version of Ollama's API that is spoken here.
const OLLAMA_VERSION: &str = "0.12.10";

/// What each upstream reported about its models.
type Told = Vec<(Arc<Member>, Vec<Value>)>;

/// `GET /api/tags`: the models of all upstreams; those of an Ollama server as it lists them.
pub(super) async fn tags(State(shared): Handle) -> Response {
    let told = async |member: &Member| {
        if member.is_ollama() {
            return entries(member, "/api/tags").await;
        }
        let names = member.server().models().await?;
        Ok(names
            .iter()
            .map(|name| json!({"name": name, "model": name, "size": 0}))
            .collect())
    };
    united(shared.upstreams.each(told).await)
}

/// `GET /api/ps`: of all upstreams; only an Ollama tells what is loaded.
pub(super) async fn loaded(State(shared): Handle) -> Response {
    let told = async |member: &Member| {
        if member.is_ollama() {
            return entries(member, "/api/ps").await;
        }
        Ok(Vec::new())
    };
    united(shared.upstreams.each(told).await)
}

/// The models of one of Ollama's lists.
async fn entries(member: &Member, path: &str) -> Result<Vec<Value>, ModelError> {
    #[derive(Deserialize)]
    struct List {
        #[serde(default)]
        models: Option<Vec<Value>>,
    }
    let text = member.server().get(path).await?;
    let list: List = serde_json::from_str(&text).map_err(|error| {
        let message = "The model server's answer is not what Ollama's is";
        ModelError::new(ModelErrorKind::Malformed, message).with_detail(error.to_string())
    })?;
    Ok(list.models.unwrap_or_default())
}

/// All of these lists as one of Ollama's, under the names that clients know.
fn united(lists: Result<Told, ModelError>) -> Response {
    let lists = match lists {
        Ok(lists) => lists,
        Err(error) => return Chat.refused(&Refusal::from(&error)),
    };
    let mut models = Models::default();
    for (member, entries) in &lists {
        for entry in entries {
            let real = entry
                .get("name")
                .and_then(Value::as_str)
                .unwrap_or_default();
            for name in member.names_of(real) {
                models.add(name, || {
                    let mut entry = entry.clone();
                    if let Some(entry) = entry.as_object_mut() {
                        entry.insert("name".to_owned(), name.into());
                        entry.insert("model".to_owned(), name.into());
                    }
                    entry
                });
            }
        }
    }
    json(&json!({"models": models.entries}))
}

/// `GET /api/version`.
pub(super) async fn version() -> Response {
    json(&json!({"version": OLLAMA_VERSION}))
}

/// `POST /api/show`: what an Ollama says of its model, and of others what is known. Every model
/// that talks can call tools here.
pub(super) async fn show(State(shared): Handle, body: Bytes) -> Response {
    let Ok(Value::Object(mut asked)) = serde_json::from_slice(&body) else {
        return Chat.refused(&Refusal::new(400, "The request cannot be read"));
    };
    // Older clients say `name`.
    let name = asked.remove("model").or_else(|| asked.remove("name"));
    let Some(Value::String(name)) = name else {
        return Chat.refused(&Refusal::new(400, "The request names no model"));
    };
    match shown(&shared, &name, asked).await {
        Ok(answer) => json(&answer),
        Err(error) if error.kind() == ModelErrorKind::ModelNotFound => {
            let message = format!("model '{name}' not found");
            Chat.refused(&Refusal::new(404, message))
        }
        Err(error) => Chat.refused(&Refusal::from(&error)),
    }
}

async fn shown(
    shared: &Shared,
    name: &str,
    mut asked: Map<String, Value>,
) -> Result<Value, ModelError> {
    let not_found = || ModelError::new(ModelErrorKind::ModelNotFound, "Nobody has this model");
    let mut failure = None;
    for member in shared.upstreams.holders(name).await? {
        let server = member.server();
        if member.is_ollama() {
            asked.insert("model".to_owned(), member.real_name(name).into());
            let asking = server.post("/api/show", asked.clone().into());
            match member.ask(asking).await {
                Ok(text) => return Ok(with_tools(&text)),
                Err(error) => failure = failure.or(Some(error)),
            }
            continue;
        }
        match member.ask(server.models()).await {
            Ok(models)
                if models
                    .iter()
                    .any(|one| is_same(one, member.real_name(name))) =>
            {
                return Ok(nothing_known());
            }
            Ok(_) => {}
            Err(error) => failure = failure.or(Some(error)),
        }
    }
    Err(failure.unwrap_or_else(not_found))
}

/// What an Ollama says, with tools among what the model can do, unless it does not talk at all.
fn with_tools(text: &str) -> Value {
    let mut answer: Value = serde_json::from_str(text).unwrap_or_default();
    let Some(fields) = answer.as_object_mut() else {
        return nothing_known();
    };
    let told = fields.entry("capabilities").or_insert_with(|| json!([]));
    if let Some(told) = told.as_array_mut() {
        let has = |name: &str| told.iter().any(|known| known == name);
        // Before 0.6.4 there was no list.
        let talks = has("completion") || told.is_empty();
        if talks && !has("tools") {
            told.push("tools".into());
        }
    }
    answer
}

fn nothing_known() -> Value {
    json!({
        "modelfile": "",
        "parameters": "",
        "template": "",
        "details": {"format": "", "family": "", "families": [], "parameter_size": ""},
        "model_info": {},
        "capabilities": ["completion", "tools"],
    })
}

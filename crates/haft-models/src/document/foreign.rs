//! The fields of a client's document that a server of another API has no counterpart for.
//!
//! What would change the meaning of the answer is refused; everything else is named, so that
//! nothing is lost in silence. The lists say which fields have a counterpart; a field that is in no
//! list has none. They follow OpenAI's API reference ("Create chat completion"), Anthropic's
//! ("Messages") and Ollama's `docs/api.md`; `docs/reference/fields.md` shows them as a table.

use futures_util::{StreamExt, stream};
use haft_core::{
    CallOptions, ChatChunk, ChatStream, ClientApi, ClientDocument, ModelError, ModelErrorKind,
};
use memchr::memmem;

use super::nested::nested;
use super::{Members, is_same, members_of, rewritable};
use crate::server_kind::ServerKind;

/// The maximum number of named fields. A document may have any number.
const MAX_NAMED: usize = 32;

/// Fields of every API that haft handles itself.
const HANDLED: [&str; 12] = [
    "model",
    "messages",
    "system",
    "prompt",
    "images",
    "tools",
    "tool_choice",
    "parallel_tool_calls",
    "stream",
    "stream_options",
    "options",
    "n",
];

/// Sampling parameters that OpenAI-compatible servers and Ollama share, and Anthropic lacks.
const SAMPLERS: [&str; 5] = [
    "seed",
    "presence_penalty",
    "frequency_penalty",
    "min_p",
    "repeat_penalty",
];

/// Names of one thing in the three APIs: the limit on tokens, stop sequences, reasoning, the form
/// of the answer.
const SHARED: [&str; 14] = [
    "temperature",
    "top_p",
    "top_k",
    "max_tokens",
    "max_completion_tokens",
    "num_predict",
    "stop",
    "stop_sequences",
    "reasoning_effort",
    "thinking",
    "think",
    "response_format",
    "format",
    "output_config",
];

/// The reply with the notice about the fields that a server of this kind is not sent.
pub(crate) fn noticed(options: &CallOptions, kind: ServerKind, reply: ChatStream) -> ChatStream {
    match notice(options, kind) {
        Ok(None) => reply,
        Ok(Some(notice)) => stream::iter([Ok(notice)]).chain(reply).boxed(),
        Err(error) => stream::iter([Err(error)]).boxed(),
    }
}

/// The notice about the fields that a server of this kind is not sent, if there are any.
///
/// # Errors
///
/// [`ModelErrorKind::BadRequest`] if the answer would mean something else without a field.
fn notice(options: &CallOptions, kind: ServerKind) -> Result<Option<ChatChunk>, ModelError> {
    let Some(document) = &options.client_document else {
        return Ok(None);
    };
    let is_whole = is_same(document.api, kind) && document.api != ClientApi::OllamaGenerate;
    if is_whole {
        return Ok(None);
    }
    let members = members_of(document);
    if !is_same(document.api, kind) {
        for message in &document.messages {
            rewritable(document, Some(message))?;
        }
        refuse(document, &members)?;
    }
    let dropped = dropped(document, &members, kind);
    Ok((!dropped.is_empty()).then(|| ChatChunk::FieldsDropped(dropped)))
}

/// Refuses fields without which the answer would mean something else.
fn refuse(document: &ClientDocument, members: &Members<'_>) -> Result<(), ModelError> {
    let is_many = members.get("n").is_some_and(|n| n.get().trim() != "1") && members.has("n");
    let modalities = members.list("modalities");
    let speaks = modalities.iter().any(|kind| kind.get() == "\"audio\"");
    let runs = members.list("tools").into_iter().find_map(|tool| {
        let tool = Members::read(tool.get())?;
        let is_own = tool
            .text("type")
            .is_none_or(|kind| matches!(&*kind, "function" | "custom"));
        (!is_own).then(|| {
            tool.text("name")
                .map(|name| name.to_string())
                .unwrap_or_default()
        })
    });
    let what = match document.api {
        ClientApi::OpenAi if is_many => "`n`: only one reply".to_owned(),
        ClientApi::OpenAi if speaks || members.has("audio") => "`audio`".to_owned(),
        ClientApi::OpenAi if members.has("web_search_options") => "`web_search_options`".to_owned(),
        ClientApi::Anthropic if !members.list("mcp_servers").is_empty() => {
            "`mcp_servers`".to_owned()
        }
        ClientApi::Anthropic if members.has("container") => "`container`".to_owned(),
        ClientApi::Anthropic if let Some(name) = runs => {
            return Err(refused(format!(
                "The tool \"{name}\" runs at Anthropic only"
            )));
        }
        _ => return Ok(()),
    };
    let api = document.api.name();
    Err(refused(format!(
        "The model's server does not speak {api} and cannot do what the request asks for: {what}"
    )))
}

fn refused(message: String) -> ModelError {
    ModelError::new(ModelErrorKind::BadRequest, message)
        .with_hint("leave it out, or ask a model of a server that has it")
}

/// The fields that a server of this kind is not sent.
fn dropped(document: &ClientDocument, members: &Members<'_>, kind: ServerKind) -> Vec<String> {
    let mut dropped = Vec::new();
    let mut drop_from = |prefix: &str, members: &Members<'_>| {
        for (name, value) in &members.0 {
            // These values ask for nothing.
            let asks = !matches!(value.get(), "null" | "false" | "[]" | "{}");
            if asks && !has_counterpart(document.api, prefix, name, kind) {
                dropped.push(format!("{prefix}{name}"));
            }
        }
    };
    drop_from("", members);
    if let Some(options) = members.object("options") {
        drop_from("options.", &options);
    }
    dropped.extend(nested(document.api, members));
    if document.api == ClientApi::Anthropic && document.text.contains("\"cache_control\"") {
        dropped.push("cache_control".to_owned());
    }
    // A name becomes part of a header.
    let is_plain = |name: &String| {
        name.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'))
    };
    dropped.retain(is_plain);
    dropped.dedup();
    dropped.truncate(MAX_NAMED);
    dropped
}

fn has_counterpart(api: ClientApi, prefix: &str, name: &str, kind: ServerKind) -> bool {
    let is_ollamas = matches!(api, ClientApi::Ollama | ClientApi::OllamaGenerate);
    if is_ollamas && kind == ServerKind::Ollama {
        // `/api/generate` is answered through `/api/chat`, which has no templates of the client.
        return !matches!(name, "template" | "context" | "suffix" | "raw");
    }
    if prefix.is_empty() && HANDLED.contains(&name) || SHARED.contains(&name) {
        return true;
    }
    if is_ollamas && name == "truncate" {
        return true;
    }
    match kind {
        ServerKind::Anthropic => name == "user" && api == ClientApi::OpenAi,
        ServerKind::OpenAi => {
            SAMPLERS.contains(&name) || (name == "metadata" && api == ClientApi::Anthropic)
        }
        ServerKind::Ollama => {
            SAMPLERS.contains(&name) || (name == "repetition_penalty" && api == ClientApi::OpenAi)
        }
    }
}

/// The user that a client of this API names: `user` of OpenAI, `metadata.user_id` of Anthropic.
pub(crate) fn user_of(options: &CallOptions, api: ClientApi) -> Option<String> {
    let document = options.client_document.as_deref()?;
    if document.api != api {
        return None;
    }
    let members = members_of(document);
    let user = match api {
        ClientApi::OpenAi => members.text("user")?,
        ClientApi::Anthropic => members.object("metadata")?.text("user_id")?,
        _ => return None,
    };
    Some(user.to_string())
}

/// Whether the client allows at most one call per reply.
pub(crate) fn allows_one_call(options: &CallOptions) -> bool {
    let Some(document) = options.client_document.as_deref() else {
        return false;
    };
    // Enough for most documents.
    if memmem::find(document.text.as_bytes(), b"parallel_tool").is_none() {
        return false;
    }
    let members = members_of(document);
    let is = |members: &Members<'_>, name: &str, value: &str| {
        members.get(name).is_some_and(|given| given.get() == value)
    };
    match document.api {
        ClientApi::OpenAi => is(&members, "parallel_tool_calls", "false"),
        ClientApi::Anthropic => members
            .object("tool_choice")
            .is_some_and(|choice| is(&choice, "disable_parallel_tool_use", "true")),
        _ => false,
    }
}

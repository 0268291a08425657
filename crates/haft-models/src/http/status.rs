//! What it means when a model server says no, by status or by an error inside a reply.

use std::time::Duration;

use haft_core::{ModelError, ModelErrorKind};
use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;
use serde_json::Value;

use super::decode::clip;
use super::{Request, safe_url};

/// How many models an error message names.
const MODELS_SHOWN: usize = 12;

/// Parts of messages that mean "the prompt does not fit", in lower case, as seen from llama.cpp
/// (type `exceed_context_size_error`), OpenAI (code `context_length_exceeded`), Anthropic
/// ("prompt is too long"), Ollama ("exceeds the context length") and services built on them.
const OVERFLOW: [&str; 9] = [
    "exceed_context_size",
    "context_length_exceeded",
    "exceeds the context length",
    "exceeds the available context",
    "maximum context length",
    "max context length",
    "prompt is too long",
    "too_many_prompt_tokens",
    "input length and `max_tokens` exceed",
];

/// Parts of messages that mean "no tools here", in lower case: Ollama about models whose template
/// has no place for tools, vLLM without a parser for its model, llama.cpp without `--jinja` (of
/// today and of before), OpenRouter, and services that say it in the plain way.
const NO_TOOLS: [&str; 10] = [
    "does not support tool",
    "does not support function calling",
    "doesn't support tool",
    "--enable-auto-tool-choice",
    "--tool-call-parser",
    "tools param requires --jinja",
    "unsupported param: tools",
    "support tool use",
    "tool calling is not supported",
    "`tool calling` is not supported",
];

/// What a server says when it could not read its own model's words: Ollama about the arguments
/// of a call (`ollama/ollama: server/routes.go`), llama.cpp about the rest of a reply
/// (`ggml-org/llama.cpp: common/chat.cpp`). The words follow in the message.
const UNREAD: [(&str, &str); 2] = [
    ("error parsing tool call", "raw='"),
    ("Failed to parse input at pos ", ": "),
];

/// The error for a reply with a status that is not 2xx.
pub(crate) fn refusal(
    request: &Request,
    status: u16,
    retry_after: Option<&str>,
    body: &str,
) -> ModelError {
    let body = without_secrets(request, body);
    let reason = server_message(&body);
    let told = |sentence: &str| {
        if reason.is_empty() {
            sentence.to_owned()
        } else {
            format!("{sentence}: {reason}")
        }
    };
    let error = match status {
        _ if lacks_tools(&reason) => lack_of_tools(&reason),
        500.. if is_unread(&body) => return unread(&body).with_status(status),
        401 | 403 => ModelError::new(
            ModelErrorKind::Unauthorized,
            told("The model server does not accept the key"),
        )
        .with_hint(request.api.key_hint()),
        404 => ModelError::new(
            ModelErrorKind::ModelNotFound,
            told(&format!(
                "The model server has nothing at {}",
                safe_url(&request.url)
            )),
        )
        .with_hint("check the model's name and the server's address"),
        429 => ModelError::new(
            ModelErrorKind::RateLimited,
            told("The model server has had too many requests"),
        )
        .with_hint("wait a little, or look at the limits of your account"),
        300..=399 => ModelError::new(
            ModelErrorKind::BadRequest,
            "The model server sends this request to another address",
        )
        .with_hint("use the address of the server itself, often https instead of http"),
        500.. => ModelError::new(ModelErrorKind::Server, told("The model server failed"))
            .with_hint("ask again later, or look at the model server's log"),
        _ if is_overflow(&body) => overflow(&reason),
        _ => ModelError::new(
            ModelErrorKind::BadRequest,
            told("The model server refuses the request"),
        ),
    };
    let error = match retry_after.and_then(|text| wait(text, Timestamp::now())) {
        Some(wait) => error.with_retry_after(wait),
        None => error,
    };
    error
        .with_status(status)
        .with_detail(format!("status {status}: {}", clip(&body)))
}

/// The error that a frame carries in place of a piece of a reply, if it does.
pub(crate) fn reported(data: &str) -> Option<ModelError> {
    // Most frames are told apart by this alone.
    if !data.contains("\"error\"") {
        return None;
    }
    let value: Value = serde_json::from_str(data).ok()?;
    let error = value.get("error").filter(|error| is_error(error))?;
    let reason = server_message(data);
    let kind = error
        .get("type")
        .and_then(Value::as_str)
        .unwrap_or_default();
    if is_overflow(data) {
        return Some(overflow(&reason));
    }
    if lacks_tools(&reason) {
        return Some(lack_of_tools(&reason).with_detail(clip(data)));
    }
    if is_unread(data) {
        return Some(unread(data));
    }
    let (kind, sentence) = if kind.contains("rate_limit") {
        (
            ModelErrorKind::RateLimited,
            "The model server has had too many requests",
        )
    } else {
        (ModelErrorKind::Server, "The model server failed")
    };
    let message = if reason.is_empty() {
        sentence.to_owned()
    } else {
        format!("{sentence}: {reason}")
    };
    Some(
        ModelError::new(kind, message)
            .with_hint("ask again, or look at the model server's log")
            .with_detail(clip(data)),
    )
}

/// `error`, or better words for it where it is the model that is missing and the server's
/// `models` are known.
pub(crate) fn name_models(
    error: ModelError,
    model: &str,
    models: Result<Vec<String>, ModelError>,
) -> ModelError {
    let Ok(mut models) = models else {
        return error;
    };
    if error.kind() != ModelErrorKind::ModelNotFound || models.iter().any(|name| name == model) {
        return error;
    }
    // The likeliest first: it is usually a matter of a letter or a tag.
    models.sort_by(|a, b| {
        let similarity = |name: &str| strsim::jaro_winkler(model, name);
        similarity(b).total_cmp(&similarity(a))
    });
    let total = models.len();
    models.truncate(MODELS_SHOWN);
    let known = match total {
        0 => "it has no models at all".to_owned(),
        _ if total > models.len() => format!(
            "it has {} and {} more",
            models.join(", "),
            total - models.len()
        ),
        _ => format!("it has {}", models.join(", ")),
    };
    ModelError::new(
        ModelErrorKind::ModelNotFound,
        format!("The model server has no model \"{model}\"; {known}"),
    )
    .with_hint("name one that it has, or install the missing one")
    .with_status(error.status().unwrap_or(404))
    .with_detail(error.detail())
}

fn overflow(reason: &str) -> ModelError {
    ModelError::new(
        ModelErrorKind::ContextOverflow,
        format!("The conversation is too long for the model: {reason}"),
    )
    .with_hint("start a new conversation, bind fewer tools, or use a larger context")
}

fn lacks_tools(reason: &str) -> bool {
    let reason = reason.to_ascii_lowercase();
    NO_TOOLS.iter().any(|text| reason.contains(text))
}

fn lack_of_tools(reason: &str) -> ModelError {
    ModelError::new(
        ModelErrorKind::ToolsUnsupported,
        format!("The model cannot call tools: {reason}"),
    )
    .with_hint("let tools go as text (tool mode `auto` or `text`), or use another model")
}

fn is_unread(body: &str) -> bool {
    UNREAD.iter().any(|(told, _)| body.contains(told))
}

/// The error for a reply that its own server could not read. Its detail is the server's whole
/// message, for [`unread_output`].
fn unread(body: &str) -> ModelError {
    let value: Value = serde_json::from_str(body).unwrap_or_default();
    let message = ["/error/message", "/error"]
        .iter()
        .find_map(|pointer| value.pointer(pointer)?.as_str())
        .unwrap_or(body);
    ModelError::new(
        ModelErrorKind::Malformed,
        "The model server could not read what its model wrote",
    )
    .with_hint("ask again, or use a model that is better at calling tools")
    .with_detail(message)
}

/// What the model wrote, of an error that says that its server could not read it.
pub(crate) fn unread_output(error: &ModelError) -> Option<&str> {
    if error.kind() != ModelErrorKind::Malformed {
        return None;
    }
    let detail = error.detail();
    let (_, output) = UNREAD.iter().find_map(|(told, before)| {
        let (_, rest) = detail.split_once(told)?;
        rest.split_once(before)
    })?;
    // Ollama's own reason comes after it.
    Some(
        output
            .rsplit_once("', err=")
            .map_or(output, |(output, _)| output),
    )
}

fn is_overflow(body: &str) -> bool {
    let body = body.to_ascii_lowercase();
    OVERFLOW.iter().any(|text| body.contains(text))
}

fn is_error(value: &Value) -> bool {
    match value {
        Value::String(text) => !text.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        _ => false,
    }
}

/// What the server itself says: `error.message`, `error`, `message` or `detail` of a JSON body,
/// else the beginning of the text.
fn server_message(body: &str) -> String {
    let Ok(value) = serde_json::from_str::<Value>(body) else {
        return clip(body.trim());
    };
    ["/error/message", "/error", "/message", "/detail"]
        .iter()
        .find_map(|pointer| match value.pointer(pointer)? {
            Value::String(text) => Some(clip(text.trim())),
            Value::Object(_) | Value::Array(_) => Some(clip(&value.pointer(pointer)?.to_string())),
            _ => None,
        })
        .unwrap_or_else(|| clip(body.trim()))
}

/// Some servers repeat the key that they do not like.
fn without_secrets(request: &Request, body: &str) -> String {
    let mut body = body.to_owned();
    for (_, secret) in &request.headers {
        let key = secret.reveal().trim_start_matches("Bearer ");
        if !key.is_empty() {
            body = body.replace(key, "…");
        }
    }
    body
}

/// The wait that a `Retry-After` of seconds or of an HTTP date asks for (RFC 9110, 10.2.3).
fn wait(text: &str, now: Timestamp) -> Option<Duration> {
    let text = text.trim();
    if let Ok(seconds) = text.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    // An HTTP date is an e-mail date but for its zone.
    let date = text.replace("GMT", "+0000");
    let until = DateTimeParser::new().parse_timestamp(date).ok()?;
    Duration::try_from(until.duration_since(now))
        .ok()
        .or(Some(Duration::ZERO))
}

#[cfg(test)]
mod tests;

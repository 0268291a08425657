//! Converts error responses of model servers: statuses, and errors within a reply.

use std::sync::LazyLock;
use std::time::Duration;

use haft_core::{ModelError, ModelErrorKind, Secrets};
use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;
use memchr::memmem::Finder;
use serde_json::Value;

use super::malformed::clip;
use super::{Request, safe_url};

/// How many model names an error message lists.
const MODELS_SHOWN: usize = 12;

/// Phrases of messages about a prompt that does not fit, in lower case, from llama.cpp (type
/// `exceed_context_size_error`), OpenAI (code `context_length_exceeded`), Anthropic ("prompt is too
/// long"), Ollama ("exceeds the context length") and services built on them.
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

/// Phrases of messages about missing tool support, in lower case: Ollama for models whose template
/// has no tools, vLLM without a tool parser, current and older llama.cpp without `--jinja`,
/// OpenRouter, and other services.
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

/// Messages of servers that could not parse their own model's output, with the text before that
/// output: Ollama about the arguments of a call (`ollama/ollama: server/routes.go`), llama.cpp
/// about the rest of a reply (`ggml-org/llama.cpp: common/chat.cpp`).
const UNREAD: [(&str, &str); 2] = [
    ("error parsing tool call", "raw='"),
    ("Failed to parse input at pos ", ": "),
];

/// The error for a response with a status that is not 2xx.
pub(crate) fn refusal(
    request: &Request,
    status: u16,
    retry_after: Option<&str>,
    body: &str,
) -> ModelError {
    let body = request.secrets().mask(body);
    let reason = server_message(&body);
    let described = |sentence: &str| {
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
            described("The model server rejected the key"),
        )
        .with_hint(request.api.key_hint),
        404 => ModelError::new(
            ModelErrorKind::ModelNotFound,
            described(&format!(
                "The model server found nothing at {}",
                safe_url(&request.url)
            )),
        )
        .with_hint("check the model's name and the server's address"),
        429 => ModelError::new(
            ModelErrorKind::RateLimited,
            described("The model server has had too many requests"),
        )
        .with_hint("wait a moment, or check the limits of your account"),
        // Not the fault of the request, so that another server may be asked.
        300..=399 => ModelError::new(
            ModelErrorKind::Malformed,
            "The model server redirects this request to another address",
        )
        .with_hint("use the address of the server itself, often https instead of http"),
        500.. => ModelError::new(ModelErrorKind::Server, described("The model server failed"))
            .with_hint("try again later, or check the model server's log"),
        _ if is_overflow(&body) => overflow(&reason),
        _ => ModelError::new(
            ModelErrorKind::BadRequest,
            described("The model server rejected the request"),
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

/// The error that a frame reports instead of a part of the reply, if any, without the `secrets`.
pub(crate) fn reported(data: &str, secrets: impl FnOnce() -> Secrets) -> Option<ModelError> {
    // This quick check is enough for most frames.
    static ERROR: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("\"error\""));
    ERROR.find(data.as_bytes())?;
    let value: Value = serde_json::from_str(data).ok()?;
    let error = value.get("error").filter(|error| is_error(error))?;
    let data = &secrets().mask(data);
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
            .with_hint("try again, or check the model server's log")
            .with_detail(clip(data)),
    )
}

/// If `error` means that the model is missing and the server's `models` are known, an error that
/// lists them; else `error`.
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
    // The most similar names first: usually a letter or a tag is wrong.
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
    .with_hint("choose one of its models, or install the missing one")
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
    UNREAD.iter().any(|(message, _)| body.contains(message))
}

/// The error for a reply that its server could not parse. The detail holds the server's whole
/// message, for [`unread_output`].
fn unread(body: &str) -> ModelError {
    let value: Value = serde_json::from_str(body).unwrap_or_default();
    let message = ["/error/message", "/error"]
        .iter()
        .find_map(|pointer| value.pointer(pointer)?.as_str())
        .unwrap_or(body);
    ModelError::new(
        ModelErrorKind::Malformed,
        "The model server could not parse its model's output",
    )
    .with_hint("try again, or use a model that is better at calling tools")
    .with_detail(message)
}

/// The model's output in an error about a reply that its server could not parse.
pub(crate) fn unread_output(error: &ModelError) -> Option<&str> {
    if error.kind() != ModelErrorKind::Malformed {
        return None;
    }
    let detail = error.detail();
    let (_, output) = UNREAD.iter().find_map(|(message, before)| {
        let (_, rest) = detail.split_once(message)?;
        rest.split_once(before)
    })?;
    // Ollama appends its own reason.
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

/// The server's message: `error.message`, `error`, `message` or `detail` of a JSON body, else the
/// start of the text.
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

/// The delay of a `Retry-After` header, given in seconds or as an HTTP date (RFC 9110, 10.2.3).
fn wait(text: &str, now: Timestamp) -> Option<Duration> {
    let text = text.trim();
    if let Ok(seconds) = text.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    // An HTTP date differs from an email date only in its time zone.
    let date = text.replace("GMT", "+0000");
    let until = DateTimeParser::new().parse_timestamp(date).ok()?;
    Duration::try_from(until.duration_since(now))
        .ok()
        .or(Some(Duration::ZERO))
}

#[cfg(test)]
mod tests;

//! The reply as an object: its items with the fields of the request that it repeats (OpenAI's API
//! reference, "The response object"; `openai/openai-python:
//! src/openai/types/responses/response.py` has what SDKs require).

use haft_core::{AiMessage, StopReason, Usage};
use serde_json::{Map, Value, json};

use super::super::format::ReplyHead;
use crate::respond::{Refusal, RefusalCause};

/// What a reply repeats of its request, with the value if the request has none.
fn repeated() -> [(&'static str, Value); 19] {
    [
        ("background", false.into()),
        ("instructions", Value::Null),
        ("max_output_tokens", Value::Null),
        ("max_tool_calls", Value::Null),
        ("metadata", json!({})),
        ("parallel_tool_calls", true.into()),
        ("previous_response_id", Value::Null),
        ("prompt_cache_key", Value::Null),
        ("reasoning", json!({"effort": null, "summary": null})),
        ("safety_identifier", Value::Null),
        ("service_tier", "default".into()),
        ("store", false.into()),
        ("temperature", Value::Null),
        ("text", json!({"format": {"type": "text"}})),
        ("tool_choice", "auto".into()),
        ("tools", json!([])),
        ("top_p", Value::Null),
        ("truncation", "disabled".into()),
        ("user", Value::Null),
    ]
}

/// The state of a reply.
pub(super) enum State<'a> {
    /// No worker has begun with it.
    #[cfg(feature = "durable")]
    Queued,
    #[cfg(feature = "durable")]
    Cancelled,
    InProgress,
    Ended(&'a AiMessage),
    Failed(&'a Refusal),
}

impl State<'_> {
    pub(super) fn status(&self) -> &'static str {
        match self {
            #[cfg(feature = "durable")]
            Self::Queued => "queued",
            #[cfg(feature = "durable")]
            Self::Cancelled => "cancelled",
            Self::InProgress => "in_progress",
            Self::Ended(reply) if unfinished(reply).is_some() => "incomplete",
            Self::Ended(_) => "completed",
            Self::Failed(_) => "failed",
        }
    }
}

/// The reply in this state, with these items.
pub(super) fn response(
    head: &ReplyHead,
    request: &Map<String, Value>,
    state: &State<'_>,
    items: Vec<Value>,
) -> Value {
    let mut fields = Map::new();
    let mut set = |name: &str, value: Value| fields.insert(name.to_owned(), value);
    set("id", head.id.as_str().into());
    set("object", "response".into());
    set("created_at", head.created.as_second().into());
    set("status", state.status().into());
    set("error", error(state));
    let reason = match state {
        State::Ended(reply) => unfinished(reply),
        _ => None,
    };
    let details = reason.map(|reason| json!({"reason": reason}));
    set("incomplete_details", details.unwrap_or_default());
    set("model", head.model.as_str().into());
    set("output", items.into());
    for (name, default) in repeated() {
        let value = request.get(name).filter(|value| !value.is_null());
        set(name, value.cloned().unwrap_or(default));
    }
    let usage = match state {
        State::Ended(reply) => usage(reply.usage.unwrap_or_default()),
        _ => Value::Null,
    };
    set("usage", usage);
    fields.into()
}

/// Why the reply is not complete. Its calls are validated, so a reply with calls is.
pub(super) fn unfinished(reply: &AiMessage) -> Option<&'static str> {
    match reply.stop_reason {
        _ if !reply.tool_calls.is_empty() => None,
        Some(StopReason::MaxTokens) => Some("max_output_tokens"),
        Some(StopReason::Refusal) => Some("content_filter"),
        _ => None,
    }
}

fn error(state: &State<'_>) -> Value {
    match state {
        State::Failed(refusal) => {
            let code = match refusal.status {
                _ if refusal.cause == RefusalCause::ContextOverflow => "context_length_exceeded",
                429 => "rate_limit_exceeded",
                400..=499 => "invalid_prompt",
                _ => "server_error",
            };
            json!({"code": code, "message": refusal.message})
        }
        _ => Value::Null,
    }
}

fn usage(usage: Usage) -> Value {
    json!({
        "input_tokens": usage.input_tokens,
        "input_tokens_details": {
            "cached_tokens": usage.cached_input_tokens,
            "cache_write_tokens": 0,
        },
        "output_tokens": usage.output_tokens,
        // Model servers count reasoning as output and do not report its share.
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": usage.total_tokens(),
    })
}

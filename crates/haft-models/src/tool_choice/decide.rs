//! Requests one tool call or an explicit "none": [`ToolChoice::OneOrNone`].
//!
//! The request has no native tools but a schema in which "none" is one alternative, so that the
//! model has to decide. A reply that does not match the schema counts as "none", so that no call is
//! invented.

use std::sync::Arc;

use haft_core::{
    AiMessage, CallOptions, ChatChunk, ChatStream, Message, StopReason, Tool, ToolChoice, collect,
    generate,
};
use serde_json::{Value, json};

use super::{any_of, calling, quoted, read_spelled, spelled, taught};
use crate::emit::emit_all;
use crate::offered::name_of;

/// Words for "none"; the first one that is not the name of a tool is used.
const NONE: [&str; 3] = ["none", "no_tool", "none_of_these"];

/// The word for "none" that differs from the names of these tools.
pub(crate) fn none_among(tools: &[Arc<dyn Tool>]) -> &'static str {
    let is_free = |word: &&&str| {
        let mut names = tools.iter().flat_map(|tool| [tool.name(), name_of(tool)]);
        names.all(|name| name != **word)
    };
    NONE.iter().find(is_free).copied().unwrap_or("none")
}

/// The reply that `ask` streams with a schema for a call of one of `tools` or none.
pub(super) fn decided<F>(
    tools: &[Arc<dyn Tool>],
    messages: &[Message],
    options: &CallOptions,
    ask: F,
) -> ChatStream
where
    F: Fn(&[Message], &CallOptions) -> ChatStream + Send + Sync + 'static,
{
    let none = none_among(tools);
    let request = format!(
        "Decide what the user's last message needs. Reply with one JSON object {{\"name\": ..., \
         \"arguments\": {{...}}}} that calls the tool which does it, or with {{\"name\": \
         \"{none}\"}} if no tool is needed."
    );
    let options = CallOptions {
        tool_choice: ToolChoice::None,
        response_schema: Some(Arc::new(schema(tools, none))),
        ..options.clone()
    };
    let taught = taught(messages, &request, tools);
    let (messages, tools) = (messages.to_vec(), tools.to_vec());
    generate(|emitter| async move {
        let reply = collect(ask(&taught, &options)).await?;
        let call = read_spelled(&reply.content.text());
        let call = call.filter(|call| tools.iter().any(|tool| call.name == name_of(tool)));
        let quoted = call
            .as_ref()
            .and_then(|call| quoted(call, &tools, &messages, &options));
        let chunks = match call {
            Some(_) if let Some(quoted) = quoted => {
                vec![ChatChunk::Quoted(quoted), ChatChunk::Done(silent(&reply))]
            }
            Some(call) => calling(reply, call),
            None => vec![ChatChunk::Done(silent(&reply))],
        };
        emit_all(&emitter, chunks).await;
        Ok(())
    })
}

fn schema(tools: &[Arc<dyn Tool>], none: &str) -> Value {
    let mut choices = spelled(tools);
    choices.push(json!({
        "type": "object",
        "properties": {"name": {"type": "string", "enum": [none]}},
        "required": ["name"],
    }));
    any_of(choices)
}

/// The reply for "none": without text and calls.
pub(crate) fn silent(reply: &AiMessage) -> AiMessage {
    AiMessage {
        usage: reply.usage,
        stop_reason: Some(StopReason::EndTurn),
        ..AiMessage::default()
    }
}

#[cfg(test)]
mod tests;

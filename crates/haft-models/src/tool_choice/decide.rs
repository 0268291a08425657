//! A call of one bound tool, or the express word that none is needed: [`ToolChoice::OneOrNone`].
//!
//! The turn goes out without tools and with a schema of which "none" is one branch, so that a
//! model which would rather talk has to say which it means. What is not such an object counts as
//! "none": this turn must never invent a call.

use std::sync::Arc;

use haft_core::{
    AiMessage, CallOptions, ChatChunk, ChatStream, Message, StopReason, Tool, ToolChoice, collect,
    generate,
};
use serde_json::{Value, json};

use super::{any_of, calling, name_of, read_spelled, spelled, taught};

/// Words for "none", of which the first that is no tool's name is used.
const NONE: [&str; 3] = ["none", "no_tool", "none_of_these"];

/// The word for "none" beside these tools.
pub(crate) fn none_among(tools: &[Arc<dyn Tool>]) -> &'static str {
    let is_free = |word: &&&str| {
        let mut names = tools.iter().flat_map(|tool| [tool.name(), name_of(tool)]);
        names.all(|name| name != **word)
    };
    NONE.iter().find(is_free).copied().unwrap_or("none")
}

/// The reply that `ask` streams under a schema that spells a call of one of `tools` or none.
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
    let messages = taught(messages, &request, tools);
    let tools = tools.to_vec();
    generate(|emitter| async move {
        let reply = collect(ask(&messages, &options)).await?;
        let call = read_spelled(&reply.content.text());
        let call = call.filter(|call| tools.iter().any(|tool| call.name == name_of(tool)));
        let chunks = match call {
            Some(call) => calling(reply, call),
            None => vec![ChatChunk::Done(silent(&reply))],
        };
        for chunk in chunks {
            emitter.emit(chunk).await;
        }
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

/// The reply that says "none".
pub(crate) fn silent(reply: &AiMessage) -> AiMessage {
    AiMessage {
        usage: reply.usage,
        stop_reason: Some(StopReason::EndTurn),
        ..AiMessage::default()
    }
}

#[cfg(test)]
mod tests;

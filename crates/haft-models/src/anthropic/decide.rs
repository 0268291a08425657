//! Asks for one tool call or none, with an additional tool that means "none" and a demanded call.
//!
//! Anthropic enforces `tool_choice` itself, even for models that do not support structured output.

use std::sync::Arc;

use async_trait::async_trait;
use haft_core::{
    CallOptions, ChatChunk, ChatModel, ChatStream, Message, StopReason, Tool, ToolChoice,
    ToolError, ToolInput, ToolOutput, collect, generate,
};
use serde_json::{Value, json};

use super::ChatAnthropic;
use crate::tool_choice::decide::{none_among, silent};

/// The tool that means "none"; it is offered and never run.
#[derive(Debug)]
struct NoTool {
    name: &'static str,
    schema: Value,
}

#[async_trait]
impl Tool for NoTool {
    fn name(&self) -> &str {
        self.name
    }

    fn description(&self) -> &str {
        "Call this when the user's last message needs none of the other tools."
    }

    fn schema(&self) -> &Value {
        &self.schema
    }

    async fn invoke(&self, _: ToolInput) -> Result<ToolOutput, ToolError> {
        Err(ToolError::new(
            "This tool stands for no call and cannot run",
        ))
    }
}

/// Asks `model` for a call of one of its tools, or none.
pub(super) fn decided(
    model: &ChatAnthropic,
    messages: &[Message],
    options: &CallOptions,
) -> ChatStream {
    let mut tools = model.bound.tools.tools.clone();
    let none = none_among(&tools);
    tools.push(Arc::new(NoTool {
        name: none,
        schema: json!({"type": "object", "properties": {}}),
    }));
    let options = CallOptions {
        tool_choice: ToolChoice::Required,
        ..options.clone()
    };
    let stream = model
        .bind_tools(&tools)
        .map(|bound| bound.stream(messages, &options));
    generate(|emitter| async move {
        let reply = collect(stream?).await?;
        let mut calls = reply.tool_calls.clone();
        calls.retain(|call| call.name != none);
        let mut decided = silent(&reply);
        for (index, call) in calls.iter().enumerate() {
            let (name, call) = (call.name.clone(), call.clone());
            emitter
                .emit(ChatChunk::CallStart {
                    index,
                    name,
                    id: None,
                })
                .await;
            emitter.emit(ChatChunk::CallEnd { index, call }).await;
        }
        if !calls.is_empty() {
            decided.stop_reason = Some(StopReason::ToolUse);
        }
        decided.tool_calls = calls;
        emitter.emit(ChatChunk::Done(decided)).await;
        Ok(())
    })
}

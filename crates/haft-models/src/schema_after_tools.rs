//! Combines a response schema with tools, for servers that do not support both in one request.

use futures_util::TryStreamExt;
use haft_core::{CallOptions, ChatChunk, ChatStream, Message, ToolChoice, generate};

use crate::bound::BoundTools;
use crate::emit::{emit_after, emit_all, emit_notices};

/// The reply that `ask` streams. If `options` have a schema and tools are offered, the first
/// request is without the schema; if the model calls no tool, a second one is without the tools.
pub(crate) fn schema_after_tools<F>(
    bound: &BoundTools,
    messages: &[Message],
    options: &CallOptions,
    ask: F,
) -> ChatStream
where
    F: Fn(&[Message], &CallOptions) -> ChatStream + Send + Sync + 'static,
{
    if options.response_schema.is_none() || bound.offered(&options.tool_choice).is_empty() {
        return ask(messages, options);
    }
    let messages = messages.to_vec();
    let free = CallOptions {
        response_schema: None,
        ..options.clone()
    };
    let constrained = CallOptions {
        tool_choice: ToolChoice::None,
        ..options.clone()
    };
    generate(|emitter| async move {
        let first: Vec<ChatChunk> = ask(&messages, &free).try_collect().await?;
        let spent = match first.last() {
            Some(ChatChunk::Done(reply)) if !reply.has_calls() => reply.usage,
            _ => {
                emit_all(&emitter, first).await;
                return Ok(());
            }
        };
        emit_notices(&emitter, first).await;
        emit_after(&emitter, spent, ask(&messages, &constrained)).await
    })
}

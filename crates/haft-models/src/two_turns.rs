//! A schema for the text and tools to call, for servers that cannot do both at once.

use futures_util::{StreamExt, TryStreamExt};
use haft_core::{CallOptions, ChatChunk, ChatStream, Message, ToolChoice, generate};

use crate::bound::BoundTools;

/// The reply that `ask` streams. Where `options` hold a schema while tools are on offer, the
/// model is first asked without the schema, and if it calls nothing, again without the tools.
pub(crate) fn in_two_turns<F>(
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
                for chunk in first {
                    emitter.emit(chunk).await;
                }
                return Ok(());
            }
        };
        let mut second = ask(&messages, &constrained);
        while let Some(chunk) = second.next().await {
            let mut chunk = chunk?;
            if let (ChatChunk::Done(reply), Some(spent)) = (&mut chunk, spent) {
                *reply.usage.get_or_insert_default() += spent;
            }
            emitter.emit(chunk).await;
        }
        Ok(())
    })
}

//! Emits the chunks of a reply to whoever asked for it.

use futures_util::StreamExt;
use haft_core::{ChatChunk, ChatStream, Emitter, ModelError, Usage};

/// Emits these chunks in order.
pub(crate) async fn emit_all(emitter: &Emitter<ChatChunk>, chunks: Vec<ChatChunk>) {
    for chunk in chunks {
        emitter.emit(chunk).await;
    }
}

/// Emits the chunks of a reply that says what the model was taught or quoted, and drops all others:
/// what remains of a reply that another one follows.
pub(crate) async fn emit_notices(emitter: &Emitter<ChatChunk>, chunks: Vec<ChatChunk>) {
    for chunk in chunks {
        if matches!(chunk, ChatChunk::Quoted(_) | ChatChunk::ToolsTaught(_)) {
            emitter.emit(chunk).await;
        }
    }
}

/// Emits a reply as it streams, with the tokens that an earlier request `spent` in its usage.
pub(crate) async fn emit_after(
    emitter: &Emitter<ChatChunk>,
    spent: Option<Usage>,
    mut reply: ChatStream,
) -> Result<(), ModelError> {
    while let Some(chunk) = reply.next().await {
        let mut chunk = chunk?;
        if let (ChatChunk::Done(reply), Some(spent)) = (&mut chunk, spent) {
            *reply.usage.get_or_insert_default() += spent;
        }
        emitter.emit(chunk).await;
    }
    Ok(())
}

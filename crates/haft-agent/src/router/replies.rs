//! Complete replies that no model writes.

use haft_core::{AiMessage, ChatChunk, ChatStream, Message, StopReason, ToolCall, generate};

/// A complete reply with this call.
pub(super) fn call_with(call: ToolCall, messages: &[Message]) -> ChatStream {
    let calls_of = |message: &Message| match message {
        Message::Ai(reply) => reply.tool_calls.len(),
        _ => 0,
    };
    let earlier: usize = messages.iter().map(calls_of).sum();
    let call = ToolCall {
        id: format!("call_{}", earlier + 1),
        ..call
    };
    generate(move |emitter| async move {
        let (index, name, id) = (0, call.name.clone(), None);
        emitter.emit(ChatChunk::CallStart { index, name, id }).await;
        let end = ChatChunk::CallEnd {
            index,
            call: call.clone(),
        };
        emitter.emit(end).await;
        let reply = AiMessage {
            stop_reason: Some(StopReason::ToolUse),
            ..AiMessage::new("").with_tool_calls([call])
        };
        emitter.emit(ChatChunk::Done(reply)).await;
        Ok(())
    })
}

/// A complete reply with this text.
pub(super) fn say(text: String) -> ChatStream {
    reply_with(text, StopReason::EndTurn)
}

/// A complete reply with this text that stops for this reason.
pub(super) fn reply_with(text: String, stop_reason: StopReason) -> ChatStream {
    generate(move |emitter| async move {
        if !text.is_empty() {
            emitter.emit(ChatChunk::Text(text.clone())).await;
        }
        let reply = AiMessage {
            stop_reason: Some(stop_reason),
            ..AiMessage::new(text)
        };
        emitter.emit(ChatChunk::Done(reply)).await;
        Ok(())
    })
}

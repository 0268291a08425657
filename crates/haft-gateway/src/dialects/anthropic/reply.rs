//! Writes a message: as stream events (docs.anthropic.com, "Streaming messages"), or whole.

use haft_core::{AiMessage, Content, ContentBlock, StopReason, ToolCall};
use serde_json::{Value, json};

use super::super::format::{OpenCall, ReplyFormat, ReplyHead, arguments_text};
use super::super::frames::event;
use super::blocks::Blocks;

/// A message that is being written.
#[derive(Debug)]
pub(super) struct MessageReply {
    head: ReplyHead,
    has_begun: bool,
    blocks: Blocks,
}

impl ReplyFormat for MessageReply {
    fn head(&mut self) -> &mut ReplyHead {
        &mut self.head
    }

    fn call_announced(&mut self, out: &mut Vec<u8>) {
        self.begin(out);
    }

    fn text(&mut self, text: &str, out: &mut Vec<u8>) {
        self.begin(out).text(text, out);
    }

    fn reasoning(&mut self, reasoning: &str, out: &mut Vec<u8>) {
        self.begin(out).reasoning(reasoning, out);
    }

    fn signature(&mut self, signature: &str, out: &mut Vec<u8>) {
        self.begin(out).signature(signature, out);
    }

    fn redacted_reasoning(&mut self, data: &str, out: &mut Vec<u8>) {
        self.begin(out).redacted_reasoning(data, out);
    }

    fn call(&mut self, place: usize, call: &ToolCall, out: &mut Vec<u8>) {
        let (id, name) = (&call.id, &call.name);
        self.open_call(OpenCall { place, id, name }, out);
        self.blocks.arguments(&arguments_text(call), out);
        self.blocks.close(out);
    }

    fn streams_calls(&self) -> bool {
        true
    }

    fn open_call(&mut self, call: OpenCall<'_>, out: &mut Vec<u8>) {
        self.begin(out).open_call(call.id, call.name, out);
    }

    fn call_arguments(&mut self, _place: usize, fragment: &str, out: &mut Vec<u8>) {
        self.blocks.arguments(fragment, out);
    }

    fn end(&mut self, reply: &AiMessage, out: &mut Vec<u8>) {
        self.begin(out).close(out);
        let delta = json!({
            "type": "message_delta",
            "delta": {"stop_reason": stop_reason(reply), "stop_sequence": null},
            "usage": usage(reply),
        });
        event(Some("message_delta"), &self.head.reported(delta), out);
        event(Some("message_stop"), &json!({"type": "message_stop"}), out);
    }

    fn whole(&self, reply: &AiMessage) -> Vec<u8> {
        let mut content: Vec<Value> = match &reply.content {
            Content::Text(text) if text.is_empty() => Vec::new(),
            Content::Text(text) => vec![json!({"type": "text", "text": text})],
            Content::Blocks(blocks) => blocks.iter().filter_map(block).collect(),
        };
        content.extend(reply.tool_calls.iter().map(call));
        let mut whole = self.empty_message();
        if let Some(whole) = whole.as_object_mut() {
            whole.insert("content".to_owned(), content.into());
            whole.insert("stop_reason".to_owned(), stop_reason(reply).into());
            whole.insert("usage".to_owned(), usage(reply));
        }
        whole.to_string().into_bytes()
    }
}

impl MessageReply {
    pub(super) fn new(head: ReplyHead) -> Self {
        Self {
            head,
            has_begun: false,
            blocks: Blocks::default(),
        }
    }

    /// Writes the first event of the stream, once.
    fn begin(&mut self, out: &mut Vec<u8>) -> &mut Blocks {
        if !std::mem::replace(&mut self.has_begun, true) {
            let start = json!({"type": "message_start", "message": self.empty_message()});
            event(Some("message_start"), &start, out);
        }
        &mut self.blocks
    }

    fn empty_message(&self) -> Value {
        json!({
            "id": self.head.id,
            "type": "message",
            "role": "assistant",
            "model": self.head.model,
            "content": [],
            "stop_reason": null,
            "stop_sequence": null,
            "usage": {"input_tokens": 0, "output_tokens": 0},
        })
    }
}

fn block(block: &ContentBlock) -> Option<Value> {
    match block {
        ContentBlock::Text { text } if text.is_empty() => None,
        ContentBlock::Text { text } => Some(json!({"type": "text", "text": text})),
        ContentBlock::Thinking {
            thinking,
            signature,
        } => {
            let signature = signature.as_deref().unwrap_or_default();
            Some(json!({"type": "thinking", "thinking": thinking, "signature": signature}))
        }
        ContentBlock::RedactedThinking { data } => {
            Some(json!({"type": "redacted_thinking", "data": data}))
        }
        ContentBlock::Image(_) | ContentBlock::Attachment { .. } => None,
    }
}

fn call(call: &ToolCall) -> Value {
    json!({"type": "tool_use", "id": call.id, "name": call.name, "input": call.args})
}

fn usage(reply: &AiMessage) -> Value {
    let usage = reply.usage.unwrap_or_default();
    json!({
        "input_tokens": usage.input_tokens.saturating_sub(usage.cached_input_tokens),
        "cache_read_input_tokens": usage.cached_input_tokens,
        "output_tokens": usage.output_tokens,
    })
}

fn stop_reason(reply: &AiMessage) -> &'static str {
    match reply.stop_reason {
        _ if !reply.tool_calls.is_empty() => "tool_use",
        Some(StopReason::MaxTokens) => "max_tokens",
        Some(StopReason::Refusal) => "refusal",
        _ => "end_turn",
    }
}

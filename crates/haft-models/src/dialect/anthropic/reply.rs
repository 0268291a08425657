//! A reply in the words of Anthropic's messages: whole, or as the events of a stream
//! (docs.anthropic.com, "Streaming messages").

use haft_core::{AiMessage, Content, ContentBlock, StopReason, ToolCall};
use serde::Serialize;
use serde_json::{Value, json};

use crate::dialect::openai;
use crate::dialect::writer::{Texts, event};

/// The reply in one piece.
pub(in crate::dialect) fn whole(id: &str, model: &str, reply: &AiMessage) -> Value {
    let mut content: Vec<Value> = match &reply.content {
        Content::Text(text) if text.is_empty() => Vec::new(),
        Content::Text(text) => vec![json!({"type": "text", "text": text})],
        Content::Blocks(blocks) => blocks.iter().filter_map(block).collect(),
    };
    content.extend(reply.tool_calls.iter().map(call));
    let mut whole = message(id, model);
    if let Some(whole) = whole.as_object_mut() {
        whole.insert("content".to_owned(), content.into());
        whole.insert("stop_reason".to_owned(), stop_reason(reply).into());
        whole.insert("usage".to_owned(), usage(reply));
    }
    whole
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
        ContentBlock::Image(_) => None,
    }
}

/// The event by which a stream begins.
pub(in crate::dialect) fn start(id: &str, model: &str) -> Value {
    json!({"type": "message_start", "message": message(id, model)})
}

fn message(id: &str, model: &str) -> Value {
    json!({
        "id": id,
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [],
        "stop_reason": null,
        "stop_sequence": null,
        "usage": {"input_tokens": 0, "output_tokens": 0},
    })
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

/// The event that says why a stream ends.
pub(in crate::dialect) fn delta(reply: &AiMessage) -> Value {
    json!({
        "type": "message_delta",
        "delta": {"stop_reason": stop_reason(reply), "stop_sequence": null},
        "usage": usage(reply),
    })
}

/// The event with more of a block.
#[derive(Serialize)]
struct BlockDelta<'a> {
    r#type: &'static str,
    index: u64,
    delta: Texts<'a>,
}

/// The blocks of a stream.
#[derive(Debug, Default)]
pub(in crate::dialect) struct Blocks {
    index: u64,
    open: Option<&'static str>,
    /// The open thought has its seal.
    is_sealed: bool,
}

impl Blocks {
    pub(in crate::dialect) fn text(&mut self, text: &str, out: &mut Vec<u8>) {
        self.open("text", || json!({"type": "text", "text": ""}), out);
        self.delta("text_delta", ("text", text), out);
    }

    pub(in crate::dialect) fn thought(&mut self, thought: &str, out: &mut Vec<u8>) {
        if std::mem::take(&mut self.is_sealed) {
            self.close(out);
        }
        self.think(out);
        self.delta("thinking_delta", ("thinking", thought), out);
    }

    fn think(&mut self, out: &mut Vec<u8>) {
        let block = || json!({"type": "thinking", "thinking": "", "signature": ""});
        self.open("thinking", block, out);
    }

    pub(in crate::dialect) fn call(&mut self, call: &ToolCall, out: &mut Vec<u8>) {
        self.open_call(&call.id, &call.name, out);
        self.arguments(&openai::arguments(call), out);
        self.close(out);
    }

    /// A call of which more is to come; what comes after it is something else.
    pub(in crate::dialect) fn open_call(&mut self, id: &str, name: &str, out: &mut Vec<u8>) {
        self.close(out);
        let block = || json!({"type": "tool_use", "id": id, "name": name, "input": {}});
        self.open("tool_use", block, out);
    }

    pub(in crate::dialect) fn arguments(&mut self, fragment: &str, out: &mut Vec<u8>) {
        self.delta("input_json_delta", ("partial_json", fragment), out);
    }

    /// The seal under the thought; what comes after it is another thought.
    pub(in crate::dialect) fn seal(&mut self, seal: &str, out: &mut Vec<u8>) {
        self.think(out);
        self.is_sealed = true;
        self.delta("signature_delta", ("signature", seal), out);
    }

    pub(in crate::dialect) fn hidden(&mut self, data: &str, out: &mut Vec<u8>) {
        self.close(out);
        self.open(
            "redacted_thinking",
            || json!({"type": "redacted_thinking", "data": data}),
            out,
        );
        self.close(out);
    }

    /// The end; `delta` says why.
    pub(in crate::dialect) fn end(&mut self, delta: &Value, out: &mut Vec<u8>) {
        self.close(out);
        event(Some("message_delta"), delta, out);
        event(Some("message_stop"), &json!({"type": "message_stop"}), out);
    }

    fn open(&mut self, kind: &'static str, block: impl FnOnce() -> Value, out: &mut Vec<u8>) {
        if self.open == Some(kind) {
            return;
        }
        self.close(out);
        self.open = Some(kind);
        let start =
            json!({"type": "content_block_start", "index": self.index, "content_block": block()});
        event(Some("content_block_start"), &start, out);
    }

    fn delta(&self, kind: &str, more: (&str, &str), out: &mut Vec<u8>) {
        let delta = BlockDelta {
            r#type: "content_block_delta",
            index: self.index,
            delta: Texts(&[("type", kind), more]),
        };
        event(Some("content_block_delta"), &delta, out);
    }

    fn close(&mut self, out: &mut Vec<u8>) {
        if self.open.take().is_some() {
            let stop = json!({"type": "content_block_stop", "index": self.index});
            event(Some("content_block_stop"), &stop, out);
            self.index += 1;
        }
    }
}

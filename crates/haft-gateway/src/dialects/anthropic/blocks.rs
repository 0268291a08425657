//! The content blocks of a streamed message: each is opened, filled with deltas and closed before
//! the next one (docs.anthropic.com, "Streaming messages").

use serde::Serialize;
use serde_json::{Value, json};

use super::super::frames::{Texts, event};

/// The event with more content of a block.
#[derive(Serialize)]
struct BlockDelta<'a> {
    r#type: &'static str,
    index: u64,
    delta: Texts<'a>,
}

/// The content blocks of a stream.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    index: u64,
    open: Option<&'static str>,
    /// Whether the open reasoning block has its signature.
    is_signed: bool,
}

impl Blocks {
    pub(super) fn text(&mut self, text: &str, out: &mut Vec<u8>) {
        self.open("text", || json!({"type": "text", "text": ""}), out);
        self.delta("text_delta", ("text", text), out);
    }

    pub(super) fn reasoning(&mut self, reasoning: &str, out: &mut Vec<u8>) {
        if std::mem::take(&mut self.is_signed) {
            self.close(out);
        }
        self.open_reasoning(out);
        self.delta("thinking_delta", ("thinking", reasoning), out);
    }

    fn open_reasoning(&mut self, out: &mut Vec<u8>) {
        let block = || json!({"type": "thinking", "thinking": "", "signature": ""});
        self.open("thinking", block, out);
    }

    /// Opens a call whose arguments follow in pieces.
    pub(super) fn open_call(&mut self, id: &str, name: &str, out: &mut Vec<u8>) {
        self.close(out);
        let block = || json!({"type": "tool_use", "id": id, "name": name, "input": {}});
        self.open("tool_use", block, out);
    }

    pub(super) fn arguments(&mut self, fragment: &str, out: &mut Vec<u8>) {
        self.delta("input_json_delta", ("partial_json", fragment), out);
    }

    /// Writes the signature of the reasoning; later reasoning starts a new block.
    pub(super) fn signature(&mut self, signature: &str, out: &mut Vec<u8>) {
        self.open_reasoning(out);
        self.is_signed = true;
        self.delta("signature_delta", ("signature", signature), out);
    }

    pub(super) fn redacted_reasoning(&mut self, data: &str, out: &mut Vec<u8>) {
        self.close(out);
        self.open(
            "redacted_thinking",
            || json!({"type": "redacted_thinking", "data": data}),
            out,
        );
        self.close(out);
    }

    /// Writes a citation of the open text.
    pub(super) fn citation(&mut self, citation: &Value, out: &mut Vec<u8>) {
        self.open("text", || json!({"type": "text", "text": ""}), out);
        let delta = json!({
            "type": "content_block_delta",
            "index": self.index,
            "delta": {"type": "citations_delta", "citation": citation},
        });
        event(Some("content_block_delta"), &delta, out);
    }

    /// Writes a block of the model server's that haft does not know.
    pub(super) fn whole_block(&mut self, block: &Value, out: &mut Vec<u8>) {
        self.close(out);
        self.open("other", || block.clone(), out);
        self.close(out);
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

    /// Closes the open block, if there is one.
    pub(super) fn close(&mut self, out: &mut Vec<u8>) {
        if self.open.take().is_some() {
            let stop = json!({"type": "content_block_stop", "index": self.index});
            event(Some("content_block_stop"), &stop, out);
            self.index += 1;
        }
    }
}

//! Writes a message: as stream events (docs.anthropic.com, "Streaming messages"), or whole.

use haft_core::{AiMessage, Content, ContentBlock, ServerFields, StopReason, ToolCall};
use serde_json::{Value, json};

use super::super::format::{OpenCall, ReplyFormat, ReplyHead, arguments_text, complete};
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

    fn server_fields(&mut self, fields: &ServerFields, out: &mut Vec<u8>) {
        // Those of the reply stand in its last events.
        let head = &mut self.head.fields;
        complete(&mut head.reply, &fields.reply);
        complete(&mut head.choice, &fields.choice);
        for citation in &fields.citations {
            self.begin(out).citation(citation, out);
        }
        for block in &fields.blocks {
            self.begin(out).whole_block(block, out);
        }
    }

    fn end(&mut self, reply: &AiMessage, out: &mut Vec<u8>) {
        self.begin(out).close(out);
        let fields = &self.head.fields;
        let mut delta = json!({
            "type": "message_delta",
            "delta": {"stop_reason": stop_reason(reply, fields), "stop_sequence": null},
            "usage": self.usage(reply),
        });
        if let Some(event) = delta.as_object_mut() {
            complete(event, &fields.reply);
            if let Some(Value::Object(delta)) = event.get_mut("delta") {
                complete(delta, &fields.choice);
            }
        }
        event(Some("message_delta"), &self.head.reported(delta), out);
        event(Some("message_stop"), &json!({"type": "message_stop"}), out);
    }

    fn whole(&self, reply: &AiMessage) -> Vec<u8> {
        let mut content: Vec<Value> = match &reply.content {
            Content::Text(text) if text.is_empty() => Vec::new(),
            Content::Text(text) => vec![json!({"type": "text", "text": text})],
            Content::Blocks(blocks) => blocks.iter().filter_map(block).collect(),
        };
        let fields = &self.head.fields;
        let mut texts = content.iter_mut().rev().filter_map(Value::as_object_mut);
        if let Some(text) = texts.find(|block| block.contains_key("text"))
            && !fields.citations.is_empty()
        {
            text.insert("citations".to_owned(), fields.citations.clone().into());
        }
        // Tools that run at the server are called before the text that uses their results.
        content.splice(0..0, fields.blocks.iter().cloned());
        content.extend(reply.tool_calls.iter().map(call));
        let mut whole = self.empty_message();
        if let Some(whole) = whole.as_object_mut() {
            whole.insert("content".to_owned(), content.into());
            whole.insert("stop_reason".to_owned(), stop_reason(reply, fields).into());
            whole.insert("usage".to_owned(), self.usage(reply));
            complete(whole, &fields.reply);
            complete(whole, &fields.choice);
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

    /// The token counts, with those that the model server reported beside.
    fn usage(&self, reply: &AiMessage) -> Value {
        let usage = reply.usage.unwrap_or_default();
        let server = &self.head.fields.usage;
        let created = server.get("cache_creation_input_tokens");
        let created = created.and_then(Value::as_u64).unwrap_or_default();
        let cached = usage.cached_input_tokens.saturating_add(created);
        let mut usage = json!({
            "input_tokens": usage.input_tokens.saturating_sub(cached),
            "cache_read_input_tokens": usage.cached_input_tokens,
            "output_tokens": usage.output_tokens,
        });
        if let Some(usage) = usage.as_object_mut() {
            complete(usage, server);
        }
        usage
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

fn stop_reason<'a>(reply: &AiMessage, fields: &'a ServerFields) -> &'a str {
    match reply.stop_reason {
        _ if !reply.tool_calls.is_empty() => "tool_use",
        Some(StopReason::MaxTokens) => "max_tokens",
        Some(StopReason::Refusal) => "refusal",
        _ => {
            let reason = fields.choice.get("stop_reason").and_then(Value::as_str);
            reason.unwrap_or("end_turn")
        }
    }
}

//! Writes a reply: event by event (OpenAI's API reference, "Streaming events"), or whole.

use std::collections::HashMap;
use std::sync::Arc;

use haft_core::{AiMessage, ContentBlock, ToolCall};
use serde_json::{Map, Value, json};

use super::super::format::{OpenCall, ReplyFormat, ReplyHead, arguments_text};
use super::super::frames::event;
use super::error_event;
use super::object::{State, response, unfinished};
use super::output::{ItemStatus, Output};
use super::tools::{ClientName, ToolKind};
use crate::kept_replies::{KeptReplies, KeptReply, Stored};
use crate::respond::Refusal;

pub(super) use super::output::ReasoningForm;

/// What the writer of a reply needs of the request.
#[derive(Debug)]
pub(super) struct ReplyBasis {
    /// The fields of the request.
    pub(super) repeated: Map<String, Value>,
    /// The client's names of the tools, by the model's names.
    pub(super) tools: HashMap<String, ClientName>,
    pub(super) reasoning: ReasoningForm,
    pub(super) keep: Option<Keep>,
}

/// Where the reply is kept, and how much of it.
#[derive(Debug)]
pub(super) struct Keep {
    pub(super) kept: Arc<KeptReplies>,
    /// The items of the conversation, if the client asked to store the reply.
    pub(super) input: Option<Vec<Value>>,
}

/// A reply that is being written.
#[derive(Clone, Debug)]
pub(super) struct ResponseReply {
    head: ReplyHead,
    basis: Arc<ReplyBasis>,
    has_begun: bool,
    output: Output,
}

impl ReplyFormat for ResponseReply {
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
        let form = self.basis.reasoning;
        self.begin(out).reasoning(reasoning, form, out);
    }

    fn signature(&mut self, signature: &str, out: &mut Vec<u8>) {
        let form = self.basis.reasoning;
        self.begin(out).signature(signature, form, out);
    }

    fn redacted_reasoning(&mut self, data: &str, out: &mut Vec<u8>) {
        self.begin(out).redacted_reasoning(data, out);
    }

    fn call(&mut self, place: usize, call: &ToolCall, out: &mut Vec<u8>) {
        let (id, name) = (&call.id, &call.name);
        self.open_call(OpenCall { place, id, name }, out);
        self.output.arguments(&arguments_text(call), out);
        self.output.close(ItemStatus::Completed, out);
    }

    fn streams_calls(&self) -> bool {
        true
    }

    fn open_call(&mut self, call: OpenCall<'_>, out: &mut Vec<u8>) {
        let tool = self.basis.tools.get(call.name).cloned();
        // A tool of the gateway is a function.
        let tool = tool.unwrap_or_else(|| ClientName {
            kind: ToolKind::Function,
            name: call.name.to_owned(),
            namespace: None,
        });
        self.begin(out).call(call.id, tool, out);
    }

    fn call_arguments(&mut self, _place: usize, fragment: &str, out: &mut Vec<u8>) {
        self.output.arguments(fragment, out);
    }

    fn end(&mut self, reply: &AiMessage, out: &mut Vec<u8>) {
        let response = self.ended(reply, out);
        let kind = match unfinished(reply) {
            Some(_) => "response.incomplete",
            None => "response.completed",
        };
        let last = json!({
            "type": kind,
            "sequence_number": self.output.next(),
            "response": response,
        });
        event(Some(kind), &self.head.reported(last), out);
    }

    fn failed(&mut self, refusal: &Refusal) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        self.begin(&mut out);
        let error = error_event(refusal, self.output.next());
        event(Some("error"), &error, &mut out);
        let items = self.output.items.clone();
        let state = State::Failed(refusal);
        let response = response(&self.head, &self.basis.repeated, &state, items);
        let response = json!({"response": response});
        self.output.event("response.failed", response, &mut out);
        Some(out)
    }

    fn whole(&self, reply: &AiMessage) -> Vec<u8> {
        // The items are those of a stream; its events are dropped.
        let mut whole = self.clone();
        whole.has_begun = true;
        let events = &mut Vec::new();
        let blocks = reply.content.blocks();
        for block in blocks {
            match block {
                ContentBlock::Text { text } if text.is_empty() => {}
                ContentBlock::Text { text } => whole.text(text, events),
                ContentBlock::Thinking {
                    thinking,
                    signature,
                } => {
                    whole.reasoning(thinking, events);
                    if let Some(signature) = signature {
                        whole.signature(signature, events);
                    }
                }
                ContentBlock::RedactedThinking { data } => whole.redacted_reasoning(data, events),
                ContentBlock::Image(_) | ContentBlock::Attachment { .. } => {}
            }
            events.clear();
        }
        for (place, call) in reply.tool_calls.iter().enumerate() {
            whole.call(place, call, events);
        }
        whole.ended(reply, events).to_string().into_bytes()
    }
}

impl ResponseReply {
    pub(super) fn new(head: ReplyHead, basis: ReplyBasis) -> Self {
        Self {
            head,
            basis: Arc::new(basis),
            has_begun: false,
            output: Output::default(),
        }
    }

    /// Writes the first events of the stream, once.
    fn begin(&mut self, out: &mut Vec<u8>) -> &mut Output {
        if !std::mem::replace(&mut self.has_begun, true) {
            let repeated = &self.basis.repeated;
            let response = response(&self.head, repeated, &State::InProgress, Vec::new());
            let response = json!({"response": response});
            self.output.event("response.created", response.clone(), out);
            self.output.event("response.in_progress", response, out);
        }
        &mut self.output
    }

    /// Closes the last item, and keeps the reply if it may be referred to; returns it as an object.
    fn ended(&mut self, reply: &AiMessage, out: &mut Vec<u8>) -> Value {
        let status = match unfinished(reply) {
            Some(_) => ItemStatus::Incomplete,
            None => ItemStatus::Completed,
        };
        self.begin(out).close(status, out);
        let items = self.output.items.clone();
        let state = State::Ended(reply);
        let response = response(&self.head, &self.basis.repeated, &state, items);
        if let Some(Keep { kept, input }) = &self.basis.keep {
            let stored = input.as_ref().map(|input| Stored {
                response: response.clone(),
                input: input.clone(),
            });
            kept.keep(KeptReply {
                id: self.head.id.clone(),
                output: self.output.items.clone(),
                stored,
            });
        }
        response
    }
}

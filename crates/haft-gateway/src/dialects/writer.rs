//! Decides which parts of a reply are written and when; the dialect's [`ReplyFormat`] decides how
//! they look.
//!
//! Streamed and whole replies are built from the same parts, so that they have equal content. A
//! call is written once, when it is complete, or opened first and completed in pieces.

use std::collections::HashSet;

use haft_core::{AiMessage, ChatChunk, Message, ServerFields, ToolCall};
use serde_json::Value;

use super::format::{OpenCall, ReplyFormat, random_id};
use crate::respond::Refusal;

/// Writes one reply.
#[derive(Debug)]
pub(crate) struct ReplyWriter {
    format: Box<dyn ReplyFormat>,
    /// The prefix of new ids of calls.
    call_prefix: &'static str,
    /// The ids of the conversation's calls.
    taken: HashSet<String>,
    /// The indexes of the calls already written.
    written: HashSet<usize>,
    /// The index of the call that is being streamed: the latest one.
    flowing: Option<usize>,
}

impl ReplyWriter {
    /// The writer for the reply to these messages.
    pub(crate) fn new(
        format: Box<dyn ReplyFormat>,
        call_prefix: &'static str,
        messages: &[Message],
    ) -> Self {
        Self {
            format,
            call_prefix,
            taken: call_ids(messages).collect(),
            written: HashSet::new(),
            flowing: None,
        }
    }

    /// Sets the value of the `haft` field in the last event.
    pub(crate) fn report(&mut self, report: Value) {
        self.format.head().report = Some(report);
    }

    /// Sets the name of the answering model if it is not the requested one. Must be called before
    /// the first chunk.
    pub(crate) fn answered_by(&mut self, model: String) {
        self.format.head().model = model;
    }

    /// The bytes to send for a chunk of the reply; empty for many chunks.
    pub(crate) fn chunk(&mut self, chunk: &ChatChunk) -> Vec<u8> {
        let mut out = Vec::new();
        match chunk {
            ChatChunk::Text(text) => self.format.text(text, &mut out),
            ChatChunk::Reasoning(reasoning) => self.format.reasoning(reasoning, &mut out),
            ChatChunk::Signature(signature) => self.format.signature(signature, &mut out),
            ChatChunk::RedactedThinking(data) => self.format.redacted_reasoning(data, &mut out),
            ChatChunk::CallStart { .. } => self.format.call_announced(&mut out),
            ChatChunk::CallEnd { index, call } => self.call(*index, call, &mut out),
            ChatChunk::ServerFields(fields) => {
                let usage = fields.usage.clone();
                self.format.head().fields.usage.extend(usage);
                if !fields.is_only_usage() {
                    self.format.server_fields(fields, &mut out);
                }
            }
            ChatChunk::Done(reply) => self.done(reply, &mut out),
            _ => {}
        }
        out
    }

    /// The bytes to send for a chunk if the arguments of native calls are streamed in pieces, as
    /// far as the dialect supports that.
    pub(crate) fn part(&mut self, chunk: &ChatChunk) -> Vec<u8> {
        let mut out = Vec::new();
        match chunk {
            ChatChunk::CallStart {
                index,
                name,
                id: Some(id),
            } if self.format.streams_calls() => {
                self.flowing = Some(*index);
                self.written.insert(*index);
                let place = self.written.len() - 1;
                self.format
                    .open_call(OpenCall { place, id, name }, &mut out);
            }
            ChatChunk::CallArgs { index, fragment } if self.flowing == Some(*index) => {
                let place = self.written.len() - 1;
                self.format.call_arguments(place, fragment, &mut out);
            }
            _ => return self.chunk(chunk),
        }
        out
    }

    /// The end of a stream that failed, in dialects where it needs the state of the stream.
    pub(crate) fn failed(&mut self, refusal: &Refusal) -> Option<Vec<u8>> {
        self.format.failed(refusal)
    }

    /// Sets the fields of the model server's reply for the whole reply.
    pub(crate) fn fields(&mut self, fields: ServerFields) {
        self.format.head().fields = fields;
    }

    /// The whole reply as JSON.
    pub(crate) fn whole(&self, reply: &AiMessage) -> Vec<u8> {
        self.format.whole(reply)
    }

    fn call(&mut self, index: usize, call: &ToolCall, out: &mut Vec<u8>) {
        let place = self.written.len();
        if self.written.insert(index) {
            self.format.call(place, call, out);
        }
    }

    /// Writes the parts that were not sent yet, and the end of the stream.
    fn done(&mut self, reply: &AiMessage, out: &mut Vec<u8>) {
        for (index, call) in reply.tool_calls.iter().enumerate() {
            self.call(index, call, out);
        }
        self.format.end(reply, out);
    }

    /// Reserves an id for a call; false if the conversation already has it.
    pub(crate) fn takes(&mut self, id: &str) -> bool {
        self.taken.insert(id.to_owned())
    }

    /// Gives the call an id that is unique in the conversation.
    pub(crate) fn with_own_id(&mut self, mut call: ToolCall) -> ToolCall {
        while !self.taken.insert(call.id.clone()) {
            call.id = random_id(self.call_prefix);
        }
        call
    }
}

/// The ids of all calls in a conversation.
fn call_ids(messages: &[Message]) -> impl Iterator<Item = String> {
    let replies = messages.iter().filter_map(|message| match message {
        Message::Ai(reply) => Some(reply),
        _ => None,
    });
    replies.flat_map(|reply| {
        let calls = reply.tool_calls.iter().map(|call| &call.id);
        let invalid = reply.invalid_tool_calls.iter().map(|call| &call.id);
        calls.chain(invalid).cloned()
    })
}

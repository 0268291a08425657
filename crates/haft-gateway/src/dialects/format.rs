//! The trait with which a dialect writes a reply, streamed or whole.

use std::fmt;

use haft_core::{AiMessage, ContentBlock, ServerFields, ToolCall};
use haft_models::ClientRequest;
use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::respond::Refusal;

/// Writes one reply in one dialect. Each method appends the bytes for a part of the reply to `out`;
/// parts that the dialect cannot express are omitted.
///
/// `place` is the index of the call among those that were sent, from 0. The
/// [`ReplyWriter`](super::writer::ReplyWriter) decides when each part is written.
pub(crate) trait ReplyFormat: fmt::Debug + Send {
    /// The head of the reply.
    fn head(&mut self) -> &mut ReplyHead;

    /// The model has started a call, which follows when it is complete. If nothing was sent yet,
    /// this shows the client that a reply follows.
    fn call_announced(&mut self, out: &mut Vec<u8>);

    /// Writes more of the text.
    fn text(&mut self, text: &str, out: &mut Vec<u8>);

    /// Writes more of the reasoning.
    fn reasoning(&mut self, reasoning: &str, out: &mut Vec<u8>);

    /// Writes the signature of the reasoning, for clients that can send it back.
    fn signature(&mut self, _signature: &str, _out: &mut Vec<u8>) {}

    /// Writes encrypted reasoning, which only its provider can read.
    fn redacted_reasoning(&mut self, _data: &str, _out: &mut Vec<u8>) {}

    /// Writes a complete call.
    fn call(&mut self, place: usize, call: &ToolCall, out: &mut Vec<u8>);

    /// Whether the arguments of a call may be streamed in pieces.
    fn streams_calls(&self) -> bool {
        false
    }

    /// Starts a call whose arguments are streamed in pieces.
    fn open_call(&mut self, _call: OpenCall<'_>, _out: &mut Vec<u8>) {}

    /// Writes more of the arguments of the call that was started last.
    fn call_arguments(&mut self, _place: usize, _fragment: &str, _out: &mut Vec<u8>) {}

    /// Writes fields of the model server's reply that haft does not handle; the server has the API of
    /// this dialect.
    fn server_fields(&mut self, _fields: &ServerFields, _out: &mut Vec<u8>) {}

    /// Writes the end of a stream.
    fn end(&mut self, reply: &AiMessage, out: &mut Vec<u8>);

    /// Ends a stream with an error, in dialects where that needs the state of the stream. `None` by
    /// default: the error is [the dialect's](super::dialect::Dialect::stream_error).
    fn failed(&mut self, _refusal: &Refusal) -> Option<Vec<u8>> {
        None
    }

    /// The whole reply as JSON.
    fn whole(&self, reply: &AiMessage) -> Vec<u8>;
}

/// The metadata of a reply.
#[derive(Clone, Debug)]
pub(crate) struct ReplyHead {
    /// The id of the reply, in dialects that have one.
    pub(crate) id: String,
    /// The name of the model.
    pub(crate) model: String,
    pub(crate) created: Timestamp,
    /// Whether the client asked for the token counts of a stream.
    pub(crate) wants_usage: bool,
    /// The value of the `haft` field in the last event: how the reply was made.
    pub(crate) report: Option<Value>,
    /// The fields of the model server's reply that haft does not handle, if the server has the API
    /// of the dialect: in a stream the token counts, which come at its end.
    pub(crate) fields: ServerFields,
}

impl ReplyHead {
    /// The head of the reply to `request`, with a new id that has this prefix.
    pub(super) fn new(request: &ClientRequest, prefix: &str) -> Self {
        Self {
            id: random_id(prefix),
            model: request.model.clone(),
            created: Timestamp::now(),
            wants_usage: request.wants_usage,
            report: None,
            fields: ServerFields::default(),
        }
    }

    /// The last event of a stream with the `haft` field, which clients of all dialects ignore.
    pub(super) fn reported(&self, mut last: Value) -> Value {
        if let (Some(last), Some(report)) = (last.as_object_mut(), &self.report) {
            last.insert("haft".to_owned(), report.clone());
        }
        last
    }
}

/// A started call whose arguments follow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenCall<'a> {
    pub(crate) place: usize,
    pub(crate) id: &'a str,
    pub(crate) name: &'a str,
}

/// The reasoning of a reply as one text.
pub(super) fn reasoning_text(reply: &AiMessage) -> String {
    let blocks = reply.content.blocks();
    let reasoning = blocks.iter().filter_map(|block| match block {
        ContentBlock::Thinking { thinking, .. } => Some(thinking.as_str()),
        _ => None,
    });
    reasoning.collect()
}

/// The arguments of a call as a JSON string.
pub(super) fn arguments_text(call: &ToolCall) -> String {
    serde_json::to_string(&call.args).unwrap_or_default()
}

/// A new id with this prefix.
pub(super) fn random_id(prefix: &str) -> String {
    let random = std::iter::repeat_with(fastrand::alphanumeric).take(24);
    prefix.chars().chain(random).collect()
}

/// Adds the fields that `object` does not have; objects in both are merged.
pub(super) fn complete(object: &mut Map<String, Value>, fields: &Map<String, Value>) {
    for (name, value) in fields {
        match (object.get_mut(name), value) {
            (None | Some(Value::Null), _) => {
                object.insert(name.clone(), value.clone());
            }
            (Some(Value::Object(known)), Value::Object(more)) => complete(known, more),
            _ => {}
        }
    }
}

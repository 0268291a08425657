//! How a dialect writes a reply, piece by piece or whole.

use std::fmt;

use haft_core::{AiMessage, ContentBlock, ToolCall};
use jiff::Timestamp;
use serde_json::Value;

/// Writes one reply of one dialect. Each method appends to `out` what goes to the client for a
/// piece of the reply; what a dialect has no words for, it leaves out.
///
/// `place` counts the calls of the reply from 0, in the order in which they go out. What is written
/// when is decided by the [`ReplyWriter`](super::writer::ReplyWriter).
pub(crate) trait ReplyFormat: fmt::Debug + Send {
    /// What the reply says of itself.
    fn head(&mut self) -> &mut ReplyHead;

    /// The model has begun a call, which follows when it is complete. Where nothing was sent yet,
    /// the client learns that there will be a reply.
    fn call_announced(&mut self, out: &mut Vec<u8>);

    /// More of the text.
    fn text(&mut self, text: &str, out: &mut Vec<u8>);

    /// More of the reasoning.
    fn reasoning(&mut self, reasoning: &str, out: &mut Vec<u8>);

    /// The signature of the reasoning, for clients that can send it back.
    fn signature(&mut self, _signature: &str, _out: &mut Vec<u8>) {}

    /// Reasoning that only its provider can read.
    fn redacted_reasoning(&mut self, _data: &str, _out: &mut Vec<u8>) {}

    /// A whole call.
    fn call(&mut self, place: usize, call: &ToolCall, out: &mut Vec<u8>);

    /// Whether the arguments of a call may go out in pieces.
    fn streams_calls(&self) -> bool {
        false
    }

    /// The beginning of a call whose arguments go out in pieces.
    fn open_call(&mut self, _call: OpenCall<'_>, _out: &mut Vec<u8>) {}

    /// More of the arguments of the call that was opened last.
    fn call_arguments(&mut self, _place: usize, _fragment: &str, _out: &mut Vec<u8>) {}

    /// The end of a stream.
    fn end(&mut self, reply: &AiMessage, out: &mut Vec<u8>);

    /// A reply in one piece, as JSON.
    fn whole(&self, reply: &AiMessage) -> Vec<u8>;
}

/// What a reply says of itself.
#[derive(Debug)]
pub(crate) struct ReplyHead {
    /// The id of the reply, where the dialect has one.
    pub(crate) id: String,
    /// The model that replies.
    pub(crate) model: String,
    pub(crate) created: Timestamp,
    /// Whether the client asked for the token counts of a stream.
    pub(crate) wants_usage: bool,
    /// The value of the `haft` field in the last event: how the reply was made.
    pub(crate) report: Option<Value>,
}

impl ReplyHead {
    /// The last event of a stream with the `haft` field, which clients of all dialects ignore.
    pub(super) fn reported(&self, mut last: Value) -> Value {
        if let (Some(last), Some(report)) = (last.as_object_mut(), &self.report) {
            last.insert("haft".to_owned(), report.clone());
        }
        last
    }
}

/// A call of which the arguments are still to come.
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

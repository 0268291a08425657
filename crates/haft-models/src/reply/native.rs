//! Assembles native calls: those that the server sends apart from the text, whole or in pieces.

use haft_core::{Arguments, ChatChunk, InvalidToolCall, StopReason, ToolCall};
use haft_extract::{read_arguments_text, read_ended_arguments_text};
use haft_schema::{Repair, RepairKind};
use serde_json::Value;
use tracing::debug;

use super::{CallResult, ReplyBuilder, mint_id};

/// The error of a call that the token limit cut off, as the model reads it.
pub(super) const CUT_OFF: &str =
    "The call was cut off at the token limit; make it again, and shorter";

/// A native call, from its first piece to its end.
#[derive(Debug)]
pub(super) struct CallSlot {
    pub(super) id: String,
    pub(super) wire_name: String,
    pub(super) raw_arguments: String,
    pub(super) announced: bool,
    /// Whether it is announced only when it is complete.
    pub(super) waits: bool,
    pub(super) result: Option<CallResult>,
}

impl ReplyBuilder {
    /// Starts a call and returns its index. An id that is missing, blank or already used in this
    /// reply is replaced by a new one.
    pub(crate) fn start_call(&mut self, wire_id: Option<&str>, wire_name: &str) -> usize {
        let id = match wire_id {
            Some(id) if !id.trim().is_empty() && !self.ids.contains(id) => id.to_owned(),
            _ => mint_id(),
        };
        self.ids.insert(id.clone());
        self.calls.push(CallSlot {
            id,
            wire_name: wire_name.to_owned(),
            raw_arguments: String::new(),
            announced: false,
            waits: false,
            result: None,
        });
        let index = self.calls.len() - 1;
        self.reading.raw.call_name(index, wire_name);
        index
    }

    /// Adds to a call's name, for servers that send it in pieces.
    pub(crate) fn extend_name(&mut self, index: usize, piece: &str) {
        self.reading.raw.call_name(index, piece);
        if let Some(call) = self.calls.get_mut(index) {
            call.wire_name.push_str(piece);
        }
    }

    /// Adds to a call's raw arguments.
    pub(crate) fn extend_arguments(&mut self, index: usize, fragment: &str) {
        if fragment.is_empty() {
            return;
        }
        self.reading.raw.call_arguments(index, fragment);
        self.announce(index);
        if let Some(call) = self.calls.get_mut(index) {
            call.raw_arguments.push_str(fragment);
            if !call.announced {
                return;
            }
            self.chunks.push(ChatChunk::CallArgs {
                index,
                fragment: fragment.to_owned(),
            });
        }
    }

    /// Ends a call. Ending it again changes nothing.
    pub(crate) fn end_call(&mut self, index: usize) {
        self.announce(index);
        let mut reports = Vec::new();
        let is_last = index + 1 == self.calls.len();
        let Some(call) = self.calls.get_mut(index) else {
            return;
        };
        if call.result.is_some() {
            return;
        }
        let name = self.reading.own_name(&call.wire_name).to_owned();
        // If the token limit cut off the reply, the arguments of its last call may be missing.
        let has_begun = !is_last || !call.raw_arguments.trim().is_empty();
        let read = match self.stop_reason {
            Some(StopReason::MaxTokens) if has_begun => read_whole_arguments(&call.raw_arguments),
            Some(StopReason::MaxTokens) => Err(CUT_OFF.to_owned()),
            _ => read_ended_arguments_text(&call.raw_arguments),
        };
        let result = match read {
            Ok(_) if name.trim().is_empty() => Err("The call names no tool".to_owned()),
            other => other,
        };
        let id = call.id.clone();
        let result = match result {
            Ok((args, repairs)) => {
                for repair in repairs {
                    debug!(tool = name, %repair, "arguments repaired");
                    reports.push(ChatChunk::Repaired(repair.report(&name)));
                }
                Ok(ToolCall { name, args, id })
            }
            Err(error) => Err(InvalidToolCall {
                name,
                args: call.raw_arguments.clone(),
                id,
                error,
            }),
        };
        call.result = Some(result.clone());
        if self.is_reported(&result) {
            return;
        }
        self.announce_late(index);
        self.chunks.append(&mut reports);
        self.tell(index, result);
    }

    /// Whether the arguments are certainly complete, because they are valid JSON.
    pub(crate) fn has_whole_arguments(&self, index: usize) -> bool {
        let call = self.calls.get(index);
        call.is_some_and(|call| serde_json::from_str::<Value>(&call.raw_arguments).is_ok())
    }

    /// Ends a call that the token limit cut off, whatever its arguments look like.
    pub(crate) fn cut_call(&mut self, index: usize) {
        let Some(call) = self
            .calls
            .get_mut(index)
            .filter(|call| call.result.is_none())
        else {
            return;
        };
        let result = Err(InvalidToolCall {
            name: self.reading.own_name(&call.wire_name).to_owned(),
            args: call.raw_arguments.clone(),
            id: call.id.clone(),
            error: CUT_OFF.to_owned(),
        });
        call.result = Some(result.clone());
        self.announce_late(index);
        self.tell(index, result);
    }

    pub(super) fn tell(&mut self, index: usize, result: CallResult) {
        self.chunks.push(match result {
            Ok(call) => ChatChunk::CallEnd { index, call },
            Err(call) => ChatChunk::Invalid(call),
        });
    }

    /// Adds a call that arrives in one piece. `wire_arguments` is an object, a string with an
    /// object, or null.
    pub(crate) fn whole_call(&mut self, wire_id: Option<&str>, name: &str, wire_arguments: &Value) {
        let index = self.start_call(wire_id, name);
        match wire_arguments {
            Value::Null => {}
            Value::String(text) => self.extend_arguments(index, text),
            other => self.extend_arguments(index, &other.to_string()),
        }
        self.end_call(index);
    }
}

/// Reads the arguments of a call if they are complete.
fn read_whole_arguments(text: &str) -> Result<(Arguments, Vec<Repair>), String> {
    let (arguments, repairs) = read_arguments_text(text)?;
    let is_supplied = |repair: &Repair| repair.kind == RepairKind::ClosersSupplied;
    if repairs.iter().any(is_supplied) {
        return Err(CUT_OFF.to_owned());
    }
    Ok((arguments, repairs))
}

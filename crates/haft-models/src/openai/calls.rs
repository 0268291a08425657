//! Assigns the pieces of streamed calls to their calls.
//!
//! By the specification a call's pieces share an `index`, and its `id` and name come once, first.
//! Servers also omit the index, send index 0 for every call, repeat the id and name in every piece,
//! split the name, send whole calls, or reuse an id.

use std::sync::Arc;

use super::wire::CallPiece;
use serde_json::Value;

use crate::names::WireNames;
use crate::reply::ReplyBuilder;

/// The calls of one reply so far.
#[derive(Debug)]
pub(super) struct Calls {
    names: Arc<WireNames>,
    slots: Vec<Slot>,
}

/// One call as received so far.
#[derive(Debug)]
struct Slot {
    wire_index: Option<u64>,
    id: Option<String>,
    name: String,
    arguments: Balance,
    /// The call's index in the builder.
    place: usize,
}

/// A piece of a call with defaults for missing fields.
#[derive(Debug)]
struct Bit {
    wire_index: Option<u64>,
    id: Option<String>,
    name: String,
    arguments: String,
}

impl Bit {
    /// Reads a piece; `None` for an empty placeholder.
    fn read(piece: CallPiece) -> Option<Self> {
        let function = piece.function.unwrap_or_default();
        let bit = Self {
            wire_index: piece.index,
            id: piece.id.filter(|id| !id.trim().is_empty()),
            name: function.name.unwrap_or_default(),
            arguments: match function.arguments {
                None | Some(Value::Null) => String::new(),
                Some(Value::String(text)) => text,
                Some(other) => other.to_string(),
            },
        };
        let is_empty = bit.id.is_none() && bit.name.is_empty() && bit.arguments.is_empty();
        (!is_empty).then_some(bit)
    }
}

impl Calls {
    /// Creates an empty list for a model with these tool names.
    pub(super) fn new(names: &Arc<WireNames>) -> Self {
        Self {
            names: Arc::clone(names),
            slots: Vec::new(),
        }
    }

    /// Adds a piece to its call, or starts a new call.
    pub(super) fn piece(&mut self, piece: CallPiece, builder: &mut ReplyBuilder) {
        let Some(bit) = Bit::read(piece) else {
            return;
        };
        let known = self.find(&bit);
        if known.is_none() {
            self.end_complete(builder);
        }
        let position = known.unwrap_or_else(|| {
            self.slots.push(Slot {
                wire_index: bit.wire_index,
                id: bit.id.clone(),
                name: bit.name.clone(),
                arguments: Balance::default(),
                place: builder.start_call(bit.id.as_deref(), &bit.name),
            });
            self.slots.len() - 1
        });
        let Some(slot) = self.slots.get_mut(position) else {
            return;
        };
        if known.is_some() {
            slot.id = slot.id.take().or(bit.id);
            // An equal name is a repetition, a different one is the next part of the name.
            if bit.name != slot.name && slot.arguments.is_empty() {
                slot.name.push_str(&bit.name);
                builder.extend_name(slot.place, &bit.name);
            }
        }
        slot.arguments.push(&bit.arguments);
        builder.extend_arguments(slot.place, &bit.arguments);
    }

    /// Ends complete calls when the next one begins, so that they can run before the end of the
    /// reply.
    fn end_complete(&self, builder: &mut ReplyBuilder) {
        let complete = self
            .slots
            .iter()
            .filter(|slot| slot.arguments.is_complete());
        for slot in complete {
            builder.end_call(slot.place);
        }
    }

    /// The call to which a piece belongs; `None` if it starts a new one.
    fn find(&self, bit: &Bit) -> Option<usize> {
        let position = self.slots.iter().rposition(|slot| {
            match (bit.wire_index, &bit.id) {
                (Some(_), _) => slot.wire_index == bit.wire_index,
                (None, Some(_)) => slot.id == bit.id,
                // Without index and id, only a name marks the next call.
                (None, None) => true,
            }
        })?;
        let slot = self.slots.get(position)?;
        let other_id = matches!((&bit.id, &slot.id), (Some(new), Some(old)) if new != old);
        // A complete call cannot continue: the server reuses the index or id.
        let is_over = slot.arguments.is_complete() && !bit.arguments.is_empty();
        let other_tool =
            bit.name != slot.name && self.is_tool(&bit.name) && self.is_tool(&slot.name);
        let begins = other_id || (!bit.name.is_empty() && (is_over || other_tool));
        (!begins).then_some(position)
    }

    fn is_tool(&self, name: &str) -> bool {
        self.names.wire().any(|known| known == name)
    }
}

/// Tracks the braces of a JSON object that arrives in pieces.
#[derive(Debug, Default)]
struct Balance {
    depth: usize,
    in_string: bool,
    escaped: bool,
    begun: bool,
}

impl Balance {
    fn push(&mut self, text: &str) {
        for byte in text.bytes() {
            self.begun |= !byte.is_ascii_whitespace();
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' if self.in_string => self.escaped = true,
                b'"' => self.in_string = !self.in_string,
                b'{' | b'[' if !self.in_string => self.depth += 1,
                b'}' | b']' if !self.in_string => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
    }

    fn is_empty(&self) -> bool {
        !self.begun
    }

    fn is_complete(&self) -> bool {
        self.begun && self.depth == 0 && !self.in_string
    }
}

#[cfg(test)]
mod tests;

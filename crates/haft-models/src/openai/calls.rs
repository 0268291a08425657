//! Which call a piece of a streamed reply belongs to.
//!
//! By the book a call's pieces share an `index`, and its `id` and name come once, first. Servers
//! also leave the index out, give every call index 0, repeat id and name in every piece, split
//! the name, send whole calls, or give several calls one id.

use std::sync::Arc;

use serde_json::Value;

use super::wire::CallPiece;
use crate::names::WireNames;
use crate::reply::ReplyBuilder;

/// The calls of one reply so far.
#[derive(Debug)]
pub(super) struct Calls {
    names: Arc<WireNames>,
    slots: Vec<Slot>,
}

/// One call as far as it is known.
#[derive(Debug)]
struct Slot {
    wire_index: Option<u64>,
    id: Option<String>,
    name: String,
    arguments: Balance,
    /// Its place in the builder.
    place: usize,
}

impl Calls {
    /// No calls yet, of a model that knows its tools by `names`.
    pub(super) fn new(names: &Arc<WireNames>) -> Self {
        Self {
            names: Arc::clone(names),
            slots: Vec::new(),
        }
    }

    /// Adds a piece to its call, or begins one.
    pub(super) fn piece(&mut self, piece: &CallPiece, builder: &mut ReplyBuilder) {
        let function = piece.function.clone().unwrap_or_default();
        let name = function.name.unwrap_or_default();
        let id = piece.id.as_deref().filter(|id| !id.trim().is_empty());
        let arguments = match function.arguments {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => text,
            Some(other) => other.to_string(),
        };
        if id.is_none() && name.is_empty() && arguments.is_empty() {
            // An empty place holder.
            return;
        }
        let known = self.find(piece.index, id, &name, &arguments);
        let position = known.unwrap_or_else(|| {
            self.slots.push(Slot {
                wire_index: piece.index,
                id: id.map(str::to_owned),
                name: name.clone(),
                arguments: Balance::default(),
                place: builder.start_call(id, &name),
            });
            self.slots.len() - 1
        });
        let Some(slot) = self.slots.get_mut(position) else {
            return;
        };
        if known.is_some() {
            slot.id = slot.id.take().or_else(|| id.map(str::to_owned));
            // A name that comes again is a repetition, one that goes on is a piece.
            if name != slot.name && slot.arguments.is_empty() {
                slot.name.push_str(&name);
                builder.extend_name(slot.place, &name);
            }
        }
        slot.arguments.push(&arguments);
        builder.extend_arguments(slot.place, &arguments);
    }

    /// The call that a piece goes on with; none when it begins a new one.
    fn find(
        &self,
        index: Option<u64>,
        id: Option<&str>,
        name: &str,
        arguments: &str,
    ) -> Option<usize> {
        let slots = self.slots.iter().enumerate();
        let (position, slot) = match (index, id) {
            (Some(_), _) => slots.rev().find(|(_, slot)| slot.wire_index == index)?,
            (None, Some(id)) => slots
                .rev()
                .find(|(_, slot)| slot.id.as_deref() == Some(id))?,
            // Without either, only a name tells where the next call begins.
            (None, None) => slots.last()?,
        };
        let other_id = matches!((id, &slot.id), (Some(new), Some(old)) if new != old);
        let is_named = !name.is_empty();
        // What is complete cannot go on: the same index or id is used again.
        let is_over = is_named && slot.arguments.is_complete() && !arguments.is_empty();
        let other_tool =
            is_named && name != slot.name && self.is_tool(name) && self.is_tool(&slot.name);
        (!other_id && !is_over && !other_tool).then_some(position)
    }

    fn is_tool(&self, name: &str) -> bool {
        self.names.wire().any(|known| known == name)
    }
}

/// Follows the braces of a JSON object that comes in pieces.
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

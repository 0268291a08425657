//! The fields of a chat completion that haft's types do not have, for clients of the same API.

use std::mem::take;

use haft_core::ServerFields;
use serde_json::{Map, Value};

use super::wire::{Reply, ReplyPiece};

/// Collects the fields of one reply.
#[derive(Debug, Default)]
pub(super) struct FieldCollector {
    /// The fields of the reply that were collected already: servers repeat them in each chunk.
    known: Map<String, Value>,
}

impl FieldCollector {
    /// Takes the new fields out of a whole reply, or out of a chunk of one.
    pub(super) fn of(&mut self, reply: &mut Reply, whole: bool) -> ServerFields {
        let mut fields = ServerFields::default();
        if let Some(usage) = &mut reply.usage {
            fields.usage = take(&mut usage.fields);
        }
        fields.reply = set(&mut reply.other);
        fields.reply.retain(|name, value| {
            let is_new = self.known.get(name) != Some(value);
            if is_new {
                self.known.insert(name.clone(), value.clone());
            }
            is_new
        });
        if let Some(choice) = reply.choice() {
            fields.choice = set(&mut choice.other);
            fields.message = choice.piece(whole).map(of_message).unwrap_or_default();
        }
        fields
    }
}

/// The fields of a message. Reasoning and refusals, which haft handles as well, keep their names.
fn of_message(piece: &mut ReplyPiece) -> Map<String, Value> {
    let mut fields = set(&mut piece.other);
    for (name, text) in [("reasoning", &piece.reasoning), ("refusal", &piece.refusal)] {
        if let Some(text) = text {
            fields.insert(name.to_owned(), text.as_str().into());
        }
    }
    fields
}

/// Takes the fields that are not null.
fn set(fields: &mut Map<String, Value>) -> Map<String, Value> {
    let mut fields = take(fields);
    fields.retain(|_, value| !value.is_null());
    fields
}

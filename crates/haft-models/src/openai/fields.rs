//! The fields of a chat completion that haft's types do not have, for clients of the same API.

use haft_core::ServerFields;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::document::{Members, parsed};

/// Fields of a reply, or of a chunk of one, that haft handles or writes itself.
const OF_REPLY: [&str; 6] = ["id", "object", "created", "model", "choices", "usage"];

/// Such fields of a choice.
const OF_CHOICE: [&str; 4] = ["index", "delta", "message", "finish_reason"];

/// Such fields of a message.
const OF_MESSAGE: [&str; 5] = [
    "role",
    "content",
    "reasoning_content",
    "tool_calls",
    "function_call",
];

/// Collects the fields of one reply.
#[derive(Debug, Default)]
pub(super) struct FieldCollector {
    /// The fields of the reply that were collected already: servers repeat them in each chunk.
    known: Map<String, Value>,
}

impl FieldCollector {
    /// The new fields in a chunk, or in a whole reply.
    pub(super) fn of(&mut self, data: &str) -> ServerFields {
        let mut fields = ServerFields::default();
        let Some(reply) = Members::read(data) else {
            return fields;
        };
        if let Some(Value::Object(usage)) = reply.get("usage").and_then(parsed) {
            fields.usage = usage;
        }
        reply.collect(&OF_REPLY, &mut fields.reply);
        fields.reply.retain(|name, value| {
            let is_new = self.known.get(name) != Some(value);
            if is_new {
                self.known.insert(name.clone(), value.clone());
            }
            is_new
        });
        let choices = reply.list("choices").into_iter();
        let mut choices = choices.filter_map(|choice| Members::read(choice.get()));
        if let Some(choice) = choices.find(is_first) {
            choice.collect(&OF_CHOICE, &mut fields.choice);
            let message = choice.object("delta").or_else(|| choice.object("message"));
            let message = message.unwrap_or_default();
            message.collect(&OF_MESSAGE, &mut fields.message);
        }
        fields
    }
}

/// Whether a choice is the one that was asked for; servers of one choice leave out its index.
fn is_first(choice: &Members<'_>) -> bool {
    let index = choice.get("index").map(RawValue::get);
    index.is_none_or(|index| matches!(index, "0" | "null"))
}

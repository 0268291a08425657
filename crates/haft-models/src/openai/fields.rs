//! The fields of a chat completion that haft's types do not have, for clients of the same API.

use std::collections::HashMap;

use haft_core::ServerFields;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::document::{Members, parsed};

/// Fields of a reply that haft handles or writes itself.
const OF_REPLY: [&str; 6] = ["id", "object", "created", "model", "choices", "usage"];

/// Fields of a choice that haft handles itself.
const OF_CHOICE: [&str; 4] = ["index", "delta", "message", "finish_reason"];

/// Fields of a message that haft handles itself.
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
    known: HashMap<String, Box<RawValue>>,
}

impl FieldCollector {
    /// The new fields in a chunk, or in a whole reply.
    pub(super) fn of(&mut self, data: &str) -> ServerFields {
        let mut fields = ServerFields::default();
        let Some(reply) = Members::read(data) else {
            return fields;
        };
        for (name, value) in &reply.0 {
            let known = self.known.get(&**name).map(|known| known.get());
            if OF_REPLY.contains(&&**name) || known == Some(value.get()) {
                continue;
            }
            if let Some(parsed) = parsed(value) {
                self.known.insert(name.to_string(), (*value).to_owned());
                fields.reply.insert(name.to_string(), parsed);
            }
        }
        if let Some(Value::Object(usage)) = reply.get("usage").and_then(parsed) {
            fields.usage = usage;
        }
        let choice = reply.list("choices").into_iter().find_map(|choice| {
            let choice = Members::read(choice.get())?;
            let index = choice.get("index").map_or("0", RawValue::get);
            (index == "0").then_some(choice)
        });
        let Some(choice) = choice else {
            return fields;
        };
        choice.collect(&OF_CHOICE, &mut fields.choice);
        let message = choice.object("delta").or_else(|| choice.object("message"));
        if let Some(message) = message {
            message.collect(&OF_MESSAGE, &mut fields.message);
        }
        fields
    }
}

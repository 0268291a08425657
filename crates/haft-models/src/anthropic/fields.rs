//! The fields of a message that haft's types do not have, for clients of the same API.

use std::collections::HashMap;

use haft_core::ServerFields;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::document::{Members, parsed};

/// Fields of a message that haft handles or writes itself.
const OF_MESSAGE: [&str; 8] = [
    "id",
    "type",
    "role",
    "model",
    "content",
    "stop_reason",
    "stop_sequence",
    "usage",
];

/// Stop reasons that haft tells apart.
const REASONS: [&str; 4] = ["end_turn", "tool_use", "max_tokens", "refusal"];

/// The types of content blocks that haft handles itself.
const BLOCKS: [&str; 4] = ["text", "tool_use", "thinking", "redacted_thinking"];

/// Collects the fields of one message.
#[derive(Debug, Default)]
pub(super) struct FieldCollector {
    /// Blocks that haft does not know and that are still being received, by their index.
    open: HashMap<String, OpenBlock>,
}

/// A block that is being received.
#[derive(Debug)]
struct OpenBlock {
    block: Map<String, Value>,
    /// Its input so far, as JSON text.
    input: String,
}

impl FieldCollector {
    /// The new fields in an event, or in a whole message.
    pub(super) fn of(&mut self, data: &str, whole: bool) -> ServerFields {
        let mut fields = ServerFields::default();
        let Some(event) = Members::read(data) else {
            return fields;
        };
        if whole {
            message(&event, &mut fields);
            return fields;
        }
        match event.text("type").as_deref() {
            Some("message_start") => {
                message(&event.object("message").unwrap_or_default(), &mut fields);
            }
            Some("message_delta") => {
                let delta = event.object("delta").unwrap_or_default();
                stopped(&delta, &mut fields);
                delta.collect(&["stop_reason", "stop_sequence"], &mut fields.choice);
                event.collect(&["type", "delta", "usage"], &mut fields.reply);
                counted(&event, &mut fields);
            }
            Some("content_block_start") => {
                let block = event.object("content_block").unwrap_or_default();
                self.begun(&event, &block, &mut fields);
            }
            Some("content_block_delta") => {
                let delta = event.object("delta").unwrap_or_default();
                if let Some(citation) = delta.get("citation").and_then(parsed) {
                    fields.citations.push(citation);
                }
                let open = self.open.get_mut(&index_of(&event));
                if let (Some(open), Some(more)) = (open, delta.text("partial_json")) {
                    open.input.push_str(&more);
                }
            }
            Some("content_block_stop") => {
                if let Some(mut open) = self.open.remove(&index_of(&event)) {
                    if let Ok(input) = serde_json::from_str(&open.input) {
                        open.block.insert("input".to_owned(), input);
                    }
                    fields.blocks.push(open.block.into());
                }
            }
            _ => {}
        }
        fields
    }

    fn begun(&mut self, event: &Members<'_>, block: &Members<'_>, fields: &mut ServerFields) {
        if is_known(block) {
            cited(block, fields);
            return;
        }
        let mut known = Map::new();
        block.collect(&[], &mut known);
        let open = OpenBlock {
            block: known,
            input: String::new(),
        };
        self.open.insert(index_of(event), open);
    }
}

fn index_of(event: &Members<'_>) -> String {
    let index = event.get("index").map(RawValue::get);
    index.unwrap_or_default().to_owned()
}

fn is_known(block: &Members<'_>) -> bool {
    let kind = block.text("type");
    kind.is_some_and(|kind| BLOCKS.contains(&&*kind))
}

/// The fields of a whole message, or of the one at the start of a stream.
fn message(message: &Members<'_>, fields: &mut ServerFields) {
    message.collect(&OF_MESSAGE, &mut fields.reply);
    stopped(message, fields);
    counted(message, fields);
    for block in message.list("content") {
        let Some(members) = Members::read(block.get()) else {
            continue;
        };
        if is_known(&members) {
            cited(&members, fields);
        } else {
            fields.blocks.extend(parsed(block));
        }
    }
}

/// The stop sequence, and the stop reason if haft does not know it.
fn stopped(delta: &Members<'_>, fields: &mut ServerFields) {
    if let Some(sequence) = delta.get("stop_sequence").and_then(parsed) {
        fields.choice.insert("stop_sequence".to_owned(), sequence);
    }
    let reason = delta.text("stop_reason");
    if let Some(reason) = reason.filter(|reason| !REASONS.contains(&&**reason)) {
        let reason = Value::from(&*reason);
        fields.choice.insert("stop_reason".to_owned(), reason);
    }
}

fn counted(members: &Members<'_>, fields: &mut ServerFields) {
    if let Some(Value::Object(usage)) = members.get("usage").and_then(parsed) {
        fields.usage = usage;
    }
}

fn cited(block: &Members<'_>, fields: &mut ServerFields) {
    let citations = block.list("citations").into_iter();
    fields.citations.extend(citations.filter_map(parsed));
}

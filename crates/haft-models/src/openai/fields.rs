//! The fields of a chat completion that haft's types do not have, for clients of the same API.

use haft_core::ServerFields;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

/// A reply, or a chunk of one. Fields that haft handles or writes itself are named, so that the rest
/// are those that it does not have.
#[derive(Default, Deserialize)]
#[serde(default)]
struct ReplyFields {
    #[serde(rename = "id")]
    _id: IgnoredAny,
    #[serde(rename = "object")]
    _object: IgnoredAny,
    #[serde(rename = "created")]
    _created: IgnoredAny,
    #[serde(rename = "model")]
    _model: IgnoredAny,
    choices: Option<Vec<ChoiceFields>>,
    usage: Option<Map<String, Value>>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ChoiceFields {
    index: Option<u64>,
    delta: Option<MessageFields>,
    message: Option<MessageFields>,
    #[serde(rename = "finish_reason")]
    _finish_reason: IgnoredAny,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct MessageFields {
    #[serde(rename = "role")]
    _role: IgnoredAny,
    #[serde(rename = "content")]
    _content: IgnoredAny,
    #[serde(rename = "reasoning_content")]
    _reasoning_content: IgnoredAny,
    #[serde(rename = "tool_calls")]
    _tool_calls: IgnoredAny,
    #[serde(rename = "function_call")]
    _function_call: IgnoredAny,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// Collects the fields of one reply.
#[derive(Debug, Default)]
pub(super) struct FieldCollector {
    /// The fields of the reply that were collected already: servers repeat them in each chunk.
    known: Map<String, Value>,
}

impl FieldCollector {
    /// The new fields in a chunk, or in a whole reply.
    pub(super) fn of(&mut self, data: &str) -> ServerFields {
        let reply: ReplyFields = serde_json::from_str(data).unwrap_or_default();
        let mut fields = ServerFields::default();
        fields.usage = reply.usage.unwrap_or_default();
        fields.reply = without_nulls(reply.rest);
        fields.reply.retain(|name, value| {
            let is_new = self.known.get(name) != Some(value);
            if is_new {
                self.known.insert(name.clone(), value.clone());
            }
            is_new
        });
        let mut choices = reply.choices.into_iter().flatten();
        if let Some(choice) = choices.find(|choice| choice.index.unwrap_or(0) == 0) {
            let message = choice.delta.or(choice.message).unwrap_or_default();
            fields.choice = without_nulls(choice.rest);
            fields.message = without_nulls(message.rest);
        }
        fields
    }
}

fn without_nulls(mut fields: Map<String, Value>) -> Map<String, Value> {
    fields.retain(|_, value| !value.is_null());
    fields
}

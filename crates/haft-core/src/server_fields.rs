//! Fields of a server's reply that haft's types do not have.

use serde_json::{Map, Value};

/// Fields of a reply, or of a piece of it, that haft's types do not have. Their form is that of the
/// server's API; only a client of the same API receives them.
///
/// They are grouped by where they stand in a reply, because each API has at most these places.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ServerFields {
    /// Fields of the whole reply: `system_fingerprint`, `timings`, `load_duration`.
    pub reply: Map<String, Value>,
    /// Fields of the choice (`logprobs`), or of the end of a message (`stop_sequence`).
    pub choice: Map<String, Value>,
    /// Fields of the message: `annotations`, `audio`.
    pub message: Map<String, Value>,
    /// Fields of the token counts, those that haft counts as well included.
    pub usage: Map<String, Value>,
    /// Citations of the text before them (Anthropic).
    pub citations: Vec<Value>,
    /// Content blocks that haft does not know, each as a whole (Anthropic).
    pub blocks: Vec<Value>,
}

impl ServerFields {
    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether there is nothing but token counts.
    #[must_use]
    pub fn is_only_usage(&self) -> bool {
        self.reply.is_empty()
            && self.choice.is_empty()
            && self.message.is_empty()
            && self.citations.is_empty()
            && self.blocks.is_empty()
    }

    /// Adds later fields of the same reply. The pieces of a stream are joined: lists grow, and so do
    /// the texts of a message; any other value replaces an earlier one, except null.
    pub fn extend(&mut self, later: Self) {
        grow(&mut self.reply, later.reply, Texts::Replaced);
        grow(&mut self.choice, later.choice, Texts::Replaced);
        grow(&mut self.message, later.message, Texts::Joined);
        grow(&mut self.usage, later.usage, Texts::Replaced);
        self.citations.extend(later.citations);
        self.blocks.extend(later.blocks);
    }
}

/// What becomes of texts that a reply has in several pieces.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Texts {
    Joined,
    Replaced,
}

fn grow(fields: &mut Map<String, Value>, later: Map<String, Value>, texts: Texts) {
    for (name, value) in later {
        match (fields.get_mut(&name), value) {
            (Some(_), Value::Null) => {}
            (Some(Value::Array(items)), Value::Array(more)) => items.extend(more),
            (Some(Value::Object(members)), Value::Object(more)) => grow(members, more, texts),
            (Some(Value::String(text)), Value::String(more)) if texts == Texts::Joined => {
                text.push_str(&more);
            }
            (_, value) => {
                fields.insert(name, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn map(value: Value) -> Map<String, Value> {
        match value {
            Value::Object(map) => map,
            _ => Map::new(),
        }
    }

    #[test]
    fn pieces_of_a_stream_join() {
        let mut fields = ServerFields::default();
        assert!(fields.is_empty());
        for token in ["a", "b"] {
            fields.extend(ServerFields {
                choice: map(json!({"logprobs": {"content": [{"token": token}], "refusal": null}})),
                reply: map(json!({"service_tier": token})),
                message: map(json!({"reasoning": token})),
                ..ServerFields::default()
            });
        }
        let logprobs = json!({"content": [{"token": "a"}, {"token": "b"}], "refusal": null});
        assert_eq!(fields.choice["logprobs"], logprobs);
        assert_eq!(fields.reply["service_tier"], "b");
        assert_eq!(fields.message["reasoning"], "ab");
        assert!(!fields.is_only_usage());
    }
}

//! The response of the Anthropic Messages API, and its token counts.

use serde::{Deserialize, Serialize};

use super::{Block, Role};

/// A whole response; at the start of a stream, one without content.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Response {
    /// The reply's id.
    #[serde(default)]
    pub(crate) id: String,
    /// Always `message`.
    #[serde(default = "message", rename = "type")]
    pub(crate) kind: String,
    /// Always `assistant`.
    #[serde(default = "assistant")]
    pub(crate) role: Role,
    /// The model's name.
    #[serde(default)]
    pub(crate) model: String,
    pub(crate) content: Vec<Block>,
    /// The stop reason: `end_turn`, `tool_use`, `max_tokens`, `stop_sequence`, `refusal`...
    pub(crate) stop_reason: Option<String>,
    /// The stop sequence that ended the reply.
    pub(crate) stop_sequence: Option<String>,
    /// The token counts.
    #[serde(default)]
    pub(crate) usage: Usage,
}

fn message() -> String {
    "message".to_owned()
}

fn assistant() -> Role {
    Role::Assistant
}

/// Token counts; a stream reports some at its start and some at its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Usage {
    /// Prompt tokens, without those in the two cache counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) input_tokens: Option<u64>,
    /// Prompt tokens written to the cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cache_creation_input_tokens: Option<u64>,
    /// Prompt tokens read from the cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cache_read_input_tokens: Option<u64>,
    /// Tokens of the reply so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) output_tokens: Option<u64>,
}

impl Usage {
    /// Combines this report with the counts known `before`; this report takes precedence.
    pub(crate) fn over(self, before: haft_core::Usage) -> haft_core::Usage {
        let read = self.cache_read_input_tokens;
        let prompt = [self.input_tokens, self.cache_creation_input_tokens, read];
        let reported = prompt.iter().flatten().copied().reduce(u64::saturating_add);
        haft_core::Usage {
            input_tokens: reported.unwrap_or(before.input_tokens),
            output_tokens: self.output_tokens.unwrap_or(before.output_tokens),
            cached_input_tokens: read.unwrap_or(before.cached_input_tokens),
        }
    }
}

//! The authors of messages.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The author of a [`Message`](crate::Message), under the names of most chat APIs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The operator, who gives the model its instructions: [`Message::System`](crate::Message::System).
    System,
    /// The user: [`Message::Human`](crate::Message::Human).
    User,
    /// The model: [`Message::Ai`](crate::Message::Ai).
    Assistant,
    /// A tool that was called: [`Message::Tool`](crate::Message::Tool).
    Tool,
}

impl fmt::Display for Role {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Tool => "tool",
        })
    }
}

//! The four kinds of message that a conversation consists of.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Content, InvalidToolCall, ToolCall, Usage};

/// One entry of a conversation.
///
/// In JSON the kind stands in `type` and the fields beside it:
///
/// ```
/// use haft_core::Message;
/// use serde_json::json;
///
/// let message: Message = serde_json::from_value(json!({"type": "human", "content": "hi"})).unwrap();
/// assert_eq!(message, Message::human("hi"));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Message {
    /// Guidance for the model from whoever runs it.
    System(SystemMessage),
    /// What the user said.
    Human(HumanMessage),
    /// What the model said, calls included.
    Ai(AiMessage),
    /// The answer to one call.
    Tool(ToolMessage),
}

/// Guidance for the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SystemMessage {
    /// The guidance.
    pub content: Content,
}

/// What the user said.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HumanMessage {
    /// Text, pictures, or both.
    pub content: Content,
}

/// One reply of a model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AiMessage {
    /// What it said beside its calls; may be blank.
    pub content: Content,
    /// The calls it asks for, in its order.
    #[serde(default)]
    pub tool_calls: Vec<ToolCall>,
    /// Calls that could not be understood.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub invalid_tool_calls: Vec<InvalidToolCall>,
    /// Tokens of this reply.
    #[serde(
        default,
        rename = "usage_metadata",
        skip_serializing_if = "Option::is_none"
    )]
    pub usage: Option<Usage>,
    /// Why the reply ended, derived from what was seen rather than from what the wire claims.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop_reason: Option<StopReason>,
}

/// Why a reply ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum StopReason {
    /// The model had nothing to add.
    EndTurn,
    /// The model waits for its calls.
    ToolUse,
    /// The limit on tokens cut the reply.
    MaxTokens,
    /// The provider refused or filtered the reply.
    Refusal,
}

/// The answer to one call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolMessage {
    /// What the model reads.
    pub content: Content,
    /// The id of the call that this answers.
    pub tool_call_id: String,
    /// The tool's name; some wires want it beside the id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Whether the tool did its work.
    #[serde(default)]
    pub status: ToolStatus,
    /// What the tool made for programs rather than for the model. Never sent to a model server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifact: Option<Value>,
}

/// Whether a tool did its work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ToolStatus {
    /// It did.
    #[default]
    Success,
    /// It did not; the content starts with `Error: `.
    Error,
}

impl Message {
    /// A system message.
    #[must_use]
    pub fn system(content: impl Into<Content>) -> Self {
        Self::System(SystemMessage {
            content: content.into(),
        })
    }

    /// A message of the user.
    #[must_use]
    pub fn human(content: impl Into<Content>) -> Self {
        Self::Human(HumanMessage {
            content: content.into(),
        })
    }

    /// A reply without calls.
    #[must_use]
    pub fn ai(content: impl Into<Content>) -> Self {
        Self::Ai(AiMessage::new(content))
    }

    /// What the message says, whatever its kind.
    #[must_use]
    pub fn content(&self) -> &Content {
        match self {
            Self::System(message) => &message.content,
            Self::Human(message) => &message.content,
            Self::Ai(message) => &message.content,
            Self::Tool(message) => &message.content,
        }
    }
}

impl AiMessage {
    /// A reply that says `content`.
    #[must_use]
    pub fn new(content: impl Into<Content>) -> Self {
        Self {
            content: content.into(),
            ..Self::default()
        }
    }

    /// The same reply, asking for `calls`.
    #[must_use]
    pub fn with_tool_calls(mut self, calls: impl IntoIterator<Item = ToolCall>) -> Self {
        self.tool_calls = calls.into_iter().collect();
        self
    }

    /// True when the reply asks for something, understood or not, and so must be answered.
    #[must_use]
    pub fn has_calls(&self) -> bool {
        !self.tool_calls.is_empty() || !self.invalid_tool_calls.is_empty()
    }

    /// True when there is neither a call nor anything to read.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        !self.has_calls() && self.content.is_blank()
    }
}

impl ToolMessage {
    /// The result of a call that worked.
    #[must_use]
    pub fn success(content: impl Into<Content>, tool_call_id: impl Into<String>) -> Self {
        Self {
            content: content.into(),
            tool_call_id: tool_call_id.into(),
            name: None,
            status: ToolStatus::Success,
            artifact: None,
        }
    }

    /// The answer to a call that failed: exactly `Error: {message}`.
    ///
    /// ```
    /// let answer = haft_core::ToolMessage::error("boom", "call_1");
    /// assert_eq!(answer.content.text(), "Error: boom");
    /// ```
    #[must_use]
    pub fn error(message: &str, tool_call_id: impl Into<String>) -> Self {
        Self {
            status: ToolStatus::Error,
            ..Self::success(format!("Error: {message}"), tool_call_id)
        }
    }

    /// The same message, naming its tool.
    #[must_use]
    pub fn with_name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }
}

impl From<AiMessage> for Message {
    fn from(message: AiMessage) -> Self {
        Self::Ai(message)
    }
}

impl From<ToolMessage> for Message {
    fn from(message: ToolMessage) -> Self {
        Self::Tool(message)
    }
}

impl From<HumanMessage> for Message {
    fn from(message: HumanMessage) -> Self {
        Self::Human(message)
    }
}

impl From<SystemMessage> for Message {
    fn from(message: SystemMessage) -> Self {
        Self::System(message)
    }
}

#[cfg(test)]
mod tests;

//! The four kinds of message that a conversation consists of.
//!
//! A conversation is a list of [`Message`]s and nothing else: no state is kept beside it, so a
//! list that was saved can be continued by any model. The kinds carry LangChain's names, because
//! their JSON is LangChain's and people load such files; [`Role`] has the names that most chat
//! APIs use for the authors.
//!
//! Two rules hold between messages, and providers refuse a history that breaks them:
//!
//! * every call of an [`AiMessage`], valid or not, is answered by one [`ToolMessage`], in the order
//!   of the calls, before the next message of the model;
//! * a `ToolMessage` names its call by id. Ids are unique within one message only; calls that share
//!   an id are matched by position.
//!
//! `answer_calls` in `haft-tools` builds those answers: it pairs calls and results and adds an
//! error where a result is missing. How each provider writes these messages is in its `encode` module in
//! `haft-models`. `content` has what a message says, [`tool_call`](crate::ToolCall) what it calls.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Content, InvalidToolCall, Role, ToolCall, Usage};

/// One entry of a conversation.
///
/// In JSON the field `type` holds the kind, next to the fields of the message:
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
    /// Instructions for the model from its operator.
    System(SystemMessage),
    /// A message of the user.
    Human(HumanMessage),
    /// A reply of the model, including its tool calls.
    Ai(AiMessage),
    /// The result of one tool call.
    Tool(ToolMessage),
}

/// Instructions for the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SystemMessage {
    /// The instructions.
    pub content: Content,
}

/// A message of the user.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HumanMessage {
    /// Text, pictures, or both.
    pub content: Content,
}

/// One reply of a model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AiMessage {
    /// The text and thinking of the reply; may be blank.
    pub content: Content,
    /// The requested tool calls, in the model's order.
    #[serde(default)]
    pub tool_calls: Vec<ToolCall>,
    /// Calls that could not be parsed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub invalid_tool_calls: Vec<InvalidToolCall>,
    /// Tokens used by this request and reply.
    #[serde(rename = "usage_metadata")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// Why the reply ended, derived from its content rather than from the server's claim.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_reason: Option<StopReason>,
}

/// Why a reply ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum StopReason {
    /// The model finished its reply.
    EndTurn,
    /// The model waits for the results of its calls.
    ToolUse,
    /// The token limit cut off the reply.
    MaxTokens,
    /// The provider refused or filtered the reply.
    Refusal,
    /// The model says that it does not do what was asked, or asks back; only a model that knows
    /// this about its own reply reports it, as the command engine does.
    Declined,
}

/// The result of one tool call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolMessage {
    /// The result that the model reads.
    pub content: Content,
    /// The id of the answered call.
    pub tool_call_id: String,
    /// The tool's name, which some wire formats need in addition to the id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Whether the tool succeeded.
    #[serde(default)]
    pub status: ToolStatus,
    /// Data of the tool for programs; never sent to a model server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub artifact: Option<Value>,
}

/// Whether a tool succeeded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ToolStatus {
    /// The tool succeeded.
    #[default]
    Success,
    /// The tool failed; the content starts with `Error: `.
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

    /// A message of the user; [`human`](Self::human) under the name of most chat APIs.
    #[must_use]
    pub fn user(content: impl Into<Content>) -> Self {
        Self::human(content)
    }

    /// A reply of the model without calls; [`ai`](Self::ai) under the name of most chat APIs.
    #[must_use]
    pub fn assistant(content: impl Into<Content>) -> Self {
        Self::ai(content)
    }

    /// The role of the message's author.
    ///
    /// ```
    /// use haft_core::{Message, Role};
    ///
    /// assert_eq!(Message::user("A coat?").role(), Role::User);
    /// assert_eq!(Message::assistant("Yes.").role().to_string(), "assistant");
    /// ```
    #[must_use]
    pub fn role(&self) -> Role {
        match self {
            Self::System(_) => Role::System,
            Self::Human(_) => Role::User,
            Self::Ai(_) => Role::Assistant,
            Self::Tool(_) => Role::Tool,
        }
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

    /// The content of the message, whatever its kind.
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
    /// A reply with this content and no calls.
    #[must_use]
    pub fn new(content: impl Into<Content>) -> Self {
        Self {
            content: content.into(),
            ..Self::default()
        }
    }

    /// Replaces the tool calls of the reply.
    #[must_use]
    pub fn with_tool_calls(mut self, calls: impl IntoIterator<Item = ToolCall>) -> Self {
        self.tool_calls = calls.into_iter().collect();
        self
    }

    /// True when the reply has a tool call, valid or invalid, which must be answered.
    #[must_use]
    pub fn has_calls(&self) -> bool {
        !self.tool_calls.is_empty() || !self.invalid_tool_calls.is_empty()
    }

    /// True when the reply has neither a call nor visible content.
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

    /// Sets the name of the tool.
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

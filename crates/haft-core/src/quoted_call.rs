//! Calls that a model only quoted from a text in its conversation.

use std::fmt;

use serde::Serialize;

use crate::ToolCall;

/// A call in a reply that was not run, because it is copied from a text in the conversation and
/// the user did not ask for it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QuotedCall {
    /// The call as it would have run.
    pub call: ToolCall,
    /// The text that contains the call.
    pub source: QuoteSource,
}

/// The text that a quoted call was copied from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum QuoteSource {
    /// The result of a tool.
    ToolResult,
    /// The result of a web search.
    WebPage,
    /// An attachment of a message, such as text that is piped in.
    Attachment,
    /// A message of the user that mentions the call without asking for it.
    UserMessage,
}

impl QuoteSource {
    /// The source as one word, for counters.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ToolResult => "tool_result",
            Self::WebPage => "web_page",
            Self::Attachment => "attachment",
            Self::UserMessage => "user_message",
        }
    }
}

impl fmt::Display for QuoteSource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::ToolResult => "a tool result",
            Self::WebPage => "a web page",
            Self::Attachment => "an attachment",
            Self::UserMessage => "the user's text",
        })
    }
}

impl fmt::Display for QuotedCall {
    /// Writes the call without markers, so that no model or parser takes it for a call.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arguments = serde_json::to_string(&self.call.args).map_err(|_| fmt::Error)?;
        write!(formatter, "{} {arguments}", self.call.name)
    }
}

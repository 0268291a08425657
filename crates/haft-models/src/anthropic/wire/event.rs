//! Answers as events, one JSON object each, and errors.
//!
//! On the wire each event's name stands in its data's `type` too, so the data alone is read.

use serde::{Deserialize, Serialize};

use super::{Block, Response, Usage};

/// One event of a streamed answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Event {
    /// The answer begins.
    MessageStart {
        /// Its beginning, without content.
        message: Response,
    },
    /// A block begins.
    ContentBlockStart {
        /// Its place.
        index: u64,
        /// Its beginning.
        content_block: Block,
    },
    /// More of a block.
    ContentBlockDelta {
        /// Its place.
        index: u64,
        /// What is added.
        delta: Delta,
    },
    /// A block is complete.
    ContentBlockStop {
        /// Its place.
        index: u64,
    },
    /// What is known only at the end.
    MessageDelta {
        /// Why the answer ended.
        delta: MessageDelta,
        /// Tokens, as far as they changed.
        #[serde(default)]
        usage: Usage,
    },
    /// The answer is complete.
    MessageStop {},
    /// The connection is alive.
    Ping {},
    /// The answer failed; nothing follows. Also the body of an answer whose status says no.
    Error {
        /// How.
        #[serde(default)]
        error: ErrorDetail,
    },
    /// Anything else.
    #[serde(other)]
    Unknown,
}

/// What is added to a block.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type")]
pub(crate) enum Delta {
    /// More text.
    #[serde(rename = "text_delta")]
    Text {
        /// The text.
        text: String,
    },
    /// More of a call's arguments.
    #[serde(rename = "input_json_delta")]
    InputJson {
        /// Raw JSON, cut anywhere.
        partial_json: String,
    },
    /// More of a thought.
    #[serde(rename = "thinking_delta")]
    Thinking {
        /// The thought.
        thinking: String,
    },
    /// The signature under a thought.
    #[serde(rename = "signature_delta")]
    Signature {
        /// The signature.
        signature: String,
    },
    /// Anything else, citations for one.
    #[serde(other)]
    Unknown,
}

/// What is known only at the end of an answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct MessageDelta {
    /// Why it ended.
    #[serde(default)]
    pub(crate) stop_reason: Option<String>,
    /// Which of the request's texts ended it.
    #[serde(default)]
    pub(crate) stop_sequence: Option<String>,
}

/// What went wrong.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ErrorDetail {
    /// The kind, such as `overloaded_error`.
    #[serde(default, rename = "type")]
    pub(crate) kind: String,
    /// The server's words.
    #[serde(default)]
    pub(crate) message: String,
}

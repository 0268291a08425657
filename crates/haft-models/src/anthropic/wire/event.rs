//! The events of a streamed response, and errors.
//!
//! Each event's data repeats its name in `type`, so only the data is parsed.

use serde::{Deserialize, Serialize};

use super::{Block, Response, Usage};

/// One event of a streamed response.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Event {
    /// The response begins.
    MessageStart {
        /// The response without content.
        message: Response,
    },
    /// A block begins.
    ContentBlockStart {
        /// The block's index.
        index: u64,
        /// The start of the block.
        content_block: Block,
    },
    /// More content of a block.
    ContentBlockDelta {
        /// The block's index.
        index: u64,
        /// The added content.
        delta: Delta,
    },
    /// A block is complete.
    ContentBlockStop {
        /// The block's index.
        index: u64,
    },
    /// The data that is known only at the end.
    MessageDelta {
        /// The stop reason.
        delta: MessageDelta,
        /// The changed token counts.
        #[serde(default)]
        usage: Usage,
    },
    /// The response is complete.
    MessageStop {},
    /// A keep-alive.
    Ping {},
    /// The response failed and ends here. Also the body of a response with an error status.
    Error {
        /// The error.
        #[serde(default)]
        error: ErrorDetail,
    },
    /// Any other event.
    #[serde(other)]
    Unknown,
}

/// Content that is added to a block.
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
        /// A piece of raw JSON, cut at any position.
        partial_json: String,
    },
    /// More reasoning.
    #[serde(rename = "thinking_delta")]
    Thinking {
        /// The added reasoning.
        thinking: String,
    },
    /// The signature of the reasoning.
    #[serde(rename = "signature_delta")]
    Signature {
        /// The signature.
        signature: String,
    },
    /// Any other delta, such as citations.
    #[serde(other)]
    Unknown,
}

/// The data that is known only at the end of a response.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct MessageDelta {
    pub(crate) stop_reason: Option<String>,
    /// The stop sequence that ended the reply.
    pub(crate) stop_sequence: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ErrorDetail {
    /// The kind of error, such as `overloaded_error`.
    #[serde(default, rename = "type")]
    pub(crate) kind: String,
    /// The server's message.
    #[serde(default)]
    pub(crate) message: String,
}

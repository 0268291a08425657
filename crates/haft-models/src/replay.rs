//! Recorded exchanges with model servers: written with `--record FILE`, played back by
//! `--model replay:FILE`.
//!
//! A recording is a file of JSON lines, one [`Exchange`] each, with the reply's bytes as they were
//! received, so that a replay uses the same decoders. `recorder.rs` writes, `cassette.rs`
//! finds the reply to a request, `canonical.rs` says when two requests are the same, `open.rs`
//! finds the provider of a recording, which builds the model that it was made with out of what
//! `recorded.rs` holds.

mod canonical;
mod cassette;
mod open;
mod recorded;
mod recorder;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub(crate) use cassette::Cassette;
pub use open::open_replay;
pub(crate) use open::replay_model;
pub(crate) use recorded::Recorded;
pub use recorder::Recorder;
pub(crate) use recorder::Recording;

/// One request and its reply. Of the headers only the two that are needed to read the reply are
/// recorded.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Exchange {
    /// A hash of the exchange, to refer to it.
    #[serde(default)]
    pub(crate) id: String,
    /// The name of the API: `ollama-chat`, `openai-chat` or `anthropic-messages`.
    pub(crate) api: String,
    /// The server's name and port.
    #[serde(default)]
    pub(crate) provider: String,
    /// The address without secrets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) url: Option<String>,
    pub(crate) status: u16,
    pub(crate) content_type: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) retry_after: Option<String>,
    /// Whether a stream was requested.
    #[serde(default)]
    pub(crate) stream: bool,
    /// The body of the request, with secrets masked.
    pub(crate) request: Value,
    /// The body of the reply, with secrets masked.
    pub(crate) response: String,
    /// Always `raw`: the response is recorded as it was received.
    #[serde(default)]
    pub(crate) form: String,
}

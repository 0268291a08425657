//! Recorded exchanges with model servers: written with `--record FILE`, played back by
//! `--model replay:FILE`.
//!
//! A recording is a file of JSON lines, one [`Exchange`] each, with the reply's bytes as they
//! came, so that a replay goes through the very same decoders. `recorder.rs` writes, `cassette.rs`
//! finds the reply to a request, `canonical.rs` says when two requests are the same, `open.rs`
//! builds the model that a recording was made with.

mod canonical;
mod cassette;
mod open;
mod recorder;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub(crate) use cassette::Cassette;
pub use open::open_replay;
pub use recorder::Recorder;
pub(crate) use recorder::Recording;

/// One request and its reply. Headers are not kept, but for the two that the reply is read by.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Exchange {
    /// A hash of the exchange, to speak of it.
    #[serde(default)]
    id: String,
    /// The dialect: `ollama-chat`, `openai-chat` or `anthropic-messages`.
    api: String,
    /// The server's name and port.
    #[serde(default)]
    provider: String,
    /// The address, without anything secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    status: u16,
    #[serde(default)]
    content_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    retry_after: Option<String>,
    /// Whether a stream was asked for.
    #[serde(default)]
    stream: bool,
    /// The body of the request, with secrets masked.
    request: Value,
    /// The body of the reply, with secrets masked.
    response: String,
    /// Always `raw`: the reply's own bytes, not something made of them.
    #[serde(default)]
    form: String,
}

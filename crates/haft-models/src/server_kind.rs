//! The APIs that model servers have.

use serde::Serialize;

/// The API of a server. Several providers may have the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ServerKind {
    /// Ollama's own API.
    Ollama,
    /// Chat completions.
    OpenAi,
    /// Anthropic's messages.
    Anthropic,
}

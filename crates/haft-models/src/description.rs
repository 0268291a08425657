//! What a server tells about its models.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The timeout of each request about a model; a remote server needs more time than a local one.
pub(crate) const DESCRIBING: Duration = Duration::from_secs(4);

/// Whether the tools of a request reach a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ToolSupport {
    /// The server offers them to the model.
    Supported,
    /// The server refuses such a request, or drops the tools without a word. In the tool mode
    /// `auto` they are taught in the prompt.
    Missing,
    /// The server does not tell.
    #[default]
    Unknown,
}

/// What a server tells about one of its models.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct ModelDescription {
    /// Whether the server has the model; `None` if it does not tell.
    pub(crate) is_known: Option<bool>,
    pub(crate) tools: ToolSupport,
    /// Whether the model can think before it answers; `None` if the server does not tell.
    pub(crate) thinks: Option<bool>,
    /// The context size in tokens, if the server tells it.
    pub(crate) context: Option<u64>,
    /// The names of the server's models.
    pub(crate) models: Vec<String>,
}

/// The response to `GET /v1/models`, of OpenAI-compatible servers and Anthropic.
#[derive(Debug, Deserialize)]
pub(crate) struct ModelList {
    data: Vec<ListedModel>,
}

/// One model of such a list.
#[derive(Debug, Deserialize)]
struct ListedModel {
    id: String,
}

impl ModelList {
    /// The names of the models, in the server's order.
    pub(crate) fn names(self) -> Vec<String> {
        self.data.into_iter().map(|model| model.id).collect()
    }
}

//! What a server tells about one of its models, for people who check their setup.

use std::time::Duration;

use haft_core::ModelError;
use serde::Serialize;

use crate::settings::ModelSettings;
use crate::spec::{ServedModel, shown_address};

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

/// The result of [`survey_model`]: one model, asked about at its own server.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ServedSurvey {
    /// The server's address, without a password.
    pub address: String,
    /// Whether the server has the model; `None` if it does not tell.
    pub is_known: Option<bool>,
    /// Whether the server offers tools to the model.
    pub tools: ToolSupport,
    /// Whether the model can think before it answers; `None` if the server does not tell, as only
    /// Ollama does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thinks: Option<bool>,
    /// The context size in tokens, if the server tells it.
    pub context: Option<u64>,
    /// The names of the server's models.
    pub models: Vec<String>,
    /// The reason why the server does not answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// A suggested solution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// Asks the server of a model about it, for a few seconds at most. The model is not run.
pub async fn survey_model(model: &ServedModel, settings: &ModelSettings) -> ServedSurvey {
    let url = model.url(settings);
    let asked = model.describe(settings).await;
    let (problem, hint) = match &asked {
        Ok(_) => (None, None),
        Err(error) => problem_and_hint(error),
    };
    let description = asked.unwrap_or_default();
    ServedSurvey {
        address: shown_address(url),
        is_known: description.is_known,
        tools: description.tools,
        thinks: description.thinks,
        context: description.context,
        models: description.models,
        problem,
        hint,
    }
}

/// The message of an error and its hint.
pub(crate) fn problem_and_hint(error: &ModelError) -> (Option<String>, Option<String>) {
    (Some(error.to_string()), error.hint().map(str::to_owned))
}

//! Surveys one model at its own server, for people who check their setup.

use serde::Serialize;

use super::survey::problem_and_hint;
use crate::description::ToolSupport;
use crate::settings::ModelSettings;
use crate::spec::{ServedModel, shown_address};

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

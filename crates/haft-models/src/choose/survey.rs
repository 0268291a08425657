//! Surveys the available servers, models and keys.

use std::collections::BTreeMap;

use futures_util::future::join_all;
use haft_core::ModelError;
use serde::Serialize;

use super::{ANSWER, FIRST_ANSWER, catalog};
use crate::ChatOpenAi;
use crate::description::ToolSupport;
use crate::http::Transport;
use crate::ollama::{Catalog, MAX_ASKED, ModelSupport};
use crate::server_kind::ServerKind;
use crate::settings::ModelSettings;
use crate::spec::shown_address;

/// How many models of an OpenAI-compatible server are asked about.
const DESCRIBED: usize = 20;

/// The result of [`survey`]: every configured source of models.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Survey {
    /// The Ollama server.
    pub ollama: OllamaSurvey,
    /// The OpenAI-compatible server, if an address or a key is configured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub openai: Option<OpenAiSurvey>,
    /// Anthropic's API.
    pub anthropic: AnthropicSurvey,
}

/// The state of the Ollama server.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct OllamaSurvey {
    /// The server's address, without a password.
    pub address: String,
    /// The server's version; `None` if it does not respond.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The reason why it does not respond.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// A suggested solution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The installed models, smallest first.
    pub models: Vec<ModelSurvey>,
}

/// One installed model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ModelSurvey {
    /// The model's name.
    pub name: String,
    /// The model's size on disk in bytes.
    pub size_bytes: u64,
    /// Whether the model runs on that server and supports tools.
    pub calls_tools: bool,
    /// Whether the model supports tools, wherever it runs. Not in JSON, where `calls_tools` is.
    #[serde(skip)]
    pub tools: ToolSupport,
    /// Whether the model is in memory now.
    pub loaded: bool,
}

/// The state of the OpenAI-compatible server.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct OpenAiSurvey {
    /// The server's address, without a password.
    pub address: String,
    /// Whether a key is configured.
    pub key_set: bool,
    /// The names of the server's models.
    pub models: Vec<String>,
    /// Whether the server offers tools to its models, for the first few models of a server on this
    /// machine or in a private network, and as far as it tells.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub tools: BTreeMap<String, ToolSupport>,
    /// The reason why it does not respond.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// A suggested solution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// The configuration of Anthropic's API; the API is not queried.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct AnthropicSurvey {
    /// Whether a key is configured.
    pub key_set: bool,
}

/// Queries every configured source of models, for a few seconds at most. Models are listed, never
/// run, so nothing is charged.
pub async fn survey(settings: &ModelSettings) -> Survey {
    let (ollama, openai) = futures_util::join!(ollama(settings), openai(settings));
    Survey {
        ollama,
        openai,
        anthropic: AnthropicSurvey {
            key_set: settings.server(ServerKind::Anthropic).api_key.is_some(),
        },
    }
}

async fn ollama(settings: &ModelSettings) -> OllamaSurvey {
    let mut survey = OllamaSurvey {
        address: shown_address(settings.url(ServerKind::Ollama)),
        version: None,
        problem: None,
        hint: None,
        models: Vec::new(),
    };
    let found = async {
        survey.version = Some(catalog(settings, FIRST_ANSWER).version().await?);
        models(&catalog(settings, ANSWER)).await
    };
    match found.await {
        Ok(models) => survey.models = models,
        Err(error) => (survey.problem, survey.hint) = problem_and_hint(&error),
    }
    survey
}

async fn models(catalog: &Catalog) -> Result<Vec<ModelSurvey>, ModelError> {
    let loaded = catalog.loaded().await.unwrap_or_default();
    let mut models = Vec::new();
    for (number, model) in catalog.installed().await?.into_iter().enumerate() {
        let support = match number < MAX_ASKED {
            true => catalog.support(&model).await,
            false => ModelSupport::default(),
        };
        models.push(ModelSurvey {
            calls_tools: support.calls_tools(),
            tools: support.tools,
            loaded: loaded.iter().any(|other| other.name == model.name),
            name: model.name,
            size_bytes: model.size,
        });
    }
    Ok(models)
}

async fn openai(settings: &ModelSettings) -> Option<OpenAiSurvey> {
    let server = settings.server(ServerKind::OpenAi);
    if server.url.is_none() && server.api_key.is_none() {
        return None;
    }
    let base_url = settings.url(ServerKind::OpenAi);
    let key = server.api_key.as_ref();
    // A remote server needs more time than a local one.
    let limits = settings.limits.clone().with_total(2 * ANSWER);
    let mut model = ChatOpenAi::new("")
        .base_url(base_url)
        .transport(Transport::http().with_limits(limits));
    if let Some(key) = key {
        model = model.api_key(key.reveal());
    }
    let mut survey = OpenAiSurvey {
        address: shown_address(base_url),
        key_set: key.is_some(),
        models: Vec::new(),
        tools: BTreeMap::new(),
        problem: None,
        hint: None,
    };
    match model.models().await {
        Ok(models) => {
            let asked = models.iter().take(DESCRIBED);
            let asked = asked.map(async |name| (name.clone(), model.tool_support(name).await));
            let described = join_all(asked).await.into_iter();
            survey.tools = described
                .filter(|(_, tools)| *tools != ToolSupport::Unknown)
                .collect();
            survey.models = models;
        }
        Err(error) => (survey.problem, survey.hint) = problem_and_hint(&error),
    }
    Some(survey)
}

/// The message of an error and its hint.
pub(super) fn problem_and_hint(error: &ModelError) -> (Option<String>, Option<String>) {
    (Some(error.to_string()), error.hint().map(str::to_owned))
}

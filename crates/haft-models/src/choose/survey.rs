//! What is within reach: servers, models, keys.

use haft_core::ModelError;
use serde::Serialize;

use super::{ANSWER, FIRST_ANSWER, catalog};
use crate::ChatOpenAi;
use crate::http::Transport;
use crate::ollama::{Catalog, MAX_ASKED};
use crate::spec::{ModelSettings, shown_address};

/// OpenAI's own address, asked where a key but no address is configured.
const OPENAI: &str = "https://api.openai.com/v1";

/// Everything that a model could come from.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Survey {
    /// The Ollama server.
    pub ollama: OllamaSurvey,
    /// The OpenAI-compatible server, where an address or a key is configured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub openai: Option<OpenAiSurvey>,
    /// Anthropic.
    pub anthropic: AnthropicSurvey,
}

/// What was found at Ollama's address.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct OllamaSurvey {
    /// The address, without a password.
    pub address: String,
    /// The server's version; none where it does not answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Why it does not answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// What can be done about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The installed models, smallest first.
    pub models: Vec<ModelSurvey>,
}

/// One installed model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ModelSurvey {
    /// Its name.
    pub name: String,
    /// Its size on disk in bytes.
    pub size_bytes: u64,
    /// Whether it runs on that server, and can call tools.
    pub calls_tools: bool,
    /// Whether it is in memory now.
    pub loaded: bool,
}

/// What was found at the OpenAI-compatible server.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct OpenAiSurvey {
    /// The address, without a password.
    pub address: String,
    /// Whether a key is configured.
    pub key_set: bool,
    /// The names of its models.
    pub models: Vec<String>,
    /// Why it does not answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// What can be done about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// What is known about Anthropic without asking it.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct AnthropicSurvey {
    /// Whether a key is configured.
    pub key_set: bool,
}

/// Looks at everything that is configured, in a few seconds at most where it does not answer.
/// Costs nothing: models are listed, not asked.
pub async fn survey(settings: &ModelSettings) -> Survey {
    let (ollama, openai) = futures_util::join!(ollama(settings), openai(settings));
    Survey {
        ollama,
        openai,
        anthropic: AnthropicSurvey {
            key_set: settings.anthropic_api_key.is_some(),
        },
    }
}

async fn ollama(settings: &ModelSettings) -> OllamaSurvey {
    let mut survey = OllamaSurvey {
        address: shown_address(&settings.ollama_host),
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
        Err(error) => (survey.problem, survey.hint) = told(&error),
    }
    survey
}

async fn models(catalog: &Catalog) -> Result<Vec<ModelSurvey>, ModelError> {
    let loaded = catalog.loaded().await.unwrap_or_default();
    let mut models = Vec::new();
    for (number, model) in catalog.installed().await?.into_iter().enumerate() {
        models.push(ModelSurvey {
            calls_tools: number < MAX_ASKED && catalog.calls_tools(&model).await,
            loaded: loaded.iter().any(|other| other.name == model.name),
            name: model.name,
            size_bytes: model.size,
        });
    }
    Ok(models)
}

async fn openai(settings: &ModelSettings) -> Option<OpenAiSurvey> {
    let key = settings.openai_api_key.as_ref();
    let base_url = match (&settings.openai_base_url, key) {
        (Some(base_url), _) => base_url.as_str(),
        (None, Some(_)) => OPENAI,
        (None, None) => return None,
    };
    // A server across the world needs more time than one in the house.
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
        problem: None,
        hint: None,
    };
    match model.models().await {
        Ok(models) => survey.models = models,
        Err(error) => (survey.problem, survey.hint) = told(&error),
    }
    Some(survey)
}

fn told(error: &ModelError) -> (Option<String>, Option<String>) {
    (Some(error.to_string()), error.hint().map(str::to_owned))
}

//! A model's name and the settings to a model.

use std::sync::Arc;

use haft_core::{ChatModel, ModelError, ModelErrorKind};

use super::{ModelSettings, ModelSpec};
use crate::builtin::Builtin;
use crate::{ChatAnthropic, ChatOllama, ChatOpenAi, open_replay};

/// OpenAI's and Anthropic's own hosts, which answer nobody without a key.
const CLOUD_HOSTS: [&str; 2] = ["api.openai.com", "api.anthropic.com"];

/// The model that `spec` means. No server is asked: whether the model is there shows when it is
/// used.
///
/// # Errors
///
/// [`ModelErrorKind::Unauthorized`] when a key is missing that is surely needed,
/// [`ModelErrorKind::Configuration`] when a recording cannot be read or written.
///
/// ```
/// use haft_models::{ModelSettings, ModelSpec, open_model};
///
/// let spec: ModelSpec = "ollama:qwen3:0.6b".parse()?;
/// let model = open_model(&spec, &ModelSettings::default())?;
/// assert_eq!(model.id(), "ollama:qwen3:0.6b");
/// # Ok::<_, haft_core::ModelError>(())
/// ```
pub fn open_model(
    spec: &ModelSpec,
    settings: &ModelSettings,
) -> Result<Arc<dyn ChatModel>, ModelError> {
    match spec {
        ModelSpec::Ollama { name } => Ok(Arc::new(ollama_model(name, settings)?)),
        ModelSpec::OpenAi { name, base_url } => {
            let base_url = base_url.as_ref().or(settings.openai_base_url.as_ref());
            Ok(Arc::new(openai_model(name, base_url, settings)?))
        }
        ModelSpec::Anthropic { name } => Ok(Arc::new(anthropic_model(name, settings)?)),
        ModelSpec::Builtin | ModelSpec::Replay { .. } if settings.record.is_some() => {
            Err(ModelError::new(
                ModelErrorKind::Configuration,
                format!("The model {spec} talks to no server, so there is nothing to record"),
            )
            .with_hint("record a model of Ollama, an OpenAI-compatible server or Anthropic"))
        }
        ModelSpec::Builtin => Ok(Arc::new(Builtin::new())),
        ModelSpec::Replay { path } => open_replay(path),
    }
}

/// The same of this provider.
pub(crate) fn ollama_model(name: &str, settings: &ModelSettings) -> Result<ChatOllama, ModelError> {
    let mut model = ChatOllama::new(name)
        .base_url(&settings.ollama_host)
        .tool_mode(settings.tool_mode)
        .format(settings.format)
        .transport(settings.transport()?);
    if let Some(temperature) = settings.temperature {
        model = model.temperature(temperature);
    }
    if let Some(tokens) = settings.max_tokens {
        model = model.num_predict(tokens.into());
    }
    if let Some(tokens) = settings.context {
        model = model.num_ctx(tokens);
    }
    if let Some(key) = &settings.ollama_api_key {
        model = model.api_key(key.reveal());
    }
    Ok(model)
}

/// The same of this provider.
pub(crate) fn openai_model(
    name: &str,
    base_url: Option<&String>,
    settings: &ModelSettings,
) -> Result<ChatOpenAi, ModelError> {
    let key = settings.openai_api_key.as_ref();
    if key.is_none() && is_cloud(base_url) {
        return Err(missing_key("OpenAI", "OPENAI_API_KEY").with_hint(
            "set OPENAI_API_KEY, or name another server: openai:NAME@http://127.0.0.1:8080/v1",
        ));
    }
    let mut model = ChatOpenAi::new(name)
        .tool_mode(settings.tool_mode)
        .format(settings.format)
        .transport(settings.transport()?);
    if let Some(base_url) = base_url {
        model = model.base_url(base_url);
    }
    if let Some(key) = key {
        model = model.api_key(key.reveal());
    }
    if let Some(temperature) = settings.temperature {
        model = model.temperature(temperature);
    }
    if let Some(tokens) = settings.max_tokens {
        model = model.max_tokens(tokens);
    }
    Ok(model)
}

/// The same of this provider.
pub(crate) fn anthropic_model(
    name: &str,
    settings: &ModelSettings,
) -> Result<ChatAnthropic, ModelError> {
    let base_url = settings.anthropic_base_url.as_ref();
    let key = settings.anthropic_api_key.as_ref();
    if key.is_none() && is_cloud(base_url) {
        return Err(missing_key("Anthropic", "ANTHROPIC_API_KEY")
            .with_hint("set ANTHROPIC_API_KEY to a key of your account"));
    }
    let mut model = ChatAnthropic::new(name).transport(settings.transport()?);
    if let Some(base_url) = base_url {
        model = model.base_url(base_url);
    }
    if let Some(key) = key {
        model = model.api_key(key.reveal());
    }
    if let Some(temperature) = settings.temperature {
        model = model.temperature(temperature);
    }
    if let Some(tokens) = settings.max_tokens {
        model = model.max_tokens(tokens);
    }
    Ok(model)
}

/// True for the provider's own address, which is also the default.
fn is_cloud(base_url: Option<&String>) -> bool {
    base_url.is_none_or(|address| {
        url::Url::parse(address).is_ok_and(|url| {
            url.host_str()
                .is_some_and(|host| CLOUD_HOSTS.contains(&host))
        })
    })
}

fn missing_key(provider: &str, variable: &str) -> ModelError {
    ModelError::new(
        ModelErrorKind::Unauthorized,
        format!("{provider} needs a key, and {variable} is not set"),
    )
}

#[cfg(test)]
mod tests;

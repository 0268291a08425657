//! Chooses the model: the configured one, else an available local one.

use std::sync::Arc;

use haft::ChatModel;
use haft::extract::Format;
use haft::models::{ModelSettings, ModelSpec, Recorder, choose_model, open_model};

use crate::failure::{Exit, Failure};
use crate::settings::{Settings, Source};

/// The hint for using a language model instead of `builtin`.
pub(crate) const CONNECT_HINT: &str = "to use a language model, start Ollama \
    (https://ollama.com), or set ANTHROPIC_API_KEY or OPENAI_API_KEY and name a model with --model";

/// A model and the reason for its choice.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) model: Arc<dyn ChatModel>,
    pub(crate) reason: String,
    /// True for the fallback when no model is configured or found.
    pub(crate) is_last_resort: bool,
}

/// Opens the configured model; its traffic is recorded to `record`.
pub(crate) async fn open(settings: &Settings, record: Option<Recorder>) -> Result<Opened, Failure> {
    let mut model_settings = settings.for_models();
    model_settings.record = record;
    if let Some(spec) = named(settings)? {
        return Ok(Opened {
            model: open_model(&spec, &model_settings)?,
            reason: reason(&settings.model.source),
            is_last_resort: false,
        });
    }
    let choice = choose_model(&model_settings).await;
    Ok(Opened {
        model: open_model(&choice.spec, &model_settings)?,
        reason: choice.reason,
        is_last_resort: choice.spec == ModelSpec::Builtin,
    })
}

/// The configured model.
pub(crate) fn named(settings: &Settings) -> Result<Option<ModelSpec>, Failure> {
    let Some(name) = &settings.model.value else {
        return Ok(None);
    };
    let spec = name.parse().map_err(|error| {
        let failure = Failure::from(error);
        match &settings.model.source {
            Source::Flag(_) => Failure {
                exit: Exit::Usage,
                ..failure
            },
            source => Failure {
                message: format!("{source}: {}", failure.message),
                ..failure
            },
        }
    })?;
    Ok(Some(spec))
}

fn reason(source: &Source) -> String {
    match source {
        Source::Flag(flag) => format!("given by {flag}"),
        other => other.to_string(),
    }
}

impl Settings {
    /// The settings for `haft-models`.
    pub(crate) fn for_models(&self) -> ModelSettings {
        let mut settings = ModelSettings::from_lookup(|name| match name {
            "OLLAMA_HOST" => self.ollama_host.value.clone(),
            "OLLAMA_API_KEY" => self.ollama_api_key.value.clone(),
            "OPENAI_BASE_URL" => self.openai_base_url.value.clone(),
            "OPENAI_API_KEY" => self.openai_api_key.value.clone(),
            "ANTHROPIC_BASE_URL" => self.anthropic_base_url.value.clone(),
            "ANTHROPIC_API_KEY" => self.anthropic_api_key.value.clone(),
            // Providers without settings of their own.
            other => std::env::var(other).ok(),
        });
        settings.temperature = self.temperature.value;
        settings.context = self.context.value;
        settings.tool_mode = self.tool_mode.value.unwrap_or_default();
        settings.bare_calls = self.bare_calls.value.unwrap_or_default();
        settings.thought_calls = self.thought_calls.value.unwrap_or_default();
        settings.format = self.format().unwrap_or(Format::Auto);
        settings
    }
}

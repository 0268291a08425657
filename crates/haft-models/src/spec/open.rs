//! Opens a model from its spec and the settings.

use std::sync::Arc;

use haft_core::{ChatModel, ModelError, ModelErrorKind};

use super::ModelSpec;
use crate::local;
use crate::replay::replay_model;
use crate::settings::ModelSettings;

/// Opens the model of `spec`. No server is asked: whether it has the model shows when the model is
/// used. `builtin` is opened one layer up, by `haft_agent::open_model`.
///
/// # Errors
///
/// [`ModelErrorKind::Unauthorized`] if a key is certainly needed and missing,
/// [`ModelErrorKind::Configuration`] if a recording cannot be read or written or a local file is no
/// whole model, and for [`ModelSpec::Builtin`]; [`ModelErrorKind::Unsupported`] for a local file
/// without the feature `local`.
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
        ModelSpec::Served(model) => {
            let url = model.url(settings);
            Ok(model.provider.open(&model.name, url, settings)?.model)
        }
        ModelSpec::Builtin | ModelSpec::Local { .. } | ModelSpec::Replay { .. }
            if settings.record.is_some() =>
        {
            Err(ModelError::new(
                ModelErrorKind::Configuration,
                format!("The model {spec} talks to no server, so there is nothing to record"),
            )
            .with_hint("record a model of Ollama, an OpenAI-compatible server or Anthropic"))
        }
        ModelSpec::Builtin => Err(ModelError::new(
            ModelErrorKind::Configuration,
            "The command engine builtin is not the model of a provider",
        )
        .with_hint("open it with haft_agent::open_model, or make a haft_command::Builtin")),
        ModelSpec::Local { path } => local::open(path, settings),
        ModelSpec::Replay { path } => replay_model(path, settings.bare_calls),
    }
}

#[cfg(test)]
mod tests;

//! Chooses a model when none is configured, and surveys the available ones.
//!
//! Only models on the user's own machines are chosen: a key in the environment is no permission to
//! send questions to a cloud. `choose/survey.rs` queries everything that is configured, `choose/served.rs` one
//! model.

mod served;
mod survey;

use std::time::Duration;

use haft_core::ModelErrorKind;
use serde::Serialize;
use tokio::time::timeout;
use url::Url;

pub use self::served::{ServedSurvey, survey_model};
pub use self::survey::{AnthropicSurvey, ModelSurvey, OllamaSurvey, OpenAiSurvey, Survey, survey};
use crate::http::Transport;
use crate::ollama::{Catalog, Installed};
use crate::server_kind::ServerKind;
use crate::settings::ModelSettings;
use crate::spec::{ModelSpec, ServedModel};

/// The timeout for the server's first response. A response takes about a millisecond, even while a
/// model runs; one second covers a slow network without a noticeable delay.
const FIRST_ANSWER: Duration = Duration::from_secs(1);

/// The timeout for each further request. Longer, because the server reads the model's file to
/// describe it.
const ANSWER: Duration = Duration::from_secs(2);

/// The timeout for the whole choice.
const CHOICE: Duration = Duration::from_secs(6);

/// The chosen model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Choice {
    /// The model.
    pub spec: ModelSpec,
    /// The reason for the choice as a short phrase.
    pub reason: String,
}

/// Chooses a local model: one that Ollama has loaded and that supports tools, else the smallest
/// installed one that supports tools, else the builtin command engine.
///
/// Never fails. Takes a few milliseconds if the server responds or does not exist, and six seconds
/// at most. Loads no model.
pub async fn choose_model(settings: &ModelSettings) -> Choice {
    let address = host_and_port(settings.url(ServerKind::Ollama));
    timeout(CHOICE, from_ollama(settings, &address))
        .await
        .unwrap_or_else(|_| Err(format!("the model server at {address} is too slow")))
        .unwrap_or_else(|reason| Choice {
            spec: ModelSpec::Builtin,
            reason,
        })
}

async fn from_ollama(settings: &ModelSettings, address: &str) -> Result<Choice, String> {
    use ModelErrorKind::{Connect, Timeout};
    let loaded = match catalog(settings, FIRST_ANSWER).loaded().await {
        Ok(loaded) => loaded,
        Err(error) if matches!(error.kind(), Connect | Timeout) => {
            return Err(format!("no model server answers at {address}"));
        }
        // Old servers have no endpoint for loaded models.
        Err(_) => Vec::new(),
    };
    let catalog = catalog(settings, ANSWER);
    for model in &loaded {
        if catalog.calls_tools(model).await {
            return Ok(choice(model, "loaded in Ollama and can call tools"));
        }
    }
    let installed = catalog
        .installed()
        .await
        .map_err(|_| format!("the server at {address} does not list its models"))?;
    for model in &installed {
        if catalog.calls_tools(model).await {
            return Ok(choice(
                model,
                "smallest installed model that can call tools",
            ));
        }
    }
    Err(if installed.is_empty() {
        format!("Ollama at {address} has no models")
    } else {
        format!("no model of Ollama at {address} can call tools")
    })
}

fn choice(model: &Installed, reason: &str) -> Choice {
    Choice {
        spec: ModelSpec::Served(ServedModel::new(ServerKind::Ollama, &model.name)),
        reason: reason.to_owned(),
    }
}

/// A catalog of Ollama's models with this timeout for each request.
fn catalog(settings: &ModelSettings, total: Duration) -> Catalog {
    Catalog {
        transport: Transport::http().with_limits(settings.limits.clone().with_total(total)),
        base_url: settings.url(ServerKind::Ollama).to_owned(),
        api_key: settings.server(ServerKind::Ollama).api_key.clone(),
    }
}

/// The host and port of an address, such as `127.0.0.1:11434`.
fn host_and_port(address: &str) -> String {
    let url = Url::parse(address).ok();
    let parts = url.as_ref().and_then(|url| {
        let host = url.host_str()?;
        Some(match url.port() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        })
    });
    parts.unwrap_or_else(|| "the address in OLLAMA_HOST".to_owned())
}

#[cfg(test)]
mod tests;

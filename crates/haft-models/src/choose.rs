//! The model for those who name none, and what is within reach for those who want to know.
//!
//! Only what runs on the user's own machines is chosen: a key in the environment is not a wish
//! to send anything to a cloud. `choose/survey.rs` looks at everything that is configured.

mod survey;

use std::time::Duration;

use haft_core::ModelErrorKind;
use serde::Serialize;
use tokio::time::timeout;
use url::Url;

pub use self::survey::{AnthropicSurvey, ModelSurvey, OllamaSurvey, OpenAiSurvey, Survey, survey};
use crate::http::Transport;
use crate::ollama::{Catalog, Installed};
use crate::spec::{ModelSettings, ModelSpec};

/// How long the server may take for its first word. Answering takes it a millisecond, also while
/// a model is at work; a second covers a slow network, and nobody likes to wait longer for
/// nothing.
const FIRST_ANSWER: Duration = Duration::from_secs(1);

/// How long each further question may take: describing a model reads its file.
const ANSWER: Duration = Duration::from_secs(2);

/// How long the choice may take altogether.
const CHOICE: Duration = Duration::from_secs(6);

/// The chosen model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Choice {
    /// The model.
    pub spec: ModelSpec,
    /// Why this one, in a plain phrase.
    pub reason: String,
}

/// Chooses a model that runs locally: one that Ollama has loaded and that can call tools, else
/// the smallest installed one that can, else the embedded command engine.
///
/// Never fails, and takes a few milliseconds where no server is or a server is near; six seconds
/// at most. Nothing is loaded by it.
pub async fn choose_model(settings: &ModelSettings) -> Choice {
    let address = host_and_port(&settings.ollama_host);
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
        // Old servers cannot tell.
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
        spec: ModelSpec::Ollama {
            name: model.name.clone(),
        },
        reason: reason.to_owned(),
    }
}

/// The questions to Ollama, each with this much time for its answer.
fn catalog(settings: &ModelSettings, total: Duration) -> Catalog {
    Catalog {
        transport: Transport::http().with_limits(settings.limits.clone().with_total(total)),
        base_url: settings.ollama_host.clone(),
        api_key: settings.ollama_api_key.clone(),
    }
}

/// The address as people say it: `127.0.0.1:11434`.
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

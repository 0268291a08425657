//! Model specs, the names by which users choose models: `ollama:qwen3:0.6b`, `openai:gpt-5`,
//! `builtin`...
//!
//! Each provider reads what follows its name and a colon (`provider.rs`). `settings.rs` holds what
//! else a model needs, `spec/open.rs` opens a model from both. `choose.rs` chooses a model if the
//! user names none.

mod open;

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use haft_core::{ModelError, ModelErrorKind, mask_url};
use serde::{Serialize, Serializer};
use url::Url;

pub use self::open::open_model;
use crate::description::ModelDescription;
use crate::http::safe_url;
use crate::provider::Provider;
use crate::providers::{PROVIDERS, by_name};
use crate::server_kind::ServerKind;
use crate::settings::ModelSettings;

/// The choice of a model.
///
/// ```
/// use haft_models::ModelSpec;
///
/// let spec: ModelSpec = "openai:qwen3@http://localhost:8080/v1".parse().unwrap();
/// assert_eq!(spec.to_string(), "openai:qwen3@http://localhost:8080/v1");
/// assert_eq!("builtin".parse::<ModelSpec>().unwrap(), ModelSpec::Builtin);
///
/// let error = "qwen3:0.6b".parse::<ModelSpec>().unwrap_err();
/// assert!(error.hint().unwrap().contains("did you mean ollama:qwen3:0.6b?"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelSpec {
    /// `PROVIDER:NAME`: a model of a provider's server.
    Served(ServedModel),
    /// `builtin`: the local command engine of `haft-command`, which is no provider.
    Builtin,
    /// `local:FILE`: a model file of this machine, run inside the process.
    Local {
        /// The file, in the GGUF format.
        path: PathBuf,
    },
    /// `replay:FILE`: recorded exchanges.
    Replay {
        /// The recording.
        path: PathBuf,
    },
}

/// A model of a provider's server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServedModel {
    provider: &'static dyn Provider,
    /// The model's name as its server knows it, such as `qwen3:0.6b`.
    pub name: String,
    /// The server's address, if the spec names one.
    pub base_url: Option<String>,
}

impl ServedModel {
    /// The model of this name, of the provider that this API is named after.
    pub(crate) fn new(kind: ServerKind, name: &str) -> Self {
        Self {
            provider: kind.provider(),
            name: name.to_owned(),
            base_url: None,
        }
    }

    /// The address of the model's server: that of the spec, else that of the settings.
    pub(crate) fn url<'a>(&'a self, settings: &'a ModelSettings) -> &'a str {
        let url = self.base_url.as_deref();
        url.unwrap_or_else(|| self.provider.about().url(settings))
    }

    /// What the model's server tells about it.
    pub(crate) async fn describe(
        &self,
        settings: &ModelSettings,
    ) -> Result<ModelDescription, ModelError> {
        let url = self.url(settings);
        self.provider.describe(&self.name, url, settings).await
    }

    /// The API of the model's server.
    #[must_use]
    pub fn kind(&self) -> ServerKind {
        self.provider.about().kind
    }
}

/// The hint that lists all forms of a model spec.
fn forms() -> String {
    let forms = PROVIDERS.iter().map(|provider| provider.about().forms);
    let forms: Vec<_> = forms.collect();
    format!(
        "write {}, local:FILE, builtin or replay:FILE",
        forms.join(", ")
    )
}

impl FromStr for ModelSpec {
    type Err = ModelError;

    /// Reads a spec.
    ///
    /// # Errors
    ///
    /// [`ModelErrorKind::Configuration`], with a hint that lists the forms of a spec and, if it can
    /// be guessed, the intended one.
    fn from_str(text: &str) -> Result<Self, ModelError> {
        let text = text.trim();
        let (prefix, name) = text.split_once(':').unwrap_or((text, ""));
        let (prefix, name) = (prefix.to_ascii_lowercase(), name.trim());
        let names_no = |what: &str| wrong(format!("\"{text}\" names no {what}"), forms());
        match (prefix.as_str(), name) {
            ("builtin", "") => Ok(Self::Builtin),
            ("replay" | "local", "") => Err(names_no("file")),
            ("local", path) => Ok(Self::Local { path: path.into() }),
            ("replay", path) => Ok(Self::Replay { path: path.into() }),
            (prefix, name) => match by_name(prefix) {
                Some(_) if name.is_empty() => Err(names_no("model")),
                Some(provider) => served(provider, name),
                None => Err(unknown(text)),
            },
        }
    }
}

fn served(provider: &'static dyn Provider, text: &str) -> Result<ModelSpec, ModelError> {
    let model = provider
        .model_name(text)
        .map_err(|error| match error.hint() {
            Some(_) => error,
            None => error.with_hint(forms()),
        })?;
    Ok(ModelSpec::Served(ServedModel {
        provider,
        name: model.name,
        base_url: model.base_url,
    }))
}

fn wrong(message: String, hint: impl Into<String>) -> ModelError {
    ModelError::new(ModelErrorKind::Configuration, message).with_hint(hint)
}

fn unknown(text: &str) -> ModelError {
    if text.is_empty() {
        return wrong("No model is named".to_owned(), forms());
    }
    let lower = text.to_ascii_lowercase();
    let provider = if lower.starts_with("claude") {
        "anthropic"
    } else if lower.starts_with("gpt") {
        "openai"
    } else {
        "ollama"
    };
    // Only an address has a password before an `@`.
    let text = &match text.contains("://") {
        true => mask_url(text),
        false => text.to_owned(),
    };
    wrong(
        format!("\"{text}\" does not say whose model it is"),
        format!("did you mean {provider}:{text}? {}", forms()),
    )
}

impl fmt::Display for ModelSpec {
    /// Writes the spec as it is read, but without a password in an address.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Served(model) => {
                write!(formatter, "{}:{}", model.provider.about().name, model.name)?;
                match &model.base_url {
                    Some(address) => write!(formatter, "@{}", shown_address(address)),
                    None => Ok(()),
                }
            }
            Self::Local { path } => write!(formatter, "local:{}", path.display()),
            Self::Builtin => formatter.write_str("builtin"),
            Self::Replay { path } => write!(formatter, "replay:{}", path.display()),
        }
    }
}

/// An address without a password.
pub(crate) fn shown_address(address: &str) -> String {
    Url::parse(address).map_or_else(
        |_| "not an address".to_owned(),
        |url| safe_url(&url).trim_end_matches('/').to_owned(),
    )
}

impl Serialize for ModelSpec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests;

//! The names by which users call models: `ollama:qwen3:0.6b`, `openai:gpt-5`, `builtin`...
//!
//! `spec/settings.rs` has what else a model needs (addresses, keys, limits), `spec/open.rs`
//! makes a model of both. Who names none gets one from `choose.rs`.

mod open;
mod settings;

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use haft_core::{ModelError, ModelErrorKind};
use serde::{Serialize, Serializer};
use url::Url;

pub use self::open::open_model;
pub(crate) use self::open::{anthropic_model, ollama_model, openai_model};
pub use self::settings::ModelSettings;
use crate::http::safe_url;

/// Which model is meant.
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
    /// `ollama:NAME`: a model of the Ollama server in the settings.
    Ollama {
        /// The model's name, tag included.
        name: String,
    },
    /// `openai:NAME` or `openai:NAME@BASE_URL`: a model of an OpenAI-compatible server.
    OpenAi {
        /// The model's name.
        name: String,
        /// The server's address where it is not the one in the settings.
        base_url: Option<String>,
    },
    /// `anthropic:NAME`: a model of Anthropic.
    Anthropic {
        /// The model's name.
        name: String,
    },
    /// `builtin`: the embedded command engine.
    Builtin,
    /// `replay:FILE`: recorded exchanges.
    Replay {
        /// The recording.
        path: PathBuf,
    },
}

/// All forms of a name.
const FORMS: &str =
    "write ollama:NAME, openai:NAME, openai:NAME@BASE_URL, anthropic:NAME, builtin or replay:FILE";

impl FromStr for ModelSpec {
    type Err = ModelError;

    /// Reads a name.
    ///
    /// # Errors
    ///
    /// [`ModelErrorKind::Configuration`], with the forms that there are and, where it can be
    /// guessed, the one that was meant.
    fn from_str(text: &str) -> Result<Self, ModelError> {
        let text = text.trim();
        let (provider, name) = text.split_once(':').unwrap_or((text, ""));
        let known = provider.to_ascii_lowercase();
        match (known.as_str(), name.trim()) {
            ("builtin", "") => Ok(Self::Builtin),
            ("ollama" | "openai" | "anthropic" | "replay", "") => {
                let what = if known == "replay" { "file" } else { "model" };
                Err(wrong(format!("\"{text}\" names no {what}"), FORMS))
            }
            ("ollama", name) => Ok(Self::Ollama {
                name: name.to_owned(),
            }),
            ("openai", name) => openai(name),
            ("anthropic", name) => Ok(Self::Anthropic {
                name: name.to_owned(),
            }),
            ("replay", path) => Ok(Self::Replay { path: path.into() }),
            _ => Err(unknown(text)),
        }
    }
}

/// A name may have an `@` of its own at its start (`@cf/meta/llama-3`); any other begins an
/// address.
fn openai(text: &str) -> Result<ModelSpec, ModelError> {
    let address = ["@http://", "@https://"]
        .iter()
        .filter_map(|start| text.find(start))
        .min();
    let (name, base_url) = match address.and_then(|at| text.split_at_checked(at)) {
        Some((name, address)) => (name, address.strip_prefix('@')),
        None => (text, None),
    };
    if name.is_empty() {
        return Err(wrong(
            "The address follows no model's name".to_owned(),
            FORMS,
        ));
    }
    if let Some(at) = name.rfind('@').filter(|at| *at > 0) {
        let rest = name.get(at..).unwrap_or_default().trim_start_matches('@');
        return Err(wrong(
            format!("\"{rest}\" is not an address of a model server"),
            "after the @ write the whole address, like http://127.0.0.1:8080/v1",
        ));
    }
    if let Some(address) = base_url {
        crate::http::endpoint(address, "")?;
    }
    Ok(ModelSpec::OpenAi {
        name: name.to_owned(),
        base_url: base_url.map(str::to_owned),
    })
}

fn wrong(message: String, hint: impl Into<String>) -> ModelError {
    ModelError::new(ModelErrorKind::Configuration, message).with_hint(hint)
}

fn unknown(text: &str) -> ModelError {
    if text.is_empty() {
        return wrong("No model is named".to_owned(), FORMS);
    }
    let lower = text.to_ascii_lowercase();
    let provider = if lower.starts_with("claude") {
        "anthropic"
    } else if lower.starts_with("gpt") {
        "openai"
    } else {
        "ollama"
    };
    wrong(
        format!("\"{text}\" does not say whose model it is"),
        format!("did you mean {provider}:{text}? {FORMS}"),
    )
}

impl fmt::Display for ModelSpec {
    /// Writes the name as it is read, but without a password in an address.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ollama { name } => write!(formatter, "ollama:{name}"),
            Self::OpenAi {
                name,
                base_url: None,
            } => write!(formatter, "openai:{name}"),
            Self::OpenAi {
                name,
                base_url: Some(address),
            } => {
                write!(formatter, "openai:{name}@{}", shown_address(address))
            }
            Self::Anthropic { name } => write!(formatter, "anthropic:{name}"),
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

//! Finds out what a server speaks.

use haft_core::{ModelError, ModelErrorKind};

use super::ModelServer;
use crate::http::{endpoint, safe_url};
use crate::provider::{Detected, Provider};
use crate::providers::{PROVIDERS, by_name, listed};
use crate::settings::ModelSettings;

impl ModelServer {
    /// The server at this address, which may begin with the name of its provider as in
    /// `openai:URL`. Without it, the server is asked what it is.
    ///
    /// # Errors
    ///
    /// [`ModelErrorKind::Connect`] if no server answers, [`ModelErrorKind::Configuration`] if its
    /// answers are of no known kind.
    pub async fn detect(address: &str, settings: &ModelSettings) -> Result<Self, ModelError> {
        let (provider, url) = named(address.trim());
        let url = url.trim_end_matches('/').to_owned();
        let parsed = endpoint(&url, "")?;
        let owner = PROVIDERS.iter().copied().find(|one| one.owns(&parsed));
        if let Some(provider) = owner.or(provider) {
            return Ok(Self::of(provider, url, settings));
        }
        let (mut perhaps, mut failure) = (None, None);
        for provider in PROVIDERS.iter().copied() {
            match provider.detect(&url, settings).await {
                Detected::Yes(url) => return Ok(Self::of(provider, url, settings)),
                Detected::Perhaps => perhaps = perhaps.or(Some(provider)),
                Detected::No(Some(error)) => {
                    let is_first = perhaps.is_none() && failure.is_none();
                    if is_first && error.kind() == ModelErrorKind::Connect {
                        return Err(error);
                    }
                    failure = failure.or(Some(error));
                }
                Detected::No(None) => {}
            }
        }
        match perhaps {
            Some(provider) => Ok(Self::of(provider, url, settings)),
            None => Err(unknown(&safe_url(&parsed), failure.as_ref())),
        }
    }
}

/// The provider that an address begins with, and the rest.
fn named(address: &str) -> (Option<&'static dyn Provider>, &str) {
    let named = address
        .split_once(':')
        .and_then(|(name, rest)| Some((by_name(name)?, rest)));
    match named {
        Some((provider, rest)) => (Some(provider), rest),
        None => (None, address),
    }
}

/// The error for a server that no provider knows.
fn unknown(address: &str, failure: Option<&ModelError>) -> ModelError {
    let names = listed(|provider| format!("{}:URL", provider.about().name));
    let message = format!("The server at {address} is not a known model server");
    let error = ModelError::new(ModelErrorKind::Configuration, message)
        .with_hint(format!("say what it speaks: {names}"));
    match failure {
        Some(failure) => error.with_detail(failure.detail()),
        None => error,
    }
}

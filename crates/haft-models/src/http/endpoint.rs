//! The addresses of model servers, parsed once.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};

use haft_core::{ModelError, ModelErrorKind};
use http::uri::Authority;
use http::{HeaderValue, Uri};
use url::Url;

use super::secret::{safe_url, without_password};

/// The maximum number of cached addresses. Parsing one takes a twentieth of the time of a short
/// request.
const ADDRESSES: usize = 32;

/// An address at a model server: the URL, and what requests make of it.
pub(crate) struct Endpoint {
    url: Url,
    /// The URL as requests name it: without user, password and fragment.
    pub(super) uri: Uri,
    /// The `Host` header. The client would write it for each request anew.
    pub(super) host: HeaderValue,
}

impl Endpoint {
    /// This address with another query.
    ///
    /// # Errors
    ///
    /// [`ModelErrorKind::Configuration`] if requests cannot name it.
    pub(crate) fn with_query(
        &self,
        change: impl FnOnce(&mut Url),
    ) -> Result<Arc<Self>, ModelError> {
        let mut url = self.url.clone();
        change(&mut url);
        Self::try_from(url).map(Arc::new)
    }
}

impl Deref for Endpoint {
    type Target = Url;

    fn deref(&self) -> &Url {
        &self.url
    }
}

impl TryFrom<Url> for Endpoint {
    type Error = ModelError;

    fn try_from(url: Url) -> Result<Self, ModelError> {
        let uri = Uri::try_from(without_password(&url).as_str());
        let uri: Uri = uri.map_err(|error| invalid(&error.to_string()))?;
        let host = uri.authority().map(Authority::as_str).unwrap_or_default();
        let host = HeaderValue::from_str(host).map_err(|error| invalid(&error.to_string()))?;
        Ok(Self { url, uri, host })
    }
}

impl fmt::Debug for Endpoint {
    /// Without the secrets of the URL.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&safe_url(&self.url))
    }
}

struct Known {
    base: String,
    path: String,
    endpoint: Arc<Endpoint>,
}

/// Joins `path` to `base`, with or without a slash at the end of `base`.
///
/// # Errors
///
/// [`ModelErrorKind::Configuration`] if `base` is not an `http` or `https` URL.
pub(crate) fn endpoint(base: &str, path: &str) -> Result<Arc<Endpoint>, ModelError> {
    static KNOWN: Mutex<Vec<Known>> = Mutex::new(Vec::new());
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let is_it = |known: &&Known| known.base == base && known.path == path;
    if let Some(known) = known().iter().find(is_it) {
        return Ok(known.endpoint.clone());
    }
    let endpoint = Arc::new(Endpoint::try_from(joined(base, path)?)?);
    let mut known = known();
    if known.len() >= ADDRESSES {
        known.clear();
    }
    known.push(Known {
        base: base.to_owned(),
        path: path.to_owned(),
        endpoint: endpoint.clone(),
    });
    Ok(endpoint)
}

fn joined(base: &str, path: &str) -> Result<Url, ModelError> {
    // The address itself is not shown: the part that cannot be parsed may be a password.
    let mut url = Url::parse(base.trim()).map_err(|error| invalid(&error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(invalid("it must begin with http:// or https://"));
    }
    let joined = format!(
        "{}/{}",
        url.path().trim_end_matches('/'),
        path.trim_start_matches('/')
    );
    url.set_path(&joined);
    Ok(url)
}

fn invalid(why: &str) -> ModelError {
    ModelError::new(
        ModelErrorKind::Configuration,
        format!("The model server's address is invalid: {why}"),
    )
    .with_hint("write it like http://127.0.0.1:8080/v1")
}

#[cfg(test)]
mod tests;

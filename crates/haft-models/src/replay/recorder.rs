//! Writes exchanges down as they happen.

use std::fs::{File, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use haft_core::{ModelError, ModelErrorKind};
use tracing::warn;

use super::Exchange;
use super::canonical::{MASK, mask, mask_text};
use crate::http::{Request, Response, safe_url};

/// Adds every exchange with a model server to a file. Cheap to clone; clones write to the same
/// file.
///
/// An exchange is written when its reply is over, errors included; a reply that was given up in
/// the middle is written as far as it came.
#[derive(Clone, Debug)]
pub struct Recorder {
    path: PathBuf,
    file: Arc<Mutex<File>>,
}

/// An exchange that is going on. It is written when dropped.
#[derive(Debug)]
pub(crate) struct Recording {
    recorder: Recorder,
    exchange: Exchange,
    response: Vec<u8>,
    /// Values of headers, which some servers repeat in their replies.
    secrets: Vec<String>,
}

impl Recorder {
    /// Records into the file at `path`, after what it holds already.
    ///
    /// # Errors
    ///
    /// [`ModelErrorKind::Configuration`] when the file cannot be opened.
    pub fn create(path: impl Into<PathBuf>) -> Result<Self, ModelError> {
        let path = path.into();
        let file = open(&path).map_err(|error| {
            ModelError::new(
                ModelErrorKind::Configuration,
                format!(
                    "The recording {} cannot be written: {error}",
                    path.display()
                ),
            )
            .with_hint("name a file in a folder that exists and is yours")
        })?;
        Ok(Self {
            path,
            file: Arc::new(Mutex::new(file)),
        })
    }

    /// Begins with a request and the head of its reply.
    pub(crate) fn begin(&self, request: &Request, response: &Response) -> Recording {
        let mut body = request.body();
        mask(&mut body);
        let host = request.url.host_str().unwrap_or_default();
        let exchange = Exchange {
            id: String::new(),
            api: request.api.as_str().to_owned(),
            provider: match request.url.port() {
                Some(port) => format!("{host}:{port}"),
                None => host.to_owned(),
            },
            url: Some(safe_url(&request.url)),
            status: response.status,
            content_type: Some(response.content_type.clone()),
            retry_after: response.retry_after.clone(),
            stream: request.framing.is_stream(),
            request: body,
            response: String::new(),
            form: "raw".to_owned(),
        };
        let secrets = request.headers.iter().map(|(_, secret)| {
            let value = secret.reveal();
            value.strip_prefix("Bearer ").unwrap_or(value).to_owned()
        });
        Recording {
            recorder: self.clone(),
            exchange,
            response: Vec::new(),
            secrets: secrets.filter(|secret| secret.len() > 3).collect(),
        }
    }

    fn write(&self, exchange: &Exchange) -> io::Result<()> {
        let mut line = serde_json::to_vec(exchange)?;
        line.push(b'\n');
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(&line)
    }
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).append(true).open(path)
}

impl Recording {
    /// More of the reply.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.response.extend_from_slice(bytes);
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        let mut response = mask_text(&String::from_utf8_lossy(&self.response));
        for secret in &self.secrets {
            response = response.replace(secret, MASK);
        }
        self.exchange.response = response;
        let mut hasher = DefaultHasher::new();
        (self.exchange.request.to_string(), &self.exchange.response).hash(&mut hasher);
        self.exchange.id = format!("{:012x}", hasher.finish() >> 16);
        if let Err(error) = self.recorder.write(&self.exchange) {
            let path = self.recorder.path.display();
            warn!(%path, %error, "an exchange could not be recorded");
        }
    }
}

#[cfg(test)]
mod tests;

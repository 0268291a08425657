//! Records exchanges with model servers.

use std::fs::{File, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use haft_core::{ModelError, ModelErrorKind, Secrets};
use http::header::{CONTENT_TYPE, RETRY_AFTER};

use super::Exchange;
use super::canonical::{MASK, mask, mask_text};
use crate::http::{Request, Response, header_text, safe_url};

/// Appends every exchange with a model server to a file that only its user can read. Cheap to
/// clone; clones write to the same file.
///
/// An exchange is written when its reply ends, errors included; a reply that was dropped early is
/// written as far as it was received. After a write failed, no more requests are sent through this
/// recorder, and [`check`](Self::check) returns the reason.
#[derive(Clone, Debug)]
pub struct Recorder {
    path: PathBuf,
    tape: Arc<Mutex<Tape>>,
}

/// The file, and the error of the first failed write.
#[derive(Debug)]
struct Tape {
    file: File,
    failure: Option<ModelError>,
}

/// An exchange in progress. It is written when dropped.
#[derive(Debug)]
pub(crate) struct Recording {
    recorder: Recorder,
    exchange: Exchange,
    response: Vec<u8>,
    /// The request's secrets, which some servers repeat in their replies.
    secrets: Secrets,
}

impl Recorder {
    /// Creates a recorder that appends to the file at `path`.
    ///
    /// # Errors
    ///
    /// [`ModelErrorKind::Configuration`] if the file cannot be opened.
    pub fn create(path: impl Into<PathBuf>) -> Result<Self, ModelError> {
        let path = path.into();
        let file = open(&path).map_err(|error| not_written(&path, &error))?;
        let tape = Tape {
            file,
            failure: None,
        };
        Ok(Self {
            path,
            tape: Arc::new(Mutex::new(tape)),
        })
    }

    /// Checks that all exchanges so far are in the file.
    ///
    /// # Errors
    ///
    /// [`ModelErrorKind::Configuration`] if one of them could not be written, for example because
    /// the disk is full.
    pub fn check(&self) -> Result<(), ModelError> {
        let tape = self.tape.lock().unwrap_or_else(PoisonError::into_inner);
        tape.failure.clone().map_or(Ok(()), Err)
    }

    /// Starts the recording of an exchange.
    pub(crate) fn begin(&self, request: &Request, response: &Response) -> Recording {
        let mut body = request.body();
        mask(&mut body);
        let text = |name| header_text(&response.headers, name).map(str::to_owned);
        let host = request.url.host_str().unwrap_or_default();
        let exchange = Exchange {
            id: String::new(),
            api: request.api.name.to_owned(),
            provider: match request.url.port() {
                Some(port) => format!("{host}:{port}"),
                None => host.to_owned(),
            },
            url: Some(safe_url(&request.url)),
            status: response.status,
            content_type: Some(text(CONTENT_TYPE).unwrap_or_default()),
            retry_after: text(RETRY_AFTER),
            stream: request.framing.is_stream(),
            request: body,
            response: String::new(),
            form: "raw".to_owned(),
        };
        Recording {
            recorder: self.clone(),
            exchange,
            response: Vec::new(),
            secrets: request.secrets(),
        }
    }

    fn write(&self, exchange: &Exchange) {
        let mut tape = self.tape.lock().unwrap_or_else(PoisonError::into_inner);
        // Lines behind an incomplete one could not be read.
        if tape.failure.is_some() {
            return;
        }
        let written = serde_json::to_vec(exchange).map_err(io::Error::from);
        let written = written.and_then(|mut line| {
            line.push(b'\n');
            tape.file.write_all(&line)
        });
        tape.failure = written.err().map(|error| not_written(&self.path, &error));
    }
}

/// Opens the file to append to it. A new file is created private, and an existing one is made
/// private, because recordings contain whole conversations.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path)?;
    #[cfg(unix)]
    make_private(path, &file)?;
    Ok(file)
}

#[cfg(unix)]
fn make_private(path: &Path, file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let known = file.metadata()?;
    let mode = known.permissions().mode() & 0o777;
    // Not for anything but a file, such as a pipe.
    if known.is_file() && mode & 0o077 != 0 {
        let path = path.display();
        tracing::warn!(%path, "the recording could be read by other users; now it cannot");
        file.set_permissions(std::fs::Permissions::from_mode(mode & 0o700))?;
    }
    Ok(())
}

fn not_written(path: &Path, error: &io::Error) -> ModelError {
    let path = path.display();
    ModelError::new(
        ModelErrorKind::Configuration,
        format!("The recording {path} cannot be written: {error}"),
    )
    .with_hint("name a file in a folder that exists and is yours, on a disk with space on it")
}

impl Recording {
    /// Adds bytes of the reply.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.response.extend_from_slice(bytes);
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        let response = mask_text(&String::from_utf8_lossy(&self.response));
        let response = self.secrets.mask_with(&response, MASK);
        let request = std::mem::take(&mut self.exchange.request);
        self.exchange.request = self.secrets.mask_json_with(request, MASK);
        self.exchange.response = response;
        let mut hasher = DefaultHasher::new();
        (self.exchange.request.to_string(), &self.exchange.response).hash(&mut hasher);
        self.exchange.id = format!("{:012x}", hasher.finish() >> 16);
        self.recorder.write(&self.exchange);
    }
}

#[cfg(test)]
mod tests;

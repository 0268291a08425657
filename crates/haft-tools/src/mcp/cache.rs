//! What is remembered of a server from one program to the next: its tools and its era.
//!
//! One file per configuration of a server, which only the user may read. It is written beside
//! its place and moved there, so that programs that run at once do not read halves. A file that
//! cannot be read is as good as none, and nothing depends on one that cannot be written.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use reqwest::header::HeaderName;
use rmcp::model::Tool;
use serde::{Deserialize, Serialize};

use super::config::{Endpoint, HttpEndpoint, StdioEndpoint, display_url};
use super::era::Era;
use super::list;

/// Raised when older files are no longer understood.
const VERSION: u32 = 1;

/// In bytes. Lists are shorter, see [`list`].
const MAX_FILE: u64 = 4 * 1024 * 1024;

/// A place for what is known of one server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cache {
    file: PathBuf,
}

/// What is known.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Known {
    version: u32,
    pub(crate) era: Era,
    pub(crate) tools: Vec<Tool>,
}

impl Known {
    pub(crate) fn new(era: Era, tools: Vec<Tool>) -> Self {
        Self {
            version: VERSION,
            era,
            tools,
        }
    }
}

impl Cache {
    /// The place in `folder` for the server behind `endpoint`.
    pub(crate) fn of(folder: &Path, endpoint: &Endpoint) -> Self {
        let file = format!("{:016x}.json", fingerprint(&described(endpoint)));
        Self {
            file: folder.join(file),
        }
    }

    /// What is known, within the limits of a list that a server sends.
    pub(crate) fn load(&self, server: &str) -> Option<Known> {
        let mut text = Vec::new();
        let file = std::fs::File::open(&self.file).ok()?;
        file.take(MAX_FILE).read_to_end(&mut text).ok()?;
        let known: Known = serde_json::from_slice(&text)
            .inspect_err(|error| tracing::debug!(server, %error, "list of MCP tools not read"))
            .ok()?;
        (known.version == VERSION).then(|| Known {
            tools: list::bounded(known.tools, server),
            ..known
        })
    }

    pub(crate) fn save(&self, server: &str, known: &Known) {
        if let Err(error) = self.try_save(known) {
            tracing::debug!(server, %error, "list of MCP tools not kept");
        }
    }

    /// Forgets a server that does not start: next time it is to be told so at once.
    pub(crate) fn forget(&self) {
        // An error says that nothing was known.
        let _ = std::fs::remove_file(&self.file);
    }

    fn try_save(&self, known: &Known) -> io::Result<()> {
        let text = serde_json::to_vec(known)?;
        if let Some(folder) = self.file.parent() {
            create_private(folder)?;
        }
        let new = self
            .file
            .with_extension(format!("{}.new", std::process::id()));
        let written = open_private(&new)
            .and_then(|mut file| file.write_all(&text))
            .and_then(|()| std::fs::rename(&new, &self.file));
        written.inspect_err(|_| drop(std::fs::remove_file(&new)))
    }
}

fn create_private(folder: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

fn open_private(file: &Path) -> io::Result<std::fs::File> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file)
}

/// What makes a server the one that it is, without what may be secret: of the environment and
/// of headers only the names, of an address neither user nor query.
fn described(endpoint: &Endpoint) -> String {
    let described = match endpoint {
        Endpoint::Stdio(StdioEndpoint {
            command,
            args,
            env,
            cwd,
            ..
        }) => {
            let mut names: Vec<&String> = env.iter().map(|(name, _)| name).collect();
            names.sort();
            serde_json::json!([command, args, names, cwd])
        }
        Endpoint::Http(HttpEndpoint { url, headers, .. }) => {
            let mut names: Vec<&str> = headers.keys().map(HeaderName::as_str).collect();
            names.sort_unstable();
            serde_json::json!([display_url(url), names])
        }
    };
    described.to_string()
}

/// FNV-1a, which is the same on every machine and in every release.
/// <http://www.isthe.com/chongo/tech/comp/fnv/>
fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests;

//! What is remembered of a server from one program to the next: its tools and its protocol.
//!
//! One file per configuration of a server, which only the user may read. It is written beside
//! its place and moved there, so that programs that run at once do not read halves. A file that
//! cannot be read is as good as none, and nothing depends on one that cannot be written.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use reqwest::header::HeaderName;
use rmcp::model::Tool;
use serde::{Deserialize, Serialize};

use crate::config::endpoint::{Endpoint, HttpEndpoint, StdioEndpoint};
use crate::files::{Readers, create_private_folder, replace};
use crate::left_out::McpLeftOut;
use crate::session::list::{self, Listed};
use crate::transport::protocol_version::Protocol;

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
    #[serde(alias = "era")]
    pub(crate) protocol: Protocol,
    pub(crate) tools: Vec<Tool>,
    /// What of its list was not taken; older files do not say.
    #[serde(default)]
    pub(crate) left_out: Vec<McpLeftOut>,
}

impl Known {
    pub(crate) fn new(protocol: Protocol, listed: Listed) -> Self {
        Self {
            version: VERSION,
            protocol,
            tools: listed.tools,
            left_out: listed.left_out,
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
        if known.version != VERSION {
            return None;
        }
        let mut listed = list::bounded(known.tools, 0, server);
        listed.left_out.extend(known.left_out);
        Some(Known::new(known.protocol, listed))
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
            create_private_folder(folder)?;
        }
        replace(&self.file, &text, Readers::User)
    }
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
            let origin = url.origin().ascii_serialization();
            serde_json::json!([format!("{origin}{}", url.path()), names])
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

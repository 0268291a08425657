//! A cache of servers' tools and protocols, kept between programs.
//!
//! There is one private file per configuration of a server. It is written to a temporary file and
//! renamed, so that concurrent programs never read incomplete files. An unreadable file counts as
//! missing, and a failed write is ignored.

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

/// The version of the format; increased when older files can no longer be read.
const VERSION: u32 = 1;

/// The maximum size of a file in bytes. Lists are shorter, see [`list`].
const MAX_FILE: u64 = 4 * 1024 * 1024;

/// The cache entry of one server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cache {
    file: PathBuf,
}

/// The content of an entry.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Known {
    version: u32,
    #[serde(alias = "era")]
    pub(crate) protocol: Protocol,
    pub(crate) tools: Vec<Tool>,
    /// The tools in the list that were left out; missing in older files.
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
    /// The entry in `folder` for the server at `endpoint`.
    pub(crate) fn of(folder: &Path, endpoint: &Endpoint) -> Self {
        let file = format!("{:016x}.json", fingerprint(&described(endpoint)));
        Self {
            file: folder.join(file),
        }
    }

    /// Reads the entry, with the limits of a list from a server.
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

    /// Removes the entry of a server that does not start, so that the next program reports the
    /// failure at once.
    pub(crate) fn forget(&self) {
        // An error means that there was no entry.
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

/// Identifies a server without its secrets: only the names of variables and headers, and the
/// address without user and query.
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

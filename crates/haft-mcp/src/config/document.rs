//! Edits a file of MCP servers: adds and removes single servers.
//!
//! Users maintain this file by hand, and other hosts write into it. So a change inserts or removes
//! the text of one server, and every other byte stays the same: unknown keys, their order,
//! indentation, line ends.

mod members;
mod print;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use self::members::{Member, Members, members};
use self::print::{Style, printed};
use crate::config::file::{MAX_BYTES, SERVERS, config_error};
use crate::config::secrets;
use crate::files::{Lock, Readers, behind_links, replace};
use haft_tools::ToolsError;

/// A file with MCP servers, to be inspected or changed.
///
/// ```
/// use haft_mcp::McpDocument;
/// use serde_json::json;
///
/// let folder = std::env::temp_dir().join(format!("haft-doc-{}", std::process::id()));
/// std::fs::create_dir_all(&folder).unwrap();
/// let time = json!({"command": "uvx", "args": ["mcp-server-time"]});
/// McpDocument::change(folder.join(".mcp.json"), |document| document.add("time", &time))?;
/// assert!(McpDocument::open(folder.join(".mcp.json"))?.server("time").is_some());
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), haft_tools::ToolsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct McpDocument {
    path: PathBuf,
    text: String,
}

impl McpDocument {
    /// Reads the file; a missing file has no servers.
    ///
    /// # Errors
    ///
    /// [`ToolsErrorKind::Config`](haft_tools::ToolsErrorKind::Config) when it cannot be read, is larger
    /// than 1 MiB, or is not a JSON object with an object of servers.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, ToolsError> {
        let path = path.into();
        let origin = path.display();
        let unreadable =
            |error: &std::io::Error| config_error(format!("{origin} cannot be read: {error}"));
        let text = match fs::metadata(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => "{}\n".to_owned(),
            Err(error) => return Err(unreadable(&error)),
            Ok(file) if file.len() > MAX_BYTES => {
                return Err(config_error(format!(
                    "{origin} is larger than 1 MiB, too large for a list of MCP servers"
                )));
            }
            Ok(_) => fs::read_to_string(&path).map_err(|error| unreadable(&error))?,
        };
        let document = Self { path, text };
        document.servers()?;
        Ok(document)
    }

    /// The names of the servers and their entries, in the order of the file.
    #[must_use]
    pub fn entries(&self) -> Vec<(String, Value)> {
        let servers = self.servers().ok().flatten();
        let entries = servers.into_iter().flat_map(|servers| servers.members);
        let read = |text: &str| serde_json::from_str(text).unwrap_or_default();
        entries
            .map(|Member { name, value }| (name, read(value)))
            .collect()
    }

    /// The entry of one server.
    #[must_use]
    pub fn server(&self, name: &str) -> Option<Value> {
        let mut entries = self.entries().into_iter();
        entries.find_map(|(known, server)| (known == name).then_some(server))
    }

    /// Adds a server after the others.
    ///
    /// # Errors
    ///
    /// [`ToolsErrorKind::Config`](haft_tools::ToolsErrorKind::Config) when a server with this name
    /// exists.
    pub fn add(&mut self, name: &str, server: &Value) -> Result<(), ToolsError> {
        if self.server(name).is_some() {
            let message = format!("{} has a server \"{name}\" already", self.path.display());
            return Err(config_error(message).with_hint(format!(
                "choose another name, or first `haft mcp remove {name}`"
            )));
        }
        let style = Style::of(&self.text);
        self.text = match self.servers()? {
            Some(servers) => {
                let member = printed(name, server, style.at(2));
                servers.with(&self.text, &member, style.at(2))
            }
            None => {
                let servers = serde_json::json!({ name: server });
                let [key, _] = SERVERS;
                let member = printed(key, &servers, style.at(1));
                self.root()?.with(&self.text, &member, style.at(1))
            }
        }
        .ok_or_else(|| self.not_understood())?;
        self.servers().map(|_| ())
    }

    /// Removes a server.
    ///
    /// # Errors
    ///
    /// [`ToolsErrorKind::Config`](haft_tools::ToolsErrorKind::Config) when no server has this name.
    pub fn remove(&mut self, name: &str) -> Result<(), ToolsError> {
        let mut found = false;
        // JSON allows a name twice; all entries with it are removed.
        while let Some(servers) = self.servers()?
            && let Some(index) = servers
                .members
                .iter()
                .position(|server| server.name == name)
        {
            found = true;
            let text = servers.without(&self.text, index);
            self.text = text.ok_or_else(|| self.not_understood())?;
        }
        if found {
            return Ok(());
        }
        let names: Vec<_> = self.entries().into_iter().map(|(name, _)| name).collect();
        let origin = self.path.display();
        let error = config_error(format!("{origin} has no server \"{name}\""));
        Err(if names.is_empty() {
            error.with_hint("add one with `haft mcp add`")
        } else {
            error.with_hint(format!("there are: {}", names.join(", ")))
        })
    }

    /// Reads, changes and writes the file under a lock, so that concurrent changes by several haft
    /// processes are not lost. The write is atomic. Symbolic links are kept. Permissions are kept
    /// too, except that a new file, or a file with secrets, is not readable by other users.
    ///
    /// # Errors
    ///
    /// [`ToolsErrorKind::Config`](haft_tools::ToolsErrorKind::Config) as for [`open`](Self::open),
    /// when `change` fails, and when the file cannot be written. The file is unchanged then.
    pub fn change(
        path: impl Into<PathBuf>,
        change: impl FnOnce(&mut Self) -> Result<(), ToolsError>,
    ) -> Result<Self, ToolsError> {
        let path = path.into();
        let file = behind_links(&path);
        let _lock = Lock::of(&file).map_err(|error| not_written(&path, &error))?;
        let mut document = Self::open(path)?;
        change(&mut document)?;
        let readers = match document.has_secrets() {
            true => Readers::User,
            false => Readers::AsBefore,
        };
        let written = replace(&file, document.text.as_bytes(), readers);
        written.map_err(|error| not_written(&document.path, &error))?;
        Ok(document)
    }

    /// Whether the entry of any server contains a secret.
    #[must_use]
    pub fn has_secrets(&self) -> bool {
        self.entries()
            .iter()
            .any(|(_, server)| !secrets::written(server).is_empty())
    }

    /// The text that would be written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn root(&self) -> Result<Members<'_>, ToolsError> {
        members(&self.text).map_err(|error| {
            let origin = self.path.display();
            config_error(format!("{origin} is not a JSON object: {error}"))
                .with_hint("correct it by hand first; comments are not JSON")
        })
    }

    /// The object with the servers, if it exists.
    fn servers(&self) -> Result<Option<Members<'_>>, ToolsError> {
        let root = self.root()?;
        for key in SERVERS {
            let mut last_first = root.members.iter().rev();
            let Some(servers) = last_first.find(|member| member.name == key) else {
                continue;
            };
            let servers = members(servers.value).map_err(|error| {
                let origin = self.path.display();
                config_error(format!("\"{key}\" in {origin} is not an object: {error}"))
                    .with_hint("correct it by hand first")
            })?;
            return Ok(Some(servers));
        }
        Ok(None)
    }

    fn not_understood(&self) -> ToolsError {
        config_error(format!("{} cannot be changed", self.path.display()))
            .with_hint("change it by hand")
    }
}

fn not_written(path: &Path, error: &std::io::Error) -> ToolsError {
    config_error(format!("{} cannot be written: {error}", path.display()))
        .with_hint("check the rights of the file and of its folder, and the space on its disk")
}

#[cfg(test)]
mod tests;

//! A file of MCP servers as it stands on the disk, to be changed without touching what is not
//! changed.
//!
//! People keep this file by hand and other hosts write into it. So a change cuts out or puts in
//! the text of one server, and every other byte stays: keys that nobody here knows, their order,
//! indentation, line ends.

mod members;
mod print;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::Value;

use self::members::{Members, members};
use self::print::{Style, printed};
use super::config::{MAX_BYTES, config_error};
use crate::ToolsError;

/// The names of the object with the servers: that of most hosts, and that of VS Code.
pub(super) const SERVERS: [&str; 2] = ["mcpServers", "servers"];

/// A file with MCP servers, read to be changed.
///
/// ```
/// use haft_tools::McpDocument;
/// use serde_json::json;
///
/// let folder = std::env::temp_dir().join(format!("haft-doc-{}", std::process::id()));
/// std::fs::create_dir_all(&folder).unwrap();
/// let mut document = McpDocument::open(folder.join(".mcp.json"))?;
/// document.add("time", &json!({"command": "uvx", "args": ["mcp-server-time"]}))?;
/// document.save()?;
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
    /// Reads the file; one that is not there yet has no servers.
    ///
    /// # Errors
    ///
    /// [`ToolsErrorKind::Config`](crate::ToolsErrorKind::Config) when it cannot be read, is larger
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
                    "{origin} is larger than 1 MiB, which is no list of MCP servers"
                )));
            }
            Ok(_) => fs::read_to_string(&path).map_err(|error| unreadable(&error))?,
        };
        let document = Self { path, text };
        document.servers()?;
        Ok(document)
    }

    /// The names of the servers and what is written of each, in the order of the file.
    #[must_use]
    pub fn entries(&self) -> Vec<(String, Value)> {
        let servers = self.servers().ok().flatten();
        let entries = servers.into_iter().flat_map(|(_, servers)| servers.0);
        let read = |text: &str| serde_json::from_str(text).unwrap_or_default();
        entries.map(|(name, text)| (name, read(text))).collect()
    }

    /// What is written of one server.
    #[must_use]
    pub fn server(&self, name: &str) -> Option<Value> {
        let mut entries = self.entries().into_iter();
        entries.find_map(|(known, server)| (known == name).then_some(server))
    }

    /// Adds a server behind the others.
    ///
    /// # Errors
    ///
    /// [`ToolsErrorKind::Config`](crate::ToolsErrorKind::Config) when there is one of this name.
    pub fn add(&mut self, name: &str, server: &Value) -> Result<(), ToolsError> {
        if self.server(name).is_some() {
            let message = format!("{} has a server \"{name}\" already", self.path.display());
            return Err(config_error(message).with_hint(format!(
                "choose another name, or first `haft mcp remove {name}`"
            )));
        }
        let style = Style::of(&self.text);
        self.text = match self.servers()? {
            Some((_, servers)) => {
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

    /// Takes a server out.
    ///
    /// # Errors
    ///
    /// [`ToolsErrorKind::Config`](crate::ToolsErrorKind::Config) when there is none of this name.
    pub fn remove(&mut self, name: &str) -> Result<(), ToolsError> {
        let mut found = false;
        // A name may stand there twice; what is removed is gone.
        while let Some((_, servers)) = self.servers()?
            && let Some(index) = servers.0.iter().position(|(known, _)| known == name)
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

    /// Writes the file: all of it or, where that fails, nothing. Its permissions stay, and so
    /// does a link to it.
    ///
    /// # Errors
    ///
    /// [`ToolsErrorKind::Config`](crate::ToolsErrorKind::Config) when it cannot be written.
    pub fn save(&self) -> Result<(), ToolsError> {
        let path = fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone());
        let temporary = path.with_extension(format!("{}.tmp", std::process::id()));
        let written = write_over(&path, &temporary, &self.text);
        written.map_err(|error| {
            // It may not even be there.
            let _ = fs::remove_file(&temporary);
            config_error(format!(
                "{} cannot be written: {error}",
                self.path.display()
            ))
        })
    }

    /// The text as it would be written.
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

    /// The object with the servers and its name, where there is one.
    fn servers(&self) -> Result<Option<(&str, Members<'_>)>, ToolsError> {
        let root = self.root()?;
        for key in SERVERS {
            let Some((_, text)) = root.0.iter().rev().find(|(name, _)| name == key) else {
                continue;
            };
            let servers = members(text).map_err(|error| {
                let origin = self.path.display();
                config_error(format!("\"{key}\" in {origin} is not an object: {error}"))
                    .with_hint("correct it by hand first")
            })?;
            return Ok(Some((key, servers)));
        }
        Ok(None)
    }

    fn not_understood(&self) -> ToolsError {
        config_error(format!("{} cannot be changed", self.path.display()))
            .with_hint("change it by hand")
    }
}

fn write_over(path: &Path, temporary: &Path, text: &str) -> std::io::Result<()> {
    let mut file = fs::File::create_new(temporary)?;
    file.write_all(text.as_bytes())?;
    if let Ok(old) = fs::metadata(path) {
        fs::set_permissions(temporary, old.permissions())?;
    }
    file.sync_all()?;
    fs::rename(temporary, path)
}

#[cfg(test)]
mod tests;

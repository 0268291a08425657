//! Reads the `mcpServers` JSON that users already have for desktop clients and editors.
//!
//! Invalid JSON is an error. A mistake in one server affects only that server: it is stored as an
//! [`McpFailure`] and reported when the servers are started. `fields` parses single fields,
//! `expand` replaces variables.

use std::path::Path;

use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;

use crate::config::endpoint::{Endpoint, HttpEndpoint, StdioEndpoint};
use crate::config::environment;
use crate::config::expand::Lookup;
use crate::config::fields::Fields;
use crate::config::file::{MAX_BYTES, SERVERS, config_error};
use crate::config::rules::ToolRules;
use crate::failure::{McpFailure, Problem};
use haft_tools::ToolsError;

/// The package of Playwright's MCP server.
const PLAYWRIGHT: &str = "@playwright/mcp";

/// The configured MCP servers. The `Debug` output contains no secrets.
///
/// ```
/// use haft_mcp::McpConfig;
///
/// let config = McpConfig::parse(
///     r#"{"mcpServers": {
///         "time": {"command": "uvx", "args": ["mcp-server-time"]},
///         "home": {"type": "http", "url": "http://127.0.0.1:8123/api/mcp",
///                  "headers": {"Authorization": "Bearer ${HASS_TOKEN:-none}"}}
///     }}"#,
///     ".mcp.json",
/// )?;
/// assert_eq!(config.names().collect::<Vec<_>>(), ["time", "home"]);
/// # Ok::<(), haft_tools::ToolsError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct McpConfig {
    /// The servers in the order of the file.
    pub(crate) servers: Vec<ConfiguredServer>,
}

/// A server that is not disabled.
#[derive(Clone, Debug)]
pub(crate) struct ConfiguredServer {
    pub(crate) name: String,
    /// How it is reached, or the error in its entry.
    pub(crate) endpoint: Result<Endpoint, McpFailure>,
}

impl McpConfig {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// [`ToolsErrorKind::Config`](haft_tools::ToolsErrorKind::Config) as for [`parse`](Self::parse), and when the file cannot be read.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, ToolsError> {
        let path = path.as_ref();
        Self::parse(&Self::read(path)?, &path.display().to_string())
    }

    /// The text of a file, to be inspected before it is [parsed](Self::parse).
    ///
    /// # Errors
    ///
    /// [`ToolsErrorKind::Config`](haft_tools::ToolsErrorKind::Config) when the file cannot be read or is larger than 1 MiB.
    pub fn read(path: impl AsRef<Path>) -> Result<String, ToolsError> {
        let path = path.as_ref();
        let origin = path.display().to_string();
        let unreadable = |error: &std::io::Error| {
            config_error(format!("{origin} cannot be read: {error}"))
                .with_hint("name an existing file with MCP servers in it")
        };
        let bytes = std::fs::metadata(path).map_err(|error| unreadable(&error))?;
        if bytes.len() > MAX_BYTES {
            return Err(config_error(format!(
                "{origin} is larger than 1 MiB, too large for a list of MCP servers"
            )));
        }
        std::fs::read_to_string(path).map_err(|error| unreadable(&error))
    }

    /// Parses a text; `origin` names it in messages. `${VAR}` and `${VAR:-default}` in commands,
    /// arguments, environments, addresses and headers are replaced from the process environment.
    ///
    /// # Errors
    ///
    /// [`ToolsErrorKind::Config`](haft_tools::ToolsErrorKind::Config) when the text is not JSON or has no object `mcpServers` (nor
    /// `servers`, as VS Code calls it). A
    /// mistake inside one server is no error here, see [`McpServers::failures`].
    ///
    /// [`McpServers::failures`]: crate::McpServers::failures
    pub fn parse(text: &str, origin: &str) -> Result<Self, ToolsError> {
        Self::parse_with(text, origin, &|name| std::env::var(name).ok())
    }

    pub(crate) fn parse_with(
        text: &str,
        origin: &str,
        lookup: Lookup<'_>,
    ) -> Result<Self, ToolsError> {
        let text = text.trim_start_matches('\u{feff}');
        let root: Value = serde_json::from_str(text)
            .map_err(|error| config_error(format!("{origin} is not valid JSON: {error}")))?;
        let servers = SERVERS.iter().find_map(|key| root.get(*key));
        let Some(servers) = servers.and_then(Value::as_object) else {
            return Err(
                config_error(format!("{origin} has no object \"mcpServers\"")).with_hint(
                    r#"write {"mcpServers": {"NAME": {"command": "...", "args": ["..."]}}}"#,
                ),
            );
        };
        let servers = servers
            .iter()
            .filter(|(_, server)| server.get("disabled") != Some(&Value::Bool(true)))
            .map(|(name, server)| {
                let endpoint = endpoint(server, origin, lookup)
                    .map_err(|problem| McpFailure::of(name, problem));
                ConfiguredServer {
                    name: name.clone(),
                    endpoint,
                }
            })
            .collect();
        Ok(Self { servers })
    }

    /// The name of the first server that controls a browser: it is called `playwright`, or one of
    /// its arguments contains the package `@playwright/mcp`.
    #[must_use]
    pub fn playwright(&self) -> Option<&str> {
        let is_browser = |server: &&ConfiguredServer| {
            let by_package = match &server.endpoint {
                Ok(Endpoint::Stdio(stdio)) => stdio.args.iter().any(|arg| arg.contains(PLAYWRIGHT)),
                _ => false,
            };
            by_package || server.name.eq_ignore_ascii_case("playwright")
        };
        let found = self.servers.iter().find(is_browser);
        found.map(|server| server.name.as_str())
    }

    /// Removes the server with this name and returns it as a configuration of its own, to be
    /// started separately.
    ///
    /// ```
    /// use haft_mcp::McpConfig;
    ///
    /// let text = r#"{"mcpServers": {"web": {"command": "npx", "args": ["@playwright/mcp"]}}}"#;
    /// let mut config = McpConfig::parse(text, ".mcp.json")?;
    /// assert_eq!(config.playwright(), Some("web"));
    /// let browser = config.take("web").unwrap();
    /// assert_eq!((config.names().count(), browser.names().count()), (0, 1));
    /// # Ok::<(), haft_tools::ToolsError>(())
    /// ```
    pub fn take(&mut self, name: &str) -> Option<Self> {
        let position = self.servers.iter().position(|server| server.name == name)?;
        let servers = vec![self.servers.remove(position)];
        Some(Self { servers })
    }

    /// Problems of servers that can be detected without starting them, in the order of the file.
    pub fn problems(&self) -> impl Iterator<Item = &McpFailure> {
        let servers = self.servers.iter();
        servers.filter_map(|server| server.endpoint.as_ref().err())
    }

    /// Sets this variable for every child process, unless its configuration sets it already.
    pub(crate) fn set_variable(&mut self, name: &str, value: &str) {
        for server in &mut self.servers {
            if let Ok(Endpoint::Stdio(stdio)) = &mut server.endpoint
                && !stdio.env.iter().any(|(known, _)| known == name)
            {
                stdio.env.push((name.to_owned(), value.to_owned()));
            }
        }
    }

    /// The names of the servers that are not disabled, in the order of the file.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.servers.iter().map(|server| server.name.as_str())
    }
}

fn endpoint(server: &Value, origin: &str, lookup: Lookup<'_>) -> Result<Endpoint, Problem> {
    let Some(object) = server.as_object() else {
        return Err(Problem::new(format!(
            "its entry in {origin} is not an object"
        )));
    };
    let fields = Fields::new(object, origin, lookup);
    match fields.text("type")?.as_deref() {
        None if object.contains_key("command") => stdio(&fields),
        None if object.contains_key("url") => http(&fields),
        None => Err(fields
            .problem("command", "is missing, and so is \"url\"")
            .with_hint("give a \"command\" to start, or the \"url\" of a running server")),
        Some("stdio") => stdio(&fields),
        // Clients use different spellings.
        Some("http" | "streamable-http" | "streamable_http" | "streamableHttp") => http(&fields),
        Some("sse") => Err(fields
            .problem("type", "is \"sse\", the transport that MCP gave up")
            .with_hint(
                "most such servers speak streamable HTTP too: set \"type\" to \"http\" and the \
                 \"url\" to the address that usually ends in /mcp",
            )),
        Some(other) => Err(fields
            .problem("type", &format!("is {other:?}, which is unknown"))
            .with_hint("use \"stdio\" or \"http\"")),
    }
}

fn stdio(fields: &Fields<'_>) -> Result<Endpoint, Problem> {
    let env = fields.pairs("env")?;
    environment::check(env.iter().map(|(name, _)| name.as_str()))?;
    Ok(Endpoint::Stdio(StdioEndpoint {
        command: fields.required("command")?,
        args: fields.texts("args")?,
        env,
        cwd: fields.text("cwd")?,
        rules: ToolRules::read(fields)?,
    }))
}

fn http(fields: &Fields<'_>) -> Result<Endpoint, Problem> {
    let url = Url::parse(&fields.required("url")?)
        .map_err(|error| fields.problem("url", &format!("is not an address: {error}")))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(fields.problem("url", "must begin with http:// or https://"));
    }
    let mut headers = HeaderMap::new();
    for (name, value) in fields.pairs("headers")? {
        let (Ok(header), Ok(mut value)) = (
            HeaderName::try_from(name.as_str()),
            HeaderValue::try_from(value),
        ) else {
            return Err(fields.problem("headers", &format!("cannot be sent: {name:?}")));
        };
        value.set_sensitive(true);
        headers.insert(header, value);
    }
    Ok(Endpoint::Http(HttpEndpoint {
        url,
        headers,
        rules: ToolRules::read(fields)?,
    }))
}

#[cfg(test)]
mod tests;

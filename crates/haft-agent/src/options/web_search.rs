//! The settings of the web search; the search itself is in `web_search.rs` of the crate.

use std::sync::Arc;

use haft_core::Tool;
#[cfg(feature = "mcp")]
use haft_mcp::{BrowserSearch, McpConfig};
use haft_tools::{SearchOptions, search_web};
#[cfg(feature = "mcp")]
use haft_tools::{ToolsError, ToolsErrorKind};

/// Whether and how the web is searched when the model cannot answer.
///
/// By default it is searched if there is a Playwright server among the MCP servers, or a tool
/// called `search_web`.
///
/// ```
/// use haft_agent::WebSearch;
///
/// let mut search = WebSearch::on();
/// search.options.url = Some("http://localhost:8888/search?q={query}".parse()?);
/// assert!(search.search_tool().is_some());
/// assert!(WebSearch::default().search_tool().is_none());
/// # Ok::<_, haft_tools::ToolsError>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct WebSearch {
    /// `Some(true)` adds the tool `search_web`, `Some(false)` switches web search off, and `None`
    /// searches with the tools that are there.
    pub enabled: Option<bool>,
    /// The MCP server that controls the browser.
    pub playwright: Playwright,
    /// The search engine and the time limits.
    pub options: SearchOptions,
}

/// The MCP server that controls the browser. It is started only when needed. The model is offered
/// its tools only to read the results of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Playwright {
    /// The first server called `playwright` or with `@playwright/mcp` among its arguments.
    #[default]
    Found,
    /// The server with this name.
    Named(String),
    /// None; the tools of a Playwright server are tools like any other.
    Ordinary,
}

impl WebSearch {
    /// Web search with the tool `search_web`.
    #[must_use]
    pub fn on() -> Self {
        Self {
            enabled: Some(true),
            ..Self::default()
        }
    }

    /// No web search; the tools of a Playwright server are tools like any other.
    #[must_use]
    pub fn off() -> Self {
        Self {
            enabled: Some(false),
            ..Self::default()
        }
    }

    /// The tool `search_web`, if enabled.
    #[must_use]
    pub fn search_tool(&self) -> Option<Arc<dyn Tool>> {
        (self.enabled == Some(true)).then(|| search_web(self.options.clone()))
    }

    /// Removes the server that controls the browser from the servers to start.
    ///
    /// # Errors
    ///
    /// [`ToolsErrorKind::Config`] when there is no server with the given name.
    #[cfg(feature = "mcp")]
    pub fn take_browser(
        &self,
        servers: &mut McpConfig,
    ) -> Result<Option<BrowserSearch>, ToolsError> {
        let name = match &self.playwright {
            _ if self.enabled == Some(false) => None,
            Playwright::Ordinary => None,
            Playwright::Found => servers.playwright().map(str::to_owned),
            Playwright::Named(name) => Some(name.clone()),
        };
        let Some(name) = name else {
            return Ok(None);
        };
        let Some(server) = servers.take(&name) else {
            let message = format!("There is no MCP server \"{name}\" to search the web with");
            return Err(ToolsError::new(ToolsErrorKind::Config, message)
                .with_hint("name one of the configured servers"));
        };
        let (page, timeout) = (self.options.page(), self.options.timeout);
        Ok(Some(BrowserSearch::new(server, page, timeout)))
    }
}

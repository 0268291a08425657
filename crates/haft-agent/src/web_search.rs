//! Search on the web in place of a model that does not know.
//!
//! When all rungs of the ladder leave a reply blank, or the reply says that the model cannot look
//! things up (`trigger.rs`), the question goes to a search engine (`fallback.rs`), in a browser
//! where there is one, else through the tool `search_web`, and the results to the model
//! (`reading.rs`). Where that fails or helps nothing, the first reply stands. This file is what
//! can be set.

mod fallback;
mod reading;
mod trigger;

use std::sync::Arc;

use haft_core::Tool;
#[cfg(feature = "mcp")]
use haft_tools::{BrowserSearch, McpConfig, ToolsError, ToolsErrorKind};
use haft_tools::{SearchOptions, search_web};

/// Whether, where and how the web is searched when a model does not know.
///
/// By default it is searched as soon as there is something to search with: a Playwright server
/// among the MCP servers, or a tool called `search_web`.
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
    /// True adds the tool `search_web`, for the model and for searches in its place; false
    /// switches all of it off.
    pub enabled: Option<bool>,
    /// Which MCP server drives the browser.
    pub playwright: Playwright,
    /// The search engine, and the time for each step.
    pub options: SearchOptions,
}

/// Which MCP server drives the browser. It is not started before it is needed; a model is offered
/// its tools only over the results of a search, for that question alone, and to read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Playwright {
    /// The first one that is called `playwright`, or has `@playwright/mcp` among its arguments.
    #[default]
    Found,
    /// The server of this name.
    Named(String),
    /// None: Playwright's tools are tools like any other.
    Ordinary,
}

impl WebSearch {
    /// With the tool `search_web`.
    #[must_use]
    pub fn on() -> Self {
        Self {
            enabled: Some(true),
            ..Self::default()
        }
    }

    /// No search in place of the model. Playwright's tools are tools like any other.
    #[must_use]
    pub fn off() -> Self {
        Self {
            enabled: Some(false),
            ..Self::default()
        }
    }

    /// The tool `search_web`, where it was asked for.
    #[must_use]
    pub fn search_tool(&self) -> Option<Arc<dyn Tool>> {
        (self.enabled == Some(true)).then(|| search_web(self.options.clone()))
    }

    /// Takes the server that drives the browser out of those that are to be started.
    ///
    /// # Errors
    ///
    /// [`ToolsErrorKind::Config`] when the named one is not among them.
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

//! A web search in a real browser: starts one through an MCP server, opens the page of a search
//! engine, and reads what it shows. The browser is closed after the question.
//!
//! The server is Playwright's, or one with the same tools. Its schemas change between versions, so
//! names of parameters are taken from the schema that it sends. Until the browser is closed, a
//! model may use its tools as far as `reading` permits.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use haft_core::{Tool, ToolCall, ToolError, ToolErrorKind};
use serde_json::{Value, json};

use haft_tools::{
    ExecutorOptions, SearchResult, SearchUrl, ToolExecutor, ToolManager, capped, result_text,
    results_from_snapshot,
};

use crate::browser::reading::reader;
use crate::config::McpConfig;
use crate::options::McpOptions;
use crate::servers::McpServers;

/// The wait in seconds for results that a script fetches.
const SETTLE: u64 = 2;

/// How many times the limit of a step a start may take: it includes Node, the server and its tools.
const START: u32 = 2;

/// The time limit of closing the browser; after it the server is killed.
const CLOSE_LIMIT: Duration = Duration::from_secs(3);

/// The maximum length of a snapshot in characters; a page full of results has some ten thousand.
const MAX_SNAPSHOT: usize = 400_000;

/// The variable with the folder for pictures and snapshots that the server creates unasked; its
/// default is the working directory.
const OUTPUT_VARIABLE: &str = "PLAYWRIGHT_MCP_OUTPUT_DIR";

/// A browser that is not started yet, and the page that it will open.
#[derive(Clone, Debug)]
pub struct BrowserSearch {
    server: McpConfig,
    page: SearchUrl,
    timeout: Duration,
}

impl BrowserSearch {
    /// A search through the only server in `server`, on `page`, with the time limit `timeout` for
    /// each step. A start may take twice as long, at most 20 seconds.
    #[must_use]
    pub fn new(server: McpConfig, page: SearchUrl, timeout: Duration) -> Self {
        Self {
            server,
            page,
            timeout,
        }
    }

    /// Starts the browser and searches. The browser stays open: dropping the future or the result
    /// kills it, [`OpenBrowser::close`] closes it properly.
    ///
    /// # Errors
    ///
    /// When the server does not start, lacks the tools of Playwright, or fails at a step.
    pub async fn search(&self, query: &str) -> Result<OpenBrowser, ToolError> {
        let folder = OutputFolder::create();
        let mut server = self.server.clone();
        if let Some(path) = folder.0.as_ref().and_then(|path| path.to_str()) {
            server.set_variable(OUTPUT_VARIABLE, path);
        }
        // One attempt only, because there are other ways to search.
        let options = McpOptions {
            waits: vec![Duration::ZERO],
            ..McpOptions::default()
        };
        let starting = McpServers::start_with(&server, options);
        let starting = tokio::time::timeout(self.timeout * START, starting);
        let Ok(servers) = starting.await else {
            let sentence = "The browser did not start in time.";
            return Err(ToolError::of_kind(ToolErrorKind::Timeout, sentence));
        };
        if let Some(failure) = servers.failures().first() {
            let sentence = "The browser could not be started.";
            return Err(ToolError::new(sentence).with_detail(failure.to_string()));
        }
        let browser = Browser::new(&servers, self.timeout);
        tracing::debug!(tools = browser.count(), "browser ready");
        let shown = browser.show(&self.page.of(query)).await;
        let mut open = OpenBrowser {
            servers,
            browser,
            timeout: self.timeout,
            results: Vec::new(),
            _folder: folder,
        };
        match shown {
            Ok(shown) => open.results = results_from_snapshot(&shown, &self.page.of(query)),
            Err(error) => {
                open.close().await;
                return Err(error);
            }
        }
        Ok(open)
    }
}

/// The results of a search in a browser, and the browser, which is still open.
#[derive(Debug)]
pub struct OpenBrowser {
    servers: McpServers,
    browser: Browser,
    timeout: Duration,
    results: Vec<SearchResult>,
    _folder: OutputFolder,
}

impl OpenBrowser {
    /// The results, at most five.
    #[must_use]
    pub fn results(&self) -> &[SearchResult] {
        &self.results
    }

    /// An executor for the browser's tools that a model may use: they read pages on the hosts of
    /// the results; everything else is refused.
    #[must_use]
    pub fn reader(&self) -> ToolExecutor {
        reader(self.browser.executor.tools().clone(), &self.results)
    }

    /// Closes the browser and waits until it is gone, at most some seconds.
    pub async fn close(self) {
        let closing = self.browser.call("browser_close", json!({}));
        if let Ok(Err(error)) = tokio::time::timeout(CLOSE_LIMIT.min(self.timeout), closing).await {
            tracing::debug!(detail = error.detail(), "the browser did not close");
        }
        self.servers.shutdown().await;
    }
}

/// The tools of a running browser.
#[derive(Debug)]
struct Browser {
    executor: ToolExecutor,
}

impl Browser {
    fn new(servers: &McpServers, timeout: Duration) -> Self {
        let mut tools = ToolManager::new();
        for tool in servers.tools() {
            // The names are unique, because a server cannot have two tools with one name.
            let _ = tools.add(tool);
        }
        let mut options = ExecutorOptions::default();
        options.timeout = timeout;
        options.total_timeout = timeout;
        options.slow = timeout;
        options.max_output = MAX_SNAPSHOT;
        Self {
            executor: ToolExecutor::with_options(tools, options, None),
        }
    }

    fn count(&self) -> usize {
        self.executor.tools().get_tools().len()
    }

    /// A snapshot of the page at `address`.
    async fn show(&self, address: &str) -> Result<String, ToolError> {
        let opened = self.argument("browser_navigate", "url", "string");
        self.call("browser_navigate", json!({opened: address}))
            .await?;
        if self.executor.tools().find("browser_wait_for").is_some() {
            let time = self.argument("browser_wait_for", "time", "number");
            if let Err(error) = self.call("browser_wait_for", json!({time: SETTLE})).await {
                tracing::debug!(detail = error.detail(), "the browser did not wait");
            }
        }
        let shown = self.call("browser_snapshot", json!({})).await?;
        Ok(capped(shown, MAX_SNAPSHOT))
    }

    /// Calls a tool as for a model: arguments that its schema refuses are not sent.
    async fn call(&self, name: &str, arguments: Value) -> Result<String, ToolError> {
        let call = ToolCall::new(name, arguments, "browser");
        let output = self.executor.execute(&call).await?;
        Ok(result_text(output).text)
    }

    /// The name of a parameter in the server's schema: `usual` if it exists, else the required one,
    /// else the first one of the type.
    fn argument(&self, tool: &str, usual: &str, kind: &str) -> String {
        let tool = self.executor.tools().find(tool);
        let found = tool.and_then(|tool| named(tool.as_ref(), usual, kind));
        found.unwrap_or_else(|| usual.to_owned())
    }
}

fn named(tool: &dyn Tool, usual: &str, kind: &str) -> Option<String> {
    let schema = tool.schema();
    let properties = schema.get("properties")?.as_object()?;
    if properties.contains_key(usual) {
        return None;
    }
    let is_of_kind = |property: &&str| {
        let given = properties
            .get(*property)
            .and_then(|property| property.get("type"));
        given
            .and_then(Value::as_str)
            .is_none_or(|given| given == kind)
    };
    let required = schema.get("required").and_then(Value::as_array);
    let required = required.into_iter().flatten().filter_map(Value::as_str);
    let mut candidates = required.chain(properties.keys().map(String::as_str));
    candidates.find(is_of_kind).map(str::to_owned)
}

/// A temporary folder for one search, removed when dropped.
#[derive(Debug)]
struct OutputFolder(Option<PathBuf>);

impl OutputFolder {
    /// If no folder can be created, the server's default is used.
    fn create() -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let number = now.map_or(0, |since| since.as_nanos());
        let name = format!("haft-browser-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let builder = &mut fs::DirBuilder::new();
        // Searches are private.
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(builder, 0o700);
        Self(builder.create(&path).ok().map(|()| path))
    }
}

impl Drop for OutputFolder {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            // If this fails, the files stay among the temporary files.
            let _ = fs::remove_dir_all(path);
        }
    }
}

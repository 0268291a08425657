//! A search in a real browser: one is started through an MCP server, opens the page of a search
//! engine, is asked what it shows, and is gone again with the question.
//!
//! The server is Playwright's, or one with the same tools. Its schemas change from version to
//! version, so names of parameters are taken from the schema that it sends. Until the browser is
//! closed its tools may be offered to a model, as far as `reading` lets them.

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

/// In seconds: results that a script fetches are there by then.
const SETTLE: u64 = 2;

/// A start takes longer than a step: Node, the server, its tools.
const START: u32 = 2;

/// For closing the browser: what does not close by then is ended with its server.
const CLOSE_LIMIT: Duration = Duration::from_secs(3);

/// In characters: a snapshot of a page full of results has some ten thousand.
const MAX_SNAPSHOT: usize = 400_000;

/// Where the server puts pictures and snapshots that nobody asked for; else into the folder in
/// which haft runs.
const OUTPUT_VARIABLE: &str = "PLAYWRIGHT_MCP_OUTPUT_DIR";

/// A browser that is not started yet, and the page that it opens.
#[derive(Clone, Debug)]
pub struct BrowserSearch {
    server: McpConfig,
    page: SearchUrl,
    timeout: Duration,
}

impl BrowserSearch {
    /// A search through the one server in `server`, on `page`, with `timeout` for each step. A
    /// start may take twice as long, at most 20 seconds.
    #[must_use]
    pub fn new(server: McpConfig, page: SearchUrl, timeout: Duration) -> Self {
        Self {
            server,
            page,
            timeout,
        }
    }

    /// Starts the browser and searches. It stays open; dropping the future or what it
    /// returns ends it, [`OpenBrowser::close`] ends it in order.
    ///
    /// # Errors
    ///
    /// When the server does not start, has not the tools of Playwright, or fails at a step.
    pub async fn search(&self, query: &str) -> Result<OpenBrowser, ToolError> {
        let folder = OutputFolder::create();
        let mut server = self.server.clone();
        if let Some(path) = folder.0.as_ref().and_then(|path| path.to_str()) {
            server.set_variable(OUTPUT_VARIABLE, path);
        }
        // There are other ways to search: one attempt is enough.
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

/// What a search in a browser found, and the browser, which is still open.
#[derive(Debug)]
pub struct OpenBrowser {
    servers: McpServers,
    browser: Browser,
    timeout: Duration,
    results: Vec<SearchResult>,
    _folder: OutputFolder,
}

impl OpenBrowser {
    /// What the search found, at most a handful.
    #[must_use]
    pub fn results(&self) -> &[SearchResult] {
        &self.results
    }

    /// What runs the browser's tools for a model: they read pages on the hosts of the results,
    /// and whatever else they could do is refused.
    #[must_use]
    pub fn reader(&self) -> ToolExecutor {
        reader(self.browser.executor.tools().clone(), &self.results)
    }

    /// Ends the browser and waits until it is gone, at most some seconds.
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
            // A server cannot have two tools of one name.
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

    /// What the page at `address` shows.
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

    /// Calls a tool as a model would: what its schema refuses is not sent.
    async fn call(&self, name: &str, arguments: Value) -> Result<String, ToolError> {
        let call = ToolCall::new(name, arguments, "browser");
        let output = self.executor.execute(&call).await?;
        Ok(result_text(output).0)
    }

    /// The name of a parameter in the server's own schema: `usual` where it is there, else the
    /// one that must be given, else the first of its type.
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

/// A folder of its own for one search, gone with this value.
#[derive(Debug)]
struct OutputFolder(Option<PathBuf>);

impl OutputFolder {
    /// Where no folder can be made, the server's own choice has to do.
    fn create() -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let number = now.map_or(0, |since| since.as_nanos());
        let name = format!("haft-browser-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let mut builder = fs::DirBuilder::new();
        // What somebody searched for is nobody else's business.
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        Self(builder.create(&path).ok().map(|()| path))
    }
}

impl Drop for OutputFolder {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            // What is left lies among temporary files.
            let _ = fs::remove_dir_all(path);
        }
    }
}

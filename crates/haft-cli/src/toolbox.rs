//! The tools for a command: the clock, the home, and the MCP servers.

use std::sync::Arc;

use etcetera::BaseStrategy;
use haft::tools::{
    Approve, BrowserSearch, McpLeftOut, McpOptions, McpServers, get_current_datetime,
};
use haft::types::ToolSource;
use haft::zwave::{Home, zwave_tools};
use haft::{Playwright, Tool, ToolExecutor, ToolManager, WebSearch};

use crate::args::{HomeSpec, ToolArgs};
use crate::failure::Failure;
use crate::nearest::nearest;
use crate::settings::Settings;
use crate::trace::Trace;
use crate::trust::TRUST_IT;

/// The prefix of Playwright's tools: naming one of them requests it as a tool.
const BROWSER_TOOLS: &str = "browser_";

/// Tools with their sources, and the values that keep them running.
#[derive(Debug, Default)]
pub(crate) struct Toolbox {
    pub(crate) entries: Vec<Entry>,
    /// The description of the home, if there is one.
    pub(crate) home: Option<String>,
    pub(crate) servers: McpServers,
    /// The tools that servers list but that no model is offered.
    pub(crate) left_out: Vec<McpLeftOut>,
    /// Whether later changes of the servers' tools are followed: not if single tools were named.
    follows_servers: bool,
    /// Why there are no tools of servers although there is a file with servers.
    untrusted: Option<String>,
    /// The server that is only started for a web search.
    pub(crate) browser: Option<BrowserSearch>,
}

/// A tool and its source, for display.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) tool: Arc<dyn Tool>,
    pub(crate) origin: String,
}

impl Toolbox {
    /// Opens the home, starts the servers and selects the requested tools. Servers that are not
    /// needed are not started, and neither is the one that controls a browser for `search`.
    pub(crate) async fn gather(
        arguments: &ToolArgs,
        settings: &Settings,
        search: &WebSearch,
        trace: &Trace,
    ) -> Result<Self, Failure> {
        let mut toolbox = Self::default();
        toolbox.add(get_current_datetime(), "built in");
        if let Some(home) = open_home(arguments.home.as_ref())? {
            toolbox.home = Some(home.label().to_owned());
            let origin = match arguments.home {
                Some(HomeSpec::Server(_)) => "Z-Wave",
                _ => "demo home",
            };
            for tool in zwave_tools(home) {
                toolbox.add(tool, origin);
            }
        }
        if let Some(tool) = search.search_tool() {
            toolbox.add(tool, "built in");
        }
        let is_local = |name: &String| toolbox.find(name).is_some();
        let only_local = !arguments.only.is_empty() && arguments.only.iter().all(is_local);
        let asks_for_browser = |name: &String| name.starts_with(BROWSER_TOOLS);
        let may_take = search.enabled != Some(false)
            && search.playwright != Playwright::Ordinary
            && !arguments.only.iter().any(asks_for_browser);
        // Without need for a server, the user is not asked for trust.
        let config = match may_take || !only_local {
            true => settings.mcp_config().await?,
            false => None,
        };
        if config.is_none() {
            toolbox.untrusted = settings.untrusted_mcp();
        }
        let mut config = config.unwrap_or_default();
        if may_take {
            toolbox.browser = search.take_browser(&mut config)?;
        }
        if !only_local && config.names().next().is_some() {
            trace.wait("starting MCP servers");
            let servers = McpServers::start_with(&config, remembering()).await;
            trace.clear();
            trace.servers(&servers);
            toolbox.add_servers(servers);
            trace.left_out(&toolbox.left_out);
        }
        toolbox.follows_servers = arguments.only.is_empty();
        toolbox.keep(&arguments.only)?;
        Ok(toolbox)
    }

    /// The tool with this name.
    pub(crate) fn find(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.tool.name() == name)
    }

    /// The tool with this name, or an error that lists the available tools.
    pub(crate) fn get(&self, name: &str) -> Result<&Entry, Failure> {
        self.find(name).ok_or_else(|| {
            let names = self.names().join(", ");
            let hint = match (nearest(name, self.names()), &self.untrusted) {
                (Some(near), _) => format!("did you mean `{near}`? There are: {names}"),
                (None, Some(reason)) => format!(
                    "{reason}, so the tools of its servers are missing: {TRUST_IT}; there are: {names}"
                ),
                (None, None) => format!("there are: {names}"),
            };
            Failure::usage(format!("There is no tool \"{name}\"")).with_hint(hint)
        })
    }

    pub(crate) fn names(&self) -> Vec<&str> {
        self.entries.iter().map(|entry| entry.tool.name()).collect()
    }

    pub(crate) fn tools(&self) -> Vec<Arc<dyn Tool>> {
        self.entries
            .iter()
            .map(|entry| entry.tool.clone())
            .collect()
    }

    /// An executor for these tools; `approve` is asked about calls.
    pub(crate) fn executor(
        &self,
        settings: &Settings,
        approve: Option<Approve>,
    ) -> Result<ToolExecutor, Failure> {
        let mut manager = self.manager()?;
        for synonym in settings.synonyms.value.iter().flatten() {
            manager.add_synonym(synonym.clone());
        }
        Ok(ToolExecutor::with_options(
            manager,
            settings.executor_options(),
            approve,
        ))
    }

    /// These tools, with later changes of the servers' tools.
    pub(crate) fn manager(&self) -> Result<ToolManager, Failure> {
        let mut manager = ToolManager::new();
        let is_followed = |entry: &&Entry| {
            self.follows_servers && matches!(entry.tool.source(), ToolSource::Mcp { .. })
        };
        for entry in self.entries.iter().filter(|entry| !is_followed(entry)) {
            manager.add(entry.tool.clone())?;
        }
        if self.follows_servers {
            manager.add_servers(&self.servers);
        }
        Ok(manager)
    }

    fn add(&mut self, tool: impl Into<Arc<dyn Tool>>, origin: &str) {
        self.entries.push(Entry {
            tool: tool.into(),
            origin: origin.to_owned(),
        });
    }

    fn add_servers(&mut self, servers: McpServers) {
        let tools = servers.tools_beside(&self.names());
        self.left_out = servers.left_out(&self.names());
        for tool in tools {
            let origin = match tool.source() {
                ToolSource::Mcp { server } => format!("MCP server {server}"),
                ToolSource::Custom => "MCP".to_owned(),
            };
            self.entries.push(Entry { tool, origin });
        }
        self.servers = servers;
    }

    /// Keeps only these tools, in their order; all if none is named.
    fn keep(&mut self, names: &[String]) -> Result<(), Failure> {
        for name in names {
            self.get(name)?;
        }
        if !names.is_empty() {
            self.entries
                .retain(|entry| names.iter().any(|name| name == entry.tool.name()));
        }
        Ok(())
    }
}

/// Options that use the cache, so that known servers are not waited for.
pub(crate) fn remembering() -> McpOptions {
    let mut options = McpOptions::default();
    if let Ok(folders) = etcetera::choose_base_strategy() {
        options.cache = Some(folders.cache_dir().join("haft").join("mcp"));
    }
    options
}

/// Opens the requested home; a server is connected to when it is needed.
pub(crate) fn open_home(spec: Option<&HomeSpec>) -> Result<Option<Home>, Failure> {
    Ok(match spec {
        None => None,
        Some(HomeSpec::Demo) => Some(Home::demo()),
        Some(HomeSpec::DemoFile(path)) => Some(Home::demo_file(path)?),
        Some(HomeSpec::Server(url)) => Some(Home::server(url)?),
    })
}

//! Follows the changes of all servers' tools while the program runs.
//!
//! Model servers cache the prompt, which begins with the tools. So during a conversation the list
//! only grows: a tool keeps its position with its newest definition, and new tools are appended. A
//! removed tool stays as well, and its calls return an error.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use haft_core::Tool;
use haft_tools::ChangingTools;

use crate::left_out::McpLeftOut;
use crate::tools::names;
use crate::tools::origin::Origin;
use crate::tools::server_tools::ServerTools;
use crate::tools::tool::McpTool;

/// The maximum number of removed tools that are kept in case the model calls them. A server with
/// constantly changing tools would otherwise fill the prompt.
const MAX_GONE: usize = 32;

/// A snapshot of the tools of several servers.
#[derive(Clone, Debug, Default)]
pub(crate) struct ToolUpdates {
    servers: Vec<Arc<ServerTools>>,
    /// The tools with their names here.
    pub(crate) tools: Vec<Arc<McpTool>>,
    /// New tools for which no name was free.
    pub(crate) left_out: Vec<McpLeftOut>,
    /// The number of changes that this snapshot includes.
    seen: u64,
    /// The number of tools that their servers have removed.
    gone: usize,
}

impl ToolUpdates {
    /// An empty snapshot; the first [`refreshed`](Self::refreshed) finds the tools of `servers`.
    pub(crate) fn following(servers: &[Arc<ServerTools>]) -> Self {
        Self {
            servers: servers.to_vec(),
            // A value that no server reports.
            seen: u64::MAX,
            ..Self::default()
        }
    }

    /// The current tools of `servers`, with names other than those in `taken`.
    pub(crate) fn of(servers: &[Arc<ServerTools>], taken: &[&str]) -> Self {
        let empty = Self::following(servers);
        empty.refreshed(taken, true).unwrap_or(empty)
    }

    /// The current tools, with names other than those in `taken`; removed tools are left out if a
    /// conversation begins. `None` if nothing changes.
    pub(crate) fn refreshed(&self, taken: &[&str], begins: bool) -> Option<Self> {
        // Read before the lists, so that a concurrent change is noticed the next time.
        let seen = self
            .servers
            .iter()
            .map(|server| server.server.changes())
            .sum();
        if seen == self.seen && (self.gone == 0 || !begins) {
            return None;
        }
        let servers = self.servers.iter();
        let listed: Vec<_> = servers.flat_map(|server| server.tools()).collect();
        let mut now = Listed::of(&listed);
        let found: Vec<_> = self
            .tools
            .iter()
            .map(|tool| (tool, now.take(tool)))
            .collect();
        let gone = found.iter().filter(|(_, now)| now.is_none()).count();
        let keeps_gone = !begins && gone <= MAX_GONE;
        let mut tools: Vec<_> = found
            .into_iter()
            .filter(|(_, now)| now.is_some() || keeps_gone)
            .map(|(known, now)| match now {
                Some(now) if now.listed() != known.listed() => {
                    Arc::new(now.named(known.name_here().to_owned()))
                }
                _ => Arc::clone(known),
            })
            .collect();
        let new = now.rest();
        let names = tools.iter().map(|tool| tool.name_here());
        let taken: Vec<_> = taken.iter().copied().chain(names).collect();
        let names::Named {
            tools: mut new,
            left_out,
        } = names::unique(&new, &taken);
        tools.append(&mut new);
        Some(Self {
            servers: self.servers.clone(),
            tools,
            left_out,
            seen,
            gone: if keeps_gone { gone } else { 0 },
        })
    }
}

impl ChangingTools for ToolUpdates {
    fn tools(&self) -> Vec<Arc<dyn Tool>> {
        let tools = self.tools.iter();
        tools.map(|tool| Arc::clone(tool) as _).collect()
    }

    fn refreshed(&self, taken: &[&str], begins: bool) -> Option<Arc<dyn ChangingTools>> {
        let now = self.refreshed(taken, begins)?;
        Some(Arc::new(now))
    }
}

/// The listed tools by server and name; of two tools with the same name each is found once.
struct Listed<'a> {
    tools: &'a [Arc<McpTool>],
    places: HashMap<Origin<'a>, VecDeque<usize>>,
}

impl<'a> Listed<'a> {
    fn of(tools: &'a [Arc<McpTool>]) -> Self {
        let mut places: HashMap<_, VecDeque<usize>> = HashMap::new();
        for (place, tool) in tools.iter().enumerate() {
            places.entry(tool.origin()).or_default().push_back(place);
        }
        Self { tools, places }
    }

    fn take(&mut self, tool: &'a McpTool) -> Option<&'a Arc<McpTool>> {
        let place = self.places.get_mut(&tool.origin())?.pop_front()?;
        self.tools.get(place)
    }

    /// The tools that were not taken, in their order.
    fn rest(self) -> Vec<Arc<McpTool>> {
        let mut places: Vec<usize> = self.places.into_values().flatten().collect();
        places.sort_unstable();
        let tools = places.into_iter().filter_map(|place| self.tools.get(place));
        tools.cloned().collect()
    }
}

#[cfg(test)]
mod tests;

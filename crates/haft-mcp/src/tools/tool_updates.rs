//! Follows what becomes of the tools of all servers while the program runs.
//!
//! Models are told of tools once, and their servers keep the prompt that begins with them. So in
//! a conversation a list only grows: a tool stays in its place, in its newest form, and what is
//! new comes at the end. A tool that its server has no longer stays too, and its calls say so.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use haft_core::Tool;
use haft_tools::ChangingTools;

use crate::left_out::McpLeftOut;
use crate::tools::names;
use crate::tools::origin::Origin;
use crate::tools::server_tools::ServerTools;
use crate::tools::tool::McpTool;

/// So many tools that are gone are kept, in case the model still asks for one. A server that
/// makes up new tools all the time would fill the prompt.
const MAX_GONE: usize = 32;

/// The tools of some servers, as of one moment.
#[derive(Clone, Debug, Default)]
pub(crate) struct ToolUpdates {
    servers: Vec<Arc<ServerTools>>,
    /// Under the names that they have here.
    pub(crate) tools: Vec<Arc<McpTool>>,
    /// New tools for which there was no name.
    pub(crate) left_out: Vec<McpLeftOut>,
    /// How often the lists had changed.
    seen: u64,
    /// How many of the tools their servers have no longer.
    gone: usize,
}

impl ToolUpdates {
    /// Nothing so far; the first [`refreshed`](Self::refreshed) finds the tools of `servers`.
    pub(crate) fn following(servers: &[Arc<ServerTools>]) -> Self {
        Self {
            servers: servers.to_vec(),
            // Other than whatever the servers say.
            seen: u64::MAX,
            ..Self::default()
        }
    }

    /// The tools of `servers` now, beside tools of the names `taken`.
    pub(crate) fn of(servers: &[Arc<ServerTools>], taken: &[&str]) -> Self {
        let empty = Self::following(servers);
        empty.refreshed(taken, true).unwrap_or(empty)
    }

    /// The tools now, beside tools of the names `taken`; those that are gone are left out where a
    /// conversation begins. None where that makes no difference.
    pub(crate) fn refreshed(&self, taken: &[&str], begins: bool) -> Option<Self> {
        // Before the lists: what changes meanwhile is seen the next time.
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

/// What servers list: a tool is found by its server and the name that it has there, and one of two
/// that share a name is found once.
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

    /// Those that were not taken, in their order.
    fn rest(self) -> Vec<Arc<McpTool>> {
        let mut places: Vec<usize> = self.places.into_values().flatten().collect();
        places.sort_unstable();
        let tools = places.into_iter().filter_map(|place| self.tools.get(place));
        tools.cloned().collect()
    }
}

#[cfg(test)]
mod tests;

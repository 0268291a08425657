//! What is known of a server's tools: the admitted ones, those that were left out, and the warnings
//! about them.

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use super::SupervisedServer;
use crate::definitions::definition::{Admitted, changed};
use crate::definitions::listed_tool::ListedTool;
use crate::left_out::McpLeftOut;
use crate::session::list::Listed;

impl SupervisedServer {
    /// Its last known tools, in its order.
    pub(crate) fn tools(&self) -> Vec<Arc<ListedTool>> {
        let tools = self.tools.read().unwrap_or_else(PoisonError::into_inner);
        tools.clone()
    }

    /// The number of changes of the list of tools since this value was created.
    pub(crate) fn changes(&self) -> u64 {
        self.changes.load(Ordering::Acquire)
    }

    pub(super) fn find(&self, tool: &str) -> Option<Arc<ListedTool>> {
        let tools = self.tools.read().unwrap_or_else(PoisonError::into_inner);
        let mut tools = tools.iter();
        tools.find(|known| known.definition.name == tool).cloned()
    }

    /// Returns true if something has changed. Unchanged tools stay the same objects.
    pub(crate) fn set_tools(&self, listed: &Listed) -> bool {
        if self.is_closed() {
            return false;
        }
        let rules = self.endpoint.rules();
        let Admitted {
            tools: definitions,
            mut warnings,
            bad_schemas,
        } = Admitted::of(&listed.tools, rules);
        let bad_schemas = bad_schemas.into_iter();
        let bad_schemas =
            bad_schemas.map(|bad| McpLeftOut::tool(&self.name, &bad.tool, bad.reason));
        // Rules for excluded tools need no warning.
        let is_wanted = |one: &&McpLeftOut| one.tool.as_ref().is_none_or(|tool| rules.keeps(tool));
        let left_out = listed.left_out.iter().filter(is_wanted).cloned();
        let more_is_left_out = self.leave_out(left_out.chain(bad_schemas).collect());
        let mut tools = self.tools.write().unwrap_or_else(PoisonError::into_inner);
        let known = tools.iter().map(|tool| &tool.listed);
        warnings.extend(changed(known, &definitions));
        self.warn(warnings);
        if tools.iter().map(|tool| &tool.listed).eq(&definitions) {
            // The first list is cached even if it is empty.
            return tools.is_empty() || more_is_left_out;
        }
        *tools = definitions
            .iter()
            .map(|definition| {
                let same = tools.iter().find(|tool| tool.listed == *definition);
                let new = || Arc::new(ListedTool::of(definition.clone(), rules));
                same.map_or_else(new, Arc::clone)
            })
            .collect();
        self.changes.fetch_add(1, Ordering::Release);
        true
    }

    /// Logs warnings about its tools, unless they were logged before.
    fn warn(&self, warnings: Vec<String>) {
        let mut known = self
            .warnings
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        for warning in warnings.iter().filter(|warning| !known.contains(warning)) {
            tracing::warn!(server = self.name, "{warning}");
        }
        *known = warnings;
    }

    /// The warnings about its tools.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let warnings = self.warnings.read().unwrap_or_else(PoisonError::into_inner);
        warnings.clone()
    }

    /// Stores which tools were left out; returns true if that has changed.
    fn leave_out(&self, left_out: Vec<McpLeftOut>) -> bool {
        let known = self.left_out.write();
        let mut known = known.unwrap_or_else(PoisonError::into_inner);
        if *known == left_out {
            return false;
        }
        for one in left_out.iter().filter(|one| !known.contains(one)) {
            tracing::warn!(server = self.name, "{one}");
        }
        *known = left_out;
        true
    }

    /// The tools that were left out.
    pub(crate) fn left_out(&self) -> Vec<McpLeftOut> {
        let left_out = self.left_out.read().unwrap_or_else(PoisonError::into_inner);
        left_out.clone()
    }
}

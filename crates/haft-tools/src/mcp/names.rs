//! One name per tool: where names collide, every one of them gets its server's name before it.
//!
//! Numbering the later one would make a name depend on which server was quicker or came first.
//! A name still depends on which servers run: alone, a tool has its plain name.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use haft_core::Tool;

use super::tool::McpTool;

/// `tools` with unique names that differ from `taken` ones too, in the same order. A tool whose
/// longer name collides again is left out with a warning.
pub(crate) fn unique(tools: &[Arc<McpTool>], taken: &[&str]) -> Vec<Arc<McpTool>> {
    let mut uses: HashMap<&str, usize> = HashMap::new();
    for name in taken
        .iter()
        .copied()
        .chain(tools.iter().map(|tool| tool.name()))
    {
        *uses.entry(name).or_default() += 1;
    }
    let mut names: HashSet<String> = taken.iter().map(|name| (*name).to_owned()).collect();
    let unique_names = tools
        .iter()
        .map(|tool| tool.name())
        .filter(|name| uses.get(name) == Some(&1));
    names.extend(unique_names.map(str::to_owned));
    let mut result = Vec::with_capacity(tools.len());
    for tool in tools {
        if uses.get(tool.name()) == Some(&1) {
            result.push(Arc::clone(tool));
            continue;
        }
        let prefixed = tool.prefixed();
        if names.insert(prefixed.name().to_owned()) {
            result.push(Arc::new(prefixed));
        } else {
            tracing::warn!(
                tool = prefixed.name(),
                "MCP tool left out: its name is taken"
            );
        }
    }
    result
}

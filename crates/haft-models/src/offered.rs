//! Which of the bound tools a request offers, and under which names.
//!
//! A leaf: the adapters, `bound.rs`, `quoted.rs`, `text_mode.rs` and `tool_choice.rs` use it.

use std::sync::Arc;

use haft_core::{Tool, ToolChoice};

pub(crate) fn name_of(tool: &Arc<dyn Tool>) -> &str {
    tool.lc_name().unwrap_or_else(|| tool.name())
}

/// The positions of the bound tools that a request offers: all, none, or only the named one.
pub(crate) fn offered(tools: &[Arc<dyn Tool>], choice: &ToolChoice) -> Vec<usize> {
    let wanted = |tool: &Arc<dyn Tool>| match choice {
        ToolChoice::Auto | ToolChoice::OneOrNone | ToolChoice::Required => true,
        ToolChoice::None => false,
        ToolChoice::Tool(name) => name == name_of(tool) || name == tool.name(),
    };
    let positions = tools.iter().enumerate();
    positions
        .filter(|(_, tool)| wanted(tool))
        .map(|(position, _)| position)
        .collect()
}

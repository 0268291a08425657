//! How the tools of a question are chosen; the choice itself is in `selection.rs` of the crate.

use haft_select::ToolGroups;

/// How the tools of a question are chosen.
///
/// Known tools, such as those of Z-Wave, Home Assistant and Playwright, are bound by the intent of
/// the question, all others by how well they match it. A small set of tools is always bound whole,
/// and so are all tools when the intent is uncertain. Within a conversation tools are only added,
/// so that the server's prompt cache stays valid.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ToolSelection {
    /// The tools of each intent.
    pub tool_groups: ToolGroups,
    /// Adds the tool `search_tools`, with which a capable model finds the other tools.
    pub search_tools: bool,
}

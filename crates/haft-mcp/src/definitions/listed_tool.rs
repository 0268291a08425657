//! A tool from a server's list, with the processed definition for models.

use crate::config::rules::ToolRules;
use crate::definitions::definition::Definition;
use crate::definitions::output_schema::OutputSchema;

/// A tool that a server lists. It has no reference to the server, so that the server can own it.
#[derive(Debug)]
pub(crate) struct ListedTool {
    /// The server's unchanged definition, with which changes are detected.
    pub(crate) listed: rmcp::model::Tool,
    /// The definition that models see.
    pub(crate) definition: Definition,
    /// The schema for its structured results.
    pub(crate) output: OutputSchema,
}

impl ListedTool {
    /// Processes a listed tool according to the rules in the server's entry.
    pub(crate) fn of(listed: rmcp::model::Tool, rules: &ToolRules) -> Self {
        let definition = Definition::of(&listed, rules);
        Self {
            output: OutputSchema::of(&definition),
            definition,
            listed,
        }
    }
}

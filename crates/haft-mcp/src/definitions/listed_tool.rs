//! One tool of a server's list, with what is made of it before a model sees it.

use crate::config::rules::ToolRules;
use crate::definitions::definition::Definition;
use crate::definitions::output_schema::OutputSchema;

/// A tool that a server lists. It does not know the server, so that the server can hold it.
#[derive(Debug)]
pub(crate) struct ListedTool {
    /// The tool in the server's own words, by which a change is noticed.
    pub(crate) listed: rmcp::model::Tool,
    /// What a model is shown of it.
    pub(crate) definition: Definition,
    /// What its structured results are held against.
    pub(crate) output: OutputSchema,
}

impl ListedTool {
    /// Makes a tool of what a server lists, by the rules of the server's entry.
    pub(crate) fn of(listed: rmcp::model::Tool, rules: &ToolRules) -> Self {
        let definition = Definition::of(&listed, rules);
        Self {
            output: OutputSchema::of(&definition),
            definition,
            listed,
        }
    }
}

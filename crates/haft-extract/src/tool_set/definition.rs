//! What an extractor is told about a tool.

use serde_json::Value;

/// A tool as an extractor needs to know it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ToolDefinition {
    /// Its name.
    pub name: String,
    /// JSON Schema of its arguments; `null` for none.
    pub parameters: Value,
    /// It changes nothing, so that a misspelt word may be guessed.
    pub read_only: bool,
    /// It may do harm, or a person is asked before it runs: its calls need a marker, or a reply of
    /// nothing but calls.
    pub destructive: bool,
}

impl ToolDefinition {
    /// A tool that may change something.
    #[must_use]
    pub fn new(name: impl Into<String>, parameters: Value) -> Self {
        Self {
            name: name.into(),
            parameters,
            read_only: false,
            destructive: false,
        }
    }

    /// Says whether the tool changes nothing.
    #[must_use]
    pub fn read_only(mut self, read_only: bool) -> Self {
        self.read_only = read_only;
        self
    }

    /// Says whether the tool may do harm.
    #[must_use]
    pub fn destructive(mut self, destructive: bool) -> Self {
        self.destructive = destructive;
        self
    }
}

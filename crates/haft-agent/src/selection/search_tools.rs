//! The tool `search_tools`: the tools that it finds are bound from the next round on.

use haft_core::{Tool, ToolAnnotations, ToolError, ToolErrorKind, ToolInput, ToolOutput};
use haft_select::{SearchTools, ToolSelector};
use serde_json::{Value, json};

/// Searches one set of tools.
#[derive(Debug)]
pub(super) struct SearchToolsTool {
    selector: ToolSelector,
    schema: Value,
}

impl SearchToolsTool {
    pub(super) fn new(selector: ToolSelector) -> Self {
        Self {
            selector,
            schema: SearchTools::schema(),
        }
    }
}

#[async_trait::async_trait]
impl Tool for SearchToolsTool {
    fn name(&self) -> &str {
        SearchTools::NAME
    }

    fn description(&self) -> &str {
        SearchTools::DESCRIPTION
    }

    fn schema(&self) -> &Value {
        &self.schema
    }

    fn annotations(&self) -> ToolAnnotations {
        ToolAnnotations {
            read_only: true,
            ..ToolAnnotations::default()
        }
    }

    async fn invoke(&self, input: ToolInput) -> Result<ToolOutput, ToolError> {
        let arguments = Value::Object(input.input);
        let found = SearchTools::answer(&self.selector, &arguments)
            .map_err(|problem| ToolError::of_kind(ToolErrorKind::InvalidArguments, problem))?;
        let tools = found
            .into_iter()
            .map(|tool| json!({"name": tool.name, "description": tool.description}));
        Ok(Value::Array(tools.collect()).into())
    }
}

//! Tools for tests: small, deterministic, and able to fail in every way.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use haft_core::{Arguments, Tool, ToolAnnotations, ToolError, ToolInput, ToolOutput};
use serde_json::{Value, json};

/// A tool that runs a function and records its inputs.
pub struct SpyTool {
    name: String,
    lc_name: Option<String>,
    description: String,
    schema: Value,
    annotations: ToolAnnotations,
    run: Box<dyn Fn(Arguments) -> Result<ToolOutput, ToolError> + Send + Sync>,
    seen: Mutex<Vec<ToolInput>>,
}

impl SpyTool {
    /// Creates a tool that accepts any arguments and returns the result of `run`.
    pub fn new(
        name: &str,
        run: impl Fn(Arguments) -> Result<ToolOutput, ToolError> + Send + Sync + 'static,
    ) -> Self {
        Self {
            name: name.to_owned(),
            lc_name: None,
            description: "A tool for tests".to_owned(),
            schema: json!({"type": "object"}),
            annotations: ToolAnnotations::default(),
            run: Box::new(run),
            seen: Mutex::new(Vec::new()),
        }
    }

    /// Sets the tool's second name.
    #[must_use]
    pub fn with_lc_name(mut self, lc_name: &str) -> Self {
        self.lc_name = Some(lc_name.to_owned());
        self
    }

    /// Sets the description.
    #[must_use]
    pub fn with_description(mut self, description: &str) -> Self {
        self.description = description.to_owned();
        self
    }

    /// Sets the schema of the arguments.
    #[must_use]
    pub fn with_schema(mut self, schema: Value) -> Self {
        self.schema = schema;
        self
    }

    /// Sets the annotations.
    #[must_use]
    pub fn with_annotations(mut self, annotations: ToolAnnotations) -> Self {
        self.annotations = annotations;
        self
    }

    /// The inputs of all calls so far.
    pub fn seen(&self) -> Vec<ToolInput> {
        self.seen
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

impl std::fmt::Debug for SpyTool {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("SpyTool")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

#[async_trait]
impl Tool for SpyTool {
    fn name(&self) -> &str {
        &self.name
    }

    fn lc_name(&self) -> Option<&str> {
        self.lc_name.as_deref()
    }

    fn description(&self) -> &str {
        &self.description
    }

    fn schema(&self) -> &Value {
        &self.schema
    }

    fn annotations(&self) -> ToolAnnotations {
        self.annotations
    }

    async fn invoke(&self, input: ToolInput) -> Result<ToolOutput, ToolError> {
        self.seen
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(input.clone());
        (self.run)(input.input)
    }
}

/// A tool with only a name and a second name; it returns "ok".
pub fn named_tool(name: &str, lc_name: Option<&str>) -> Arc<dyn Tool> {
    let mut tool = SpyTool::new(name, |_| Ok("ok".into()));
    tool.lc_name = lc_name.map(str::to_owned);
    Arc::new(tool)
}

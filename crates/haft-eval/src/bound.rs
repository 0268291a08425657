//! Stub tools for the cases of a dataset: each answers "ok" and does nothing.

use std::sync::Arc;

use async_trait::async_trait;
use haft_core::{Tool, ToolAnnotations, ToolError, ToolInput, ToolOutput};
use serde_json::Value;

use crate::case::StubDefinition;

/// The answer of a stub. Short, and not to be mistaken for a failure.
const RESULT: &str = "ok";

/// A tool that does nothing.
#[derive(Debug)]
struct Stub(Arc<StubDefinition>);

pub(crate) fn stub(definition: &Arc<StubDefinition>) -> Arc<dyn Tool> {
    Arc::new(Stub(definition.clone()))
}

#[async_trait]
impl Tool for Stub {
    fn name(&self) -> &str {
        &self.0.name
    }

    fn description(&self) -> &str {
        &self.0.description
    }

    fn schema(&self) -> &Value {
        &self.0.parameters
    }

    fn annotations(&self) -> ToolAnnotations {
        ToolAnnotations {
            read_only: self.0.read_only,
            ..ToolAnnotations::default()
        }
    }

    async fn invoke(&self, _: ToolInput) -> Result<ToolOutput, ToolError> {
        Ok(RESULT.into())
    }
}

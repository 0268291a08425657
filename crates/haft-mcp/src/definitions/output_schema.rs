//! Validates structured results against the schema that the tool promised.
//!
//! An invalid result is still a result: the model receives it with a note, and so does a program
//! that reads the artifact.

use std::sync::{Arc, OnceLock};

use haft_core::ToolOutput;
use haft_schema::CompiledSchema;
use serde_json::Value;

use crate::definitions::definition::Definition;

/// The field of the artifact that describes the mismatch.
const MISMATCH: &str = "outputSchemaMismatch";

/// The schema that a tool promised for its structured results, if any.
#[derive(Debug)]
pub(crate) struct OutputSchema {
    tool: String,
    schema: Option<Value>,
    /// Compiled at the first result, because most tools are never called.
    compiled: OnceLock<Option<Arc<CompiledSchema>>>,
}

impl OutputSchema {
    pub(crate) fn of(definition: &Definition) -> Self {
        Self {
            tool: definition.name.clone(),
            schema: definition.output.clone(),
            compiled: OnceLock::new(),
        }
    }

    /// `output`, with a note about the mismatch if it does not fit.
    pub(crate) fn checked(&self, mut output: ToolOutput) -> ToolOutput {
        let Some(schema) = self.compiled() else {
            return output;
        };
        let artifact = output.artifact.as_mut().and_then(Value::as_object_mut);
        let Some(artifact) = artifact else {
            return output;
        };
        let Some(structured) = artifact.get("structuredContent") else {
            return output;
        };
        let Err(violations) = schema.validate_value(structured) else {
            return output;
        };
        let what = violations.to_string();
        tracing::warn!(
            tool = self.tool,
            what,
            "structured result does not fit its schema"
        );
        artifact.insert(MISMATCH.to_owned(), Value::String(what.clone()));
        if let Value::String(text) = &mut output.value {
            let note = format!("[The data of this result is not as the tool promises: {what}]");
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(&note);
        }
        output
    }

    fn compiled(&self) -> Option<&CompiledSchema> {
        let compile = || {
            let compiled = CompiledSchema::shared(self.schema.as_ref()?);
            compiled
                .inspect_err(|error| {
                    tracing::warn!(tool = self.tool, %error, "output schema not usable");
                })
                .ok()
        };
        self.compiled.get_or_init(compile).as_deref()
    }
}

#[cfg(test)]
mod tests;

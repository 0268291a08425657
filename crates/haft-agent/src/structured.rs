//! Structured answers: the final answer as JSON that follows a schema.
//!
//! A schema and tools in one request make small models invent the data instead of calling the
//! tools (`ollama/ollama#8095`), so tools come first and the schema in a round of its own. The
//! draft of the answer is dropped: a conversation that ends with the model's own text would make
//! it continue that text. The driver asks; [`AnswerSchema`] says for what, and judges the reply.

use std::sync::Arc;

use haft_core::{AiMessage, CallOptions, ToolChoice};
use haft_schema::CompiledSchema;
use serde_json::Value;

use crate::error::{AgentError, AgentErrorKind};
use crate::model_requests::is_cut;

/// The schema of an answer, ready to validate.
#[derive(Debug)]
pub(crate) struct AnswerSchema {
    schema: Arc<Value>,
    compiled: CompiledSchema,
}

impl AnswerSchema {
    pub(crate) fn new(schema: Arc<Value>) -> Result<Self, AgentError> {
        let compiled = CompiledSchema::new(&schema).map_err(|error| {
            AgentError::new(
                AgentErrorKind::Configuration,
                format!("The schema is not usable: {error}"),
            )
            .with_hint(error.hint())
        })?;
        Ok(Self { schema, compiled })
    }

    /// The options of a request for the answer.
    pub(crate) fn options(&self, raise_max_tokens: bool) -> CallOptions {
        CallOptions {
            tool_choice: ToolChoice::None,
            response_schema: Some(self.schema.clone()),
            raise_max_tokens,
            ..CallOptions::default()
        }
    }

    /// The reply as data, or the problem with it as a sentence without a full stop.
    pub(crate) fn read(&self, reply: &AiMessage) -> Result<Value, String> {
        let text = reply.content.text();
        let value: Value =
            serde_json::from_str(text.trim()).map_err(|error| match is_cut(reply) {
                true => "The answer was cut off at the token limit".to_owned(),
                false => format!("The answer is not JSON ({error})"),
            })?;
        self.compiled
            .validate_value(&value)
            .map_err(|violations| format!("The answer does not fit the schema: {violations}"))?;
        Ok(value)
    }
}

/// The error of a question whose answer does not fit in the end.
pub(crate) fn unusable_answer(problem: String, reply: &AiMessage) -> AgentError {
    AgentError::new(AgentErrorKind::StructuredOutput, problem)
        .with_hint("try a larger model, a simpler schema or more rounds")
        .with_detail(reply.content.text())
}

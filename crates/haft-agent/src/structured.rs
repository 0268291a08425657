//! The final answer as data.
//!
//! A schema and tools in one request make small models invent the data instead of calling the
//! tools (`ollama/ollama#8095`), so tools come first, freely, and the schema in a turn of its
//! own. The free draft of that answer is dropped: the schema turn continues from the tool
//! results, and a conversation that ends with the model's own words would ask it for more of
//! the same.

use haft_core::{AiMessage, Answer, CallOptions, Message, ToolChoice};
use haft_schema::CompiledSchema;
use serde_json::Value;

use crate::error::{AgentError, AgentErrorKind};
use crate::run::Run;

impl Run {
    /// Asks for the answer in the shape of the schema, and once more if it does not fit.
    pub(crate) async fn structured_answer(&mut self) -> Result<Answer, AgentError> {
        let Some(schema) = self.shared.options.response_schema.clone() else {
            let kind = AgentErrorKind::Configuration;
            return Err(AgentError::new(kind, "There is no schema for the answer"));
        };
        let compiled = CompiledSchema::new(&schema).map_err(|error| {
            AgentError::new(
                AgentErrorKind::Configuration,
                format!("The schema is not usable: {error}"),
            )
            .with_hint(error.hint())
        })?;
        let mut first = true;
        loop {
            let options = CallOptions {
                tool_choice: ToolChoice::None,
                response_schema: Some(schema.clone()),
                ..CallOptions::default()
            };
            let may_retry = std::mem::take(&mut first) && !self.is_last_round();
            let reply = self.exchange(options).await?;
            self.settle(&reply).await;
            let fitting = fitting(&compiled, &reply);
            self.judge_first_reply(fitting.is_ok());
            match fitting {
                Ok(value) => {
                    self.append_without_tools(&reply).await;
                    let mut answer = self.answer(&reply.content, self.outcome());
                    answer.structured = Some(value);
                    return Ok(answer);
                }
                Err(problem) if may_retry => {
                    self.append_without_tools(&reply).await;
                    let request =
                        format!("{problem}. Answer again with JSON that fits the schema.");
                    self.append(Message::human(request)).await;
                }
                Err(problem) => {
                    return Err(AgentError::new(AgentErrorKind::StructuredOutput, problem)
                        .with_hint("try a larger model, a simpler schema or more rounds")
                        .with_detail(reply.content.text()));
                }
            }
        }
    }

    async fn append_without_tools(&mut self, reply: &AiMessage) {
        self.append(reply.clone().into()).await;
        self.refuse_calls(reply, "only the answer is wanted now")
            .await;
    }
}

/// The reply as data, or what is wrong with it in one sentence without a full stop.
fn fitting(schema: &CompiledSchema, reply: &AiMessage) -> Result<Value, String> {
    let text = reply.content.text();
    let value: Value = serde_json::from_str(text.trim())
        .map_err(|error| format!("The answer is not JSON ({error})"))?;
    schema
        .validate_value(&value)
        .map_err(|violations| format!("The answer does not fit the schema: {violations}"))?;
    Ok(value)
}

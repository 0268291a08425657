//! How often a random pick would be right: what a small model has to beat.
//!
//! A routed model chooses only between a few prepared calls, so part of its success is due to the
//! preparation. [`chance`] runs a case with a model that picks blindly in its place.

use std::sync::Arc;

use async_trait::async_trait;
use haft_core::{
    AiMessage, Arguments, CallOptions, ChatChunk, ChatModel, ChatStream, Message, ModelError, Tool,
    ToolCall, ToolChoice, generate,
};
use serde_json::Value;

use crate::case::Case;
use crate::error::EvalError;
use crate::runner::{EvalOptions, run_with};
use crate::statistics::Random;

/// The number of random runs of a case.
const RUNS: u64 = 16;

/// The share of random runs of a case that are correct, from 0 to 1. `model` is replaced; the agent
/// treats both alike.
pub(crate) async fn chance(
    case: &Case,
    model: &dyn ChatModel,
    options: &EvalOptions,
) -> Result<f64, EvalError> {
    let mut right = 0_u32;
    for seed in 0..RUNS {
        let picker = Arc::new(RandomModel {
            name: model.id().to_owned(),
            parameters: model.parameters(),
            tools: Vec::new(),
            seed,
        });
        let result = run_with(case, picker, options).await?;
        right += u32::from(result.recovered.is_right());
    }
    Ok(f64::from(right) / RUNS as f64)
}

/// A model that picks one of the bound tools, or none, and one of the allowed values for each
/// required parameter.
#[derive(Debug)]
struct RandomModel {
    name: String,
    parameters: Option<u64>,
    tools: Vec<Arc<dyn Tool>>,
    seed: u64,
}

impl RandomModel {
    fn reply(&self, choice: &ToolChoice) -> AiMessage {
        let mut random = Random::new(self.seed);
        let with_none = usize::from(*choice == ToolChoice::OneOrNone);
        let picked = match choice {
            ToolChoice::None => None,
            _ => self.tools.get(random.below(self.tools.len() + with_none)),
        };
        let Some(tool) = picked else {
            return AiMessage::new("I do not know.");
        };
        let args = arguments(tool.schema(), &mut random);
        let call = ToolCall::new(tool.name(), Value::Object(args), "call_1");
        AiMessage::new("").with_tool_calls([call])
    }
}

/// A random allowed value for each required parameter that has a list of them.
fn arguments(schema: &Value, random: &mut Random) -> Arguments {
    let required = schema.get("required").and_then(Value::as_array);
    let names = required.into_iter().flatten().filter_map(Value::as_str);
    names
        .filter_map(|name| {
            let property = schema.get("properties")?.get(name)?;
            let values = property.get("enum")?.as_array()?;
            let value = values.get(random.below(values.len()))?;
            Some((name.to_owned(), value.clone()))
        })
        .collect()
}

#[async_trait]
impl ChatModel for RandomModel {
    fn id(&self) -> &str {
        &self.name
    }

    fn bind_tools(&self, tools: &[Arc<dyn Tool>]) -> Result<Arc<dyn ChatModel>, ModelError> {
        Ok(Arc::new(Self {
            name: self.name.clone(),
            parameters: self.parameters,
            tools: tools.to_vec(),
            seed: self.seed,
        }))
    }

    fn parameters(&self) -> Option<u64> {
        self.parameters
    }

    fn stream(&self, _: &[Message], options: &CallOptions) -> ChatStream {
        let reply = self.reply(&options.tool_choice);
        generate(move |emitter| async move {
            emitter.emit(ChatChunk::Done(reply)).await;
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests;

//! Words -> intents, without acting on them: the calls that the local command engine would make.
//!
//! The name of an intent is that of a tool, its entities are the arguments.

use std::sync::Arc;

use haft_core::{CallOptions, ChatModel, Message, Tool, ToolCall};
use haft_models::Builtin;
use serde_json::{Value, json};

use crate::wyoming::Event;
use crate::{VoiceError, VoiceErrorKind};

/// The local command engine, with the tools among which it chooses.
#[derive(Debug)]
pub(super) struct Recogniser {
    model: Arc<dyn ChatModel>,
}

impl Recogniser {
    pub(super) fn new(tools: &[Arc<dyn Tool>]) -> Result<Self, VoiceError> {
        let model = Builtin::new()
            .bind_tools(tools)
            .map_err(|error| VoiceError::new(VoiceErrorKind::Configuration, error.to_string()))?;
        Ok(Self { model })
    }

    /// The events that answer `recognize`.
    pub(super) async fn recognise(&self, text: &str) -> Vec<Event> {
        let question = [Message::human(text)];
        let reply = self.model.invoke(&question, &CallOptions::default()).await;
        let calls = reply.map(|reply| reply.tool_calls).unwrap_or_default();
        match calls.as_slice() {
            [] => {
                let sorry = "No command was recognised.";
                vec![Event::new("not-recognized").with("text", sorry)]
            }
            [call] => vec![intent(call)],
            calls => {
                let mut events = vec![Event::new("intents-start")];
                events.extend(calls.iter().map(intent));
                events.push(Event::new("intents-stop"));
                events
            }
        }
    }
}

fn intent(call: &ToolCall) -> Event {
    let entity = |(name, value): (&String, &Value)| json!({ "name": name, "value": value });
    let entities: Vec<Value> = call.args.iter().map(entity).collect();
    Event::new("intent")
        .with("name", call.name.as_str())
        .with("entities", entities)
}

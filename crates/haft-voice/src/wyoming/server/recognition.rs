//! Recognizes the intents of a text without executing them: the calls that the local command engine
//! would make.
//!
//! The name of an intent is the name of a tool, its entities are the arguments.

use haft_agent::Agent;
use haft_command::Builtin;
use haft_core::{CallOptions, ChatModel, Message, ModelError, ToolCall};
use serde_json::{Value, json};

use crate::wyoming::protocol::Event;

/// The local command engine with the tools of an agent.
#[derive(Debug)]
pub(super) struct IntentRecognizer {
    agent: Agent,
}

impl IntentRecognizer {
    pub(super) fn new(agent: Agent) -> Self {
        Self { agent }
    }

    /// The events that answer `recognize`.
    pub(super) async fn recognize(&self, text: &str) -> Vec<Event> {
        let calls = self.calls(text).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "no intent can be recognised");
            Vec::new()
        });
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

    /// The calls that the engine would make with the current tools.
    async fn calls(&self, text: &str) -> Result<Vec<ToolCall>, ModelError> {
        let before = self.agent.executor();
        let executor = before.refreshed(true).unwrap_or(before);
        let model = Builtin::new().bind_tools(executor.tools().get_tools())?;
        let question = [Message::human(text)];
        let reply = model.invoke(&question, &CallOptions::default()).await?;
        Ok(reply.tool_calls)
    }
}

fn intent(call: &ToolCall) -> Event {
    let entity = |(name, value): (&String, &Value)| json!({ "name": name, "value": value });
    let entities: Vec<Value> = call.args.iter().map(entity).collect();
    Event::new("intent")
        .with("name", call.name.as_str())
        .with("entities", entities)
}

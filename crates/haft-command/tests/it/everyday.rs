//! What people say at home, with the real tools and the demo home: what each sentence changes, and
//! what is said.
//!
//! Each line of `corpus/everyday.txt` is a conversation of its own, in a home of its own.

use std::collections::BTreeMap;
use std::sync::Arc;

use haft_command::Builtin;
use haft_core::{
    AiMessage, CallOptions, ChatModel, Message, StopReason, Tool, ToolInput, ToolMessage,
};
use haft_zwave::{Home, zwave_tools};
use serde_json::Value;

use super::corpus::lines;

const EVERYDAY: &str = include_str!("corpus/everyday.txt");

/// A home and the tools of `haft ask --home demo`.
struct House {
    tools: Vec<Arc<dyn Tool>>,
    engine: Arc<dyn ChatModel>,
}

impl House {
    fn new() -> Self {
        let mut tools = vec![haft_tools::get_current_datetime()];
        tools.extend(zwave_tools(Home::demo()));
        let engine = Builtin::new().bind_tools(&tools).unwrap();
        Self { tools, engine }
    }

    async fn run(&self, tool: &str, arguments: Value) -> Result<(String, Option<Value>), String> {
        let tool = self.tools.iter().find(|known| known.name() == tool);
        let input = ToolInput::from(arguments.as_object().unwrap().clone());
        let output = tool.unwrap().invoke(input).await;
        let output = output.map_err(|error| error.message().to_owned())?;
        Ok((output.value.as_str().unwrap().to_owned(), output.artifact))
    }

    /// The state of each device, a thermostat's as its target.
    async fn states(&self) -> BTreeMap<String, String> {
        let listed = self.run("list_devices", serde_json::json!({"limit": 100}));
        let artifact = listed.await.unwrap().1.unwrap();
        let devices = artifact["devices"].as_array().unwrap().clone();
        let state = |device: &Value| match (&device["target"], &device["level"], &device["on"]) {
            (target, _, Value::Bool(true)) if target.is_number() => {
                target.as_f64().unwrap().to_string()
            }
            (_, level, Value::Bool(true)) if level.is_number() => {
                format!("on at {level} percent")
            }
            _ => device["state"].as_str().unwrap().to_owned(),
        };
        let named = |device: &Value| (device["name"].as_str().unwrap().to_owned(), state(device));
        devices.iter().map(named).collect()
    }

    /// The last reply to `text`, after all calls.
    async fn ask(&self, text: &str) -> AiMessage {
        let mut messages = vec![Message::human(text)];
        for _ in 0..6 {
            let options = CallOptions::default();
            let reply = self.engine.invoke(&messages, &options).await.unwrap();
            if reply.tool_calls.is_empty() {
                return reply;
            }
            let calls = reply.tool_calls.clone();
            messages.push(reply.into());
            for call in calls {
                let result = self.run(&call.name, Value::Object(call.args)).await;
                let result = match result {
                    Ok((text, artifact)) => ToolMessage {
                        artifact,
                        ..ToolMessage::success(text, call.id)
                    },
                    Err(text) => ToolMessage::error(&text, call.id),
                };
                messages.push(result.into());
            }
        }
        panic!("the engine does not come to an end with {text:?}");
    }
}

/// The devices whose state is another one after `text` than before, with that state, and the reply.
async fn played(text: &str) -> (Vec<String>, AiMessage) {
    let house = House::new();
    let before = house.states().await;
    let reply = house.ask(text).await;
    let after = house.states().await;
    let changed = after
        .iter()
        .filter(|(name, state)| before[*name] != **state)
        .map(|(name, state)| format!("{name}: {state}"));
    (changed.collect(), reply)
}

#[tokio::test]
async fn what_people_say_is_done_or_plainly_refused() {
    assert!(lines(EVERYDAY).count() >= 150);
    let mut wrong = Vec::new();
    for line in lines(EVERYDAY) {
        let parts: Vec<&str> = line.split(" => ").collect();
        let [text, changes, part] = parts.as_slice() else {
            panic!("{line}");
        };
        let mut expected: Vec<&str> = match *changes {
            "nothing" => Vec::new(),
            changes => changes.split(", ").collect(),
        };
        expected.sort_unstable();
        let (changed, reply) = played(text).await;
        let said = reply.content.text();
        let is_said = match *part {
            "refused" => reply.stop_reason == Some(StopReason::Declined),
            part => said.contains(part),
        };
        if changed != expected || !is_said {
            wrong.push(format!(
                "{text:?}\n   changed {changed:?}\n   not     {expected:?}\n   said {said:?}\n   not  {part:?}"
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of them\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

//! Tools that do nothing but have the right shape, and a conversation around the engine.

use std::sync::Arc;

use haft_core::{
    AiMessage, CallOptions, ChatModel, Message, Tool, ToolAnnotations, ToolError, ToolInput,
    ToolMessage, ToolOutput,
};
use serde_json::{Value, json};

use haft_command::Builtin;

#[derive(Debug)]
pub(super) struct Shape {
    name: &'static str,
    description: &'static str,
    schema: Value,
    read_only: bool,
}

#[async_trait::async_trait]
impl Tool for Shape {
    fn name(&self) -> &str {
        self.name
    }

    fn description(&self) -> &str {
        self.description
    }

    fn schema(&self) -> &Value {
        &self.schema
    }

    fn annotations(&self) -> ToolAnnotations {
        ToolAnnotations {
            read_only: self.read_only,
            ..ToolAnnotations::default()
        }
    }

    async fn invoke(&self, _: ToolInput) -> Result<ToolOutput, ToolError> {
        Err("never called".into())
    }
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "tables of `json!` read better"
)]
/// A tool with these properties; those whose name ends in `*` are required.
pub(super) fn tool(
    name: &'static str,
    description: &'static str,
    properties: Value,
) -> Arc<dyn Tool> {
    let mut required = Vec::new();
    let mut named = serde_json::Map::new();
    for (key, schema) in properties.as_object().unwrap() {
        let plain = key.trim_end_matches('*');
        if plain != key {
            required.push(plain.to_owned());
        }
        named.insert(plain.to_owned(), schema.clone());
    }
    let schema = json!({"type": "object", "properties": named, "required": required});
    let read_only = !name.contains("control") && !name.contains("set") && !name.contains("turn");
    let read_only = read_only && !name.starts_with("Hass") && !name.contains("lock");
    Arc::new(Shape {
        name,
        description,
        schema,
        read_only,
    })
}

pub(super) fn clock() -> Arc<dyn Tool> {
    tool(
        "get_current_datetime",
        "Get the current date and time.",
        json!({"timezone": {"type": "string"}}),
    )
}

pub(super) fn zwave() -> Vec<Arc<dyn Tool>> {
    let name = json!({"type": "string"});
    vec![
        tool(
            "list_zwave_devices",
            "List the smart home devices.",
            json!({"includeInactive": {"type": "boolean"}, "filter": {"type": "string"}}),
        ),
        tool(
            "list_devices",
            "List all smart home devices in detail.",
            json!({"limit": {"type": "integer"}, "offset": {"type": "integer"}}),
        ),
        tool(
            "verify_device",
            "Check that a device exists.",
            json!({"deviceName*": name}),
        ),
        tool(
            "control_zwave_device",
            "Control a smart home device. On a thermostat, \"on\" with level sets the target. On a lock, \"on\" locks.",
            json!({
                "deviceName*": name,
                "action*": {"type": "string", "enum": ["on", "off", "dim"]},
                "level": {"type": "integer", "minimum": 0, "maximum": 100},
            }),
        ),
        tool(
            "get_device_sensor_data",
            "Read a sensor.",
            json!({"deviceName*": name}),
        ),
        tool("check_zwave_health", "Check the system.", json!({})),
    ]
}

/// The engine with the clock and the six Z-Wave tools.
pub(super) fn home() -> Arc<dyn ChatModel> {
    let mut tools = zwave();
    tools.push(clock());
    bound(&tools)
}

pub(super) fn bound(tools: &[Arc<dyn Tool>]) -> Arc<dyn ChatModel> {
    Builtin::new().bind_tools(tools).unwrap()
}

pub(super) async fn ask(model: &Arc<dyn ChatModel>, messages: &[Message]) -> AiMessage {
    model
        .invoke(messages, &CallOptions::default())
        .await
        .unwrap()
}

/// The calls of the first round, as `name {arguments}`.
pub(super) async fn calls(model: &Arc<dyn ChatModel>, text: &str) -> Vec<String> {
    let reply = ask(model, &[Message::human(text)]).await;
    let calls = reply.tool_calls.iter();
    calls
        .map(|call| format!("{} {}", call.name, Value::Object(call.args.clone())))
        .collect()
}

/// Runs a whole turn in which each call is answered by `results`; gives the last text and the
/// calls of every round.
pub(super) async fn turn(
    model: &Arc<dyn ChatModel>,
    text: &str,
    results: impl Fn(&str, &Value) -> ToolOutput2,
) -> (String, Vec<usize>) {
    let mut messages = vec![Message::human(text)];
    let mut rounds = Vec::new();
    for _ in 0..6 {
        let reply = ask(model, &messages).await;
        if reply.tool_calls.is_empty() {
            return (reply.content.text(), rounds);
        }
        rounds.push(reply.tool_calls.len());
        let calls = reply.tool_calls.clone();
        messages.push(reply.into());
        for call in calls {
            let arguments = Value::Object(call.args.clone());
            let message = match results(&call.name, &arguments) {
                Ok((text, artifact)) => ToolMessage {
                    artifact: Some(artifact).filter(|artifact| !artifact.is_null()),
                    ..ToolMessage::success(text, call.id)
                },
                Err(text) => ToolMessage::error(&text, call.id),
            };
            messages.push(message.into());
        }
    }
    panic!("the engine does not come to an end: {rounds:?}");
}

/// Text and artifact, or an error.
pub(super) type ToolOutput2 = Result<(String, Value), String>;

/// What the real tools would say on Sunday, 22 November 2026, 04:45 UTC, in a small home.
pub(super) fn world(tool: &str, arguments: &Value) -> ToolOutput2 {
    let ok = |text: &str, artifact: Value| Ok((text.to_owned(), artifact));
    match tool {
        "get_current_datetime" => match arguments["timezone"].as_str() {
            None => ok(
                "It is 04:45 on Sunday, 22 November 2026 (UTC).",
                json!({"iso8601": "2026-11-22T04:45:00+00:00", "date": "2026-11-22", "time": "04:45", "timezone": "UTC", "utc_offset": "+00:00", "place": null}),
            ),
            Some("Tokyo") => ok(
                "It is 13:45 in Tokyo on Sunday, 22 November 2026 (Asia/Tokyo).",
                json!({"iso8601": "2026-11-22T13:45:00+09:00", "date": "2026-11-22", "time": "13:45", "timezone": "Asia/Tokyo", "utc_offset": "+09:00", "place": "Tokyo"}),
            ),
            Some("Berlin") => ok(
                "It is 05:45 in Berlin on Sunday, 22 November 2026 (Europe/Berlin).",
                json!({"iso8601": "2026-11-22T05:45:00+01:00", "date": "2026-11-22", "time": "05:45", "timezone": "Europe/Berlin", "utc_offset": "+01:00", "place": "Berlin"}),
            ),
            Some(place) => Err(format!(
                "I do not know the place \"{place}\". Did you mean Tokyo?"
            )),
        },
        "list_devices" => ok("Showing 5 of 5 devices:", devices()),
        "control_zwave_device" => {
            let name = arguments["deviceName"].as_str().unwrap();
            let known = devices()["devices"].as_array().unwrap().clone();
            let device = known
                .iter()
                .find(|device| device["name"].as_str().unwrap().eq_ignore_ascii_case(name));
            let Some(device) = device else {
                return Err(format!(
                    "I find no device named \"{name}\". Did you mean Kitchen Light?"
                ));
            };
            let state = match arguments["action"].as_str().unwrap() {
                "dim" => format!("at {} percent", arguments["level"]),
                action => action.to_owned(),
            };
            let name = device["name"].as_str().unwrap();
            Ok((
                format!("{name} is now {state}."),
                json!({"device": {"name": name, "state": state}}),
            ))
        }
        "verify_device" => {
            let wanted = arguments["deviceName"].as_str().unwrap().to_lowercase();
            let known = devices()["devices"].as_array().unwrap().clone();
            let found = known.iter().filter(|device| {
                device["name"]
                    .as_str()
                    .unwrap()
                    .to_lowercase()
                    .contains(&wanted)
            });
            let found: Vec<_> = found.cloned().collect();
            match found.as_slice() {
                [] => Ok((
                    format!("There is no device named {wanted}."),
                    json!({"exists": false}),
                )),
                [one] => Ok(("Yes.".to_owned(), json!({"exists": true, "device": one}))),
                more => Ok((
                    "Which?".to_owned(),
                    json!({"exists": false, "devices": more}),
                )),
            }
        }
        "get_device_sensor_data" => ok(
            "Living Room Temperature is 21.5 °C, read just now.",
            json!({"device": {"name": "Living Room Temperature", "state": "21.5 °C", "value": 21.5, "unit": "°C"}}),
        ),
        other => Err(format!("no {other}")),
    }
}

pub(super) fn devices() -> Value {
    json!({"devices": [
        {"name": "Kitchen Light", "location": "Kitchen", "type": "switch", "state": "off", "on": false, "online": true},
        {"name": "Reading Light", "location": "Living Room", "type": "dimmer", "state": "on", "on": true, "level": 30, "online": true},
        {"name": "Hallway Lamp", "location": "Hallway", "type": "switch", "state": "on", "on": true, "online": true},
        {"name": "Coffee Machine", "location": "Kitchen", "type": "switch", "state": "on", "on": true, "online": true},
        {"name": "Front Door Lock", "location": "Hallway", "type": "lock", "state": "locked", "online": true},
        {"name": "Front Door Sensor", "location": "Hallway", "type": "sensor", "quantity": "contact", "state": "closed", "value": "closed", "online": true},
        {"name": "Living Room Temperature", "location": "Living Room", "type": "sensor", "quantity": "temperature", "state": "21.5 °C", "value": 21.5, "unit": "°C", "online": true},
    ]})
}

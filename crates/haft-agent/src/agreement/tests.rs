use haft_testing::SpyTool;
use serde_json::json;

use super::*;

fn tool(name: &str, schema: Value) -> Arc<dyn Tool> {
    let tool = SpyTool::new(name, |_| Ok("".into())).with_schema(schema);
    Arc::new(tool)
}

fn control() -> Arc<dyn Tool> {
    tool(
        "control_device",
        json!({
            "properties": {
                "deviceName": {"type": "string"},
                "action": {"type": "string", "enum": ["on", "off", "dim", "open", "close", "lock", "unlock"]},
                "level": {"type": "integer"},
            },
            "required": ["deviceName", "action"],
        }),
    )
}

fn list() -> Arc<dyn Tool> {
    tool(
        "list_devices",
        json!({"properties": {
            "filter": {"type": "string"},
            "limit": {"type": "integer", "default": 10},
            "state": {"type": "string", "enum": ["on", "off"]},
        }}),
    )
}

fn clock() -> Arc<dyn Tool> {
    tool(
        "get_time",
        json!({"properties": {"place": {"type": "string"}, "when": {"type": "string"}}}),
    )
}

fn judge(question: &str, tool: &Arc<dyn Tool>, args: Value) -> Result<(), Disagreement> {
    let call = ToolCall::new(tool.name(), args, "1");
    Said::new(question, &[]).agrees(&call, tool.as_ref())
}

fn does(device: &str, action: &str) -> Value {
    json!({"deviceName": device, "action": action})
}

#[test]
fn calls_with_what_was_said_agree() {
    let control = control();
    for (question, args) in [
        ("Turn on the kitchen light", does("Kitchen Light", "on")),
        ("turn the kitchen lights on", does("kitchen_light", "on")),
        ("Turn off the ktchen light", does("kitchen light", "off")),
        ("Shut the garage door", does("Garage Door", "close")),
        ("Unlock the front door", does("front door", "unlock")),
        (
            "Open the living room blinds",
            does("livingroom blinds", "open"),
        ),
        (
            "Dim the hall lamp to forty five percent",
            json!({"deviceName": "hall lamp", "action": "dim", "level": 45}),
        ),
        (
            "Set the hall lamp to 40%",
            json!({"deviceName": "Hall Lamp", "action": "dim", "level": 40}),
        ),
        (
            "Turn on the hall lamp and turn off the desk lamp",
            does("desk lamp", "off"),
        ),
        ("Turn off the desk lamp and the fan", does("fan", "off")),
    ] {
        assert_eq!(judge(question, &control, args), Ok(()), "{question}");
    }
    let list = list();
    for (question, args) in [
        ("Which lights are on?", json!({"state": "on", "limit": 10})),
        (
            "Show the first 5 devices in the attic",
            json!({"filter": "attic", "limit": 5}),
        ),
        ("What devices are there?", json!({})),
    ] {
        assert_eq!(judge(question, &list, args), Ok(()), "{question}");
    }
    let clock = clock();
    for (question, args) in [
        (
            "What time is it in Nairobi?",
            json!({"place": "Africa/Nairobi"}),
        ),
        (
            "What is the date in New York tomorrow?",
            json!({"place": "America/New_York", "when": "2026-11-26"}),
        ),
        ("Time in Tokio?", json!({"place": "Tokyo"})),
    ] {
        assert_eq!(judge(question, &clock, args), Ok(()), "{question}");
    }
}

#[test]
fn calls_with_opposite_or_unsaid_values_disagree() {
    let control = control();
    for (question, args) in [
        ("Turn off the kitchen light", does("kitchen light", "on")),
        ("Lock the front door", does("front door", "unlock")),
        ("Unlock the front door", does("front door", "lock")),
        ("Open the blinds", does("blinds", "close")),
        ("Turn on the kitchen light", does("bedroom light", "on")),
        ("Turn on the light", does("deviceName", "on")),
        ("Turn on the light", does("string", "on")),
        (
            "Turn on the hall lamp and turn off the desk lamp",
            does("desk lamp", "on"),
        ),
        (
            "Turn on the hall lamp",
            json!({"deviceName": "hall lamp", "action": "on", "level": 50}),
        ),
        (
            "Dim the hall lamp to 40 percent",
            json!({"deviceName": "hall lamp", "action": "dim", "level": 60}),
        ),
    ] {
        assert!(judge(question, &control, args).is_err(), "{question}");
    }
    let list = list();
    for (question, args) in [
        ("Which lights are on?", json!({"state": "off"})),
        ("Which lights are on?", json!({"filter": "deviceName"})),
        ("Which lights are on?", json!({"limit": 3})),
    ] {
        assert!(judge(question, &list, args).is_err(), "{question}");
    }
    let clock = clock();
    assert!(
        judge(
            "What time is it in Nairobi?",
            &clock,
            json!({"place": "Tokyo"})
        )
        .is_err()
    );
    let switch = tool(
        "HassTurnOff",
        json!({"properties": {"name": {"type": "string"}}}),
    );
    let lamp = json!({"name": "hall lamp"});
    assert!(judge("Turn on the hall lamp", &switch, lamp.clone()).is_err());
    assert_eq!(judge("Turn off the hall lamp", &switch, lamp), Ok(()));
    let flag = tool("switch", json!({"properties": {"on": {"type": "boolean"}}}));
    assert!(judge("Switch it on", &flag, json!({"on": false})).is_err());
    assert_eq!(judge("Switch it on", &flag, json!({"on": true})), Ok(()));
}

#[test]
fn earlier_results_are_known() {
    let control = control();
    let listed = Message::from(haft_core::ToolMessage::success(
        "- Attic Fan: level 70",
        "0",
    ));
    let args = json!({"deviceName": "Attic Fan", "action": "off", "level": 70});
    let call = ToolCall::new("control_device", args, "1");
    let question = "Turn it off";
    assert!(
        Said::new(question, &[])
            .agrees(&call, control.as_ref())
            .is_err()
    );
    let said = Said::new(question, &[listed]);
    assert_eq!(said.agrees(&call, control.as_ref()), Ok(()));
}

#[test]
fn names_of_the_schema_are_no_values() {
    let tools = [control(), list()];
    let found = |question: &str, args: Value| {
        let call = ToolCall::new("control_device", args, "1");
        placeholder(&call, &tools, question)
    };
    let of_device = Some("deviceName".to_owned());
    assert_eq!(found("Turn it on", does("deviceName", "on")), of_device);
    assert_eq!(found("Turn it on", does("list_devices", "on")), of_device);
    assert_eq!(found("Turn it on", does("level", "on")), of_device);
    assert_eq!(found("Turn it on", does("<deviceName>", "on")), of_device);
    assert_eq!(found("Turn it on", does("string", "on")), of_device);
    // A word that people use, of another tool; and one that the user said.
    assert_eq!(found("Turn it on", does("filter", "on")), None);
    assert_eq!(found("Turn on the level", does("level", "on")), None);
    assert_eq!(found("Turn on the light", does("light", "on")), None);
}

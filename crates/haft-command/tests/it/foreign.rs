//! Tools of other makers: Home Assistant's, and what people write themselves.

use serde_json::{Value, json};

use super::support::{bound, calls, tool, turn};

fn text() -> Value {
    json!({"type": "string"})
}

fn home_assistant() -> Vec<std::sync::Arc<dyn haft_core::Tool>> {
    let place =
        json!({"name": text(), "area": text(), "domain": {"type": "array", "items": text()}});
    let with = |extra: Value| {
        let mut place = place.clone();
        place
            .as_object_mut()
            .unwrap()
            .extend(extra.as_object().unwrap().clone());
        place
    };
    vec![
        tool(
            "HassTurnOn",
            "Turns on/opens/presses a device or entity. For locks, this performs a 'lock' action.",
            place.clone(),
        ),
        tool(
            "HassTurnOff",
            "Turns off/closes a device or entity. For locks, this performs an 'unlock' action.",
            place.clone(),
        ),
        tool(
            "HassLightSet",
            "Sets the brightness or color of a light",
            with(json!({"brightness": {"type": "integer", "minimum": 0, "maximum": 100}})),
        ),
        tool(
            "HassClimateSetTemperature",
            "Sets the target temperature of a climate device",
            json!({"temperature*": {"type": "number"}, "name": text(), "area": text()}),
        ),
        tool(
            "GetLiveContext",
            "Provides real-time information about devices.",
            json!({}),
        ),
    ]
}

#[tokio::test]
async fn home_assistant_is_spoken() {
    let model = bound(&home_assistant());
    for (sentence, expected) in [
        (
            "turn on the kitchen light",
            r#"HassTurnOn {"name":"kitchen light"}"#,
        ),
        ("turn off the TV", r#"HassTurnOff {"name":"TV"}"#),
        (
            "dim the lamp to 40%",
            r#"HassLightSet {"name":"lamp","brightness":40}"#,
        ),
        (
            "set the thermostat to 21 degrees",
            r#"HassClimateSetTemperature {"temperature":21}"#,
        ),
        (
            "set the bedroom heater to 19.5 degrees",
            r#"HassClimateSetTemperature {"name":"bedroom heater","temperature":19.5}"#,
        ),
        ("lock the front door", r#"HassTurnOn {"name":"front door"}"#),
        (
            "unlock the front door",
            r#"HassTurnOff {"name":"front door"}"#,
        ),
        (
            "turn off all the lights in the kitchen",
            r#"HassTurnOff {"area":"kitchen","domain":["light"]}"#,
        ),
        ("which lights are on?", "GetLiveContext {}"),
        ("is the kitchen light on?", "GetLiveContext {}"),
    ] {
        assert_eq!(calls(&model, sentence).await, [expected], "{sentence}");
    }
}

#[tokio::test]
async fn home_assistants_context_is_read() {
    let context = "Live Context: An overview\n- names: Kitchen Light\n  domain: light\n  state: 'on'\n  areas: Kitchen\n- names: Desk Lamp\n  domain: light\n  state: 'off'\n";
    let world = |_: &str, _: &Value| {
        Ok((
            json!({"success": true, "result": context}).to_string(),
            Value::Null,
        ))
    };
    let model = bound(&home_assistant());
    let (said, _) = turn(&model, "which lights are on?", world).await;
    assert_eq!(said, "Kitchen Light is on.");
    let (said, _) = turn(&model, "is the desk lamp on?", world).await;
    assert_eq!(said, "No, Desk Lamp is off.");
    let (said, _) = turn(&model, "is the attic lamp on?", world).await;
    assert_eq!(said, "I know no device called \"attic lamp\".");
    let done = |_: &str, _: &Value| {
        let result = json!({"speech": {}, "response_type": "action_done", "data": {"success": [], "failed": []}});
        Ok((result.to_string(), Value::Null))
    };
    let (said, _) = turn(&model, "turn on the desk lamp", done).await;
    assert_eq!(said, "Done: desk lamp, on.");
}

#[tokio::test]
async fn slots_are_filled_from_the_schema() {
    let action = |choices: &[&str]| json!({"type": "string", "enum": choices});
    let integer = json!({"type": "integer"});
    for (made, sentence, expected) in [
        (
            tool(
                "set_light",
                "Set a light",
                json!({"light*": action(&["kitchen", "bedroom"]), "state*": action(&["ON", "OFF"])}),
            ),
            "turn on the kitchen light",
            r#"set_light {"light":"kitchen","state":"ON"}"#,
        ),
        (
            tool(
                "set_device_power",
                "Switch a device",
                json!({"device_name*": text(), "on*": {"type": "boolean"}}),
            ),
            "turn off the fan",
            r#"set_device_power {"device_name":"fan","on":false}"#,
        ),
        (
            tool("turn_on", "Turn a device on", json!({"entity_id*": text()})),
            "switch on the desk lamp",
            r#"turn_on {"entity_id":"desk lamp"}"#,
        ),
        (
            tool(
                "set_brightness",
                "Brightness of a light",
                json!({"entity*": text(), "brightness*": {"type": "integer", "maximum": 255}}),
            ),
            "dim the desk lamp to 40%",
            r#"set_brightness {"entity":"desk lamp","brightness":102}"#,
        ),
        (
            tool(
                "set_lock",
                "Lock or unlock a door lock",
                json!({"device*": text(), "action*": action(&["lock", "unlock"])}),
            ),
            "unlock the front door",
            r#"set_lock {"device":"front door","action":"unlock"}"#,
        ),
        (
            tool(
                "control_device",
                "Control a device",
                json!({"device*": text(), "action*": action(&["turn_on", "turn_off", "set_level"]), "level": integer}),
            ),
            "set the lamp to half",
            r#"control_device {"device":"lamp","action":"set_level","level":50}"#,
        ),
        (
            tool(
                "get_current_time",
                "Get current time in a specific timezone",
                json!({"timezone*": text()}),
            ),
            "what time is it in tokyo",
            r#"get_current_time {"timezone":"Asia/Tokyo"}"#,
        ),
    ] {
        assert_eq!(
            calls(&bound(&[made]), sentence).await,
            [expected],
            "{sentence}"
        );
    }
}

#[tokio::test]
async fn a_tool_that_does_not_fit_is_not_called() {
    let choices = json!({"type": "string", "enum": ["kitchen", "bedroom"]});
    for (made, sentence) in [
        (
            tool(
                "set_light",
                "Set a light",
                json!({"light*": choices, "state*": {"type": "boolean"}}),
            ),
            "turn on the porch light",
        ),
        (
            tool(
                "create_set",
                "Add a user",
                json!({"name*": text(), "state*": text()}),
            ),
            "turn on the lamp",
        ),
        (
            tool(
                "set_light",
                "Set a light",
                json!({"light*": text(), "state*": text(), "room*": text()}),
            ),
            "turn on the lamp",
        ),
        (
            tool("list_files", "List files", json!({})),
            "list my devices",
        ),
        (
            tool(
                "convert_time",
                "Convert time between zones",
                json!({"timezone*": text(), "time*": text()}),
            ),
            "what time is it in Oslo",
        ),
        (
            tool("search_web", "Search the web", json!({"query*": text()})),
            "turn on the lamp",
        ),
    ] {
        assert!(
            calls(&bound(&[made]), sentence).await.is_empty(),
            "{sentence}"
        );
    }
}

#[tokio::test]
async fn the_reference_time_server_is_understood() {
    let made = tool(
        "get_current_time",
        "Get current time in a specific timezone",
        json!({"timezone*": text()}),
    );
    let world = |_: &str, _: &Value| {
        let result = json!({"timezone": "Asia/Tokyo", "datetime": "2026-11-22T13:45:00+09:00", "is_dst": false});
        Ok((result.to_string(), Value::Null))
    };
    let model = bound(&[made]);
    let (said, _) = turn(&model, "what time is it in Tokyo?", world).await;
    assert_eq!(said, "It is 13:45 in Tokyo.");
    let (said, _) = turn(&model, "what day is it tomorrow?", world).await;
    assert_eq!(said, "Tomorrow is Monday, 23 November 2026.");
}

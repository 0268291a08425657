use haft_core::{ToolAnnotations, ToolInput};
use serde_json::json;

use super::*;
use crate::zwave_tools;

fn device(name: &str, kind: DeviceKind) -> Device {
    Device {
        key: name.to_owned(),
        name: name.to_owned(),
        location: "Hallway".to_owned(),
        kind,
        quantity: None,
        state: "off".to_owned(),
        on: None,
        level: None,
        value: None,
        unit: None,
        target: None,
        online: true,
        last_seen: None,
    }
}

#[test]
fn locks_heating_and_alarms_have_a_high_impact_and_lights_do_not() {
    let table = [
        ("Front", DeviceKind::Lock, true),
        ("Hallway", DeviceKind::Thermostat, true),
        ("Kitchen Light", DeviceKind::Switch, false),
        ("Coffee Machine", DeviceKind::Switch, false),
        ("Bedroom Lamp", DeviceKind::Dimmer, false),
        ("Siren", DeviceKind::Switch, true),
        ("Alarm-Anlage", DeviceKind::Switch, true),
        ("Bathroom HEATER", DeviceKind::Switch, true),
        ("Garage Door", DeviceKind::Switch, true),
        ("Garage Light", DeviceKind::Switch, false),
        ("Front Door Lights", DeviceKind::Dimmer, false),
        ("Alarm Status", DeviceKind::Sensor, false),
        ("Wohnungstür", DeviceKind::Switch, true),
        ("Garagentor", DeviceKind::Switch, true),
        ("Fußbodenheizung", DeviceKind::Switch, true),
        ("Chauffage du salon", DeviceKind::Switch, true),
        ("Puerta principal", DeviceKind::Switch, true),
        ("Cancello", DeviceKind::Switch, true),
        ("Garagenlicht", DeviceKind::Switch, false),
        ("Ventilator", DeviceKind::Switch, false),
        ("Monitor", DeviceKind::Switch, false),
    ];
    for (name, kind, expected) in table {
        assert_eq!(of_device(&device(name, kind)), expected, "{name}");
    }
}

async fn is_destructive(tool: &str, arguments: serde_json::Value) -> bool {
    let of_call = annotations_in(Home::demo(), tool, arguments).await.unwrap();
    of_call.destructive
}

async fn annotations_in(
    home: Home,
    tool: &str,
    arguments: serde_json::Value,
) -> Result<ToolAnnotations, ToolError> {
    let tools = zwave_tools(home);
    let tool = tools.iter().find(|found| found.name() == tool).unwrap();
    let input = ToolInput::from(arguments.as_object().unwrap().clone());
    let of_call = tool.annotations_of(&input).await?;
    assert_eq!(of_call.read_only, tool.annotations().read_only);
    Ok(of_call)
}

#[tokio::test]
async fn the_impact_depends_on_the_device_of_the_call() {
    let control = "control_zwave_device";
    for (name, expected) in [
        ("front door", true),
        ("the front door lock", true),
        ("THERMOSTAT", true),
        ("heating", true),
        ("kitchen light", false),
        ("light", false),
        ("no such thing", false),
    ] {
        let arguments = json!({"deviceName": name, "action": "off"});
        assert_eq!(is_destructive(control, arguments).await, expected, "{name}");
    }
    assert!(!is_destructive(control, json!({"action": "off"})).await);
    let reading = json!({"deviceName": "front door lock"});
    assert!(!is_destructive("get_device_sensor_data", reading).await);
}

#[tokio::test]
async fn an_unreachable_home_is_reported_without_asking_for_approval() {
    // No server listens on the discard port.
    let home = Home::server("ws://127.0.0.1:9").unwrap();
    for name in ["kitchen light", "front door", "fan"] {
        let arguments = json!({"deviceName": name, "action": "on"});
        let found = annotations_in(home.clone(), "control_zwave_device", arguments).await;
        let error = found.unwrap_err();
        assert!(error.message().contains("cannot be reached"), "{error}");
    }
}

#[tokio::test]
async fn an_effect_names_the_device_and_its_new_state() {
    let tools = zwave_tools(Home::demo());
    let table = [
        (
            json!({"deviceName": "front door", "action": "off"}),
            Some("unlock Front Door Lock"),
        ),
        (
            json!({"deviceName": "front door", "action": "unlock"}),
            Some("unlock Front Door Lock"),
        ),
        (
            json!({"deviceName": "hallway light", "action": "toggle"}),
            Some("turn off Hallway Light"),
        ),
        (
            json!({"deviceName": "front door", "action": "on"}),
            Some("lock Front Door Lock"),
        ),
        (
            json!({"deviceName": "kitchen light", "action": "on"}),
            Some("turn on Kitchen Light"),
        ),
        (json!({"deviceName": "no such thing", "action": "on"}), None),
        (
            json!({"deviceName": "front door", "action": "dim", "level": 3}),
            None,
        ),
        (
            json!({"deviceName": "thermostat", "action": "on", "level": 21}),
            Some("set Thermostat to 21 degrees"),
        ),
    ];
    for (arguments, expected) in table {
        let input = ToolInput::from(arguments.as_object().unwrap().clone());
        let found = tools[3].effect_of(&input).await;
        assert_eq!(found.as_deref(), expected, "{arguments}");
    }
    assert_eq!(tools[0].effect_of(&ToolInput::default()).await, None);
}

use jiff::Timestamp;
use serde_json::json;

use super::*;
use crate::device::Command;

fn network(nodes: &Value) -> Network {
    let raw = serde_json::value::to_raw_value(&json!({"state": {"nodes": nodes}})).unwrap();
    Network::read(&raw).unwrap()
}

fn value(class: u32, property: &str, value: &Value) -> Value {
    json!({"endpoint": 0, "commandClass": class, "property": property, "value": value})
}

fn names_and_states(network: &Network) -> Vec<(String, String)> {
    let devices = parts(network).iter().map(Part::device).collect::<Vec<_>>();
    let described = devices.iter().map(|device| {
        let about = device.quantity.as_deref().unwrap_or(device.kind.word());
        (
            device.name.clone(),
            format!("{about}: {}", device.condition()),
        )
    });
    described.collect()
}

fn pair(name: &str, what: &str) -> (String, String) {
    (name.to_owned(), what.to_owned())
}

#[test]
fn a_node_may_be_several_devices() {
    let mut second = value(37, "currentValue", &json!(true));
    second["endpoint"] = json!(2);
    let mut first = value(37, "currentValue", &json!(false));
    first["endpoint"] = json!(1);
    let network = network(
        &json!([{"nodeId": 8, "name": "Patio", "values": [first, second,
        value(49, "Power", &json!(3.5))]}]),
    );
    assert_eq!(
        names_and_states(&network),
        [
            pair("Patio Power", "power: 3.5"),
            pair("Patio 1", "switch: off"),
            pair("Patio 2", "switch: on"),
        ]
    );
}

#[test]
fn devices_with_equal_names_get_unique_names() {
    let switch = || value(37, "currentValue", &json!(true));
    let network = network(&json!([
        {"nodeId": 2, "name": "Lamp", "location": "Hall", "values": [switch()]},
        {"nodeId": 3, "name": "lamp", "location": "Hall", "values": [switch()]},
        {"nodeId": 4, "name": "Lamp", "location": "Attic", "values": [switch()]},
        {"nodeId": 5, "values": [switch()]},
        {"nodeId": 6, "name": "Remote control", "values": []},
    ]));
    let names: Vec<_> = names_and_states(&network)
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    assert_eq!(names, ["Lamp (node 2)", "lamp (node 3)", "Lamp", "Node 5"]);
}

#[test]
fn doors_and_motion_are_described_in_words() {
    let notification = |property: &str, key: &str, now: u32| {
        json!({"commandClass": 113, "property": property, "propertyKey": key, "value": now,
            "metadata": {"states": {"0": "idle", "2": "Smoke detected", "22": "Window/door is open"}}})
    };
    let network = network(&json!([
        {"nodeId": 2, "name": "Back Door", "values": [
            notification("Access Control", "Door state", 22),
            notification("Access Control", "Door state (simple)", 22)]},
        {"nodeId": 3, "name": "Stairs", "values": [
            notification("Home Security", "Motion sensor status", 0),
            value(49, "Illuminance", &json!(12)),
            notification("Home Security", "Cover status", 0)]},
        {"nodeId": 4, "name": "Attic", "values": [notification("Smoke Alarm", "Sensor status", 2)]},
        {"nodeId": 5, "name": "Gate", "values": [value(48, "Door/Window", &json!(false))]},
        {"nodeId": 6, "name": "Cellar", "values": [value(48, "Water", &json!(false))]},
        {"nodeId": 7, "name": "Bell", "values": [notification("System", "Hardware status", 0)]},
        {"nodeId": 9, "name": "New", "values": [{"commandClass": 49, "property": "Humidity"}]},
    ]));
    assert_eq!(
        names_and_states(&network),
        [
            pair("Back Door", "contact: open"),
            pair("Stairs Illuminance", "illuminance: 12"),
            pair("Stairs Tampering", "tampering: no tampering"),
            pair("Stairs Motion", "motion: no motion"),
            pair("Attic", "smoke alarm: smoke detected"),
            pair("Gate", "contact: closed"),
            pair("Cellar", "water: no water"),
            pair("New", "humidity: unknown"),
        ]
    );
}

#[test]
fn a_thermostat_is_one_device_with_what_it_measures() {
    let mut cooling = value(67, "setpoint", &json!(75));
    cooling["propertyKey"] = json!(2);
    cooling["metadata"] = json!({"unit": "°F"});
    let mut heating = value(67, "setpoint", &json!(68));
    heating["propertyKey"] = json!(1);
    heating["metadata"] = json!({"unit": "°F"});
    let mut mode = value(64, "mode", &json!(2));
    mode["metadata"] = json!({"states": {"0": "Off", "1": "Heat", "2": "Cool"}});
    let nodes = json!([{"nodeId": 4, "name": "Thermostat", "values": [mode, heating, cooling,
        value(37, "currentValue", &json!(true)), value(49, "Humidity", &json!(40))]}]);
    let mut network = network(&nodes);
    assert_eq!(
        names_and_states(&network),
        [
            pair("Thermostat Humidity", "humidity: 40"),
            pair("Thermostat", "thermostat: on, set to 75 °F"),
        ]
    );
    let writes = |network: &Network, command| {
        let part = parts(network).pop().unwrap();
        let writes = part.to_write(command).into_iter();
        writes
            .map(|(id, value)| (id.property, id.key, value))
            .collect::<Vec<_>>()
    };
    let mode = |mode: u64| ("mode".to_owned(), None, json!(mode));
    let setpoint =
        |key, target: f64| ("setpoint".to_owned(), Some(Key::Number(key)), json!(target));
    // It continues to cool, with the setpoint for cooling.
    assert_eq!(writes(&network, Command::On), [mode(2)]);
    assert_eq!(
        writes(&network, Command::Target(70.0)),
        [mode(2), setpoint(2, 70.0)]
    );
    let id = ValueId::new(0, class::THERMOSTAT_MODE, "mode");
    let node = network.nodes.get_mut(&4).unwrap();
    node.report(&id, Some(json!(0)), Timestamp::UNIX_EPOCH);
    assert_eq!(
        writes(&network, Command::Target(70.0)),
        [mode(1), setpoint(1, 70.0)]
    );
    assert_eq!(writes(&network, Command::Off), [mode(0)]);
}

#[test]
fn a_thermostat_without_modes_is_always_on() {
    let mut setpoint = value(67, "setpoint", &json!(20));
    setpoint["propertyKey"] = json!(1);
    let network = network(&json!([{"nodeId": 4, "name": "Radiator", "values": [setpoint]}]));
    let part = &parts(&network)[0];
    assert_eq!(part.device().condition(), "on, set to 20");
    assert_eq!(part.to_poll().len(), 1);
    assert!(part.to_write(Command::Off).is_empty());
    assert_eq!(part.to_write(Command::Target(18.0)).len(), 1);
}

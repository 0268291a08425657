use serde_json::json;

use super::*;

#[test]
fn a_measured_value_has_no_trailing_zeros() {
    assert_eq!(with_unit(&json!(21.0), Some("°C")), "21 °C");
    assert_eq!(with_unit(&json!(21.5), Some("°C")), "21.5 °C");
    assert_eq!(with_unit(&json!(58), Some("%")), "58 %");
    assert_eq!(with_unit(&json!("closed"), None), "closed");
}

#[test]
fn the_json_form_has_the_keys_that_programs_read() {
    let device = Device {
        key: String::new(),
        name: "Bedroom Light".to_owned(),
        location: "Bedroom".to_owned(),
        kind: DeviceKind::Dimmer,
        quantity: None,
        state: "on".to_owned(),
        on: Some(true),
        level: Some(40),
        value: None,
        unit: None,
        target: None,
        online: true,
        last_seen: Some("2026-05-03T10:00:00Z".parse().unwrap()),
    };
    assert_eq!(
        serde_json::to_value(device).unwrap(),
        json!({
            "name": "Bedroom Light", "location": "Bedroom", "type": "dimmer", "state": "on",
            "on": true, "level": 40, "online": true, "lastSeen": "2026-05-03T10:00:00Z",
        })
    );
}

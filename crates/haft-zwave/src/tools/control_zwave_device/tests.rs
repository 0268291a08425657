use haft_core::{ToolErrorKind, ToolInput};

use super::*;

async fn call(home: &Home, arguments: Value) -> Result<ToolOutput, ToolError> {
    let input = ToolInput::from(arguments.as_object().unwrap().clone());
    run(home, &InputReader::new(&input)).await
}

async fn sentence(home: &Home, name: &str, action: &str, level: Option<u32>) -> String {
    let arguments = json!({"deviceName": name, "action": action, "level": level});
    match call(home, arguments).await {
        Ok(output) => output.value.as_str().unwrap().to_owned(),
        Err(error) => format!("{:?}: {error}", error.kind()),
    }
}

/// Name, action, level, and the expected sentence.
type Row = (&'static str, &'static str, Option<u32>, &'static str);

async fn check(rows: &[Row]) {
    let home = Home::demo();
    for (name, action, level, expected) in rows {
        assert_eq!(sentence(&home, name, action, *level).await, *expected);
    }
}

#[tokio::test]
async fn a_switch_goes_on_and_off_only() {
    check(&[
        ("kitchen light", "on", None, "Kitchen Light is now on."),
        ("kitchen light", "on", Some(100), "Kitchen Light is now on."),
        ("the kitchen lights", "OFF", None, "Kitchen Light is now off."),
        (
            "kitchen light",
            "dim",
            Some(40),
            "InvalidArguments: Kitchen Light is a switch: it can be turned on or off, nothing else.",
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_dimmer_takes_levels_up_to_99() {
    check(&[
        (
            "bedroom light",
            "dim",
            Some(25),
            "Bedroom Light is now at 25 percent.",
        ),
        (
            "bedroom light",
            "dim",
            Some(99),
            "Bedroom Light is now at 99 percent.",
        ),
        (
            "bedroom light",
            "dim",
            Some(100),
            "Bedroom Light is now at 99 percent, its maximum.",
        ),
        (
            "bedroom light",
            "on",
            Some(70),
            "Bedroom Light is now at 70 percent.",
        ),
        (
            "bedroom light",
            "off",
            Some(50),
            "Bedroom Light is now off.",
        ),
        (
            "bedroom light",
            "on",
            None,
            "Bedroom Light is now on at 70 percent.",
        ),
        ("bedroom light", "dim", Some(0), "Bedroom Light is now off."),
        (
            "bedroom light",
            "on",
            Some(0),
            "Bedroom Light is now on at 70 percent.",
        ),
        (
            "bedroom light",
            "dim",
            None,
            "InvalidArguments: To dim a device, say the level: a whole number from 0 to 100.",
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_thermostat_is_switched_and_set() {
    check(&[
        (
            "thermostat",
            "off",
            None,
            "Thermostat is now off, measuring 20.5 °C.",
        ),
        (
            "heating",
            "on",
            None,
            "Thermostat is now on, set to 21 °C, measuring 20.5 °C.",
        ),
        (
            "thermostat",
            "on",
            Some(19),
            "Thermostat is now on, set to 19 °C, measuring 20.5 °C.",
        ),
        (
            "thermostat",
            "on",
            Some(36),
            "InvalidArguments: Thermostat cannot be set to 36 degrees, only from 5 to 35.",
        ),
        (
            "thermostat",
            "dim",
            Some(20),
            "InvalidArguments: Thermostat is a thermostat: it can be turned on or off, or on with the \
             target temperature as level, nothing else.",
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_lock_locks_and_unlocks_and_a_sensor_takes_no_command() {
    check(&[
        (
            "front door",
            "off",
            None,
            "Front Door Lock is now unlocked.",
        ),
        ("front door", "on", None, "Front Door Lock is now locked."),
        (
            "front door lock",
            "dim",
            Some(1),
            "InvalidArguments: Front Door Lock is a lock: it can be locked and unlocked, nothing else.",
        ),
        (
            "hallway motion",
            "on",
            None,
            "InvalidArguments: Hallway Motion is a sensor: it can be read, not controlled.",
        ),
    ])
    .await;
}

#[tokio::test]
async fn unsupported_requests_are_explained() {
    check(&[
        (
            "kitchn light",
            "on",
            None,
            "Failed: I could not find a device called \"kitchn light\". Did you mean Kitchen Light?",
        ),
        (
            "living room light",
            "on",
            None,
            "Failed: \"living room light\" could be Living Room Lamp or Reading Light. Which one \
             do you mean?",
        ),
        (
            "bathroom",
            "on",
            None,
            "Failed: \"bathroom\" is not the name of a device. Do you mean Bathroom Humidity?",
        ),
        (
            "kitchen light",
            "blink",
            None,
            "InvalidArguments: The action must be on, off, dim, lock, unlock, toggle, open or close, \
             not \"blink\".",
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_lock_locks_and_what_is_switched_toggles() {
    let home = Home::demo();
    for (device, action, expected) in [
        ("front door", "unlock", "Front Door Lock is now unlocked."),
        ("front door", "LOCK", "Front Door Lock is now locked."),
        ("kitchen light", "toggle", "Kitchen Light is now on."),
        ("kitchen light", "toggle", "Kitchen Light is now off."),
    ] {
        assert_eq!(sentence(&home, device, action, None).await, expected);
    }
    for (device, action) in [
        ("front door", "open"),
        ("front door", "toggle"),
        ("kitchen light", "lock"),
        ("bedroom light", "open"),
        ("thermostat", "close"),
        ("hallway motion", "toggle"),
    ] {
        let refused = sentence(&home, device, action, None).await;
        assert!(refused.starts_with("InvalidArguments: "), "{refused}");
    }
}

#[tokio::test]
async fn a_cover_opens_and_closes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("home.json");
    let blind = json!({"devices": [{"name": "Bedroom Blind", "location": "Bedroom",
        "type": "dimmer", "on": false, "level": 1}]});
    std::fs::write(&path, blind.to_string()).unwrap();
    let home = Home::demo_file(&path).unwrap();
    let said = sentence(&home, "bedroom blind", "open", None).await;
    assert_eq!(said, "Bedroom Blind is now open.");
    let said = sentence(&home, "bedroom blind", "close", None).await;
    assert_eq!(said, "Bedroom Blind is now closed.");
}

#[tokio::test]
async fn an_offline_device_is_reported_and_not_changed() {
    let home = Home::demo();
    let answer = sentence(&home, "balcony light", "on", None).await;
    assert!(
        answer.starts_with("Failed: Balcony Light is offline and was last seen at "),
        "{answer}"
    );
    assert!(answer.ends_with(". Nothing was changed."), "{answer}");
    let devices = home.devices().await.unwrap();
    let lamp = devices
        .iter()
        .find(|device| device.name == "Balcony Light")
        .unwrap();
    assert_eq!(lamp.on, Some(false));
}

#[tokio::test]
async fn the_artifact_is_the_device_as_it_reads_back() {
    let home = Home::demo();
    let arguments = json!({"deviceName": "bedroom light", "action": "dim", "level": 100});
    let artifact = call(&home, arguments).await.unwrap().artifact.unwrap();
    let device = &artifact["device"];
    assert_eq!(
        (&device["name"], &device["on"], &device["level"]),
        (&json!("Bedroom Light"), &json!(true), &json!(99))
    );
}

#[tokio::test]
async fn missing_arguments_are_errors() {
    let home = Home::demo();
    for (arguments, expected) in [
        (
            json!({"action": "on"}),
            "The deviceName is missing. Say which device you mean.",
        ),
        (
            json!({"deviceName": "x"}),
            "The action is missing. It must be on, off, dim, lock, unlock, toggle, open or close.",
        ),
    ] {
        let error = call(&home, arguments).await.unwrap_err();
        assert_eq!(
            (error.kind(), error.message()),
            (ToolErrorKind::InvalidArguments, expected)
        );
    }
}

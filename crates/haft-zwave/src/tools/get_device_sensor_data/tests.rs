use jiff::SignedDuration;

use super::*;
use crate::device::DeviceKind;

fn sensor(now: Timestamp, age: Option<i64>, online: bool) -> Device {
    Device {
        key: String::new(),
        name: "Bath Humidity".to_owned(),
        location: "Bath".to_owned(),
        kind: DeviceKind::Sensor,
        quantity: Some("humidity".to_owned()),
        state: "58 %".to_owned(),
        on: None,
        level: None,
        value: Some(json!(58)),
        unit: Some("%".to_owned()),
        target: None,
        online,
        last_seen: age.map(|age| now - SignedDuration::from_secs(age)),
    }
}

fn sensor_reading(age: Option<i64>, online: bool) -> (String, Value) {
    let now = Timestamp::now();
    let output = reading(&sensor(now, age, online), "house", now);
    (
        output.value.as_str().unwrap().to_owned(),
        output.artifact.unwrap(),
    )
}

#[test]
fn a_reading_has_value_unit_source_age_and_time() {
    let (text, artifact) = sensor_reading(Some(40), true);
    assert!(
        text.starts_with("Bath Humidity is 58 %, read 40 seconds ago at "),
        "{text}"
    );
    assert!(text.ends_with(". Source: house."), "{text}");
    assert_eq!(artifact["value"], 58);
    assert_eq!(artifact["unit"], "%");
    assert_eq!(artifact["source"], "house");
    assert_eq!(artifact["ageSeconds"], 40);
    assert_eq!(artifact["timestamp"], artifact["device"]["lastSeen"]);
    assert_eq!(artifact["stale"], false);
}

#[test]
fn a_reading_is_stale_after_five_minutes() {
    assert_eq!(sensor_reading(Some(300), true).1["stale"], false);
    let (text, artifact) = sensor_reading(Some(301), true);
    assert_eq!(artifact["stale"], true);
    assert!(text.ends_with("This reading may be out of date."), "{text}");
}

#[test]
fn an_offline_device_has_its_last_known_state() {
    let (text, artifact) = sensor_reading(Some(20), false);
    assert_eq!(artifact["stale"], true);
    assert!(
        text.ends_with("The device is offline, so this is its last known state."),
        "{text}"
    );
}

#[test]
fn a_device_that_never_reported_has_no_age() {
    let (text, artifact) = sensor_reading(None, true);
    assert_eq!(
        text,
        "Bath Humidity is 58 %. Source: house. This reading may be out of date."
    );
    assert_eq!(artifact["ageSeconds"], Value::Null);
}

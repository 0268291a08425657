use serde_json::json;

use super::*;

fn home(devices: &Value) -> DemoState {
    serde_json::from_value(json!({ "devices": devices })).unwrap()
}

fn time(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

#[test]
fn a_dimmer_remembers_its_level_while_it_is_off() {
    let mut home = home(&json!([{"name": "D", "location": "R", "type": "dimmer"}]));
    let mut apply = |command| {
        assert!(home.apply("D", command, time(0)));
        let device = home.report(time(0)).remove(0);
        (device.on.unwrap(), device.level.unwrap())
    };
    assert_eq!(apply(Command::Level(40)), (true, 40));
    assert_eq!(apply(Command::Off), (false, 0));
    assert_eq!(apply(Command::On), (true, 40));
    assert_eq!(apply(Command::Level(200)), (true, 99));
}

#[test]
fn an_offline_device_does_not_change() {
    let mut home =
        home(&json!([{"name": "S", "location": "R", "type": "switch", "online": false}]));
    assert!(home.apply("S", Command::On, time(100)));
    let device = home.report(time(100)).remove(0);
    assert_eq!((device.on, device.last_seen), (Some(false), None));
}

#[test]
fn a_device_reports_at_its_interval_and_after_each_command() {
    let mut home = home(&json!([
        {"name": "S", "location": "R", "type": "switch", "reportSeconds": 600},
    ]));
    let seen = |home: &DemoState, now| home.report(time(now)).remove(0).last_seen.unwrap();
    assert_eq!(seen(&home, 1_199), time(600));
    assert_eq!(seen(&home, 1_200), time(1_200));
    home.apply("S", Command::On, time(1_300));
    assert_eq!(seen(&home, 1_350), time(1_300));
    assert_eq!(
        seen(&home, 1_250),
        time(1_200),
        "a command of the future is not yet known"
    );
}

#[test]
fn the_check_names_each_mistake() {
    let rows = [
        (
            json!({"name": " ", "location": "R", "type": "switch"}),
            "\"name\" is empty",
        ),
        (
            json!({"name": "X", "location": "", "type": "switch"}),
            "\"location\" is empty",
        ),
        (
            json!({"name": "a\nb", "location": "R", "type": "switch"}),
            "control character",
        ),
        (
            json!({"name": "x".repeat(65), "location": "R", "type": "switch"}),
            "longer than 64",
        ),
        (
            json!({"name": "X", "location": "R", "type": "switch", "level": 4}),
            "a switch has no \"level\"",
        ),
        (
            json!({"name": "X", "location": "R", "type": "lock", "on": true}),
            "a lock has no \"on\"",
        ),
        (
            json!({"name": "X", "location": "R", "type": "dimmer", "level": 0}),
            "from 1 to 99",
        ),
        (
            json!({"name": "X", "location": "R", "type": "dimmer", "level": 100}),
            "from 1 to 99",
        ),
        (
            json!({"name": "X", "location": "R", "type": "sensor"}),
            "needs a \"value\"",
        ),
        (
            json!({"name": "X", "location": "R", "type": "sensor", "value": []}),
            "a number or a text",
        ),
        (
            json!({"name": "X", "location": "R", "type": "switch", "reportSeconds": 0}),
            "1 or more",
        ),
    ];
    for (device, expected) in rows {
        let fault = home(&json!([device])).check().unwrap_err();
        assert!(fault.what.contains(expected), "{fault:?}");
    }
    let device = json!({"name": "X", "location": "R", "type": "switch"});
    let fault = home(&json!([device, device])).check().unwrap_err();
    assert_eq!(
        (fault.nth, fault.what.as_str()),
        (1, "in \"X\", another device has the same name")
    );
}

#[test]
fn a_home_has_at_most_232_devices() {
    let device = |number| json!({"name": format!("S{number}"), "location": "R", "type": "switch"});
    assert!(home(&(0..232).map(device).collect()).check().is_ok());
    assert!(home(&(0..233).map(device).collect()).check().is_err());
}

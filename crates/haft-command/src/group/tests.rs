use serde_json::json;

use super::*;
use crate::device::listed;
use haft_core::ToolMessage;

fn home() -> Vec<Listed> {
    let mut message = ToolMessage::success("", "1");
    message.artifact = Some(json!({"devices": [
        {"name": "Lamp", "location": "Hall", "type": "dimmer", "state": "on", "on": true, "level": 90},
        {"name": "Night Light", "location": "Hall", "type": "dimmer", "state": "off", "on": false, "level": 60},
        {"name": "Hall Light", "location": "Hall", "type": "switch", "state": "on", "on": true},
        {"name": "Porch Light", "location": "Porch", "type": "dimmer", "state": "on", "on": true, "level": 5, "online": false},
        {"name": "Thermostat", "location": "Hall", "type": "thermostat", "state": "on", "on": true, "target": 21.0},
    ]}));
    listed(&message)
}

fn done(name: &str, action: Action) -> Vec<(String, Action)> {
    let group = Group::of(home(), action, &Target::Named(name.to_owned()));
    let members = group.members.into_iter();
    members.map(|member| (member.name, member.action)).collect()
}

#[test]
fn what_is_relative_becomes_a_value() {
    for (name, action, expected) in [
        ("lamp", Action::Brighter(-20.0), Some(Action::Level(70.0))),
        ("lamp", Action::Brighter(20.0), Some(Action::Level(100.0))),
        ("lamp", Action::Brighter(-95.0), Some(Action::Level(1.0))),
        (
            "night light",
            Action::Brighter(20.0),
            Some(Action::Level(20.0)),
        ),
        ("night light", Action::Brighter(-20.0), None),
        ("hall light", Action::Brighter(20.0), None),
        ("hall light", Action::Toggle, Some(Action::Off)),
        ("night light", Action::Toggle, Some(Action::On)),
        (
            "hall thermostat",
            Action::Warmer(-2.0),
            Some(Action::Temperature(19.0)),
        ),
    ] {
        let done = done(name, action);
        let actions: Vec<Action> = done.iter().map(|(_, action)| *action).collect();
        assert_eq!(actions, Vec::from_iter(expected), "{name} {action:?}");
    }
}

#[test]
fn what_does_not_fit_is_left_out() {
    let lights = Target::All {
        kind: crate::intent::DeviceKind::Light,
        rooms: Vec::new(),
        except: Vec::new(),
    };
    let group = Group::of(home(), Action::Level(30.0), &lights);
    let names: Vec<&str> = group.members.iter().map(|m| m.name.as_str()).collect();
    assert_eq!(names, ["Lamp", "Night Light"]);
    assert_eq!(group.unfit, ["Hall Light"]);
    assert_eq!(group.offline, ["Porch Light"]);
    let group = Group::of(home(), Action::Off, &lights);
    assert_eq!((group.members.len(), group.unfit.len()), (3, 0));
}

#[test]
fn one_name_for_several_is_unclear() {
    let light = Target::Named("light".to_owned());
    let group = Group::of(home(), Action::Toggle, &light);
    assert_eq!(group.unclear, ["Night Light", "Hall Light"]);
    assert!(group.members.is_empty());
}

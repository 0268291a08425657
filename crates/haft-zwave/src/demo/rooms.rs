//! The default demo home: six rooms, fourteen devices, one of them offline.

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use super::state::{DemoDevice, DemoState};
use crate::device::DeviceKind::{self, Dimmer, Lock, Sensor, Switch, Thermostat};

/// The default home, with its last reports relative to `now`.
pub(super) fn default_home(now: Timestamp) -> DemoState {
    DemoState {
        devices: vec![
            switch("Kitchen Light", "Kitchen", false),
            switch("Coffee Machine", "Kitchen", false),
            dimmer("Living Room Lamp", "Living Room", false, 60),
            dimmer("Reading Light", "Living Room", true, 30),
            measure(
                "Living Room Temperature",
                "Living Room",
                Quantity::Temperature(21.5),
            ),
            dimmer("Bedroom Light", "Bedroom", true, 40),
            measure(
                "Bedroom Temperature",
                "Bedroom",
                Quantity::Temperature(18.5),
            ),
            switch("Hallway Light", "Hallway", true),
            DemoDevice {
                on: Some(true),
                target: Some(21.0),
                value: Some(Value::from(20.5)),
                unit: Some("°C".to_owned()),
                ..device("Thermostat", "Hallway", Thermostat)
            },
            detect("Hallway Motion", "Hallway", "motion", "no motion"),
            DemoDevice {
                locked: Some(true),
                ..device("Front Door Lock", "Hallway", Lock)
            },
            detect("Front Door Sensor", "Hallway", "contact", "closed"),
            measure("Bathroom Humidity", "Bathroom", Quantity::Humidity(58.0)),
            DemoDevice {
                online: Some(false),
                last_seen: Some(now - SignedDuration::from_hours(3)),
                ..switch("Balcony Light", "Balcony", false)
            },
        ],
    }
}

fn switch(name: &str, location: &str, on: bool) -> DemoDevice {
    DemoDevice {
        on: Some(on),
        ..device(name, location, Switch)
    }
}

fn dimmer(name: &str, location: &str, on: bool, level: u8) -> DemoDevice {
    DemoDevice {
        on: Some(on),
        level: Some(level),
        ..device(name, location, Dimmer)
    }
}

/// What a sensor measures, with its value.
#[derive(Clone, Copy)]
enum Quantity {
    /// In degrees Celsius.
    Temperature(f64),
    /// In percent.
    Humidity(f64),
}

fn measure(name: &str, location: &str, quantity: Quantity) -> DemoDevice {
    let (what, value, unit) = match quantity {
        Quantity::Temperature(degrees) => ("temperature", degrees, "°C"),
        Quantity::Humidity(percent) => ("humidity", percent, "%"),
    };
    DemoDevice {
        quantity: Some(what.to_owned()),
        value: Some(Value::from(value)),
        unit: Some(unit.to_owned()),
        ..device(name, location, Sensor)
    }
}

fn detect(name: &str, location: &str, what: &str, value: &str) -> DemoDevice {
    DemoDevice {
        quantity: Some(what.to_owned()),
        value: Some(Value::from(value)),
        ..device(name, location, Sensor)
    }
}

fn device(name: &str, location: &str, kind: DeviceKind) -> DemoDevice {
    DemoDevice {
        name: name.to_owned(),
        location: location.to_owned(),
        kind,
        quantity: None,
        on: None,
        level: None,
        target: None,
        value: None,
        unit: None,
        locked: None,
        online: None,
        last_seen: None,
        report_seconds: None,
    }
}

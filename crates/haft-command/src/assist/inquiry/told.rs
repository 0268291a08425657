//! Answers a question about devices from their states.

use haft_select::english::one_of;

use super::{Asked, Inquiry};
use crate::assist::home::{Device, Domain, Home};

/// The most devices that an answer lists one by one.
const MOST_TOLD: usize = 6;
/// States that say nothing.
const UNTOLD: &str = "unknown|unavailable|none|";

/// The answer to `inquiry` in the home as it is now.
pub(crate) fn told(inquiry: &Inquiry, home: &Home) -> String {
    let found = inquiry.devices(home);
    let value = |device: &&Device| value(&inquiry.asked, device);
    let known: Vec<(&Device, String)> = found
        .iter()
        .filter_map(|device| Some((*device, value(device)?)))
        .collect();
    if let (Asked::State(asked), [(device, state)]) = (&inquiry.asked, known.as_slice()) {
        let is_so = is_in(asked, device, device.state.as_deref().unwrap_or_default());
        let yes = if is_so { "Yes" } else { "No" };
        return format!("{yes}, {} is {state}.", device.name());
    }
    let sentences: Vec<String> = known
        .iter()
        .take(MOST_TOLD)
        .map(|(device, value)| format!("{} is {value}.", device.name()))
        .collect();
    if sentences.is_empty() {
        return format!("I cannot tell that of \"{}\".", inquiry.said);
    }
    sentences.join(" ")
}

/// What a device says to what is asked.
fn value(asked: &Asked, device: &Device) -> Option<String> {
    let is_told = |text: &&str| !one_of(&text.to_lowercase(), UNTOLD);
    let percent = |value: &str, full: f64| {
        let value: f64 = value.parse().ok()?;
        Some(format!("{} percent", (value * 100.0 / full).round()))
    };
    let own = || {
        let state = device.state.as_deref().filter(is_told)?;
        Some(match device.attribute("unit_of_measurement") {
            Some("%") => format!("{state}%"),
            Some(unit) => format!("{state} {unit}"),
            None => state.to_owned(),
        })
    };
    match asked {
        Asked::Measure("temperature") if device.domain == Domain::Climate => {
            let now = device.attribute("current_temperature").filter(is_told)?;
            Some(format!("at {now} degrees"))
        }
        Asked::Measure("brightness") => percent(device.attribute("brightness")?, 255.0),
        Asked::Measure("volume") => percent(device.attribute("volume_level")?, 1.0),
        Asked::Measure("position") => percent(device.attribute("current_position")?, 100.0),
        _ => own(),
    }
}

/// What a device is that is not in `state`.
pub(super) fn opposite(state: &str) -> &'static str {
    match state {
        "on" => "off",
        "off" | "running" => "on",
        "open" => "closed",
        "closed" => "open",
        "locked" => "unlocked",
        "unlocked" => "locked",
        _ => "",
    }
}

/// True when a device whose state is `state` is what people call `asked`.
pub(super) fn is_in(asked: &str, device: &Device, state: &str) -> bool {
    let class = device.attribute("device_class").unwrap_or_default();
    let is_contact =
        device.domain == Domain::Other && one_of(class, "door|window|garage_door|opening");
    match (asked, device.domain) {
        ("on" | "running", Domain::MediaPlayer) => {
            !one_of(state, "off|standby|unavailable|unknown")
        }
        ("on" | "running", Domain::Climate) => !one_of(state, "off|unavailable|unknown"),
        ("on" | "running", Domain::Vacuum) => one_of(state, "cleaning|on"),
        ("off", Domain::Vacuum) => !one_of(state, "cleaning|on"),
        ("on" | "running", Domain::Valve) => one_of(state, "open|opening"),
        ("off", Domain::Valve) => one_of(state, "closed|closing"),
        ("running", _) => state == "on",
        ("open", _) if is_contact => state == "on",
        ("closed", _) if is_contact => state == "off",
        ("open", _) => one_of(state, "open|opening"),
        ("closed", _) => one_of(state, "closed|closing"),
        ("stopped", _) => one_of(state, "stopped|idle|off"),
        _ => state == asked,
    }
}

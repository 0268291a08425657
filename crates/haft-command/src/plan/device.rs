//! Steps of commands and questions about devices, found by their names, kinds and rooms.

use super::{Reading, Step, VALUE_REFUSED};
use crate::catalog::Catalog;
use crate::grammar::HERE;
use crate::intent::{About, Action, DeviceKind, Target};

/// Asked where the present level cannot be read.
const LEVEL_MISSING: &str = "To what level? Say for example: set the bedroom light to 40 percent.";

/// The step of a command.
pub(super) fn control(catalog: &Catalog, action: Action, target: &Target) -> Step {
    let percent = match action {
        Action::Level(level) => level,
        Action::Brighter(by) => by.abs(),
        _ => 0.0,
    };
    if !(0.0..=100.0).contains(&percent) {
        return Step::Decline("A level goes from 0 to 100 percent.".to_owned());
    }
    let lights = match action {
        Action::Level(_) if catalog.listing().is_some() => target.lights_of_room(),
        _ => None,
    };
    let target = lights.as_ref().unwrap_or(target);
    let missing = || Step::Missing(missing_device_tool(catalog, verb(action)));
    match target {
        Target::Unnamed => Step::Decline("Which device do you mean?".to_owned()),
        Target::All { rooms, .. } if rooms.iter().any(|room| room == HERE) => {
            Step::Decline("Which room do you mean?".to_owned())
        }
        Target::Named(name) => match catalog.control(name, action) {
            None if action.is_relative() => match catalog.listing() {
                Some(listing) => Step::Each {
                    listing,
                    action,
                    target: target.clone(),
                },
                None if catalog.has_devices() => Step::Decline(LEVEL_MISSING.to_owned()),
                None => missing(),
            },
            None if takes_other_values(catalog, name, action) => {
                Step::Decline(VALUE_REFUSED.to_owned())
            }
            Some(wanted) => {
                let reading = Reading::Done {
                    device: name.clone(),
                    action,
                };
                Step::Ask { wanted, reading }
            }
            None => missing(),
        },
        Target::All {
            kind,
            rooms,
            except,
        } => {
            let at_once = (rooms.len() <= 1 && except.is_empty() && *kind == DeviceKind::Light)
                .then(|| catalog.control_area(rooms.first().map(String::as_str), "light", action))
                .flatten();
            if let Some(wanted) = at_once {
                let device = rooms
                    .first()
                    .map_or("the lights".to_owned(), |room| format!("the {room} lights"));
                return Step::Ask {
                    wanted,
                    reading: Reading::Done { device, action },
                };
            }
            match catalog.listing() {
                Some(listing) => Step::Each {
                    listing,
                    action,
                    target: target.clone(),
                },
                None => missing(),
            }
        }
    }
}

fn takes_other_values(catalog: &Catalog, name: &str, action: Action) -> bool {
    let common = match action {
        Action::Level(_) => Action::Level(20.0),
        Action::Temperature(_) => Action::Temperature(20.0),
        _ => return false,
    };
    catalog.control(name, common).is_some()
}

/// The step of a question.
pub(super) fn question(catalog: &Catalog, about: About, target: &Target) -> Step {
    let target = everywhere(target);
    // Whether a window is open is known to its sensor, whatever that is called.
    let windows = target.windows().filter(|_| catalog.listing().is_some());
    let target = &windows.unwrap_or(target);
    let listed = || {
        catalog.listing().map(|listing| Step::Tell {
            listing,
            about,
            target: target.clone(),
        })
    };
    let step = match target {
        Target::Unnamed => Some(Step::Decline("Which device do you mean?".to_owned())),
        Target::All { .. } => listed(),
        Target::Named(name) => {
            let (said, measured) = match about {
                About::Temperature => (with_word(name, "temperature"), true),
                About::Humidity => (with_word(name, "humidity"), true),
                About::Motion => (with_word(name, "motion"), true),
                _ => (name.clone(), false),
            };
            let reading = Reading::Device {
                device: said.clone(),
                about,
            };
            let asked = catalog.query(&said, measured);
            asked
                .map(|wanted| Step::Ask { wanted, reading })
                .or_else(listed)
        }
    };
    step.unwrap_or_else(|| Step::Missing(missing_device_tool(catalog, "read devices")))
}

/// A question about "here" is answered for the whole home, as the engine knows no room it is in.
fn everywhere(target: &Target) -> Target {
    let mut target = target.clone();
    if let Target::All { rooms, .. } = &mut target {
        rooms.retain(|room| room != HERE);
    }
    target
}

/// "living room" is asked for as "living room temperature"; a thermostat has its own.
fn with_word(name: &str, word: &str) -> String {
    let lower = name.to_lowercase();
    let is_device = ["temperature", "humidity", "motion", "thermostat", "sensor"]
        .iter()
        .any(|noun| lower.contains(noun));
    if is_device {
        name.to_owned()
    } else {
        format!("{name} {word}")
    }
}

fn verb(action: Action) -> &'static str {
    match action {
        Action::On | Action::Off => "switch devices",
        Action::Toggle => "toggle devices",
        Action::Level(_) | Action::Brighter(_) => "set a level",
        Action::Temperature(_) | Action::Warmer(_) => "set a temperature",
        Action::Lock | Action::Unlock => "lock or unlock",
        Action::Open | Action::Close => "open or close things",
    }
}

/// Says that no bound tool does this.
pub(super) fn missing_device_tool(catalog: &Catalog, verb: &str) -> String {
    if catalog.has_devices() {
        return format!("None of the tools here can {verb}.");
    }
    "I have no device tools here; connect a home with --mcp FILE, or try --home demo.".to_owned()
}

//! The names of devices and their states.

use super::one_of;

/// Kinds of devices that can be addressed as a group, as in "all the lights".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceKind {
    /// Devices of every kind.
    Anything,
    /// Lights of any form.
    Light,
    /// Switches and plugs.
    Switch,
    /// Locks, and the doors that they are in.
    Lock,
    /// Sensors.
    Sensor,
    /// Heating and cooling.
    Thermostat,
    /// Fans.
    Fan,
    /// Blinds, curtains and the like.
    Cover,
    /// Windows, and the sensors that tell whether they are open.
    Window,
}

/// The nouns of one kind; words are separated by `|`.
struct Nouns {
    kind: DeviceKind,
    /// Words for any device of the kind: "every lamp" means all lights.
    one: &'static str,
    /// Words for a special device of the kind: "every chandelier" does not mean all lights.
    special: &'static str,
    /// Words for several devices of the kind; answers use the first one.
    several: &'static str,
}

const NOUNS: [Nouns; 9] = [
    Nouns {
        kind: DeviceKind::Light,
        one: "light|lamp|bulb",
        special: "chandelier|lantern|dimmer|strip|spot|spotlight|sconce|downlight|led",
        several: "lights|lamps|bulbs|lighting|spotlights|leds|downlights",
    },
    Nouns {
        kind: DeviceKind::Switch,
        one: "switch|plug|outlet|socket",
        special: "",
        several: "switches|plugs|sockets|outlets",
    },
    Nouns {
        kind: DeviceKind::Lock,
        one: "lock|door",
        special: "gate|garage",
        several: "locks|doors|gates",
    },
    Nouns {
        kind: DeviceKind::Sensor,
        one: "sensor",
        special: "",
        several: "sensors",
    },
    Nouns {
        kind: DeviceKind::Thermostat,
        one: "thermostat|heater",
        special: "heating|radiator|ac|conditioner|conditioning|boiler",
        several: "thermostats|heaters|radiators",
    },
    Nouns {
        kind: DeviceKind::Fan,
        one: "fan",
        special: "",
        several: "fans",
    },
    Nouns {
        kind: DeviceKind::Cover,
        one: "",
        special: "blind|curtain|shutter|shade",
        several: "blinds|curtains|shutters|shades|covers",
    },
    Nouns {
        kind: DeviceKind::Window,
        one: "window",
        special: "",
        several: "windows",
    },
    Nouns {
        kind: DeviceKind::Anything,
        one: "",
        special: "device|machine|tv|television|kettle|humidifier|purifier|sprinkler|pump|valve|siren|\
            speaker|dishwasher|washer|dryer|oven|coffeemaker",
        several: "devices|appliances|things|everything|gadgets",
    },
];

impl DeviceKind {
    /// The plural for answers: "lights", "devices".
    #[must_use]
    pub fn plural(self) -> &'static str {
        let nouns = NOUNS.iter().find(|nouns| nouns.kind == self);
        let several = nouns.and_then(|nouns| nouns.several.split('|').next());
        several.unwrap_or("devices")
    }
}

/// The kind of device whose plural is `word`: "lights", "locks".
#[must_use]
pub fn kind_of_group(word: &str) -> Option<DeviceKind> {
    kind_where(word, |nouns| one_of(word, nouns.several))
}

/// The kind of device that `word` means in general: "light", but not "chandelier".
#[must_use]
pub fn kind_of_one(word: &str) -> Option<DeviceKind> {
    kind_where(word, |nouns| one_of(word, nouns.one))
}

/// The kind of device that `word` names, in singular or plural: "light", "chandelier" and "lights".
#[must_use]
pub fn kind_of_noun(word: &str) -> Option<DeviceKind> {
    kind_where(word, |nouns| {
        [nouns.one, nouns.special, nouns.several]
            .iter()
            .any(|words| one_of(word, words))
    })
}

/// True if `word` names a device.
#[must_use]
pub fn is_device_noun(word: &str) -> bool {
    kind_of_noun(word).is_some()
}

fn kind_where(word: &str, fits: impl Fn(&Nouns) -> bool) -> Option<DeviceKind> {
    // An empty list would contain the empty word.
    let nouns = NOUNS.iter().find(|nouns| !word.is_empty() && fits(nouns))?;
    Some(nouns.kind)
}

/// A state that a device may be in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Switched on.
    On,
    /// Switched off.
    Off,
    /// Locked.
    Locked,
    /// Not locked.
    Unlocked,
    /// Open.
    Open,
    /// Closed.
    Closed,
    /// Reachable.
    Online,
    /// Not reachable.
    Offline,
    /// Any state.
    Any,
}

/// The state that `word` names.
#[must_use]
pub fn state(word: &str) -> Option<State> {
    Some(match word {
        "on" | "running" | "active" | "lit" | "burning" => State::On,
        "off" | "out" | "inactive" => State::Off,
        "locked" => State::Locked,
        "unlocked" => State::Unlocked,
        "closed" | "shut" => State::Closed,
        "open" | "opened" => State::Open,
        "online" | "reachable" | "available" | "connected" | "responding" | "responsive" => {
            State::Online
        }
        "offline" | "unreachable" | "unavailable" | "disconnected" | "unresponsive" | "dead" => {
            State::Offline
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests;

//! The words of the home that the rules go by.

/// Things that are switched on and off, opened or set, in one and in several.
const DEVICES: [&str; 47] = [
    "ac",
    "blind",
    "blinds",
    "boiler",
    "bulb",
    "bulbs",
    "chandelier",
    "curtain",
    "curtains",
    "device",
    "devices",
    "dishwasher",
    "door",
    "doors",
    "fan",
    "fans",
    "fireplace",
    "garage",
    "gate",
    "heater",
    "heaters",
    "heating",
    "humidifier",
    "lamp",
    "lamps",
    "light",
    "lighting",
    "lights",
    "lock",
    "locks",
    "outlet",
    "outlets",
    "oven",
    "plug",
    "plugs",
    "radiator",
    "sensor",
    "sensors",
    "shades",
    "shutters",
    "sprinklers",
    "switches",
    "thermostat",
    "tv",
    "vacuum",
    "window",
    "windows",
];

/// Words for several things that a home has.
const COLLECTIONS: [&str; 14] = [
    "blinds",
    "curtains",
    "devices",
    "doors",
    "fans",
    "lamps",
    "lights",
    "locks",
    "outlets",
    "plugs",
    "sensors",
    "switches",
    "thermostats",
    "windows",
];

/// Things that open, close and lock.
const COVERS: [&str; 16] = [
    "blind", "blinds", "curtain", "curtains", "door", "doors", "drapes", "garage", "gate", "shade",
    "shades", "shutter", "shutters", "valve", "window", "windows",
];

/// What is set to a value.
const SETTINGS: [&str; 14] = [
    "ac",
    "blinds",
    "brightness",
    "bulb",
    "dimmer",
    "fan",
    "heat",
    "heating",
    "lamp",
    "light",
    "lights",
    "radiator",
    "temperature",
    "thermostat",
];

/// Words of tools that are not for the home, though a command to them may speak of it.
const OTHER_TOOLS: [&str; 30] = [
    "account",
    "alarm",
    "alarms",
    "appointment",
    "calendar",
    "call",
    "car",
    "card",
    "countdown",
    "email",
    "engine",
    "game",
    "grocery",
    "lyrics",
    "meeting",
    "message",
    "movie",
    "music",
    "news",
    "note",
    "play",
    "playlist",
    "podcast",
    "radio",
    "remind",
    "reminder",
    "shopping",
    "song",
    "timer",
    "timers",
];

pub(super) fn is_device(word: &str) -> bool {
    DEVICES.contains(&word)
}

pub(super) fn has_device(words: &[&str]) -> bool {
    words.iter().any(|word| is_device(word))
        || matches!(words, ["everything", ..] | [.., "everything"])
}

pub(super) fn is_collection(word: &str) -> bool {
    COLLECTIONS.contains(&word)
}

pub(super) fn is_cover(word: &str) -> bool {
    COVERS.contains(&word)
}

pub(super) fn is_setting(word: &str) -> bool {
    SETTINGS.contains(&word)
}

/// What a thing at home can be.
pub(super) fn is_state(word: &str) -> bool {
    matches!(
        word,
        "on" | "off"
            | "open"
            | "opened"
            | "closed"
            | "shut"
            | "locked"
            | "unlocked"
            | "running"
            | "dimmed"
            | "online"
            | "offline"
            | "connected"
    )
}

pub(super) fn is_volume(word: &str) -> bool {
    matches!(
        word,
        "volume" | "mute" | "unmute" | "louder" | "quieter" | "loudness"
    )
}

pub(super) fn names_other_tool(word: &str) -> bool {
    OTHER_TOOLS.contains(&word)
}

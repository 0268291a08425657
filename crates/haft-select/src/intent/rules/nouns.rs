//! The words for the rules: those of the home, shared with the command engine, and those of other
//! tools.

use crate::english::{DeviceKind, is_device_noun, kind_of_group, kind_of_noun, one_of, state};

/// Words of tools that do not control the home, although commands to them may contain words of the
/// home.
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

/// True for words that mean devices but also anything else: "the things on my list".
fn is_vague(word: &str) -> bool {
    one_of(word, "things|everything")
}

pub(super) fn is_device(word: &str) -> bool {
    // "Switch" is used more often as the verb.
    (is_device_noun(word) && word != "switch" && !is_vague(word))
        || one_of(word, "fireplace|sprinklers|vacuum|windows")
}

pub(super) fn has_device(words: &[&str]) -> bool {
    words.iter().any(|word| is_device(word))
        || matches!(words, ["everything", ..] | [.., "everything"])
}

/// True for words for several devices.
pub(super) fn is_collection(word: &str) -> bool {
    (kind_of_group(word).is_some() && !is_vague(word)) || word == "windows"
}

/// True for things that open, close and lock.
pub(super) fn is_cover(word: &str) -> bool {
    matches!(
        kind_of_noun(word),
        Some(DeviceKind::Lock | DeviceKind::Cover | DeviceKind::Window)
    ) || one_of(word, "drapes|valve|windows")
}

/// True for properties that are set to a value.
pub(super) fn is_setting(word: &str) -> bool {
    use DeviceKind::{Cover, Fan, Light, Thermostat, Window};
    matches!(
        kind_of_noun(word),
        Some(Light | Thermostat | Fan | Cover | Window)
    ) || one_of(word, "brightness|heat|temperature")
}

pub(super) fn is_state(word: &str) -> bool {
    state(word).is_some() || word == "dimmed"
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

//! Rules over words for queries that must never be missed: the time, the list of devices, commands
//! for devices.
//!
//! A certain rule decides; a possible one only keeps the tools of its intent. `time` has the rules
//! for the time, `nouns` the words.

mod nouns;
mod time;

use self::nouns::{
    has_device, is_collection, is_cover, is_device, is_setting, is_state, is_volume,
    names_other_tool,
};
use self::time::{is_relative_day, is_time};
use super::label::{Intent, IntentSet};

/// A rule that decides about a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// It asks for the time or the date.
    Time,
    /// It asks for a list of devices.
    Devices,
    /// It asks for the state of a device.
    State,
    /// It tells a device what to do.
    Command,
}

impl Rule {
    pub(super) const fn intent(self) -> Intent {
        match self {
            Self::Time => Intent::Datetime,
            Self::Devices | Self::State | Self::Command => Intent::Device,
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Devices => "devices",
            Self::State => "state",
            Self::Command => "command",
        }
    }
}

/// The result of the rules for a clause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Heard {
    /// The rule that decides, regardless of the model.
    pub(super) rule: Option<Rule>,
    /// Intents that are possible as well.
    pub(super) possible: IntentSet,
    /// The clause is a question, not a command.
    pub(super) asks: bool,
    /// The clause is about the volume.
    pub(super) volume: bool,
}

/// Applies the rules to the words of a clause.
pub(super) fn apply(words: &[&str]) -> Heard {
    let words = without_courtesy(words);
    let mut heard = Heard {
        asks: words.first().is_some_and(|word| asks(word)),
        volume: words.iter().any(|word| is_volume(word)),
        ..Heard::default()
    };
    // "Remind me to turn off the oven" is a reminder.
    let for_device = !words.iter().any(|word| names_other_tool(word));
    heard.rule = if is_time(words) {
        Some(Rule::Time)
    } else if for_device && is_list_of_devices(words) {
        Some(Rule::Devices)
    } else if for_device && asks_state(words) {
        Some(Rule::State)
    } else if for_device && is_command(words) {
        Some(Rule::Command)
    } else {
        None
    };
    if may_be_device(words) {
        heard.possible.insert(Intent::Device);
    }
    if words.iter().any(|word| is_relative_day(word)) {
        heard.possible.insert(Intent::Datetime);
    }
    heard
}

/// The words without "could you please" at the beginning and "for me" at the end.
pub(super) fn without_courtesy<'a, 'b>(mut words: &'a [&'b str]) -> &'a [&'b str] {
    loop {
        words = match words {
            [
                "please" | "kindly" | "hey" | "hi" | "hello" | "ok" | "okay" | "now" | "so" | "and"
                | "then" | "also" | "just" | "but" | "computer" | "haft" | "olly",
                rest @ ..,
            ]
            | ["could" | "can" | "would" | "will", "you", rest @ ..]
            | ["i", "want" | "need", "you", "to", rest @ ..]
            | ["i", "would", "like", "you", "to", rest @ ..]
            | ["go", "ahead", "and", rest @ ..]
            | ["do", "you", "know", rest @ ..]
            | ["i", "want" | "need", "to", "know", rest @ ..]
            | [rest @ .., "please" | "thanks" | "now"]
            | [rest @ .., "for", "me"]
            | [rest @ .., "thank", "you"]
                if !rest.is_empty() =>
            {
                rest
            }
            [rest @ .., "right"] if rest.len() > 2 => rest,
            _ => return words,
        };
    }
}

/// True for a word that begins a question or a request for information.
fn asks(word: &str) -> bool {
    matches!(
        word,
        "what"
            | "which"
            | "who"
            | "where"
            | "when"
            | "how"
            | "why"
            | "is"
            | "are"
            | "was"
            | "were"
            | "does"
            | "do"
            | "did"
            | "has"
            | "have"
            | "list"
            | "show"
            | "tell"
            | "name"
            | "check"
            | "verify"
            | "read"
            | "any"
            | "status"
            | "display"
            | "find"
            | "get"
            | "give"
    )
}

/// "Show me the lights", "what devices do I have".
fn is_list_of_devices(words: &[&str]) -> bool {
    match words {
        ["what", "do", "i", "have"] | ["devices"] | ["my" | "all", "devices"] => true,
        ["list" | "show" | "name" | "display", rest @ ..]
        | ["tell" | "give", "me", rest @ ..]
        | ["what", "are", rest @ ..] => is_devices(rest),
        ["what" | "which", rest @ ..] => match rest {
            ["smart" | "z" | "zwave" | "wave" | "home", rest @ ..] | rest => match rest {
                [noun] => is_collection(noun),
                [noun, "do", "i", "have" | "own", ..]
                | [
                    noun,
                    "are",
                    "there" | "available" | "connected" | "online" | "offline",
                    ..,
                ]
                | [noun, "can", "you" | "i", ..] => is_collection(noun),
                [noun, "are", rest @ ..] => {
                    is_collection(noun) && rest.last().is_some_and(|word| is_state(word))
                }
                _ => false,
            },
        },
        _ => false,
    }
}

/// "me all my lights": only devices, and perhaps their place.
fn is_devices(words: &[&str]) -> bool {
    match words {
        [
            "me" | "all" | "of" | "my" | "the" | "our" | "every" | "smart" | "zwave" | "z" | "wave"
            | "connected" | "home" | "available",
            rest @ ..,
        ] => is_devices(rest),
        [noun]
        | [
            noun,
            "in" | "that" | "which" | "at" | "on" | "of" | "list",
            ..,
        ] => is_collection(noun) || is_device(noun),
        _ => false,
    }
}

/// "Is the kitchen light on", "did I leave the door open".
fn asks_state(words: &[&str]) -> bool {
    match words {
        ["is" | "are" | "was" | "were" | "any", middle @ .., state]
        | [
            "did",
            "i" | "we",
            "leave" | "turn" | "lock" | "close" | "shut",
            middle @ ..,
            state,
        ] => middle.len() <= 8 && is_state(state) && has_device(middle),
        _ => false,
    }
}

/// "Turn the lamp off", "dim the lights", "kitchen lights on".
fn is_command(words: &[&str]) -> bool {
    let is_switched = |words: &[&str]| words.contains(&"on") || words.contains(&"off");
    match words {
        ["turn" | "switch" | "put" | "power" | "flip", rest @ ..] => {
            is_switched(rest) && has_device(rest)
        }
        ["dim" | "brighten" | "shut", rest @ ..] => has_device(rest),
        [
            "lock" | "unlock" | "open" | "close" | "raise" | "lower",
            rest @ ..,
        ] => rest.iter().any(|word| is_cover(word)),
        ["set" | "change" | "adjust", rest @ ..] => {
            match rest.iter().position(|word| *word == "to") {
                Some(to) => {
                    let (what, value) = rest.split_at(to);
                    value.len() > 1 && what.iter().any(|word| is_setting(word))
                }
                None => false,
            }
        }
        [rest @ .., "on" | "off"] => {
            rest.len() <= 4 && has_device(rest) && !asks(words.first().unwrap_or(&""))
        }
        _ => false,
    }
}

/// The clause contains a word of the home, or a command that is used for devices.
fn may_be_device(words: &[&str]) -> bool {
    match words {
        ["turn" | "switch" | "power", rest @ ..] => {
            rest.contains(&"on")
                || rest.contains(&"off")
                || rest.contains(&"up")
                || rest.contains(&"down")
        }
        ["dim" | "brighten" | "lock" | "unlock", _, ..] => true,
        words => words
            .iter()
            .any(|word| matches!(*word, "device" | "devices" | "zwave" | "thermostat")),
    }
}

#[cfg(test)]
mod tests;

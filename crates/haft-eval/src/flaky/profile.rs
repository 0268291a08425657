//! Failure probabilities of the simulated model, read from `data/flaky.toml`.

use std::collections::BTreeMap;

use serde::Deserialize;

const DATA: &str = include_str!("../../data/flaky.toml");

/// The profiles in the data file.
pub(super) const PROFILES: [&str; 5] = [
    "perfect",
    "small",
    "qwen3-0.6b",
    "qwen2.5-3b",
    "gpt-oss-20b",
];

/// The behaviours in the data file.
pub(super) const BEHAVIOURS: [&str; 3] = ["pessimistic", "reported", "optimistic"];

/// A probability with its source.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sourced {
    /// The probability, from 0 to 1.
    pub(super) share: f64,
    /// Whether the source states the number or only the effect.
    pub(super) basis: Basis,
    /// The source's name in the data file.
    pub(super) source: String,
}

/// The origin of a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Basis {
    /// Stated by the source.
    Reported,
    /// Assumed by haft.
    #[default]
    Assumed,
}

/// How a model fails in its first reply, and after tool results.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Profile {
    #[serde(skip)]
    pub(super) name: String,
    /// A description of the profile.
    pub(super) about: String,
    /// Failures of the first reply when a call is expected.
    #[serde(default)]
    pub(super) call: BTreeMap<Failure, Sourced>,
    /// Failures of the first reply when no call is expected.
    #[serde(default)]
    pub(super) no_call: BTreeMap<Failure, Sourced>,
    /// Failures after tool results.
    #[serde(default)]
    pub(super) after_result: BTreeMap<Failure, Sourced>,
}

impl Default for Profile {
    fn default() -> Self {
        Self {
            name: "perfect".to_owned(),
            about: String::new(),
            call: BTreeMap::new(),
            no_call: BTreeMap::new(),
            after_result: BTreeMap::new(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub(super) enum Failure {
    /// Answers with text instead of a call.
    Prose,
    /// Sends an empty reply.
    Blank,
    /// Sends reasoning without an answer.
    ThinkingOnly,
    /// Reaches the token limit before any answer.
    OutOfRoom,
    /// Prints the call as damaged text.
    DamagedText,
    /// Writes numbers, lists and booleans as strings.
    WrongTypes,
    /// Leaves out a required argument.
    MissingArgument,
    /// Calls a tool that does not exist.
    InventedTool,
    /// Makes a valid call with a wrong value.
    WrongValue,
    /// Makes a call when none is expected.
    UnneededCall,
    /// Repeats an earlier call.
    SameCall,
}

/// How a model reacts to a recovery step.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Behaviour {
    #[serde(skip)]
    pub(super) name: String,
    /// Constrained to one call or none, one expected: makes the correct call.
    pub(super) constrained_right: Sourced,
    /// Constrained to one call or none, one expected: makes a valid call with a wrong value.
    pub(super) constrained_wrong: Sourced,
    /// Constrained to one call or none, none expected: makes a call.
    pub(super) constrained_eager: Sourced,
    /// Asked without tools: answers with text.
    pub(super) direct_text: Sourced,
    /// Asked with a higher token limit: gives the correct reply.
    pub(super) room_right: Sourced,
    /// After an error for its call: makes the correct call.
    pub(super) error_right: Sourced,
    /// After an error for its call: answers with text.
    pub(super) error_text: Sourced,
    /// After the note that the call is a repetition: answers.
    pub(super) note_stops: Sourced,
    /// After a repeated call without a note: answers.
    pub(super) alone_stops: Sourced,
}

impl Default for Behaviour {
    /// Every reaction is correct.
    fn default() -> Self {
        let of = |share| Sourced {
            share,
            ..Sourced::default()
        };
        Self {
            name: "optimistic".to_owned(),
            constrained_right: of(1.0),
            constrained_wrong: of(0.0),
            constrained_eager: of(0.0),
            direct_text: of(1.0),
            room_right: of(1.0),
            error_right: of(1.0),
            error_text: of(0.0),
            note_stops: of(1.0),
            alone_stops: of(1.0),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Data {
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "for readers of the file and its test")
    )]
    sources: BTreeMap<String, String>,
    profiles: BTreeMap<String, Profile>,
    behaviours: BTreeMap<String, Behaviour>,
}

/// The bundled data; a test checks that it can be parsed.
fn data() -> Option<Data> {
    toml::from_str(DATA).ok()
}

pub(super) fn profile(name: &str) -> Option<Profile> {
    let mut profile = data()?.profiles.remove(name)?;
    name.clone_into(&mut profile.name);
    Some(profile)
}

pub(super) fn behaviour(name: &str) -> Option<Behaviour> {
    let mut behaviour = data()?.behaviours.remove(name)?;
    name.clone_into(&mut behaviour.name);
    Some(behaviour)
}

#[cfg(test)]
mod tests;

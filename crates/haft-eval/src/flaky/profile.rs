//! The shares by which the simulated model fails, out of `data/flaky.toml`.

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

/// A share and where it is from.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sourced {
    /// From 0 to 1.
    pub(super) share: f64,
    /// Whether the source gives the number or only the fact.
    pub(super) basis: Basis,
    /// The source's name in the data file.
    pub(super) source: String,
}

/// Where a number is from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Basis {
    /// The source gives it.
    Reported,
    /// It is ours.
    #[default]
    Assumed,
}

/// How a model fails at its first reply, and after its calls were answered.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Profile {
    #[serde(skip)]
    pub(super) name: String,
    /// What it stands for.
    pub(super) about: String,
    /// Failures where a call is due.
    #[serde(default)]
    pub(super) call: BTreeMap<Failure, Sourced>,
    /// Failures where none is.
    #[serde(default)]
    pub(super) no_call: BTreeMap<Failure, Sourced>,
    /// Failures when the results are there.
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

/// A way to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub(super) enum Failure {
    /// Talks where a call is due.
    Prose,
    /// Says nothing.
    Blank,
    /// Thinks and says nothing.
    ThinkingOnly,
    /// Runs out of tokens before it says anything.
    OutOfRoom,
    /// Prints the call as text, damaged.
    DamagedText,
    /// Writes numbers, lists and truth values as text.
    WrongTypes,
    /// Leaves out an argument that must be there.
    MissingArgument,
    /// Calls a tool that does not exist.
    InventedTool,
    /// Makes a valid call with a wrong value.
    WrongValue,
    /// Calls where no call is due.
    UnneededCall,
    /// Makes the same call again.
    SameCall,
}

/// What a model does when it is asked again.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Behaviour {
    #[serde(skip)]
    pub(super) name: String,
    /// Asked for a call or none, where one is due: that call.
    pub(super) constrained_right: Sourced,
    /// The same: a valid call with a wrong value.
    pub(super) constrained_wrong: Sourced,
    /// Asked for a call or none, where none is due: a call.
    pub(super) constrained_eager: Sourced,
    /// Asked without tools: a text.
    pub(super) direct_text: Sourced,
    /// Asked with more room: what was due.
    pub(super) room_right: Sourced,
    /// Reading what is wrong with its call: the right one.
    pub(super) error_right: Sourced,
    /// The same: a text.
    pub(super) error_text: Sourced,
    /// Reading that it made the same call before: an answer.
    pub(super) note_stops: Sourced,
    /// Making the same call again, told nothing: an answer.
    pub(super) alone_stops: Sourced,
}

impl Default for Behaviour {
    /// Whatever is asked again is right.
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

/// What is bundled is read by the tests too, so it cannot be broken.
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

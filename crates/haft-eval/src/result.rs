//! How one case went.

use haft_core::Rung;
use serde::{Deserialize, Deserializer, Serialize};

/// Whether calls are right, and if not, why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Verdict {
    /// They are.
    Right,
    /// There is none, and one was due.
    NoCall,
    /// There is one, and none was due.
    UnneededCall,
    /// Too few or too many.
    WrongNumber,
    /// Another tool was due.
    WrongTool,
    /// An argument that must be there is not.
    MissingArgument,
    /// An argument that must not be there is.
    UnknownArgument,
    /// An argument has a value, or a type, that is not accepted.
    WrongValue,
    /// The model gave no reply.
    Error,
}

impl Verdict {
    /// True for [`Verdict::Right`].
    #[must_use]
    pub fn is_right(self) -> bool {
        self == Self::Right
    }

    /// The verdict in words for people.
    #[must_use]
    pub fn phrase(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::NoCall => "no call where one was due",
            Self::UnneededCall => "a call where none was due",
            Self::WrongNumber => "too few or too many calls",
            Self::WrongTool => "the wrong tool",
            Self::MissingArgument => "a missing argument",
            Self::UnknownArgument => "an argument too many",
            Self::WrongValue => "a wrong value",
            Self::Error => "no reply",
        }
    }
}

/// One step of the recovery ladder in a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RungResult {
    /// The rung.
    #[serde(deserialize_with = "rung")]
    pub rung: Rung,
    /// Whether what came then was of use.
    pub recovered: bool,
}

fn rung<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Rung, D::Error> {
    let name = String::deserialize(deserializer)?;
    name.parse().map_err(serde::de::Error::custom)
}

/// How one case went. A line of a run file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CaseResult {
    /// The case.
    pub id: String,
    /// Its category.
    pub category: String,
    /// Whether a call was due.
    pub wants_calls: bool,
    /// The first reply as the model made it: its calls as they were extracted, nothing mended.
    pub first: Verdict,
    /// The same calls as their tools would have got them: mended and checked against the schema.
    pub mended: Verdict,
    /// The calls of the whole run that did their work.
    pub recovered: Verdict,
    /// Whether the first reply had anything at all: a call or a text.
    pub first_of_use: bool,
    /// Whether the user was left with an answer rather than an apology.
    pub answered: bool,
    /// How the question ended: `answered`, `recovered`, `round_limit`, `empty` or `error`.
    pub outcome: String,
    /// What went wrong, where the model gave no reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The steps of the ladder.
    #[serde(default)]
    pub rungs: Vec<RungResult>,
    /// How often the model was asked.
    pub rounds: u32,
    /// Calls that did their work, repetitions included.
    pub calls: u32,
    /// Of these, calls that had been made before in an earlier round.
    pub repeated: u32,
    /// Tokens of all prompts, as far as the provider tells.
    pub prompt_tokens: u64,
    /// Tokens of all replies, as far as the provider tells.
    pub completion_tokens: u64,
    /// From the question to its end, in milliseconds.
    pub milliseconds: u64,
    /// How many tools there are.
    pub tools: u32,
    /// How many of them the model was offered at first.
    pub bound: u32,
    /// Whether one that is needed was not among those.
    pub tool_lost: bool,
}

impl CaseResult {
    /// True when the ladder acted and spoilt a first reply that would have been right.
    #[must_use]
    pub fn is_false_recovery(&self) -> bool {
        !self.rungs.is_empty() && self.mended.is_right() && !self.recovered.is_right()
    }

    /// The rung that the end is owed to: the first that was of use, else the first that acted.
    #[must_use]
    pub fn credited(&self) -> Option<Rung> {
        let of_use = self.rungs.iter().find(|step| step.recovered);
        of_use.or(self.rungs.first()).map(|step| step.rung)
    }

    /// True when the ladder acted and what was wrong became right.
    #[must_use]
    pub fn is_gain(&self) -> bool {
        !self.rungs.is_empty() && !self.mended.is_right() && self.recovered.is_right()
    }
}

//! The result of one case.

use haft_core::RecoveryStep;
use serde::{Deserialize, Deserializer, Serialize};

/// Whether calls are correct, and if not, the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Verdict {
    /// The calls are correct.
    Right,
    /// An expected call is missing.
    NoCall,
    /// A call was made although none was expected.
    UnneededCall,
    /// Too few or too many calls.
    WrongNumber,
    /// A call of the wrong tool.
    WrongTool,
    /// A required argument is missing.
    MissingArgument,
    /// An unexpected argument was given.
    UnknownArgument,
    /// An argument has a value or a type that is not accepted.
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

    /// The verdict as a readable phrase.
    #[must_use]
    pub fn phrase(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::NoCall => "no call although one was expected",
            Self::UnneededCall => "a call although none was expected",
            Self::WrongNumber => "too few or too many calls",
            Self::WrongTool => "the wrong tool",
            Self::MissingArgument => "a missing argument",
            Self::UnknownArgument => "an unexpected argument",
            Self::WrongValue => "a wrong value",
            Self::Error => "no reply",
        }
    }
}

/// The result of one recovery step in a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepResult {
    /// The step.
    #[serde(alias = "rung", deserialize_with = "step")]
    pub step: RecoveryStep,
    /// Whether the reply after the step was useful.
    pub recovered: bool,
}

fn step<'de, D: Deserializer<'de>>(deserializer: D) -> Result<RecoveryStep, D::Error> {
    let name = String::deserialize(deserializer)?;
    name.parse().map_err(serde::de::Error::custom)
}

/// The result of one case; a line of a run file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CaseResult {
    /// The identifier of the case.
    pub id: String,
    /// The category of the case.
    pub category: String,
    /// Whether a call was expected.
    pub wants_calls: bool,
    /// The verdict on the first reply's calls as extracted, without repair.
    pub first: Verdict,
    /// The verdict on the first reply's calls after repair and schema validation.
    #[serde(alias = "mended")]
    pub repaired: Verdict,
    /// The verdict on all successful calls of the run.
    pub recovered: Verdict,
    /// Whether the first reply had a call or text.
    pub first_of_use: bool,
    /// Whether the question ended with an answer.
    pub answered: bool,
    /// How the question ended: `answered`, `recovered`, `truncated`, `round_limit`, `unverified`,
    /// `refused`, `tools_failed`, `empty` or `error`.
    pub outcome: String,
    /// The error, if the model gave no reply.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The recovery steps that ran.
    #[serde(default, alias = "rungs")]
    pub steps: Vec<StepResult>,
    /// The number of rounds.
    pub rounds: u32,
    /// The number of successful calls, repetitions included.
    pub calls: u32,
    /// The number of successful calls that repeat a call of an earlier round.
    pub repeated: u32,
    /// The tokens of all prompts, as reported by the provider.
    pub prompt_tokens: u64,
    /// The tokens of all replies, as reported by the provider.
    pub completion_tokens: u64,
    /// The duration of the case in milliseconds.
    pub milliseconds: u64,
    /// The number of tools of the case.
    pub tools: u32,
    /// The number of tools offered in the first round.
    pub bound: u32,
    /// Whether a needed tool was not offered in the first round.
    pub tool_lost: bool,
    /// The question.
    #[serde(default)]
    pub asked: String,
    /// The correct calls, as text.
    #[serde(default)]
    pub expected: String,
    /// The successful calls, as text, repetitions in later rounds left out.
    #[serde(default)]
    pub done: Vec<String>,
    /// The calls of the first reply as the model wrote them, as text.
    #[serde(default)]
    pub written: Vec<String>,
    /// The beginning of the answer's text.
    #[serde(default)]
    pub answer: String,
    /// For a routed model, the share of random runs that are correct: each picks among the calls
    /// that the model may choose from. From 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chance: Option<f64>,
}

impl CaseResult {
    /// What came of the question, as text: the successful calls, else the error, else what the
    /// first reply called, else the text of the answer.
    #[must_use]
    pub fn came(&self) -> String {
        if !self.done.is_empty() {
            return self.done.join(", ");
        }
        if let Some(error) = &self.error {
            return format!("no reply: {error}");
        }
        match self.written.as_slice() {
            [] if self.answer.is_empty() => "nothing".to_owned(),
            [] => format!("no call; it said: {}", self.answer),
            written => format!("no successful call; it wrote: {}", written.join(", ")),
        }
    }

    /// True for a regression: a recovery step acted and the correct first reply became wrong.
    #[must_use]
    pub fn is_false_recovery(&self) -> bool {
        !self.steps.is_empty() && self.repaired.is_right() && !self.recovered.is_right()
    }

    /// The step credited with the result: the first useful one, else the first that acted.
    #[must_use]
    pub fn credited(&self) -> Option<RecoveryStep> {
        let of_use = self.steps.iter().find(|report| report.recovered);
        of_use.or(self.steps.first()).map(|report| report.step)
    }

    /// True when a recovery step acted and a wrong first reply became correct.
    #[must_use]
    pub fn is_gain(&self) -> bool {
        !self.steps.is_empty() && !self.repaired.is_right() && self.recovered.is_right()
    }
}

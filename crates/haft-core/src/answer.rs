//! What an agent hands back when it is done.

use std::time::Duration;

use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::{Message, Recovery, Rung, Source, Usage};

/// The end of a query.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Answer {
    /// What to tell the user.
    #[serde(rename = "answer")]
    pub text: String,
    /// How the query ended; in JSON `outcome`, and `rung` beside it where one made the answer.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// The model that answered, such as `ollama:qwen3:0.6b`.
    pub model: String,
    /// The conversation of this query: the given messages, then all that was added.
    pub messages: Vec<Message>,
    /// Names of the tools that the model was offered.
    pub tools_bound: Vec<String>,
    /// How many times the model was asked.
    pub rounds: u32,
    /// Tokens of all rounds together.
    pub usage: Usage,
    /// Time from question to answer; milliseconds in JSON.
    #[serde(rename = "duration_ms", serialize_with = "milliseconds")]
    pub duration: Duration,
    /// What was done about replies that were no use, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub recovery: Vec<Recovery>,
    /// The web pages that the answer was made from, where a search made it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<Source>,
    /// The answer as data, where a schema was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub structured: Option<Value>,
}

/// How a query ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "outcome", content = "rung", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Outcome {
    /// The model answered.
    Answered,
    /// The model answered after it was helped up; this rung of the ladder made the answer.
    Recovered(Rung),
    /// The model did not know, and answered from a web search; [`Answer::sources`] names the pages.
    WebSearched,
    /// The model asked for tools even in the last turn, which offers none; the text is what it
    /// said beside that.
    RoundLimit,
    /// The model had nothing to say; the text is an apology.
    Empty,
}

impl Answer {
    /// An answer about to be filled in by whoever ran the query.
    #[must_use]
    pub fn new(model: impl Into<String>, text: impl Into<String>, outcome: Outcome) -> Self {
        Self {
            text: text.into(),
            outcome,
            model: model.into(),
            messages: Vec::new(),
            tools_bound: Vec::new(),
            rounds: 0,
            usage: Usage::default(),
            duration: Duration::ZERO,
            recovery: Vec::new(),
            sources: Vec::new(),
            structured: None,
        }
    }
}

pub(crate) fn milliseconds<S: Serializer>(
    duration: &Duration,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(u64::try_from(duration.as_millis()).unwrap_or(u64::MAX))
}

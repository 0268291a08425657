//! The answer of an agent to one question, and its outcome.

use std::time::Duration;

use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::{Message, QuotedCall, Recovery, RecoveryStep, Source, Usage};

/// The answer to one question.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Answer {
    /// The text for the user.
    #[serde(rename = "answer")]
    pub text: String,
    /// How the question ended; `outcome` in JSON, with `step` when a recovery step led to it.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// The model that answered, such as `ollama:qwen3:0.6b`.
    pub model: String,
    /// The whole conversation: the given messages, then those added by this question.
    pub messages: Vec<Message>,
    /// Names of the tools that the model was offered.
    pub tools_bound: Vec<String>,
    /// The number of requests to the model.
    pub rounds: u32,
    /// Tokens of all rounds together.
    pub usage: Usage,
    /// Time from question to answer; milliseconds in JSON.
    #[serde(rename = "duration_ms", serialize_with = "milliseconds")]
    pub duration: Duration,
    /// The recovery steps that were taken, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub recovery: Vec<Recovery>,
    /// Calls that the model only quoted from a text in its conversation; they were not run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub quoted_calls: Vec<QuotedCall>,
    /// The web pages that the answer is based on; empty without a web search.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<Source>,
    /// What the model wrote, where [`text`](Self::text) is another sentence because the model's
    /// words were not true or nobody had looked them up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub withdrawn_text: Option<String>,
    /// The answer as data; `None` unless a schema was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub structured: Option<Value>,
}

/// How a question ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "outcome", content = "step", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Outcome {
    /// The model answered.
    Answered,
    /// The model answered after this recovery step.
    Recovered(RecoveryStep),
    /// The model answered from a web search; [`Answer::sources`] lists the pages.
    WebSearched,
    /// The token limit cut off the reply; the text is incomplete.
    Truncated,
    /// The model called a tool in the last round, which offers none; the text is the rest of that
    /// reply.
    RoundLimit,
    /// A call was surely needed and none succeeded, so that the model cannot know what it wrote; the
    /// text says that nothing was found out or done.
    Unverified,
    /// Nothing was found out or done: the provider refused, the command engine did not understand,
    /// or the model says that it does not know and called no tool with success.
    Refused,
    /// Tools were called and every call failed, or every call that was to change something.
    ToolsFailed,
    /// The model gave no text; the text is an apology.
    Empty,
}

impl Answer {
    /// An answer with these values and every other field empty.
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
            quoted_calls: Vec::new(),
            sources: Vec::new(),
            withdrawn_text: None,
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

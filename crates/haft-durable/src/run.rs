//! What a run is to its user: its state, what it waits for, and what a person decides.

use std::time::SystemTime;

use haft_agent::SessionId;
use haft_core::{Arguments, Message, ToolCall};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A run in a list.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RunSummary {
    /// The id of the run.
    pub id: String,
    /// The question.
    pub question: String,
    /// The queue of the workers that work on it.
    pub queue: String,
    /// The schedule that began it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schedule: Option<String>,
    /// The name of the key whose run it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// The session in which it is asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// When it was asked: RFC 3339, in UTC.
    pub asked: String,
    /// Where the run stands.
    pub state: RunState,
}

/// How a run is begun.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RunOptions {
    /// The queue of the workers that work on it; [`DEFAULT_QUEUE`] by default. At most 64 letters,
    /// digits, `-` and `_`.
    pub queue: String,
    /// When it begins; at once by default.
    pub at: Option<SystemTime>,
    /// An id of your own, of at most 100 letters, digits, `-`, `_` and `.`. If there is a run with
    /// it, no other begins. By default a new one.
    pub id: Option<String>,
    /// Whose run it is; nobody's in particular by default.
    pub owner: Option<RunOwner>,
    /// The session in which it is asked, see [`StoreSessions`](crate::StoreSessions): the model
    /// reads the conversation so far, and the question and the answer are added to it.
    pub session: Option<SessionId>,
    /// The conversation before the question, for a run without a session; empty by default.
    pub messages: Vec<Message>,
    /// The model that must answer: a run whose worker has another one fails. Any by default.
    pub model: Option<String>,
    /// What whoever asks keeps with the run, see [`DurableStore::note`](crate::DurableStore::note);
    /// nothing by default.
    pub note: Option<Value>,
}

/// The key of a gateway with which a run was begun, and what it allows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RunOwner {
    /// The name of the key.
    pub name: String,
    /// Whether tools are used.
    pub tools: bool,
    /// The models that may answer; empty for all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<String>,
}

impl RunOwner {
    /// A key that allows everything.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            tools: true,
            models: Vec::new(),
        }
    }

    /// Whether this model may answer.
    pub(crate) fn may_use(&self, model: &str) -> bool {
        let mut models = self.models.iter();
        self.models.is_empty() || models.any(|allowed| is_named(model, allowed))
    }
}

/// Whether the model with this id has this name. An id may begin with the name of its provider.
pub(crate) fn is_named(id: &str, name: &str) -> bool {
    let plain = |name: &str| name.strip_suffix(":latest").unwrap_or(name).to_owned();
    let without_provider = id.split_once(':').map_or(id, |(_, name)| name);
    [id, without_provider].map(plain).contains(&plain(name))
}

/// The queue of runs and workers that name none.
pub const DEFAULT_QUEUE: &str = "default";

impl Default for RunOptions {
    fn default() -> Self {
        Self {
            queue: DEFAULT_QUEUE.to_owned(),
            at: None,
            id: None,
            owner: None,
            session: None,
            messages: Vec::new(),
            model: None,
            note: None,
        }
    }
}

/// Where a run stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "state", rename_all = "snake_case")]
#[non_exhaustive]
pub enum RunState {
    /// No worker has taken it yet.
    Queued,
    /// It begins later.
    Delayed {
        /// When it begins: RFC 3339, in UTC.
        until: String,
    },
    /// It is a schedule, which begins runs of its question.
    Repeating {
        /// When, in the form of cron.
        every: String,
        /// The IANA time zone in which that is meant.
        time_zone: String,
    },
    /// A worker has it, or will take it over from a dead one.
    Working,
    /// It waits for a person.
    Waiting(Pending),
    /// It is answered.
    Answered {
        /// The answer.
        text: String,
    },
    /// It failed.
    Failed {
        /// A sentence for the user.
        error: String,
    },
    /// It was cancelled.
    Cancelled,
}

/// A step of a run: a reply, the beginning or the end of a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RecordedStep {
    /// What was done, such as `reply` or `pay begun`.
    pub name: String,
    /// What came of it.
    pub value: Value,
}

/// A call that a person must decide about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Pending {
    /// The number of the decision in the run, from 0.
    pub number: usize,
    /// Why a person is needed.
    pub reason: PendingReason,
    /// The tool.
    pub tool: String,
    /// The arguments of the call.
    pub arguments: Arguments,
    /// The effect of the call in a few words. For a tool of an MCP server it is untrusted text.
    pub effect: String,
}

/// Why a person is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PendingReason {
    /// The call needs approval before it runs. Decide [`Decision::Allow`] or [`Decision::Deny`].
    Approval,
    /// The process died while the call ran, and repeating it could act twice. Decide
    /// [`Decision::Did`], [`Decision::DidNot`] or [`Decision::Repeat`].
    Uncertain,
}

/// What a person decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// The call may run.
    Allow,
    /// The call must not run.
    Deny,
    /// The call took effect; the model is told so.
    Did,
    /// The call had no effect; the model is told so and may call again.
    DidNot,
    /// The call runs again, with the key of the first attempt.
    Repeat,
}

impl Decision {
    /// Whether the decision answers that question.
    #[must_use]
    pub fn answers(self, reason: PendingReason) -> bool {
        match self {
            Self::Allow | Self::Deny => reason == PendingReason::Approval,
            Self::Did | Self::DidNot | Self::Repeat => reason == PendingReason::Uncertain,
        }
    }
}

impl Pending {
    pub(crate) fn new(reason: PendingReason, call: &ToolCall, effect: String) -> Self {
        Self {
            number: 0,
            reason,
            tool: call.name.clone(),
            arguments: call.args.clone(),
            effect,
        }
    }
}

impl RunState {
    /// The state in one word.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Delayed { .. } => "delayed",
            Self::Repeating { .. } => "repeating",
            Self::Working => "working",
            Self::Waiting(pending) => match pending.reason {
                PendingReason::Approval => "approval",
                PendingReason::Uncertain => "uncertain",
            },
            Self::Answered { .. } => "answered",
            Self::Failed { .. } => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// Whether nothing happens to the run any more, unless it is retried.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        matches!(
            self,
            Self::Answered { .. } | Self::Failed { .. } | Self::Cancelled
        )
    }
}

//! What is stored: the names of workflows and queues, and the input and output of each stretch.
//!
//! A run is a chain of stretches. Each goes on until there is an answer or a person must decide,
//! and is a workflow of the engine in a queue with limited slots; the first has the id of the run.
//! The next one begins with the decision. So a run that waits is a finished row: it takes no slot,
//! no memory and no query.
//!
//! Old stores hold these forms, so a new field has a default, and a form that cannot be read any
//! more needs another [`VERSION`].

use haft_core::Message;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::run::{Decision, Pending, RecordedStep, RunOwner};

/// The version of the forms. Workers take up only runs of their own version. The engine would take
/// the hash of the program, with which each new build strands the runs of the last.
pub(crate) const VERSION: &str = "haft-1";

/// The workflow of a run's first stretch.
pub(crate) const RUN: &str = "haft_run";

/// The workflow of a run's later stretches.
pub(crate) const STRETCH: &str = "haft_stretch";

/// The workflow that begins a run of a schedule.
pub(crate) const TICK: &str = "haft_tick";

/// The queue of [`TICK`], which all workers have.
pub(crate) const TICKS: &str = "haft_ticks";

/// The engine's name of a queue of runs.
pub(crate) fn engine_queue(queue: &str) -> String {
    format!("haft_queue_{queue}")
}

/// What a stretch begins with.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct StretchInput {
    pub(crate) run: String,
    pub(crate) question: String,
    pub(crate) queue: String,
    /// Whose run it is, and what it may use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) owner: Option<RunOwner>,
    /// The session in which it is asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) session: Option<InSession>,
    /// The conversation before the question of a run without a session.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) messages: Vec<Message>,
    /// The model that must answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) model: Option<String>,
    /// What whoever asked keeps with the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) note: Option<Value>,
    /// The schedule that began the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) schedule: Option<String>,
    /// Steps of another run that this one goes on from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) copied: Vec<RecordedStep>,
    /// The stretches before this one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) earlier: Vec<Earlier>,
    /// What people decided, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) decisions: Vec<Decided>,
}

/// The place of a run in a session.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct InSession {
    pub(crate) id: String,
    /// The number of messages before the question.
    pub(crate) messages: i64,
}

/// A stretch that has ended.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Earlier {
    pub(crate) stretch: String,
    /// How many of its steps count; a retry drops the failed one.
    pub(crate) steps: usize,
}

/// A decision in its place.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Decided {
    /// The number of steps before it.
    pub(crate) after: usize,
    pub(crate) decision: Decision,
}

/// How a stretch ended.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StretchEnd {
    Answered { text: String },
    Failed { error: String },
    Waiting(Pending),
}

impl StretchInput {
    /// The first stretch of a run.
    pub(crate) fn new(run: String, question: String, queue: String) -> Self {
        Self {
            run,
            question,
            queue,
            owner: None,
            session: None,
            messages: Vec::new(),
            model: None,
            note: None,
            schedule: None,
            copied: Vec::new(),
            earlier: Vec::new(),
            decisions: Vec::new(),
        }
    }

    /// The id of the stretch. No id of a run has a slash.
    pub(crate) fn id(&self) -> String {
        match self.earlier.len() {
            0 => self.run.clone(),
            number => format!("{}/{number}", self.run),
        }
    }

    /// The number of steps before this stretch.
    pub(crate) fn steps_before(&self) -> usize {
        let earlier = self.earlier.iter().map(|earlier| earlier.steps);
        self.copied.len() + earlier.sum::<usize>()
    }

    /// The input of the stretch after this one, of whose steps `steps` count.
    pub(crate) fn next(mut self, steps: usize, decision: Option<Decision>) -> Self {
        let stretch = self.id();
        self.earlier.push(Earlier { stretch, steps });
        let after = self.steps_before();
        let decided = decision.map(|decision| Decided { after, decision });
        self.decisions.extend(decided);
        self
    }
}

/// The number of a stretch in its run.
pub(crate) fn stretch_number(id: &str, run: &str) -> usize {
    let number = id.strip_prefix(run).and_then(|id| id.strip_prefix('/'));
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}

//! The recorded steps of a run: each is done once, and read back by whoever works on the run later.
//!
//! A run is done in stretches: it goes on until it is answered or needs a person, and the next
//! stretch begins after the decision. A stretch reads the steps of the earlier ones from a
//! [`Tape`] and records its own with the engine, which replays them after a crash. So the agent
//! loop runs from the beginning each time, and only what is new is really done. Steps are done one
//! after the other, because a step is found again by its place.

use std::collections::VecDeque;
use std::future::{Future, pending};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use durare::DurableContext;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::sync::Notify;

use crate::leases::Lease;
use crate::run::{Decision, Pending};

/// What earlier stretches recorded.
#[derive(Debug, Default)]
pub(crate) struct Tape {
    /// The steps, each with its name and value.
    pub(crate) steps: VecDeque<RecordedStep>,
    /// What a person decided, in order.
    pub(crate) decisions: VecDeque<Decision>,
}

/// A step of an earlier stretch.
#[derive(Debug)]
pub(crate) struct RecordedStep {
    pub(crate) name: String,
    pub(crate) value: Value,
}

/// Why a stretch ends before the agent has an answer.
#[derive(Debug)]
pub(crate) enum Interruption {
    /// A person must decide.
    Waiting(Pending),
    /// A step could not be recorded, so that the engine takes the run up again later.
    NotRecorded(durare::Error),
    /// The steps of an earlier stretch are others than the agent takes now.
    Diverged(String),
}

/// The steps of one stretch.
pub(crate) struct Steps {
    /// The run, not the stretch: keys of calls are made from it.
    run: String,
    context: DurableContext,
    lease: Arc<Lease>,
    state: Mutex<State>,
    interrupted: Notify,
}

struct State {
    tape: Tape,
    /// The number of the next decision.
    decisions: usize,
    /// The number of the next call.
    calls: usize,
    interruption: Option<Interruption>,
}

impl Steps {
    pub(crate) fn new(run: String, context: DurableContext, lease: Arc<Lease>, tape: Tape) -> Self {
        Self {
            run,
            context,
            lease,
            state: Mutex::new(State {
                tape,
                decisions: 0,
                calls: 0,
                interruption: None,
            }),
            interrupted: Notify::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of the next tool call, from 0.
    pub(crate) fn next_call(&self) -> usize {
        let mut state = self.state();
        let number = state.calls;
        state.calls += 1;
        number
    }

    /// The idempotency key of a call.
    pub(crate) fn key(&self, call: usize) -> String {
        format!("{}:{call}", self.run)
    }

    /// Does a step and records its value, or returns the recorded one. The future does not end
    /// when the step cannot be recorded: then the stretch is interrupted.
    pub(crate) async fn record<T, F>(&self, name: &str, work: impl FnOnce() -> F + Send) -> T
    where
        T: Serialize + DeserializeOwned + Send,
        F: Future<Output = T> + Send,
    {
        if let Some(step) = self.next_recorded() {
            if step.name == name
                && let Ok(value) = serde_json::from_value(step.value)
            {
                return value;
            }
            let was = step.name;
            let message = format!("\"{was}\" is recorded where the agent now does \"{name}\"");
            return self.interrupt(Interruption::Diverged(message)).await;
        }
        let work = async || {
            // Nothing is done by a worker that others may believe to be dead.
            if !self.lease.is_held() {
                return pending().await;
            }
            Ok(work().await)
        };
        match self.context.step(name, work).await {
            Ok(value) if self.lease.is_held() => value,
            Ok(_) => pending().await,
            Err(error) => self.interrupt(Interruption::NotRecorded(error)).await,
        }
    }

    fn next_recorded(&self) -> Option<RecordedStep> {
        self.state().tape.steps.pop_front()
    }

    /// What a person decided about a call. The future does not end when nobody has: then the
    /// stretch is interrupted.
    pub(crate) async fn decision(&self, pending: Pending) -> Decision {
        let (decision, number) = {
            let mut state = self.state();
            let number = state.decisions;
            state.decisions += 1;
            (state.tape.decisions.pop_front(), number)
        };
        match decision {
            Some(decision) => decision,
            None => {
                let pending = Pending { number, ..pending };
                self.interrupt(Interruption::Waiting(pending)).await
            }
        }
    }

    async fn interrupt<T>(&self, reason: Interruption) -> T {
        self.state().interruption.get_or_insert(reason);
        self.interrupted.notify_one();
        pending().await
    }

    /// Waits until the stretch is interrupted.
    pub(crate) async fn interrupted(&self) -> Interruption {
        loop {
            self.interrupted.notified().await;
            if let Some(reason) = self.state().interruption.take() {
                return reason;
            }
        }
    }
}

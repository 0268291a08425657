//! The recorded steps of a run: each is done once, and read back by whoever works on the run later.
//!
//! A stretch reads the steps of the earlier ones from a [`RecordedHistory`] and records its own with the
//! engine, which replays them after a crash. So the agent loop runs from the beginning each time,
//! and only what is new is really done. Steps are done one after the other, because a step is found
//! again by its place.

use std::collections::VecDeque;
use std::future::{Future, pending};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use durare::DurableContext;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::Notify;

use crate::chunks::ChunkWriter;
use crate::run::{Decision, Pending, RecordedStep};
use crate::session_log::SessionLog;
use crate::store::DurableStore;
use crate::worker_state::WorkerState;

/// What earlier stretches recorded.
#[derive(Debug, Default)]
pub(crate) struct RecordedHistory {
    /// The steps, in order.
    pub(crate) steps: VecDeque<RecordedStep>,
    /// What people decided, in order.
    pub(crate) decisions: VecDeque<Decision>,
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
    /// The worker has stopped.
    Left,
}

/// The steps of one stretch.
pub(crate) struct Steps {
    /// The run, not the stretch: keys of calls are made from it.
    run: String,
    store: DurableStore,
    context: DurableContext,
    worker: Arc<WorkerState>,
    owner: Option<String>,
    session: Option<SessionLog>,
    state: Mutex<State>,
    interrupted: Notify,
    /// Held from before a call begins until its end is recorded.
    calling: tokio::sync::Mutex<()>,
}

/// What the steps of a stretch are recorded with.
pub(crate) struct StepsOf {
    pub(crate) run: String,
    pub(crate) store: DurableStore,
    pub(crate) context: DurableContext,
    pub(crate) worker: Arc<WorkerState>,
    /// The name of the key for which tokens are counted.
    pub(crate) owner: Option<String>,
    pub(crate) session: Option<SessionLog>,
}

struct State {
    history: RecordedHistory,
    /// The number of the next decision.
    decisions: usize,
    /// The number of the next call.
    calls: usize,
    /// The number of the next step in the run.
    next: usize,
    interruption: Option<Interruption>,
}

impl Steps {
    pub(crate) fn new(parts: StepsOf, history: RecordedHistory) -> Self {
        Self {
            run: parts.run,
            store: parts.store,
            context: parts.context,
            worker: parts.worker,
            owner: parts.owner,
            session: parts.session,
            state: Mutex::new(State {
                history,
                decisions: 0,
                calls: 0,
                next: 0,
                interruption: None,
            }),
            interrupted: Notify::new(),
            calling: tokio::sync::Mutex::default(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The idempotency key of the next tool call. It is recorded with the call.
    pub(crate) fn next_key(&self) -> String {
        let mut state = self.state();
        let number = state.calls;
        state.calls += 1;
        format!("{}:{number}", self.run)
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
                && let Ok(value) = T::deserialize(&step.value)
            {
                self.account(&step, false).await;
                return value;
            }
            let was = step.name;
            let message = format!("\"{was}\" is recorded where the agent now does \"{name}\"");
            return self.interrupt(Interruption::Diverged(message)).await;
        }
        let faults = &self.worker.faults;
        let is_new = AtomicBool::new(false);
        let work = async || {
            faults.pass().await;
            // Nothing is done by a worker that leaves, or that others may believe to be dead.
            if !self.worker.may_begin() {
                return self.interrupt(Interruption::Left).await;
            }
            let value = work().await;
            faults.pass().await;
            is_new.store(true, Ordering::Relaxed);
            Ok(value)
        };
        let recorded = self.context.step(name, work).await;
        faults.pass().await;
        match recorded {
            Ok(value) if self.worker.lease.is_held() => {
                if (self.owner.is_some() || self.session.is_some())
                    && let Ok(recorded) = serde_json::to_value(&value)
                {
                    let name = name.to_owned();
                    let step = RecordedStep {
                        name,
                        value: recorded,
                    };
                    self.account(&step, is_new.into_inner()).await;
                }
                value
            }
            Ok(_) => self.interrupt(Interruption::Left).await,
            Err(error) => self.interrupt(Interruption::NotRecorded(error)).await,
        }
    }

    /// Counts the tokens of a step for the key of the run, and adds the step to its session.
    async fn account(&self, step: &RecordedStep, is_new: bool) {
        if let Some(owner) = &self.owner
            && is_new
            && let Some(usage) = step.usage()
            && let Err(error) = self.store.add_usage(owner, usage).await
        {
            tracing::warn!(error = error.detail(), "tokens of a run were not counted");
        }
        if let Some(session) = &self.session {
            session.add(step, is_new).await;
        }
    }

    fn next_recorded(&self) -> Option<RecordedStep> {
        let mut state = self.state();
        state.next += 1;
        state.history.steps.pop_front()
    }

    /// Shows the text of the reply that is being recorded to those who watch the run.
    pub(crate) fn show_text(&self) -> ChunkWriter {
        let before = self.state().next.saturating_sub(1);
        ChunkWriter::start(self.store.clone(), self.run.clone(), before)
    }

    /// Deletes the text of a reply that is recorded now.
    pub(crate) async fn forget_text(&self) {
        if let Err(error) = self.store.forget_chunks(&self.run).await {
            tracing::debug!(
                error = error.detail(),
                "the text of a reply is kept for a while"
            );
        }
    }

    /// Does the steps of one call, which a worker that leaves waits for.
    pub(crate) async fn call<T>(&self, steps: impl Future<Output = T>) -> T {
        let _calling = self.calling.lock().await;
        steps.await
    }

    /// What a person decided about a call. The future does not end when nobody has: then the
    /// stretch is interrupted.
    pub(crate) async fn decision(&self, pending: Pending) -> Decision {
        let (decision, number) = {
            let mut state = self.state();
            let number = state.decisions;
            state.decisions += 1;
            (state.history.decisions.pop_front(), number)
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
        let interrupted = async {
            loop {
                self.interrupted.notified().await;
                if let Some(reason) = self.state().interruption.take() {
                    return reason;
                }
            }
        };
        let over = async {
            self.worker.stopped().await;
            // The end of a call under way is still recorded.
            let _calling = self.calling.lock().await;
            Interruption::Left
        };
        tokio::select! {
            biased;
            reason = interrupted => reason,
            left = over => left,
        }
    }
}

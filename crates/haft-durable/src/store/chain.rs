//! A run as the chain of its stretches: which state it has, and which steps are recorded.

use std::collections::HashMap;
use std::time::{Duration, SystemTime};

use durare::{ListFilter, WorkflowStatus};
use serde_json::Value;

use super::{DurableStore, milliseconds, time_text};
use crate::error::DurableError;
use crate::format::{RUN, StretchEnd, StretchInput, stretch_number};
use crate::run::{Pending, RecordedStep, RunState, RunSummary};

/// The number of runs that [`DurableStore::list`] returns.
const LISTED: i64 = 1000;

/// How long a run waits for a decision.
const DECISION_TIMEOUT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// The first and the last stretch of a run, which are usually the same.
pub(crate) struct Chain {
    pub(super) first: WorkflowStatus,
    pub(super) last: WorkflowStatus,
}

/// How far a run is.
pub(crate) struct Progress {
    pub(crate) state: RunState,
    /// The number of the last stretch.
    pub(crate) stretch: usize,
    /// The steps that were not known.
    pub(crate) steps: Vec<RecordedStep>,
    input: StretchInput,
}

impl Progress {
    /// The number of steps up to the end of an earlier stretch.
    pub(crate) fn steps_until(&self, stretch: usize) -> Option<usize> {
        let counted = self.input.earlier.get(..=stretch)?;
        let counted = counted.iter().map(|earlier| earlier.steps).sum::<usize>();
        Some(self.input.copied.len() + counted)
    }
}

impl DurableStore {
    /// The schedules, and then the newest runs, at most 1,000.
    ///
    /// # Errors
    ///
    /// [`DurableErrorKind::Database`](crate::DurableErrorKind::Database).
    pub async fn list(&self) -> Result<Vec<RunSummary>, DurableError> {
        let mut runs = self.schedules().await?;
        runs.extend(self.newest(Vec::new()).await?);
        Ok(runs)
    }

    /// The newest runs of the key with this name, at most 1,000.
    ///
    /// # Errors
    ///
    /// [`DurableErrorKind::Database`](crate::DurableErrorKind::Database).
    pub async fn list_of(&self, owner: &str) -> Result<Vec<RunSummary>, DurableError> {
        self.newest(vec![owner.to_owned()]).await
    }

    async fn newest(&self, owners: Vec<String>) -> Result<Vec<RunSummary>, DurableError> {
        let filter = ListFilter {
            name: vec![RUN.to_owned()],
            authenticated_users: owners,
            limit: Some(LISTED),
            sort_desc: true,
            ..ListFilter::default()
        };
        let chains = self.chains(&filter).await?;
        chains.iter().map(Chain::summary).collect()
    }

    /// The recorded steps of a run, in order.
    ///
    /// # Errors
    ///
    /// [`DurableErrorKind::UnknownRun`](crate::DurableErrorKind::UnknownRun) or
    /// [`DurableErrorKind::Database`](crate::DurableErrorKind::Database).
    pub async fn steps(&self, run: &str) -> Result<Vec<RecordedStep>, DurableError> {
        let last = self.chain(run).await?.last;
        let mut steps = self.recorded(&input_of(&last)?).await?;
        steps.extend(self.steps_of(&last.id).await?);
        Ok(steps)
    }

    /// What whoever began the run keeps with it, see [`RunOptions::note`](crate::RunOptions::note).
    ///
    /// # Errors
    ///
    /// [`DurableErrorKind::UnknownRun`](crate::DurableErrorKind::UnknownRun) or
    /// [`DurableErrorKind::Database`](crate::DurableErrorKind::Database).
    pub async fn note(&self, run: &str) -> Result<Option<Value>, DurableError> {
        Ok(input_of(&self.chain(run).await?.first)?.note)
    }

    /// How far a run is, with its steps after the first `known`.
    pub(crate) async fn progress(&self, run: &str, known: usize) -> Result<Progress, DurableError> {
        let chain = self.chain(run).await?;
        let input = input_of(&chain.last)?;
        let before = input.steps_before();
        let mut steps = match known < before {
            true => self.recorded(&input).await?.split_off(known),
            false => Vec::new(),
        };
        let own = self.steps_of(&chain.last.id).await?;
        steps.extend(own.into_iter().skip(known.saturating_sub(before)));
        Ok(Progress {
            state: chain.state(),
            stretch: input.earlier.len(),
            steps,
            input,
        })
    }

    /// What is recorded before a stretch.
    pub(crate) async fn recorded(
        &self,
        input: &StretchInput,
    ) -> Result<Vec<RecordedStep>, DurableError> {
        let mut steps = input.copied.clone();
        for earlier in &input.earlier {
            let recorded = self.steps_of(&earlier.stretch).await?;
            steps.extend(recorded.into_iter().take(earlier.steps));
        }
        Ok(steps)
    }

    /// The steps of one stretch.
    pub(super) async fn steps_of(&self, stretch: &str) -> Result<Vec<RecordedStep>, DurableError> {
        let steps = self.provider.get_workflow_steps(stretch).await?;
        let recorded = steps.into_iter().map(|step| RecordedStep {
            name: step.name,
            value: step.output.unwrap_or_default(),
        });
        Ok(recorded.collect())
    }

    /// The chain of a run.
    pub(crate) async fn chain(&self, run: &str) -> Result<Chain, DurableError> {
        let filter = ListFilter {
            workflow_ids: vec![run.to_owned()],
            name: vec![RUN.to_owned()],
            ..ListFilter::default()
        };
        let mut chains = self.chains(&filter).await?;
        chains.pop().ok_or_else(|| DurableError::unknown_run(run))
    }

    /// The chains whose first stretches the filter selects, in its order.
    pub(super) async fn chains(&self, filter: &ListFilter) -> Result<Vec<Chain>, DurableError> {
        let firsts = self.provider.list_workflows(filter).await?;
        if firsts.is_empty() {
            return Ok(Vec::new());
        }
        let later = ListFilter {
            parent_workflow_ids: firsts.iter().map(|first| first.id.clone()).collect(),
            ..ListFilter::default()
        };
        let mut lasts: HashMap<String, WorkflowStatus> = HashMap::new();
        for stretch in self.provider.list_workflows(&later).await? {
            let run = stretch.parent_workflow_id.clone().unwrap_or_default();
            let number = stretch_number(&stretch.id, &run);
            match lasts.get(&run) {
                Some(last) if stretch_number(&last.id, &run) > number => {}
                _ => {
                    lasts.insert(run, stretch);
                }
            }
        }
        let chains = firsts.into_iter().map(|first| Chain {
            last: lasts.remove(&first.id).unwrap_or_else(|| first.clone()),
            first,
        });
        Ok(chains.collect())
    }
}

impl Chain {
    pub(super) fn summary(&self) -> Result<RunSummary, DurableError> {
        let input = input_of(&self.first)?;
        Ok(RunSummary {
            id: input.run,
            question: input.question,
            queue: input.queue,
            schedule: input.schedule,
            owner: input.owner.map(|owner| owner.name),
            session: input.session.map(|session| session.id),
            asked: time_text(self.first.created_at.timestamp_millis()),
            state: self.state(),
        })
    }

    pub(crate) fn state(&self) -> RunState {
        let last = &self.last;
        let failed = |error: &str| RunState::Failed {
            error: error.to_owned(),
        };
        match last.status.as_str() {
            durare::STATUS_SUCCESS => match end_of(last) {
                Some(StretchEnd::Answered { text }) => RunState::Answered { text },
                Some(StretchEnd::Failed { error }) => RunState::Failed { error },
                Some(StretchEnd::Waiting(_)) if self.is_forgotten() => {
                    failed("Nobody decided within 30 days")
                }
                Some(StretchEnd::Waiting(pending)) => RunState::Waiting(pending),
                None => failed("The end of the run cannot be read"),
            },
            durare::STATUS_CANCELLED => RunState::Cancelled,
            durare::STATUS_DELAYED => RunState::Delayed {
                until: time_text(last.delay_until_ms.unwrap_or_default()),
            },
            durare::STATUS_ENQUEUED if last.id == self.first.id => RunState::Queued,
            durare::STATUS_ENQUEUED | durare::STATUS_PENDING => RunState::Working,
            durare::STATUS_MAX_RECOVERY_ATTEMPTS_EXCEEDED => {
                failed("Too many workers died while they worked on the run")
            }
            status => failed(last.error.as_deref().unwrap_or(status)),
        }
    }

    /// When the last stretch ended, in milliseconds since 1970.
    pub(super) fn ended_ms(&self) -> i64 {
        let updated = self.last.updated_at.timestamp_millis();
        self.last.completed_at_ms.unwrap_or(updated)
    }

    /// What the run waits for.
    pub(super) fn pending(&self) -> Option<Pending> {
        match self.state() {
            RunState::Waiting(pending) => Some(pending),
            _ => None,
        }
    }

    /// Whether the run has waited too long.
    fn is_forgotten(&self) -> bool {
        let timeout = i64::try_from(DECISION_TIMEOUT.as_millis()).unwrap_or(i64::MAX);
        let since = self.last.completed_at_ms.unwrap_or(i64::MAX);
        since.saturating_add(timeout) < milliseconds(SystemTime::now())
    }
}

/// The input of a stretch.
pub(super) fn input_of(stretch: &WorkflowStatus) -> Result<StretchInput, DurableError> {
    serde_json::from_value(stretch.input.clone()).map_err(|error| DurableError::unreadable(&error))
}

fn end_of(stretch: &WorkflowStatus) -> Option<StretchEnd> {
    serde_json::from_value(stretch.output.clone()?).ok()
}

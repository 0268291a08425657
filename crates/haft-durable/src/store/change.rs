//! What people do with runs: they decide, cancel, retry and copy them.
//!
//! Each of these begins another stretch, whose id follows from the run. So of two changes at the
//! same time one counts, and the other learns that it came too late.

use durare::ListFilter;

use super::chain::{Chain, input_of};
use super::{DurableStore, new_id};
use crate::error::{DurableError, DurableErrorKind};
use crate::format::StretchInput;
use crate::recorded_reply::is_failed_reply;
use crate::run::{Decision, RecordedStep, RunState};

impl DurableStore {
    /// Decides what a run waits for. The first decision counts.
    ///
    /// # Errors
    ///
    /// [`DurableErrorKind::NotWaiting`] when the run does not wait, or not for such a decision;
    /// [`DurableErrorKind::UnknownRun`] or [`DurableErrorKind::Database`].
    pub async fn decide(&self, run: &str, decision: Decision) -> Result<(), DurableError> {
        self.decide_number(run, None, decision).await
    }

    /// As [`Self::decide`], for somebody who has seen the question with this
    /// [number](crate::Pending::number): it never decides a later one.
    ///
    /// # Errors
    ///
    /// As [`Self::decide`].
    pub async fn decide_number(
        &self,
        run: &str,
        number: Option<usize>,
        decision: Decision,
    ) -> Result<(), DurableError> {
        let not_waiting = |message| {
            let hint = "show the run to see what it waits for";
            DurableError::new(DurableErrorKind::NotWaiting, message, hint)
        };
        let chain = self.chain(run).await?;
        let Some(pending) = chain.pending() else {
            return Err(not_waiting(format!("The run {run} does not wait")));
        };
        if number.is_some_and(|number| number != pending.number) {
            let message = format!("The run {run} waits for another decision by now");
            return Err(not_waiting(message));
        }
        if !decision.answers(pending.reason) {
            let message = format!("The run {run} waits for another kind of decision");
            return Err(not_waiting(message));
        }
        let steps = self.steps_of(&chain.last.id).await?.len();
        let next = input_of(&chain.last)?.next(steps, Some(decision));
        match self.begin(&next, None).await? {
            true => Ok(()),
            false => Err(not_waiting(format!(
                "Somebody has decided about the run {run}"
            ))),
        }
    }

    /// Cancels a run, or deletes a schedule. A tool call that is under way is not taken back.
    ///
    /// # Errors
    ///
    /// [`DurableErrorKind::State`] when the run has ended; [`DurableErrorKind::UnknownRun`] or
    /// [`DurableErrorKind::Database`].
    pub async fn cancel(&self, run: &str) -> Result<(), DurableError> {
        if self.schedule(run).await?.is_some() {
            self.client.delete_schedule(run).await?;
            return Ok(());
        }
        let chain = self.chain(run).await?;
        if chain.state().has_ended() {
            let message = format!("The run {run} has ended");
            return Err(DurableError::new(
                DurableErrorKind::State,
                message,
                "show the run",
            ));
        }
        if chain.pending().is_some() {
            // A cancelled stretch takes the place of the one that a decision would begin.
            let steps = self.steps_of(&chain.last.id).await?.len();
            let next = input_of(&chain.last)?.next(steps, None);
            let row = self.row(&next, durare::STATUS_CANCELLED)?;
            self.provider.insert_workflow_status(row).await?;
        }
        let later = ListFilter {
            parent_workflow_ids: vec![run.to_owned()],
            ..ListFilter::default()
        };
        let later = self.provider.list_workflows(&later).await?;
        let all = later.into_iter().map(|stretch| stretch.id);
        let all: Vec<_> = [run.to_owned()].into_iter().chain(all).collect();
        self.client.cancel_workflows(&all).await?;
        self.forget_chunks(run).await
    }

    /// Goes on with a run that failed or was cancelled, from its last step that succeeded. A call
    /// that was cut off needs a decision, unless its tool is read-only or idempotent.
    ///
    /// # Errors
    ///
    /// [`DurableErrorKind::State`] when the run neither failed nor was cancelled, or its session has
    /// gone on; [`DurableErrorKind::SessionBusy`];
    /// [`DurableErrorKind::UnknownRun`] or [`DurableErrorKind::Database`].
    pub async fn retry(&self, run: &str) -> Result<(), DurableError> {
        let chain = self.chain(run).await?;
        let refused = |message| {
            let hint = "copy the run with a fork, or ask again";
            Err(DurableError::new(DurableErrorKind::State, message, hint))
        };
        if !matches!(chain.state(), RunState::Failed { .. } | RunState::Cancelled) {
            return refused(format!("The run {run} neither failed nor was cancelled"));
        }
        let Chain { last, .. } = chain;
        let mut steps = self.steps_of(&last.id).await?;
        while steps.last().is_some_and(is_failed_reply) {
            steps.pop();
        }
        let next = input_of(&last)?.next(steps.len(), None);
        if let Some(place) = &next.session
            && !self.sessions().enter_again(place, run).await?
        {
            return refused(format!("The session {} has gone on since", place.id));
        }
        match self.begin(&next, None).await? {
            true => Ok(()),
            false => refused(format!("Somebody has continued the run {run}")),
        }
    }

    /// Asks the question of a run again, with its first `keep` steps as they are recorded, and
    /// returns the id of the new run. What people decided after these steps is asked again.
    ///
    /// # Errors
    ///
    /// [`DurableErrorKind::State`] when the run has fewer steps, or belongs to a session; [`DurableErrorKind::UnknownRun`]
    /// or [`DurableErrorKind::Database`].
    pub async fn fork(&self, run: &str, keep: usize) -> Result<String, DurableError> {
        let last = input_of(&self.chain(run).await?.last)?;
        if last.session.is_some() {
            let message = format!("The run {run} belongs to a session");
            let hint = "ask again in the session";
            return Err(DurableError::new(DurableErrorKind::State, message, hint));
        }
        let mut copied: Vec<RecordedStep> = self.steps(run).await?;
        if copied.len() < keep {
            let message = format!("The run {run} has {} steps", copied.len());
            let hint = "keep fewer steps";
            return Err(DurableError::new(DurableErrorKind::State, message, hint));
        }
        copied.truncate(keep);
        let decisions = last.decisions.into_iter();
        let input = StretchInput {
            copied,
            owner: last.owner,
            messages: last.messages,
            model: last.model,
            note: last.note,
            decisions: decisions.filter(|decided| decided.after < keep).collect(),
            ..StretchInput::new(new_id(), last.question, last.queue)
        };
        self.begin(&input, None).await?;
        Ok(input.run)
    }
}

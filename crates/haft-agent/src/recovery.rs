//! The recovery ladder: what is done when a reply, or a call, is no use.
//!
//! Each rung is one small step in a file of its own. The causes are looked for in this order:
//!
//! | the reply | the rung |
//! |---|---|
//! | talks where a call was due | `constrained_call.rs`: decide again, a call or none |
//! | is blank and ran out of tokens | `more_room.rs`: the same with room for more |
//! | is nothing but thoughts | `thinking_only.rs`: without tools and without thinking |
//! | is blank | `without_tools.rs`: without tools, with the word to answer directly |
//! | calls, and no call is valid | `invalid_calls.rs`: the model reads the exact error, once |
//! | makes the same call again | `repeated_calls.rs`: the known result, a note, the last turn |
//! | comes in the last round | `round_limit.rs`: that round goes without tools |
//!
//! Rungs that ask once more in place of a reply go through `reask.rs`; those that the next
//! ordinary turn decides through [`Run::begin_step`] and [`Run::settle`]. A rung never throws
//! away what is of use: where it helps nothing, the reply before it stands. Re-asks come on top
//! of the rounds, at most three for one reply.

mod call_due;
mod constrained_call;
mod invalid_calls;
mod more_room;
mod reask;
mod repeated_calls;
mod round_limit;
mod rungs;
mod thinking_only;
mod without_tools;

use std::time::Duration;

use haft_core::{AiMessage, Event, Outcome, Recovery, Rung, ToolCall, ToolError, ToolMessage};

pub use self::call_due::CallDue;
pub(crate) use self::reask::Reask;
use self::repeated_calls::CallHistory;
pub use self::rungs::Rungs;
use crate::run::Run;

/// What happened on the ladder during one question.
#[derive(Debug, Default)]
pub(crate) struct Ladder {
    /// The steps of which it is known how they went.
    pub(crate) steps: Vec<Recovery>,
    begun: u32,
    /// Steps that the next reply decides.
    pending: Vec<Recovery>,
    /// The rung that the answer is owed to, if any.
    owed_to: Option<Rung>,
    /// Why the next turn goes without tools, if it does.
    withheld: Option<Rung>,
    /// The errors of the last round, if no call of it was valid.
    errors: Option<Vec<String>>,
    history: CallHistory,
}

/// A call as its tool would get it, or what is wrong with it.
type Checked = Result<ToolCall, ToolError>;

impl Run {
    /// The reply to go on with: `reply`, or a better one where it is no use. `withheld` says why
    /// it was offered no tools, if it was not.
    pub(crate) async fn recovered(
        &mut self,
        reply: AiMessage,
        withheld: Option<Rung>,
    ) -> AiMessage {
        self.settle(&reply).await;
        if withheld.is_none()
            && let Some(call) = self.constrained_call(&reply).await
        {
            self.judge_first_reply(false);
            return call;
        }
        let is_blank_reply = is_blank(&reply, withheld);
        // With a schema to follow, the draft is dropped anyway.
        if self.shared.options.response_schema.is_some() && !reply.has_calls() {
            return reply;
        }
        self.judge_first_reply(!is_blank_reply);
        if !is_blank_reply {
            return reply;
        }
        self.note_blank(&reply);
        let mut blank = reply;
        match self.more_room(&blank, withheld).await {
            Some(longer) if !is_blank(&longer, withheld) => return longer,
            Some(longer) => blank = longer,
            None => {}
        }
        let direct = match self.thinking_only(&blank).await {
            Tried::Not => self.without_tools().await,
            tried => tried,
        };
        match direct {
            Tried::Helped(text) => text,
            _ => blank,
        }
    }

    /// Answers the calls of `reply` and learns from how they go.
    pub(crate) async fn answer_calls(&mut self, reply: &AiMessage) {
        let executor = self.tooling.executor.clone();
        let calls = reply.tool_calls.iter();
        let checked: Vec<Checked> = calls.map(|call| executor.check(call)).collect();
        self.look_at_errors(reply, &checked).await;
        let answers = self.run_calls(reply, &checked).await;
        let answers = self.capped(answers).await;
        self.append_all(answers).await;
    }

    /// How a question ended whose answer is this text.
    pub(crate) fn outcome(&self) -> Outcome {
        self.ladder
            .owed_to
            .map_or(Outcome::Answered, Outcome::Recovered)
    }

    /// A step begins.
    async fn begin_step(&mut self, rung: Rung, reason: &str) -> Recovery {
        self.ladder.begun += 1;
        self.count_try(rung);
        tracing::info!(%rung, attempt = self.ladder.begun, reason, "recovery");
        let reason = reason.to_owned();
        self.events
            .emit(Event::RecoveryStarted { rung, reason })
            .await;
        let mut step = Recovery::new(rung, self.ladder.begun);
        step.original = self.took;
        step
    }

    /// A step begins whose success the next reply tells.
    async fn begin_pending(&mut self, rung: Rung, reason: &str) {
        let step = self.begin_step(rung, reason).await;
        self.ladder.pending.push(step);
    }

    /// A step is over.
    async fn end_step(&mut self, step: Recovery) {
        let Recovery {
            rung,
            attempt,
            recovered,
            ..
        } = step;
        if recovered {
            self.ladder.owed_to = Some(rung);
        }
        let rate = self.count_retry(rung, recovered);
        let (original_ms, retry_ms) = (milliseconds(step.original), milliseconds(step.retry));
        let outcome = if recovered { "success" } else { "failure" };
        tracing::info!(
            model = self.shared.model.id(),
            %rung,
            attempt,
            rate,
            original_ms,
            retry_ms,
            valid_response = recovered,
            "Retry {attempt}: {outcome}"
        );
        self.ladder.steps.push(step);
        self.events.emit(Event::RecoveryFinished(step)).await;
    }

    /// Ends the steps that this reply decides.
    pub(crate) async fn settle(&mut self, reply: &AiMessage) {
        for mut step in std::mem::take(&mut self.ladder.pending) {
            step.retry = self.took;
            step.recovered = match step.rung {
                // What else could go on than a call that is new, or an answer?
                Rung::RepeatedCalls => !self.repeats(reply) && !reply.is_blank(),
                Rung::InvalidCalls => !reply.is_blank() && self.may_go_on(reply),
                _ => !reply.content.is_blank(),
            };
            self.end_step(step).await;
        }
    }

    /// Ends the steps that no reply will decide any more: they did not help.
    pub(crate) async fn give_up_pending(&mut self) {
        for mut step in std::mem::take(&mut self.ladder.pending) {
            step.retry = self.asked.elapsed();
            self.end_step(step).await;
        }
    }

    /// True for a reply without calls, or with one that may run.
    fn may_go_on(&self, reply: &AiMessage) -> bool {
        let mut calls = reply.tool_calls.iter();
        !reply.has_calls() || calls.any(|call| self.tooling.executor.check(call).is_ok())
    }
}

/// How a rung went.
#[derive(Debug)]
enum Tried {
    /// Its cause is not there, or it is not in use.
    Not,
    /// It did not help.
    InVain,
    /// This reply goes in place of the one before.
    Helped(AiMessage),
}

/// True when a user would be left with nothing. In a turn that offers no tools calls are nothing.
fn is_blank(reply: &AiMessage, withheld: Option<Rung>) -> bool {
    reply.content.is_blank() && (withheld.is_some() || !reply.has_calls())
}

pub(crate) fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// `message` with a note to the model at its end.
fn noted(mut message: ToolMessage, note: &str) -> ToolMessage {
    message.content.push_paragraph(note);
    message
}

#[cfg(test)]
mod tests;

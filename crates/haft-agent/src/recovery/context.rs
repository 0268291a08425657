//! What a recovery step works with: the parts of its question, and the moves it may make.

use haft_core::{
    AiMessage, Emitter, Event, Recovery as RecoveryReport, RecoveryStep, ToolMessage, ToolStatus,
};
use haft_tools::ToolExecutor;

use super::call_history::CallRound;
use super::situation::{Cause, Need};
use super::state::RecoveryState;
use crate::attempts::attempt::milliseconds;
use crate::attempts::recorder::AttemptRecorder;
use crate::model_requests::{ModelRequest, ModelRequests};
use crate::options::AgentOptions;
use crate::question_tools::QuestionTools;
use crate::run::budget::RoundBudget;

/// The parts of a question that recovery works with. The conversation is not among them: steps
/// return what they found, and the driver adds it.
pub(crate) struct RecoveryContext<'a> {
    pub(crate) options: &'a AgentOptions,
    /// The rounds that are left. Requests of steps take none.
    pub(crate) budget: &'a RoundBudget,
    /// All tools, and those that the model is offered.
    pub(crate) tools: &'a QuestionTools,
    /// The latest message of the user, its words alone.
    pub(crate) question: &'a str,
    /// The way to ask the model again.
    pub(crate) requests: &'a mut ModelRequests,
    /// Where needs and tries are counted.
    pub(crate) record: &'a mut AttemptRecorder,
    /// What recovery remembers from round to round.
    pub(crate) state: &'a mut RecoveryState,
    pub(crate) events: &'a Emitter<Event>,
}

/// What came of asking again.
#[derive(Debug)]
pub(super) enum Retried {
    /// A useful reply.
    Helped(AiMessage),
    /// A reply that is not useful either.
    InVain(AiMessage),
    /// No reply: the model failed.
    Failed,
}

/// The answers to the calls of a round.
#[derive(Debug)]
pub(super) struct AnsweredCalls {
    /// One message per call, in order.
    pub(super) messages: Vec<ToolMessage>,
    /// Whether every call was made for the third time with the same result.
    pub(super) is_loop: bool,
}

impl RecoveryContext<'_> {
    /// What validates and runs calls.
    pub(super) fn executor(&self) -> &ToolExecutor {
        &self.tools.all.executor
    }

    /// Sends a request and returns the reply if it `is_useful`. A failure of this request does
    /// not fail the question. The step is begun before and ended after it.
    pub(super) async fn ask_again(
        &mut self,
        need: Need<'_>,
        request: ModelRequest,
        is_useful: impl Fn(&AiMessage) -> bool,
    ) -> Retried {
        let retried = self.try_again(need, request, is_useful).await;
        let helped = matches!(retried, Retried::Helped(_));
        self.end_pending(helped).await;
        retried
    }

    /// As [`ask_again`](Self::ask_again), but the step stays pending: what comes of the reply shows
    /// whether it helped.
    pub(super) async fn try_again(
        &mut self,
        need: Need<'_>,
        request: ModelRequest,
        is_useful: impl Fn(&AiMessage) -> bool,
    ) -> Retried {
        let step = need.step;
        // Pending, so that it is reported when the time limit is reached meanwhile.
        self.begin_pending(step, need.cause).await;
        let retried = match self.requests.send(&request, self.record).await {
            Ok(reply) if is_useful(&reply) => Retried::Helped(reply),
            Ok(reply) => Retried::InVain(reply),
            Err(error) => {
                tracing::warn!(%step, %error, "the model failed when asked again");
                Retried::Failed
            }
        };
        if let Some(report) = self.state.pending.last_mut() {
            report.retry = self.requests.reply_took;
        }
        retried
    }

    /// Ends the step that was begun last.
    pub(super) async fn end_pending(&mut self, recovered: bool) {
        if let Some(mut report) = self.state.pending.pop() {
            report.recovered = recovered;
            self.end(report).await;
        }
    }

    /// Ends the steps that led to calls, now that these are answered: they helped if one of the
    /// calls succeeded.
    pub(super) async fn settle_call(
        &mut self,
        mut waiting: Vec<RecoveryReport>,
        answers: &[ToolMessage],
    ) {
        let is_call = |report: &RecoveryReport| report.step == RecoveryStep::ConstrainedCall;
        let constrained = self.state.pending.iter().position(is_call);
        if let Some(index) = constrained {
            waiting.push(self.state.pending.remove(index));
        }
        let mut answers = answers.iter();
        let has_succeeded = answers.any(|answer| answer.status == ToolStatus::Success);
        for mut report in waiting {
            report.recovered = has_succeeded;
            self.end(report).await;
        }
        if constrained.is_some() {
            self.record.judge_first_reply(false);
        }
    }

    /// Begins a step whose success the next reply shows.
    pub(super) async fn begin_pending(&mut self, step: RecoveryStep, cause: Cause) {
        self.record.tries(step);
        let mut report = self.state.begin(step);
        report.original = self.requests.reply_took;
        let reason = cause.into_owned();
        tracing::info!(%step, attempt = report.attempt, reason, "recovery");
        let event = Event::RecoveryStarted { step, reason };
        self.events.emit(event).await;
        self.state.pending.push(report);
    }

    pub(super) async fn end(&mut self, report: RecoveryReport) {
        let RecoveryReport {
            step,
            attempt,
            recovered,
            ..
        } = report;
        let rate = self.record.tried(step, recovered);
        let (original_ms, retry_ms) = (milliseconds(report.original), milliseconds(report.retry));
        let outcome = if recovered { "success" } else { "failure" };
        tracing::info!(
            model = self.requests.model(),
            %step,
            attempt,
            rate,
            original_ms,
            retry_ms,
            valid_response = recovered,
            "Retry {attempt}: {outcome}"
        );
        self.state.end(report);
        self.events.emit(Event::RecoveryFinished(report)).await;
    }

    /// Ends the pending steps without success, because there will be no further reply.
    pub(crate) async fn give_up_pending(&mut self) {
        for mut report in std::mem::take(&mut self.state.pending) {
            report.retry = self.requests.sent_at.elapsed();
            self.end(report).await;
        }
        for mut report in std::mem::take(&mut self.state.waiting) {
            report.recovered = false;
            self.end(report).await;
        }
    }

    /// Offers no tools in the rounds from now on, which ends a loop of calls.
    pub(super) fn withhold_tools(&mut self) {
        self.state.withholds_tools = true;
    }

    /// Runs the calls of a round that have no known result, answers all of them, and remembers
    /// the results. `known` has an entry for each entry of the reply's `tool_calls`.
    pub(super) async fn run_calls(
        &mut self,
        round: &CallRound<'_>,
        known: &[Option<ToolMessage>],
    ) -> AnsweredCalls {
        let mut running = round.reply.clone();
        let mut is_unknown = known.iter().map(Option::is_none);
        running
            .tool_calls
            .retain(|_| is_unknown.next().unwrap_or(true));
        let ran = self.executor().run_round(&running, self.events).await;
        let mut ran = ran.into_iter();
        let results = known
            .iter()
            .map(|known| known.clone().or_else(|| ran.next()));
        let messages = haft_tools::answer_calls(round.reply, results);
        let is_loop = self.state.history.learn(round, &messages);
        AnsweredCalls { messages, is_loop }
    }
}

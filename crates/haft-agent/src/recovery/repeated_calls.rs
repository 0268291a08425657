//! Repeated calls: equal name and arguments, with no change by another call in between.
//!
//! A read-only tool is not run again, as its result is known. Any other tool runs, because the
//! repetition may be intended, and the model reads a note. When all calls of a round are made for
//! the third time with the same results, the next round offers no tools, which ends the loop.
//! Equal calls within one reply are intended. What counts as repeated is in `call_history.rs`.

use std::time::Duration;

use haft_core::{AiMessage, Emitter, Event, RecoveryStep, ToolMessage, ToolReport, ToolStatus};

use super::call_history::CallRound;
use super::context::RecoveryContext;
use super::situation::{Cause, Need, Situation};
use super::step::{Decision, Recovery};

const KNOWN: &str = "(The same call was made before and nothing has changed since: this is its result again. \
     Answer with it.)";

const RAN_AGAIN: &str = "(The same call was made before. It has run again; do not repeat it unless it must run once \
     more.)";

const FAILED_AGAIN: &str =
    "(The same call was made before. Do not repeat it unchanged; answer with what there is.)";

/// Answers repeated calls with the known result or a note.
#[derive(Debug)]
pub(super) struct RepeatedCalls;

#[async_trait::async_trait]
impl Recovery for RepeatedCalls {
    fn step(&self) -> RecoveryStep {
        RecoveryStep::RepeatedCalls
    }

    fn cause(&self, situation: &Situation<'_>, _: &RecoveryContext<'_>) -> Option<Cause> {
        match situation {
            Situation::Calls(round) if round.repeated().any(|is_repeated| is_repeated) => {
                Some("the same call again".into())
            }
            _ => None,
        }
    }

    async fn act(&self, mut need: Need<'_>, context: &mut RecoveryContext<'_>) -> Decision {
        let Situation::Calls(round) = need.situation else {
            return Decision::Continue;
        };
        let known = context.state.history.known_results(round);
        let mut answers = context.run_calls(round, &known).await;
        let calls = round.repeated().zip(&known).zip(&mut answers.messages);
        for ((is_repeated, known), answer) in calls {
            if is_repeated {
                answer
                    .content
                    .push_paragraph(note(known.is_some(), answer.status));
            }
        }
        report_known(round.reply, &answers.messages, &known, context.events).await;
        if answers.is_loop {
            context.withhold_tools();
            need.cause =
                "the same call for the third time, so the next turn goes without tools".into();
        }
        context.begin_pending(need.step, need.cause).await;
        Decision::Answers(answers.messages)
    }

    /// Only a new call or an answer is progress.
    fn has_helped(&self, reply: &AiMessage, context: &RecoveryContext<'_>) -> bool {
        let round = CallRound::new(reply, context.executor(), &context.state.history);
        let repeats = reply.has_calls() && round.repeated().all(|is_repeated| is_repeated);
        !repeats && !reply.is_blank()
    }
}

/// What the model reads below the result of a repeated call.
fn note(is_known: bool, status: ToolStatus) -> &'static str {
    match status {
        _ if is_known => KNOWN,
        ToolStatus::Error => FAILED_AGAIN,
        ToolStatus::Success => RAN_AGAIN,
    }
}

/// Reports the calls that were answered without running, as no tool reports them.
pub(super) async fn report_known(
    reply: &AiMessage,
    answers: &[ToolMessage],
    known: &[Option<ToolMessage>],
    events: &Emitter<Event>,
) {
    for ((call, answer), known) in reply.tool_calls.iter().zip(answers).zip(known) {
        if known.is_some() {
            let report = ToolReport {
                call: call.clone(),
                message: answer.clone(),
                duration: Duration::ZERO,
                coercions: Vec::new(),
            };
            events.emit(Event::ToolFinished(report)).await;
        }
    }
}

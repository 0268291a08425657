//! Recovery from replies and calls that are not usable.
//!
//! Each step is a file of its own that implements [`Recovery`] (`step.rs`), and an entry in
//! [`STEPS`]. The causes are checked in this order:
//!
//! | the reply | the step |
//! |---|---|
//! | repeats itself | `repeated_text.rs`: ask again, with a penalty on repetition |
//! | is prose where a call was needed | `constrained_call.rs`: ask again, for a call or "none" |
//! | is empty and reached the token limit | `raise_max_tokens.rs`: ask again with a higher limit |
//! | has reasoning only | `thinking_only.rs`: ask again without tools and reasoning |
//! | is empty | `without_tools.rs`: ask again without tools, for a direct answer |
//! | has calls, but no valid one | `invalid_calls.rs`: the model reads the errors |
//! | repeats a call | `repeated_calls.rs`: the known result, a note, a round without tools |
//! | is in the last round | `round_limit.rs`: that round offers no tools |
//! | contradicts the results | `ungrounded_answer.rs`: the results in place of it |
//!
//! The driver in `run.rs` calls the functions of this file: [`offers_tools`] before a round,
//! [`recover_reply`] after a reply, [`answer_calls`] around its calls, [`recover_client_calls`]
//! where a client runs the tools. `refusals.rs` has the calls that never run. If a step does not help, the reply before it is used. Requests
//! of steps do not count as rounds; one reply leads to three at most.

mod call_history;
mod constrained_call;
pub(crate) mod context;
mod direct_answer;
mod invalid_calls;
mod raise_max_tokens;
mod refusals;
mod repeated_calls;
mod repeated_text;
mod round_limit;
pub(crate) mod situation;
pub(crate) mod state;
mod step;
mod thinking_only;
mod ungrounded_answer;
mod without_tools;

use haft_core::{AiMessage, RecoveryStep, ToolMessage};

use self::call_history::CallRound;
pub(crate) use self::constrained_call::is_call_due;
use self::context::RecoveryContext;
use self::situation::{Need, Situation};
use self::step::{Decision, Recovery};
use crate::attempts::attempt::milliseconds;
use crate::model_requests::ModelRequest;

/// All steps, in the order in which their causes are checked.
const STEPS: &[&dyn Recovery] = &[
    &repeated_text::RepeatedText,
    &constrained_call::ConstrainedCall,
    &raise_max_tokens::RaiseMaxTokens,
    &thinking_only::ThinkingOnly,
    &without_tools::WithoutTools,
    &invalid_calls::InvalidCalls,
    &repeated_calls::RepeatedCalls,
    &round_limit::RoundLimit,
    &ungrounded_answer::UngroundedAnswer,
];

/// Shows a situation to a step, and lets it act if it finds its cause and is switched on.
async fn take(
    step: &dyn Recovery,
    situation: &Situation<'_>,
    context: &mut RecoveryContext<'_>,
) -> Decision {
    let Some(cause) = step.cause(situation, context) else {
        return Decision::Continue;
    };
    context.record.needs(step.step());
    if !context.options.recovery.has(step.step()) {
        return Decision::Continue;
    }
    let need = Need {
        step: step.step(),
        cause,
        situation,
    };
    step.act(need, context).await
}

/// Whether the next round offers the model its tools.
pub(crate) async fn offers_tools(context: &mut RecoveryContext<'_>) -> bool {
    // A limit of one round is a setting, not a recovery: there are no earlier calls.
    let is_only_round = context.budget.used() == 0 && context.budget.is_last();
    if is_only_round || context.state.withholds_tools {
        return false;
    }
    for step in STEPS {
        take(*step, &Situation::RoundAhead, context).await;
    }
    !context.state.withholds_tools
}

/// Returns `reply` if it is usable, otherwise the reply of a recovery step if one helps. A draft
/// precedes a structured answer: it is dropped anyway, so it may be empty.
pub(crate) async fn recover_reply(
    mut reply: AiMessage,
    request: &ModelRequest,
    is_draft: bool,
    context: &mut RecoveryContext<'_>,
) -> AiMessage {
    settle(&reply, context).await;
    let is_empty = |reply: &AiMessage| !is_draft && request.is_empty_reply(reply);
    let was_empty = is_empty(&reply);
    if was_empty {
        context.record.judge_first_reply(false);
        note_empty(&reply, context);
    }
    for step in STEPS {
        let situation = Situation::Reply {
            is_empty: is_empty(&reply),
            is_draft,
            reply: &reply,
            request,
        };
        match take(*step, &situation, context).await {
            Decision::Replace(better) => {
                // A pending step is reported when its call is answered.
                if context.state.pending.is_empty() {
                    context.record.judge_first_reply(false);
                }
                return better;
            }
            Decision::LookAt(other) => reply = other,
            Decision::GiveUp => break,
            Decision::Continue | Decision::Answers(_) => {}
        }
    }
    if !is_draft {
        context.record.judge_first_reply(!was_empty);
    }
    reply
}

/// Runs the calls of `reply` and returns the answers, one per call.
pub(crate) async fn answer_calls(
    reply: &AiMessage,
    context: &mut RecoveryContext<'_>,
) -> Vec<ToolMessage> {
    let waiting = std::mem::take(&mut context.state.waiting);
    let answers = results_of(reply, context).await;
    context.settle_call(waiting, &answers).await;
    answers
}

/// Runs the calls of `reply` that may run, after the steps looked at them.
async fn results_of(reply: &AiMessage, context: &mut RecoveryContext<'_>) -> Vec<ToolMessage> {
    let round = CallRound::new(reply, context.executor(), &context.state.history);
    let refused = refusals::refusals(reply, context);
    if refused.iter().any(Option::is_some) {
        context.state.errors = None;
        let answered = context.run_calls(&round, &refused).await;
        repeated_calls::report_known(reply, &answered.messages, &refused, context.events).await;
        if answered.is_loop {
            context.withhold_tools();
        }
        return answered.messages;
    }
    let mut answers = None;
    for step in STEPS {
        if let Decision::Answers(given) = take(*step, &Situation::Calls(&round), context).await {
            answers = Some(given);
            break;
        }
    }
    context.state.errors = round.errors();
    if let Some(answers) = answers {
        return answers;
    }
    let known = round.nothing_known();
    context.run_calls(&round, &known).await.messages
}

/// The reply of a step in place of one whose calls a client cannot run, if a step helps.
pub(crate) async fn recover_client_calls(
    calls: &Situation<'_>,
    context: &mut RecoveryContext<'_>,
) -> Option<AiMessage> {
    for step in STEPS {
        if let Decision::Replace(better) = take(*step, calls, context).await {
            return Some(better);
        }
    }
    None
}

/// Ends the steps whose success this reply shows.
pub(crate) async fn settle(reply: &AiMessage, context: &mut RecoveryContext<'_>) {
    for mut report in std::mem::take(&mut context.state.pending) {
        let mut steps = STEPS.iter();
        let step = steps.find(|step| step.step() == report.step);
        report.retry = context.requests.reply_took;
        report.recovered = step.is_some_and(|step| step.has_helped(reply, context));
        if report.recovered && report.step == RecoveryStep::InvalidCalls && reply.has_calls() {
            context.state.waiting.push(report);
            continue;
        }
        context.end(report).await;
    }
}

/// Counts and logs an empty reply, whether any step is enabled or not.
fn note_empty(reply: &AiMessage, context: &mut RecoveryContext<'_>) {
    context.record.blank_reply();
    tracing::warn!(
        model = context.requests.model(),
        round = context.requests.count,
        original_ms = milliseconds(context.requests.reply_took),
        stop_reason = ?reply.stop_reason,
        "Empty tool call pattern detected"
    );
}

#[cfg(test)]
mod tests;

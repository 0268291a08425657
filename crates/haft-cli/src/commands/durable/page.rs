//! Runs as text for people.

use haft::durable::{Pending, PendingReason, RunState, RunSummary};

use crate::text::one_line;

/// The maximum length of a question in a list, in characters.
const QUESTION_LIMIT: usize = 60;

/// The maximum length of the arguments of a call, in characters.
const ARGUMENTS_LIMIT: usize = 4000;

/// One line for each run.
pub(super) fn table(runs: &[RunSummary]) -> String {
    if runs.is_empty() {
        return "no runs".to_owned();
    }
    let rows = runs.iter().map(|run| {
        let question = one_line(&run.question, QUESTION_LIMIT);
        format!("{}  {:<9}  {question}", run.id, word(&run.state))
    });
    rows.collect::<Vec<_>>().join("\n")
}

/// A run with its answer, or with what it waits for.
pub(super) fn page(run: &RunSummary) -> String {
    let question = one_line(&run.question, ARGUMENTS_LIMIT);
    format!("{}\n{question}\n{}", run.id, sentence(&run.state))
}

fn word(state: &RunState) -> &'static str {
    match state {
        RunState::Queued => "queued",
        RunState::Working => "working",
        RunState::Waiting(pending) => match pending.reason {
            PendingReason::Approval => "approval",
            PendingReason::Uncertain => "uncertain",
        },
        RunState::Answered { .. } => "answered",
        RunState::Failed { .. } => "failed",
        RunState::Cancelled => "cancelled",
        _ => "unknown",
    }
}

/// The state of a run in words.
pub(super) fn sentence(state: &RunState) -> String {
    match state {
        RunState::Waiting(pending) => waiting(pending),
        RunState::Answered { text } => text.clone(),
        RunState::Failed { error } => format!("failed: {error}"),
        state => word(state).to_owned(),
    }
}

fn waiting(pending: &Pending) -> String {
    let arguments = serde_json::to_string(&pending.arguments).unwrap_or_default();
    let arguments = one_line(&arguments, ARGUMENTS_LIMIT);
    let tool = one_line(&pending.tool, ARGUMENTS_LIMIT);
    let effect = one_line(&pending.effect, ARGUMENTS_LIMIT);
    let remedy = match pending.reason {
        PendingReason::Approval => "waits for approval: haft approvals allow|deny RUN",
        PendingReason::Uncertain => {
            "was cut off, and nobody knows whether it took effect: look, then \
             haft runs resume --decide did|did-not|repeat RUN"
        }
    };
    format!("{tool} {arguments}\n{effect}\n{remedy}")
}

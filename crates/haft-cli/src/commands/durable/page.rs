//! Runs as text for people.

use haft::durable::{Pending, PendingReason, RecordedStep, RunState, RunSummary};

use crate::text::one_line;

/// The maximum length of a question in a list, in characters.
const QUESTION_LIMIT: usize = 60;

/// The maximum length of the arguments of a call, in characters.
const ARGUMENTS_LIMIT: usize = 4000;

/// The maximum length of what a step says, in characters.
const STEP_LIMIT: usize = 200;

/// One line for each run: id, state, queue, question, and when it begins.
pub(super) fn table(runs: &[RunSummary]) -> String {
    if runs.is_empty() {
        return "no runs".to_owned();
    }
    let width = |text: fn(&RunSummary) -> &str| runs.iter().map(|run| text(run).len()).max();
    let ids = width(|run| &run.id).unwrap_or_default();
    let queues = width(|run| &run.queue).unwrap_or_default();
    let rows = runs.iter().map(|run| {
        let question = one_line(&run.question, QUESTION_LIMIT);
        let (id, queue, word) = (&run.id, &run.queue, run.state.name());
        let when = when(&run.state).map_or_else(String::new, |when| format!("  ({when})"));
        format!("{id:<ids$}  {word:<9}  {queue:<queues$}  {question}{when}")
    });
    rows.collect::<Vec<_>>().join("\n")
}

fn when(state: &RunState) -> Option<String> {
    match state {
        RunState::Delayed { until } => Some(format!("at {until}")),
        RunState::Repeating { every, time_zone } => Some(format!("{every}, {time_zone}")),
        _ => None,
    }
}

/// The steps of a run, numbered as `haft runs fork --keep` counts them.
pub(super) fn steps(steps: &[RecordedStep]) -> String {
    let lines = steps.iter().enumerate();
    let lines = lines.map(|(number, recorded)| step(number, recorded));
    lines.collect::<Vec<_>>().join("\n")
}

/// One step.
pub(super) fn step(number: usize, step: &RecordedStep) -> String {
    let name = one_line(&step.name, STEP_LIMIT);
    let text = one_line(&step.text(), STEP_LIMIT);
    format!("{:>3}  {name}  {text}", number + 1)
        .trim_end()
        .to_owned()
}

/// A run with its answer, or with what it waits for.
pub(super) fn page(run: &RunSummary) -> String {
    let question = one_line(&run.question, ARGUMENTS_LIMIT);
    format!("{}\n{question}\n{}", run.id, sentence(&run.state))
}

/// The state of a run in words.
pub(super) fn sentence(state: &RunState) -> String {
    match state {
        RunState::Waiting(pending) => waiting(pending),
        RunState::Answered { text } => text.clone(),
        RunState::Failed { error } => format!("failed: {error}"),
        state => match when(state) {
            Some(when) => format!("{} ({when})", state.name()),
            None => state.name().to_owned(),
        },
    }
}

/// What a run waits for.
pub(super) fn waiting(pending: &Pending) -> String {
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

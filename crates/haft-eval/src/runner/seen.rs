//! What is observed of a running case.

use haft_core::{Event, ToolCall, ToolStatus};

use crate::result::StepResult;

/// A successful call and the round that made it.
#[derive(Debug)]
pub(super) struct RoundCall {
    round: u32,
    call: ToolCall,
}

/// The observations of a running case.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) round: u32,
    /// The tools offered in the first round.
    pub(super) bound: Option<Vec<String>>,
    pub(super) calls: Vec<RoundCall>,
    pub(super) steps: Vec<StepResult>,
}

impl Seen {
    /// Notes what an event says.
    pub(super) fn event(&mut self, event: &Event) {
        match event {
            Event::RoundStarted { round, tools } => {
                self.round = *round;
                self.bound.get_or_insert_with(|| tools.clone());
            }
            Event::ToolFinished(report) if report.message.status == ToolStatus::Success => {
                self.calls.push(RoundCall {
                    round: self.round,
                    call: report.call.clone(),
                });
            }
            Event::RecoveryFinished(report) => self.steps.push(StepResult {
                step: report.step,
                recovered: report.recovered,
            }),
            _ => {}
        }
    }

    /// The successful calls without repetitions of earlier rounds.
    pub(super) fn distinct(&self) -> Vec<ToolCall> {
        let same = |a: &ToolCall, b: &ToolCall| a.name == b.name && a.args == b.args;
        let is_new = |made: &&RoundCall| {
            let mut earlier = self.calls.iter().filter(|other| other.round < made.round);
            !earlier.any(|other| same(&other.call, &made.call))
        };
        self.calls
            .iter()
            .filter(is_new)
            .map(|made| made.call.clone())
            .collect()
    }
}

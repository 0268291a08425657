//! What a question remembers of its recovery.

use haft_core::{Outcome, Recovery as RecoveryReport, RecoveryStep};

use super::call_history::CallHistory;

/// The recovery of one question so far.
#[derive(Debug, Default)]
pub(crate) struct RecoveryState {
    /// The steps whose success is known.
    pub(crate) reports: Vec<RecoveryReport>,
    /// Steps whose success the next reply shows.
    pub(super) pending: Vec<RecoveryReport>,
    /// Steps that led to a valid call: whether it succeeds shows whether they helped.
    pub(super) waiting: Vec<RecoveryReport>,
    /// The number of steps begun.
    begun: u32,
    /// The latest step that helped.
    latest_success: Option<RecoveryStep>,
    /// Whether the rounds from now on offer no tools.
    pub(super) withholds_tools: bool,
    /// The errors of the last round, if no call of it was valid.
    pub(super) errors: Option<Vec<String>>,
    /// The reply of the model, if the answer is another text.
    pub(crate) withdrawn_text: Option<String>,
    /// The calls made so far, with their results.
    pub(super) history: CallHistory,
}

impl RecoveryState {
    /// The outcome of a question that is answered now.
    pub(crate) fn outcome(&self) -> Outcome {
        self.latest_success
            .map_or(Outcome::Answered, Outcome::Recovered)
    }

    /// Numbers a step that begins.
    pub(super) fn begin(&mut self, step: RecoveryStep) -> RecoveryReport {
        self.begun += 1;
        RecoveryReport::new(step, self.begun)
    }

    /// Keeps the report of a step that is over.
    pub(super) fn end(&mut self, report: RecoveryReport) {
        if report.recovered {
            self.latest_success = Some(report.step);
        }
        self.reports.push(report);
    }
}

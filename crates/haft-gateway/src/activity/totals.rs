//! What is counted over all requests since the start, per model and per recovery step.

use std::collections::BTreeMap;

use serde::Serialize;

use super::exchange::Finished;
use super::summary::Outcome;

/// The maximum number of models that are counted apart. Clients can make up names.
const MOST_MODELS: usize = 64;

/// The name under which the other models are counted.
const OTHERS: &str = "(others)";

/// The totals since the start.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Totals {
    requests: u64,
    tokens_in: u64,
    tokens_out: u64,
    /// By the name that clients use.
    models: BTreeMap<String, ModelTotals>,
    /// By the name of the step.
    recovery: BTreeMap<&'static str, StepTotals>,
    /// The number of repairs by kind.
    repairs: BTreeMap<String, u64>,
}

/// The requests to one model that have ended. The first four add up to all but those whose client
/// left.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct ModelTotals {
    /// Answered, and nothing was repaired.
    clean: u64,
    /// Answered after a repair of a call.
    repaired: u64,
    /// Answered after a recovery step that helped.
    recovered: u64,
    /// Not answered.
    failed: u64,
    client_left: u64,
}

/// The uses of one recovery step.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct StepTotals {
    helped: u64,
    in_vain: u64,
}

impl Totals {
    /// Counts a request that has ended.
    pub(super) fn count(&mut self, model: &str, finished: &Finished<'_>) {
        self.requests += 1;
        self.tokens_in += finished.usage.input_tokens;
        self.tokens_out += finished.usage.output_tokens;
        for repair in &finished.interventions.repaired {
            *self.repairs.entry(repair.kind.clone()).or_default() += 1;
        }
        for report in &finished.interventions.recovery {
            let step = self.recovery.entry(report.step.name()).or_default();
            if report.recovered {
                step.helped += 1;
            } else {
                step.in_vain += 1;
            }
        }
        match finished.outcome {
            Outcome::Refused | Outcome::Running => {}
            Outcome::ClientLeft => self.model(model).client_left += 1,
            Outcome::Failed => self.model(model).failed += 1,
            Outcome::Answered => *self.model(model).answered(finished) += 1,
        }
    }

    fn model(&mut self, name: &str) -> &mut ModelTotals {
        let is_new = !self.models.contains_key(name);
        let name = if is_new && self.models.len() >= MOST_MODELS {
            OTHERS
        } else {
            name
        };
        self.models.entry(name.to_owned()).or_default()
    }
}

impl ModelTotals {
    fn answered(&mut self, finished: &Finished<'_>) -> &mut u64 {
        let interventions = finished.interventions;
        if interventions.recovery.iter().any(|step| step.recovered) {
            &mut self.recovered
        } else if interventions.repaired.is_empty() {
            &mut self.clean
        } else {
            &mut self.repaired
        }
    }
}

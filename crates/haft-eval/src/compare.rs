//! Compares two runs over the same cases: what got better, what worse, and whether that may be
//! chance.
//!
//! Each case is its own control, so a paired test is used: McNemar's exact test (Q. McNemar, 1947).
//! Only the cases that changed count. If both runs were equally good, each of them would be as likely
//! to change for the better as for the worse, like the toss of a coin.

use std::collections::HashMap;

use serde::Serialize;

use crate::error::{EvalError, EvalErrorKind};
use crate::result::{CaseResult, Verdict};
use crate::stored_run::StoredRun;
use crate::summary::Share;

/// A difference that chance makes in fewer comparisons than this is believed.
const LEVEL: f64 = 0.05;

/// Two runs, case by case.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Comparison {
    /// The dataset of both.
    pub dataset: String,
    /// The model of the run before.
    pub before: String,
    /// The model of the run after.
    pub after: String,
    /// The number of cases that both have.
    pub cases: usize,
    /// The number of cases that only one of them has; they are left out.
    pub left_out: usize,
    /// The first replies.
    pub first: Change,
    /// The ends of the runs.
    pub recovered: Change,
}

/// How the right cases changed from one run to the other.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Change {
    /// The right cases before.
    pub before: Share,
    /// The right cases after.
    pub after: Share,
    /// Cases that were wrong and are right.
    pub better: Vec<ChangedCase>,
    /// Cases that were right and are wrong.
    pub worse: Vec<ChangedCase>,
    /// How often chance alone makes a difference at least as large, from 0 to 1.
    pub p_value: f64,
}

/// A case that only one run has right.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ChangedCase {
    /// The identifier of the case.
    pub id: String,
    /// The question.
    pub asked: String,
    /// The verdict before.
    pub before: Verdict,
    /// The verdict after.
    pub after: Verdict,
}

impl Change {
    fn of(pairs: &[(&CaseResult, &CaseResult)], verdict: impl Fn(&CaseResult) -> Verdict) -> Self {
        let changed = |better: bool| {
            let cases = pairs.iter().filter(|(before, after)| {
                let (before, after) = (verdict(before).is_right(), verdict(after).is_right());
                before != after && after == better
            });
            let case = |(before, after): &(&CaseResult, &CaseResult)| ChangedCase {
                id: after.id.clone(),
                asked: after.asked.clone(),
                before: verdict(before),
                after: verdict(after),
            };
            cases.map(case).collect::<Vec<_>>()
        };
        let count = |is_right: &dyn Fn(&(&CaseResult, &CaseResult)) -> bool| {
            Share::new(
                pairs.iter().filter(|pair| is_right(pair)).count(),
                pairs.len(),
            )
        };
        let (better, worse) = (changed(true), changed(false));
        Self {
            before: count(&|(before, _)| verdict(before).is_right()),
            after: count(&|(_, after)| verdict(after).is_right()),
            p_value: mcnemar(better.len(), worse.len()),
            better,
            worse,
        }
    }

    /// True where chance alone would make such a difference in fewer than 5 of 100 comparisons.
    #[must_use]
    pub fn is_significant(&self) -> bool {
        self.p_value < LEVEL
    }

    /// The result in one sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        let (better, worse) = (self.better.len(), self.worse.len());
        if better + worse == 0 {
            return "No case changed.".to_owned();
        }
        let chance = match self.p_value {
            p if p < 0.0001 => "less than 0.01 %".to_owned(),
            p => format!("{:.2} %", p * 100.0),
        };
        let verdict = match (self.is_significant(), better > worse) {
            (false, _) => "so it may well be chance",
            (true, true) => "so the second run is better",
            (true, false) => "so the second run is worse",
        };
        format!(
            "{better} got better and {worse} worse; if both runs were equally good, chance alone \
             would make a difference this large in {chance} of comparisons (McNemar's exact test), \
             {verdict}."
        )
    }
}

/// The two-sided p-value of McNemar's exact test: of `better + worse` tosses of a coin, how likely is
/// a result at least as uneven.
///
/// ```
/// assert!((haft_eval::mcnemar(10, 2) - 0.0386).abs() < 0.0001);
/// assert_eq!(haft_eval::mcnemar(3, 3), 1.0);
/// ```
#[must_use]
pub fn mcnemar(better: usize, worse: usize) -> f64 {
    let tosses = (better + worse) as f64;
    // Logarithms, since the probability of one result of a thousand tosses is too small for a float.
    let mut log = tosses * 0.5_f64.ln();
    let mut tail = 0.0;
    for heads in 0..=better.min(worse) {
        tail += log.exp();
        let heads = heads as f64;
        log += ((tosses - heads) / (heads + 1.0)).ln();
    }
    (2.0 * tail).min(1.0)
}

/// Compares two runs over the cases that both have.
///
/// # Errors
///
/// When they are about different questions, or have no case in common.
pub fn compare(before: &StoredRun, after: &StoredRun) -> Result<Comparison, EvalError> {
    let refused = |problem: String| {
        EvalError::new(EvalErrorKind::RunFile, problem)
            .with_hint("compare two runs of the same dataset")
    };
    if before.dataset_hash != after.dataset_hash {
        return Err(refused(format!(
            "The runs are about different questions: {} and {}",
            before.dataset, after.dataset
        )));
    }
    let known: HashMap<&str, &CaseResult> = before
        .cases
        .iter()
        .map(|case| (case.id.as_str(), case))
        .collect();
    let pairs: Vec<(&CaseResult, &CaseResult)> = after
        .cases
        .iter()
        .filter_map(|case| Some((*known.get(case.id.as_str())?, case)))
        .collect();
    if pairs.is_empty() {
        return Err(refused("The runs have no case in common".to_owned()));
    }
    Ok(Comparison {
        dataset: after.dataset.clone(),
        before: before.model.clone(),
        after: after.model.clone(),
        cases: pairs.len(),
        left_out: before.cases.len() + after.cases.len() - 2 * pairs.len(),
        first: Change::of(&pairs, |case| case.first),
        recovered: Change::of(&pairs, |case| case.recovered),
    })
}

#[cfg(test)]
mod tests;

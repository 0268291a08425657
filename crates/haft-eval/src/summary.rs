//! Aggregates results over all cases, by category and by recovery step.

use haft_core::RecoveryStep;
use serde::Serialize;

use crate::result::{CaseResult, Verdict};
use crate::statistics::{Interval, bootstrap, percentile, wilson};

/// A share with its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Share {
    /// The number of cases counted.
    pub hits: usize,
    /// The number of all cases.
    pub of: usize,
    /// Wilson's interval.
    pub interval: Interval,
}

/// The figures of a group of cases.
#[derive(Clone, Debug, Serialize)]
pub struct Group {
    /// The name of the group.
    pub name: String,
    /// Cases whose first reply was correct without repair.
    pub first: Share,
    /// Cases whose first reply was correct after repair and validation.
    pub repaired: Share,
    /// Cases correct at the end of the run.
    pub recovered: Share,
    /// The bootstrap interval of the gain over the first reply, as a share of the cases.
    pub gain: Interval,
    /// The mean share of random runs that are correct, for routed models; from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chance: Option<f64>,
    /// Cases whose first reply was not empty.
    pub first_of_use: Share,
    /// Cases that ended with an answer.
    pub answered: Share,
    /// Regressions: cases that recovery made wrong.
    pub false_recoveries: Share,
    /// Cases whose needed tool was not offered.
    pub tools_lost: Share,
    /// The number of calls repeated in a later round.
    pub repeated_calls: u64,
    /// The number of cases without a reply.
    pub errors: usize,
    /// The mean number of rounds per case.
    pub rounds: f64,
    /// The mean number of prompt tokens per case.
    pub prompt_tokens: f64,
    /// The mean number of completion tokens per case.
    pub completion_tokens: f64,
    /// The median duration in milliseconds.
    pub median_ms: u64,
    /// The 95th percentile of the duration in milliseconds.
    pub p95_ms: u64,
}

/// The figures of one recovery step.
#[derive(Clone, Debug, Serialize)]
pub struct StepSummary {
    /// The recovery step.
    pub step: RecoveryStep,
    /// The number of cases in which the step acted.
    pub cases: usize,
    /// The number of cases with a useful reply after the step: text, or a call that may run.
    pub helped: usize,
    /// The number of cases that changed from wrong to correct.
    pub made_right: usize,
    /// The number of regressions: cases that changed from correct to wrong.
    pub made_wrong: usize,
    /// The number of cases whose first reply was empty and that ended with an answer.
    pub answers: usize,
}

impl StepSummary {
    /// The headings of the columns of [`row`](Self::row).
    pub const HEADINGS: [&str; 6] = [
        "step",
        "cases",
        "of use",
        "made right",
        "made wrong",
        "answers",
    ];

    /// The figures as a table row.
    #[must_use]
    pub fn row(&self) -> Vec<String> {
        vec![
            self.step.name().to_owned(),
            self.cases.to_string(),
            self.helped.to_string(),
            self.made_right.to_string(),
            self.made_wrong.to_string(),
            self.answers.to_string(),
        ]
    }
}

/// A kind of mistake and its frequency.
#[derive(Clone, Debug, Serialize)]
pub struct Mistake {
    /// The kind of mistake.
    pub verdict: Verdict,
    /// The number of cases at the first reply.
    pub first: usize,
    /// The number of cases at the end of the run.
    pub recovered: usize,
}

/// All figures of a run.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// All cases.
    pub all: Group,
    /// Cases that expect a call and cases that expect none, if there are both.
    pub kinds: Vec<Group>,
    /// Groups by category, in order of first appearance.
    pub categories: Vec<Group>,
    /// Figures of the recovery steps that acted.
    pub steps: Vec<StepSummary>,
    /// The mistakes that occurred.
    pub mistakes: Vec<Mistake>,
}

impl Share {
    pub(crate) fn new(hits: usize, of: usize) -> Self {
        Self {
            hits,
            of,
            interval: wilson(hits, of),
        }
    }

    /// The share from 0 to 1; 0 if there are no cases.
    #[must_use]
    pub fn share(&self) -> f64 {
        if self.of == 0 {
            0.0
        } else {
            self.hits as f64 / self.of as f64
        }
    }
}

impl Summary {
    /// Aggregates `results`.
    #[must_use]
    pub fn of(results: &[CaseResult]) -> Self {
        let mut categories: Vec<&str> = Vec::new();
        for result in results {
            if !categories.contains(&result.category.as_str()) {
                categories.push(&result.category);
            }
        }
        let by_category = categories
            .into_iter()
            .map(|name| group(name, results, |result| result.category == name));
        let kinds = [("call expected", true), ("no call expected", false)];
        let kinds =
            kinds.map(|(name, wants)| group(name, results, |result| result.wants_calls == wants));
        Self {
            all: group("all", results, |_| true),
            kinds: kinds.into_iter().filter(|kind| kind.first.of > 0).collect(),
            categories: by_category.collect(),
            steps: RecoveryStep::ALL
                .into_iter()
                .filter_map(|step| step_of(step, results))
                .collect(),
            mistakes: mistakes(results),
        }
    }
}

fn group(name: &str, results: &[CaseResult], has: impl Fn(&CaseResult) -> bool) -> Group {
    let cases: Vec<&CaseResult> = results.iter().filter(|result| has(result)).collect();
    let count = |is: &dyn Fn(&CaseResult) -> bool| cases.iter().filter(|case| is(case)).count();
    let share = |is: &dyn Fn(&CaseResult) -> bool| Share::new(count(is), cases.len());
    let mean = |value: &dyn Fn(&CaseResult) -> u64| match cases.len() {
        0 => 0.0,
        n => cases.iter().map(|case| value(case)).sum::<u64>() as f64 / n as f64,
    };
    let mut times: Vec<u64> = cases.iter().map(|case| case.milliseconds).collect();
    times.sort_unstable();
    let one = |right: Verdict| f64::from(u8::from(right.is_right()));
    let differences: Vec<f64> = cases
        .iter()
        .map(|case| one(case.recovered) - one(case.first))
        .collect();
    Group {
        name: name.to_owned(),
        first: share(&|case| case.first.is_right()),
        repaired: share(&|case| case.repaired.is_right()),
        recovered: share(&|case| case.recovered.is_right()),
        gain: bootstrap(&differences),
        chance: chance_of(&cases),
        first_of_use: share(&|case| case.first_of_use),
        answered: share(&|case| case.answered),
        false_recoveries: share(&CaseResult::is_false_recovery),
        tools_lost: share(&|case| case.tool_lost),
        repeated_calls: cases.iter().map(|case| u64::from(case.repeated)).sum(),
        errors: count(&|case| case.error.is_some()),
        rounds: mean(&|case| u64::from(case.rounds)),
        prompt_tokens: mean(&|case| case.prompt_tokens),
        completion_tokens: mean(&|case| case.completion_tokens),
        median_ms: percentile(&times, 0.5).unwrap_or(0),
        p95_ms: percentile(&times, 0.95).unwrap_or(0),
    }
}

/// The mean chance of the cases that have one.
fn chance_of(cases: &[&CaseResult]) -> Option<f64> {
    let chances: Vec<f64> = cases.iter().filter_map(|case| case.chance).collect();
    (!chances.is_empty()).then(|| chances.iter().sum::<f64>() / chances.len() as f64)
}

fn step_of(step: RecoveryStep, results: &[CaseResult]) -> Option<StepSummary> {
    let acted = |case: &&CaseResult| case.steps.iter().any(|report| report.step == step);
    let cases: Vec<&CaseResult> = results.iter().filter(acted).collect();
    let count = |is: &dyn Fn(&CaseResult) -> bool| cases.iter().filter(|case| is(case)).count();
    let helped = |case: &CaseResult| {
        case.steps
            .iter()
            .any(|report| report.step == step && report.recovered)
    };
    (!cases.is_empty()).then(|| StepSummary {
        step,
        cases: cases.len(),
        helped: count(&helped),
        made_right: count(&|case| case.is_gain() && case.credited() == Some(step)),
        made_wrong: count(&|case| case.is_false_recovery() && case.credited() == Some(step)),
        answers: count(&|case| {
            !case.first_of_use && case.answered && case.credited() == Some(step)
        }),
    })
}

fn mistakes(results: &[CaseResult]) -> Vec<Mistake> {
    let all = [
        Verdict::NoCall,
        Verdict::UnneededCall,
        Verdict::WrongNumber,
        Verdict::WrongTool,
        Verdict::MissingArgument,
        Verdict::UnknownArgument,
        Verdict::WrongValue,
        Verdict::Error,
    ];
    let count = |is: &dyn Fn(&CaseResult) -> bool| results.iter().filter(|case| is(case)).count();
    let mistakes = all.map(|verdict| Mistake {
        verdict,
        first: count(&|case| case.first == verdict),
        recovered: count(&|case| case.recovered == verdict),
    });
    mistakes
        .into_iter()
        .filter(|mistake| mistake.first + mistake.recovered > 0)
        .collect()
}

/// A correct case, for tests.
#[cfg(test)]
pub(crate) fn sample(category: &str) -> CaseResult {
    CaseResult {
        id: category.to_owned(),
        category: category.to_owned(),
        wants_calls: true,
        first: Verdict::Right,
        repaired: Verdict::Right,
        recovered: Verdict::Right,
        first_of_use: true,
        answered: true,
        outcome: "answered".to_owned(),
        error: None,
        steps: Vec::new(),
        rounds: 2,
        calls: 1,
        repeated: 0,
        prompt_tokens: 100,
        completion_tokens: 10,
        milliseconds: 3,
        tools: 7,
        bound: 7,
        tool_lost: false,
        asked: "Is it on?".to_owned(),
        expected: "get {}".to_owned(),
        done: vec!["get {}".to_owned()],
        written: vec!["get {}".to_owned()],
        answer: "Yes.".to_owned(),
        chance: None,
    }
}

#[cfg(test)]
mod tests;

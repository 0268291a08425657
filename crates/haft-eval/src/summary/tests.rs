use haft_core::RecoveryStep;

use super::{Summary, sample};
use crate::result::{CaseResult, StepResult, Verdict};

fn case(first: Verdict, recovered: Verdict, steps: &[(RecoveryStep, bool)]) -> CaseResult {
    let steps = steps.iter().map(|(step, recovered)| StepResult {
        step: *step,
        recovered: *recovered,
    });
    CaseResult {
        first,
        repaired: first,
        recovered,
        steps: steps.collect(),
        ..sample("x")
    }
}

#[test]
fn gains_and_regressions_are_credited_to_the_first_useful_step() {
    use Verdict::{NoCall, Right, UnneededCall};
    let results = [
        case(
            NoCall,
            Right,
            &[
                (RecoveryStep::ConstrainedCall, true),
                (RecoveryStep::RepeatedCalls, true),
            ],
        ),
        case(
            NoCall,
            Right,
            &[
                (RecoveryStep::RaiseMaxTokens, false),
                (RecoveryStep::WithoutTools, true),
            ],
        ),
        case(
            Right,
            UnneededCall,
            &[(RecoveryStep::ConstrainedCall, true)],
        ),
        // No recovery step acted, so there is no regression.
        case(Right, UnneededCall, &[]),
        case(Right, Right, &[(RecoveryStep::ConstrainedCall, false)]),
    ];
    let summary = Summary::of(&results);
    let step = |step| {
        summary
            .steps
            .iter()
            .find(|found| found.step == step)
            .unwrap()
    };
    let constrained = step(RecoveryStep::ConstrainedCall);
    assert_eq!(
        (
            constrained.cases,
            constrained.helped,
            constrained.made_right,
            constrained.made_wrong
        ),
        (3, 2, 1, 1)
    );
    assert_eq!(step(RecoveryStep::RepeatedCalls).made_right, 0);
    assert_eq!(step(RecoveryStep::WithoutTools).made_right, 1);
    assert_eq!(step(RecoveryStep::RaiseMaxTokens).made_right, 0);
    assert_eq!(summary.steps.len(), 4);
    assert_eq!(
        (
            summary.all.false_recoveries.hits,
            summary.all.false_recoveries.of
        ),
        (1, 5)
    );
    assert_eq!((summary.all.first.hits, summary.all.recovered.hits), (3, 3));
}

#[test]
fn groups_hold_their_own_cases() {
    let mut results = vec![sample("a"), sample("b"), sample("a")];
    results[1].wants_calls = false;
    results[1].milliseconds = 100;
    results[2].error = Some("cut".to_owned());
    results[2].first = Verdict::Error;
    let summary = Summary::of(&results);
    let names: Vec<_> = summary
        .categories
        .iter()
        .map(|group| (group.name.as_str(), group.first.of))
        .collect();
    assert_eq!(names, [("a", 2), ("b", 1)]);
    assert_eq!(summary.kinds.len(), 2);
    assert_eq!(
        (
            summary.all.errors,
            summary.all.median_ms,
            summary.all.p95_ms
        ),
        (1, 3, 100)
    );
    assert_eq!(summary.mistakes.len(), 1);
    assert!(
        (summary.all.rounds - 2.0).abs() < 1e-9 && (summary.all.prompt_tokens - 100.0).abs() < 1e-9
    );
}

#[test]
fn an_empty_run_has_a_summary() {
    let summary = Summary::of(&[]);
    assert_eq!(
        (
            summary.all.first.of,
            summary.kinds.len(),
            summary.categories.len()
        ),
        (0, 0, 0)
    );
    assert!(serde_json::to_string(&summary).is_ok());
}

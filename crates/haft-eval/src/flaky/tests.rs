//! The simulated model fails as configured, and its failures are reproducible.

use super::*;
use crate::{CaseResult, Dataset, EvalOptions, Subject, Summary, evaluate};
use haft_agent::RecoverySteps;
use haft_core::RecoveryStep;

async fn results(model: &str, steps: RecoverySteps) -> Vec<CaseResult> {
    let dataset = Dataset::bundled("home-50").unwrap();
    let cases: Vec<_> = dataset.cases.iter().collect();
    let mut options = EvalOptions::default();
    options.agent.recovery = steps;
    let mut results = Vec::new();
    let keep = |result| {
        results.push(result);
        Ok(())
    };
    let subject = Subject::Flaky(model.parse().unwrap());
    evaluate(&cases, &subject, &options, keep).await.unwrap();
    results
}

#[test]
fn names_are_parsed_and_invalid_ones_reported() {
    for (name, full) in [
        ("flaky", "flaky:small+reported@1"),
        ("flaky@9", "flaky:small+reported@9"),
        ("flaky:qwen2.5-3b", "flaky:qwen2.5-3b+reported@1"),
        (" flaky:perfect+optimistic@2 ", "flaky:perfect+optimistic@2"),
    ] {
        assert!(Flaky::is_named(name));
        assert_eq!(name.parse::<Flaky>().unwrap().to_string(), full);
    }
    for (name, part) in [
        ("flaky:big", "profile \"big\""),
        ("flaky:small+x", "behaviour \"x\""),
        ("flaky@x", "The seed \"x\" is not a number"),
    ] {
        let error = name.parse::<Flaky>().unwrap_err();
        assert!(error.to_string().contains(part), "{error}");
        assert!(error.hint().unwrap().contains("pessimistic"), "{error:?}");
    }
    assert!(!Flaky::is_named("flakybot") && !Flaky::is_named("ollama:flaky"));
}

#[tokio::test]
async fn a_seed_fixes_everything_and_recovery_changes_no_first_reply() {
    let key = |results: &[CaseResult]| -> Vec<_> {
        results
            .iter()
            .map(|case| (case.first, case.recovered, case.rounds))
            .collect()
    };
    let firsts =
        |results: &[CaseResult]| -> Vec<_> { results.iter().map(|case| case.first).collect() };
    let one = results("flaky:small@5", RecoverySteps::all()).await;
    assert_eq!(
        key(&one),
        key(&results("flaky:small@5", RecoverySteps::all()).await)
    );
    assert_ne!(
        key(&one),
        key(&results("flaky:small@6", RecoverySteps::all()).await)
    );
    assert_eq!(
        firsts(&one),
        firsts(&results("flaky:small+pessimistic@5", RecoverySteps::none()).await)
    );
}

#[tokio::test]
async fn every_recovery_step_acts_and_none_causes_a_regression() {
    let mut all = Vec::new();
    for seed in 1..=8 {
        all.extend(results(&format!("flaky:small@{seed}"), RecoverySteps::all()).await);
    }
    let summary = Summary::of(&all);
    for step in [
        RecoveryStep::ConstrainedCall,
        RecoveryStep::RaiseMaxTokens,
        RecoveryStep::ThinkingOnly,
        RecoveryStep::WithoutTools,
        RecoveryStep::InvalidCalls,
        RecoveryStep::RepeatedCalls,
    ] {
        assert!(
            summary.steps.iter().any(|found| found.step == step),
            "{step} was never needed"
        );
    }
    assert!(
        summary.all.false_recoveries.share() <= 0.01,
        "{:?}",
        summary.all.false_recoveries
    );
    assert!(summary.all.recovered.hits > summary.all.first.hits);
    assert!(summary.all.answered.hits > summary.all.first_of_use.hits);
    // Four of ten calls fail, one in six of them in a way that is repaired without another request.
    let first = summary.kinds.first().unwrap().first.share();
    assert!((0.55..0.8).contains(&first), "{first}");
}

#[tokio::test]
async fn the_last_round_ends_an_endless_loop() {
    let without = RecoverySteps::all().without(RecoveryStep::RepeatedCalls);
    let mut longest = 0;
    for seed in 1..=8 {
        let all = results(&format!("flaky:small+pessimistic@{seed}"), without).await;
        longest = longest.max(all.iter().map(|case| case.rounds).max().unwrap_or(0));
    }
    assert!((10..=13).contains(&longest), "{longest}");
}

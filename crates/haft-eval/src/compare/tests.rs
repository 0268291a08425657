use super::*;
use crate::summary::sample;

fn run(model: &str, right: &[bool]) -> StoredRun {
    let case = |(at, right): (usize, &bool)| CaseResult {
        id: at.to_string(),
        recovered: if *right {
            Verdict::Right
        } else {
            Verdict::WrongTool
        },
        ..sample("c")
    };
    let cases: Vec<_> = right.iter().enumerate().map(case).collect();
    let json = serde_json::json!({
        "dataset": "set", "dataset_hash": "1", "model": model, "cases": cases,
    });
    serde_json::from_value(json).unwrap()
}

#[test]
fn the_test_is_that_of_a_fair_coin() {
    // Twice the tail of the binomial distribution, by hand: 2 * (1 + 5) / 32, 2 * 1 / 64.
    for (better, worse, expected) in [
        (0, 0, 1.0),
        (1, 0, 1.0),
        (4, 1, 0.375),
        (1, 4, 0.375),
        (6, 0, 0.03125),
        (5, 5, 1.0),
    ] {
        let p = mcnemar(better, worse);
        assert!((p - expected).abs() < 1e-12, "{better} {worse}: {p}");
    }
    assert!(mcnemar(900, 700) < 1e-5);
    assert!((mcnemar(5000, 5000) - 1.0).abs() < 1e-9);
}

#[test]
fn what_changed_is_listed_and_counted() {
    let before = run("a", &[true, true, false, false, false]);
    let after = run("b", &[true, false, true, true, false]);
    let comparison = compare(&before, &after).unwrap();
    let change = &comparison.recovered;
    let ids = |cases: &[ChangedCase]| cases.iter().map(|case| case.id.clone()).collect::<Vec<_>>();
    assert_eq!(ids(&change.better), ["2", "3"]);
    assert_eq!(ids(&change.worse), ["1"]);
    assert_eq!((change.before.hits, change.after.hits), (2, 3));
    assert!(!change.is_significant());
    assert_eq!(
        change.sentence(),
        "2 got better and 1 worse; if both runs were equally good, chance alone would make a \
         difference this large in 100.00 % of comparisons (McNemar's exact test), so it may well be \
         chance."
    );
    assert_eq!(comparison.first.sentence(), "No case changed.");
}

#[test]
fn a_clear_difference_is_called_one() {
    let before = run("a", &[false; 8]);
    let after = run("b", &[true; 8]);
    let sentence = compare(&before, &after).unwrap().recovered.sentence();
    assert!(
        sentence.ends_with("so the second run is better."),
        "{sentence}"
    );
    let sentence = compare(&after, &before).unwrap().recovered.sentence();
    assert!(
        sentence.ends_with("so the second run is worse."),
        "{sentence}"
    );
}

#[test]
fn only_equal_questions_are_compared() {
    let before = run("a", &[true, true]);
    let mut after = run("b", &[true, true, true]);
    let comparison = compare(&before, &after).unwrap();
    assert_eq!((comparison.cases, comparison.left_out), (2, 1));
    after.dataset_hash = "2".to_owned();
    let refused = compare(&before, &after).unwrap_err();
    assert!(
        refused.to_string().contains("different questions"),
        "{refused}"
    );
    let none = compare(&before, &run("b", &[])).unwrap_err();
    assert!(none.to_string().contains("no case in common"), "{none}");
}

#![expect(clippy::float_cmp, reason = "the same computation gives the same bits")]

use super::{Interval, Random, bootstrap, percentile, wilson};

#[test]
fn wilson_matches_published_values() {
    // R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
    for (hits, of, low, high) in [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ] {
        let interval = wilson(hits, of);
        assert!(
            (interval.low - low).abs() < 5e-5 && (interval.high - high).abs() < 5e-5,
            "{interval:?}"
        );
    }
    assert_eq!(
        wilson(0, 0),
        Interval {
            low: 0.0,
            high: 1.0
        }
    );
    assert_eq!(wilson(7, 7).high, 1.0);
}

#[test]
fn the_bootstrap_is_reproducible_and_has_the_theoretical_width() {
    let differences: Vec<f64> = (0..400).map(|at| f64::from(at % 4 == 0)).collect();
    let interval = bootstrap(&differences);
    assert_eq!(interval, bootstrap(&differences));
    // A share of 0.25 of 400 has a standard error of 0.02165.
    assert!((interval.low - 0.2076).abs() < 0.006, "{interval:?}");
    assert!((interval.high - 0.2924).abs() < 0.006, "{interval:?}");
    assert_eq!(
        bootstrap(&[]),
        Interval {
            low: 0.0,
            high: 0.0
        }
    );
    assert_eq!(
        bootstrap(&[1.0; 5]),
        Interval {
            low: 1.0,
            high: 1.0
        }
    );
}

#[test]
fn percentiles_are_values_of_the_sample() {
    let sorted: Vec<u64> = (1..=100).collect();
    assert_eq!(percentile(&sorted, 0.95), Some(95));
    assert_eq!(percentile(&sorted, 0.0), Some(1));
    assert_eq!(percentile(&sorted, 1.0), Some(100));
    assert_eq!(percentile::<u64>(&[], 0.5), None);
}

#[test]
fn random_numbers_are_uniform_and_depend_only_on_the_seed() {
    let mut random = Random::new(7);
    let mut counts = [0usize; 10];
    for _ in 0..10_000 {
        if let Some(count) = counts.get_mut(random.below(10)) {
            *count += 1;
        }
    }
    assert!(
        counts.iter().all(|count| (850..1150).contains(count)),
        "{counts:?}"
    );
    assert_eq!(Random::new(1).share(), Random::new(1).share());
    assert_ne!(Random::new(1).share(), Random::new(2).share());
    assert_eq!(Random::new(1).below(0), 0);
}

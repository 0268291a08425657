use super::*;

fn features(text: &str) -> Vec<u16> {
    Features::of(&Words::of(text)).as_slice().to_vec()
}

#[test]
fn features_are_unique_and_in_range() {
    let mut found = features("turn on the light and turn on the light");
    assert!(found.iter().all(|feature| usize::from(*feature) < BUCKETS));
    let count = found.len();
    found.sort_unstable();
    found.dedup();
    assert_eq!(found.len(), count);
}

#[test]
fn features_do_not_depend_on_case_or_punctuation() {
    assert_eq!(features("What's the TIME?"), features("what is the time"));
    assert_ne!(features("turn on"), features("on turn"));
    assert!(features("?!").len() < 3);
}

/// The weights in the file belong to these hashes: a change requires new training and a new version
/// of the file.
#[test]
fn features_match_the_weights_file() {
    let sum = features("turn on the kitchen light")
        .iter()
        .fold(0_u64, |sum, feature| {
            sum.wrapping_mul(31).wrapping_add(u64::from(*feature))
        });
    assert_eq!(sum, SUM_OF_VERSION_2);
}

const SUM_OF_VERSION_2: u64 = 16_776_774_938_237_721_179;

//! Which misspellings are corrected.

use super::nearest;

fn found<'w>(written: &str, words: &[&'w str]) -> Option<&'w str> {
    nearest(written, words.iter().copied())
}

#[test]
fn a_misspelling_in_a_long_word_is_corrected() {
    for slip in [
        "locaton",
        "loaction",
        "locatiom",
        "Locattion",
        "lcation",
        "loc_atoin",
    ] {
        assert_eq!(
            found(slip, &["location", "unit"]),
            Some("location"),
            "{slip}"
        );
    }
    assert_eq!(
        found("brightnes", &["brightness", "color"]),
        Some("brightness")
    );
}

#[test]
fn short_ambiguous_and_different_words_are_unchanged() {
    assert_eq!(found("leve", &["level"]), None);
    assert_eq!(found("levels", &["lever"]), Some("lever"));
    assert_eq!(found("nodee", &["node"]), None);
    assert_eq!(found("colour", &["color", "colors"]), None);
    assert_eq!(found("increase", &["decrease", "increased"]), None);
    assert_eq!(found("temprture", &["temperature", "temperatura"]), None);
    assert_eq!(found("loc", &["location"]), None);
    assert_eq!(found("locked", &["unlocked"]), None);
    assert_eq!(found("12345", &["12346"]), None);
    assert_eq!(found("xxxxx", &[]), None);
    assert_eq!(found(&"x".repeat(100_000), &["xxxxx"]), None);
}

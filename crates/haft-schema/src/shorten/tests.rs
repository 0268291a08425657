//! What is shortened, and where.

use serde_json::json;

use super::{SHOWN, clip, shorten};

#[test]
fn short_values_are_shown_whole() {
    assert_eq!(shorten(&json!({"a": [1, "b\n"]})), r#"{"a":[1,"b\n"]}"#);
}

#[test]
fn long_values_are_cut_between_characters() {
    for text in ["x", "é", "好", "🏠"] {
        let shown = shorten(&json!(text.repeat(1_000)));
        assert_eq!(shown, format!("\"{}...", text.repeat(SHOWN - 4)));
    }
}

#[test]
fn clip_keeps_to_its_limit() {
    assert_eq!(clip("abcdef", 6), "abcdef");
    assert_eq!(clip("abcdefg", 6), "abc...");
}

//! Words of every length, the same and different in every place.

use super::{begins_with, behind, is_same};

#[test]
fn every_place_counts() {
    let text = "abcdefghijklmnopqrstuvwxyz0123456789";
    for len in 0..=text.len() {
        let word = &text.as_bytes()[..len];
        assert!(is_same(word, word), "{len}");
        assert!(
            !is_same(word, &text.as_bytes()[..text.len() / 2 + 1]) || len == text.len() / 2 + 1
        );
        for place in 0..len {
            let mut other = word.to_vec();
            other[place] ^= 0x20;
            assert!(!is_same(word, &other), "{len} {place}");
        }
    }
}

#[test]
fn a_word_is_taken_off_the_beginning() {
    assert!(begins_with("</arg_value>\n", "</arg_value>"));
    assert!(!begins_with("</arg_valu", "</arg_value>"));
    assert!(begins_with("", ""));
    assert_eq!(behind("<arg_key>city", "<arg_key>"), Some("city"));
    assert_eq!(behind("<｜DSML｜x", "<｜DSML｜"), Some("x"));
    assert_eq!(behind("<arg>", "<arg_key>"), None);
}

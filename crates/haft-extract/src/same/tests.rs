//! Words of every length, the same and different in every place.

use super::{behind, is_same};

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
fn a_word_is_found_where_it_stands() {
    assert_eq!(behind(b"</arg_value>\n", 0, "</arg_value>"), Some(12));
    assert_eq!(behind(b"</arg_valu", 0, "</arg_value>"), None);
    assert_eq!(behind(b"x</arg_value>", 14, "</arg_value>"), None);
    assert_eq!(behind(b"", 0, ""), Some(0));
    assert_eq!(behind(b"f<arg_key>city", 1, "<arg_key>"), Some(10));
    let written = "<｜DSML｜x";
    let end = behind(written.as_bytes(), 0, "<｜DSML｜");
    assert_eq!(end.and_then(|end| written.get(end..)), Some("x"));
    assert_eq!(behind(b"<arg>", 0, "<arg_key>"), None);
}

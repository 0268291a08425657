//! Characters in pieces, and stop sequences.

use super::*;

/// The text of these tokens, and whether a stop sequence ended it.
fn read(tokens: &[&[u8]], stop: &[&str]) -> (String, bool) {
    let stop: Vec<String> = stop.iter().map(|&stop| stop.to_owned()).collect();
    let mut written = Written::new(&stop);
    let mut text = String::new();
    for token in tokens {
        text.push_str(&written.push(token));
        if written.is_stopped() {
            return (text, true);
        }
    }
    text.push_str(&written.finish());
    (text, false)
}

#[test]
fn a_character_may_be_cut_anywhere() {
    let text = "Zürich 東京 🌦 end";
    for size in 1..8 {
        let tokens: Vec<&[u8]> = text.as_bytes().chunks(size).collect();
        assert_eq!(read(&tokens, &[]), (text.to_owned(), false));
    }
}

#[test]
fn text_goes_out_as_soon_as_it_is_certain() {
    let mut written = Written::new(&["STOP".to_owned()]);
    assert_eq!(written.push(b"a "), "a ");
    assert_eq!(written.push(b"ST"), "");
    assert_eq!(written.push(b"ART"), "START");
    assert_eq!(written.push("ü".as_bytes().first_chunk::<1>().unwrap()), "");
}

#[test]
fn a_stop_sequence_ends_the_text_and_is_not_part_of_it() {
    let text = "one\nUser: two";
    for size in 1..text.len() {
        let tokens: Vec<&[u8]> = text.as_bytes().chunks(size).collect();
        let read = read(&tokens, &["\nUser:", "never", ""]);
        assert_eq!(read, ("one".to_owned(), true), "{size}");
    }
}

#[test]
fn the_beginning_of_a_stop_sequence_is_text_at_the_end() {
    assert_eq!(read(&[b"a ST"], &["STOP"]), ("a ST".to_owned(), false));
}

#[test]
fn bytes_that_are_no_character_are_replaced() {
    assert_eq!(read(&[b"a\xFFb"], &[]), ("a\u{FFFD}b".to_owned(), false));
    assert_eq!(read(&[b"a\xC3"], &[]), ("a\u{FFFD}".to_owned(), false));
}

//! Loops are noticed within one repetition, whatever the pieces; other texts are not loops.

use super::*;

/// Reads a text in pieces of this many bytes and returns what is kept of it.
fn kept(text: &str, size: usize) -> Option<String> {
    let mut detector = RepetitionDetector::default();
    let mut start = 0;
    while start < text.len() {
        let mut end = (start + size).min(text.len());
        while !text.is_char_boundary(end) {
            end += 1;
        }
        if let Some(kept) = detector.push(text.get(start..end).unwrap()) {
            return Some(kept);
        }
        start = end;
    }
    None
}

#[test]
fn a_sentence_again_and_again_is_kept_once() {
    let text = format!("Well. {}", "The door is höchst closed. ".repeat(30));
    for size in 1..=text.len() {
        let kept = kept(&text, size);
        assert_eq!(
            kept.as_deref(),
            Some("Well. The door is höchst closed."),
            "{size}"
        );
    }
}

#[test]
fn a_long_passage_is_noticed_after_its_third_time() {
    let passage: String = (0..50).map(|number| format!("word{number} ")).collect();
    assert_eq!(kept(&passage.repeat(2), 7), None);
    let text = passage.repeat(4);
    assert_eq!(kept(&text, 7), Some(passage.trim_end().to_owned()));
}

#[test]
fn one_word_for_ever_is_a_loop() {
    assert_eq!(kept(&"ha ".repeat(60), 3), Some("ha".to_owned()));
}

#[test]
fn texts_with_some_repetition_are_no_loops() {
    let refrain = "Row, row, row your boat, gently down the stream. ";
    let verse: String = (0..70).map(|number| format!("line{number} ")).collect();
    let table: String = (0..60)
        .map(|row| format!("| {row} | 0 | 0 | 0 |\n"))
        .collect();
    let song = format!("{refrain}{refrain}{verse}{refrain}{refrain}");
    for text in [song, table, "very ".repeat(20), "1, 2, 3, ".repeat(10)] {
        assert_eq!(kept(&text, 5), None, "{text}");
    }
}

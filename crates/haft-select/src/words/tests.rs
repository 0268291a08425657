use proptest::prelude::*;

use super::*;

fn all(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    words(text, |word| found.push(word.to_owned()));
    found
}

#[test]
fn names_are_split_into_words() {
    assert_eq!(
        all("getWeather_v2.HTTPServer"),
        ["weather", "v2", "http", "server"]
    );
    assert_eq!(all("list-open.tickets"), ["list", "open", "tickets"]);
}

#[test]
fn numbers_and_words_without_meaning_are_left_out() {
    assert_eq!(all("What is the 3rd of 42 in April?"), ["april"]);
}

#[test]
fn words_in_other_scripts_are_kept() {
    assert_eq!(all("날씨 ПОГОДА"), ["날씨", "погода"]);
}

#[test]
fn stop_words_can_be_searched() {
    assert!(STOP_WORDS.is_sorted());
}

#[test]
fn a_long_text_is_read_in_part_and_a_long_word_is_cut() {
    assert_eq!(all(&"x".repeat(1_000_000)), ["x".repeat(MAX_WORD)]);
    assert!(all(&"word ".repeat(1_000_000)).len() <= MAX_TEXT / 5 + 1);
}

#[test]
fn forms_of_a_word_agree() {
    for (a, b) in [
        ("flights", "flight"),
        ("cities", "city"),
        ("calculation", "calculate"),
        ("calculator", "calculate"),
        ("multiplication", "multiply"),
        ("stopped", "stop"),
        ("booking", "book"),
        ("searches", "searche"),
    ] {
        assert_eq!(stem(a), stem(b), "{a} {b}");
    }
    assert_ne!(stem("call"), stem("cal"));
    assert_eq!(stem("날씨"), "날씨");
}

proptest! {
    #[test]
    fn strange_texts_do_not_panic(text in any::<String>()) {
        for word in all(&text) {
            prop_assert!(!word.is_empty());
            prop_assert!(!stem(&word).is_empty());
        }
    }
}

use super::*;

#[test]
fn text_that_can_be_seen_stays() {
    let seen = "Öffne die Tür: \"a\\b\" 日本語 עברית 🙂 ½";
    assert_eq!(escape_unseen(seen), seen);
    assert!(matches!(
        without_unseen("two\nlines\tand a tab"),
        Cow::Borrowed(_)
    ));
}

#[test]
fn invisible_characters_are_written_out_or_removed() {
    let table = [
        ("a\u{200b}b", "a\\u{200b}b"),
        ("a\u{202e}b", "a\\u{202e}b"),
        ("a\u{2066}b", "a\\u{2066}b"),
        ("a\u{e0041}b", "a\\u{e0041}b"),
        ("a\u{fe01}b", "a\\u{fe01}b"),
        ("a\u{feff}b", "a\\u{feff}b"),
        ("a\u{1b}b", "a\\u{1b}b"),
        ("a\u{9b}b", "a\\u{9b}b"),
        ("a\u{7f}b", "a\\u{7f}b"),
        ("a\rb", "a\\u{d}b"),
        ("a\u{2028}b", "a\\u{2028}b"),
    ];
    for (text, escaped) in table {
        assert_eq!(escape_unseen(text), escaped);
        assert_eq!(without_unseen(text), "ab", "{escaped}");
    }
    assert_eq!(escape_unseen("a\nb\tc"), "a\\u{a}b\\u{9}c");
}

#[test]
fn only_joiners_of_pictures_and_letters_stay() {
    for text in ["take ❤\u{fe0f} with you", "👨\u{200d}👩", "می\u{200c}خواهم"] {
        assert_eq!(without_unseen(text), text);
    }
    assert_eq!(
        without_unseen("❤\u{fe0f}\u{fe0f}\u{fe0e}a\u{fe0f}"),
        "❤\u{fe0f}a"
    );
}

use super::*;

#[test]
fn escape_sequences_and_control_characters_are_dropped() {
    let text = "a\u{1b}[31mred\u{1b}[0m \u{1b}]0;title\u{7}b\u{8}\u{9b}c\r\n\td\u{202e}e";
    assert_eq!(plain(text), "ared bc\n\tde");
}

#[test]
fn ordinary_text_stays_as_it_is() {
    let text = "21,5 °C – naïve 日本語 👩‍🚀\nsecond line";
    assert_eq!(plain(text), text);
}

#[test]
fn a_sequence_in_two_pieces_is_dropped_too() {
    let mut pieces = PlainPieces::default();
    let text = pieces.next("go \u{1b}[3") + &pieces.next("1mon");
    assert_eq!(text, "go on");
}

#[test]
fn one_line_is_one_line_of_bounded_length() {
    assert_eq!(one_line("a\n\n  b\tc", 10), "a b c");
    assert_eq!(one_line("äöüß", 4), "äöüß");
    assert_eq!(one_line("äöüßx", 4), "äöüß…");
}

#[test]
fn an_open_sequence_hides_nothing_but_its_line() {
    assert_eq!(plain("a\u{1b}]0;title\nb"), "a\nb");
    assert_eq!(plain("a\u{1b}(Bb\u{1b}7c\u{1b}P1$r\u{1b}\\d"), "abcd");
}

#[test]
fn text_is_cut_to_columns_and_not_within_a_wide_character() {
    assert_eq!(fitted("Oslo", 4), "Oslo");
    assert_eq!(fitted("Oslo and Lima", 6), "Oslo …");
    assert_eq!(fitted("東京の天気", 10), "東京の天気");
    assert_eq!(fitted("東京の天気", 7), "東京の…");
    assert_eq!(fitted("東京の天気", 6), "東京…");
}

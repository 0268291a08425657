use super::words_of;

#[test]
fn only_the_words_are_left() {
    for (written, words) in [
        ("\n Turn on the light.\n", "Turn on the light."),
        (
            "[00:00:00.000 --> 00:00:02.000]   Turn on\n[00:00:02.000 --> 00:00:03.000]  the light.",
            "Turn on the light.",
        ),
        ("[BLANK_AUDIO]", ""),
        ("[00:00:00.000 --> 00:00:02.000]  [BLANK_AUDIO]\n", ""),
        (" (wind blowing)\nHello", "Hello"),
        ("♪ la la ♪", ""),
        ("(one) and (two)", "(one) and (two)"),
        ("", ""),
    ] {
        assert_eq!(words_of(written), words, "{written:?}");
    }
}

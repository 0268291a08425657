use super::speakable;

#[test]
fn markup_addresses_and_emoji_are_removed() {
    for (written, said) in [
        ("**The kitchen light** is _on_.", "The kitchen light is on."),
        ("## Weather", "Weather"),
        ("- First, the lamp", "First, the lamp"),
        ("2. Turn `it` on", "Turn it on"),
        ("> It is said.", "It is said."),
        (
            "See [the page](https://example.org/a?b=c) for more.",
            "See the page for more.",
        ),
        ("See https://example.org/x.", "See."),
        ("![a cat](cat.png) A cat.", "A cat."),
        ("Done! 🎉👍🏽 ✅", "Done!"),
        ("<b>Bold</b> and a < b.", "Bold and a < b."),
        ("| Lamp | on |", "Lamp on"),
        ("snake_case and C# and 5*3", "snake_case and C# and 5*3"),
        ("~~no~~ yes", "no yes"),
        ("It is 21.5 °C, 40 %.", "It is 21.5 °C, 40 %."),
        ("  two   spaces\t", "two spaces"),
        ("Grüße, 你好!", "Grüße, 你好!"),
        ("array[0] stays! [x]", "array[0] stays! [x]"),
    ] {
        assert_eq!(speakable(written), said, "{written}");
    }
}

#[test]
fn markup_without_words_is_not_spoken() {
    for written in [
        "",
        "---",
        "***",
        "```",
        "🙂",
        "|---|---|",
        "https://example.org",
        ". . .",
    ] {
        assert_eq!(speakable(written), "", "{written}");
    }
}

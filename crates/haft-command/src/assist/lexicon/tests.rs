use super::is_slip;

#[test]
fn one_letter_may_be_wrong_in_a_long_word() {
    for (word, meant) in [
        ("curtian", "curtain"),
        ("cutain", "curtain"),
        ("vaccuum", "vacuum"),
        ("kitchan", "kitchen"),
        ("bedroon", "bedroom"),
        ("livng", "living"),
    ] {
        assert!(is_slip(word, meant), "{word}");
    }
    for (word, meant) in [
        ("kitchen", "kitchen"),
        ("bed", "red"),
        ("room", "roof"),
        ("eating", "heating"),
        ("cuttan", "curtain"),
        ("lock", "clock"),
    ] {
        assert!(!is_slip(word, meant), "{word}");
    }
}

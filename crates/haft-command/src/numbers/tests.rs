use super::*;
use crate::tokens::words;

#[test]
fn amounts_are_understood_as_said() {
    for (text, value, unit) in [
        ("40", 40.0, Unit::None),
        ("40%", 40.0, Unit::Percent),
        ("40 %", 40.0, Unit::Percent),
        ("40 percent", 40.0, Unit::Percent),
        ("forty percent", 40.0, Unit::Percent),
        ("forty-two", 42.0, Unit::None),
        ("seventy five per cent", 75.0, Unit::Percent),
        ("a hundred percent", 100.0, Unit::Percent),
        ("half", 50.0, Unit::Percent),
        ("full brightness", 100.0, Unit::Percent),
        ("21.5 degrees", 21.5, Unit::Degrees),
        ("twenty one degrees celsius", 21.0, Unit::Degrees),
        ("21°C", 21.0, Unit::Degrees),
        ("-5°", -5.0, Unit::Degrees),
    ] {
        let tokens = words(text);
        assert_eq!(
            amount(Phrase::new(text, &tokens)),
            Some(Amount { value, unit }),
            "{text}"
        );
    }
}

#[test]
fn other_words_are_no_amount() {
    for text in [
        "",
        "lamp",
        "40 lamps",
        "forty hundred",
        "1e9",
        "7pm",
        "the",
        "12:30",
        "999999999999",
    ] {
        let tokens = words(text);
        assert_eq!(amount(Phrase::new(text, &tokens)), None, "{text}");
    }
}

use super::readings;
use crate::assist::act::Act;
use crate::tokens::{Phrase, words};

/// True when `text` may be read as `act` done to `target`.
fn reads(text: &str, act: &Act, target: &str) -> bool {
    let words = words(text);
    let mut readings = readings(Phrase::new(text, &words)).into_iter();
    readings.any(|reading| reading.act == *act && reading.target.join(" ") == target)
}

#[test]
fn verbs_are_split_from_their_targets() {
    for (text, act, expected) in [
        ("turn on the attic lamp", Act::On, "the attic lamp"),
        ("turn the attic lamp on", Act::On, "the attic lamp"),
        (
            "turn the lamp off in the attic",
            Act::Off,
            "the lamp in the attic",
        ),
        ("attic lamp off", Act::Off, "attic lamp"),
        ("make sure the gate is locked", Act::Lock, "the gate"),
        ("I need the attic lamp off", Act::Off, "the attic lamp"),
        ("roll the awning up", Act::Open, "the awning"),
        ("skip this song on the radio", Act::Next, "the radio"),
        (
            "send the robot back to its dock",
            Act::ReturnToBase,
            "the robot",
        ),
        (
            "turn down the volume of the radio",
            Act::Softer(None),
            "the radio",
        ),
        (
            "turn the radio up by 10 percent",
            Act::Louder(Some(10.0)),
            "the radio",
        ),
        (
            "put oat milk on the list",
            Act::AddItem("oat milk".into()),
            "the list",
        ),
    ] {
        assert!(reads(text, &act, expected), "{text}");
    }
}

#[test]
fn a_time_or_the_number_of_a_name_is_no_value() {
    for text in ["turn on the lamp at 7", "open blind 2", "turn off light 3"] {
        let words = words(text);
        let readings = readings(Phrase::new(text, &words));
        let is_level = |act: &Act| matches!(act, Act::Level(_));
        assert!(
            !readings.iter().any(|reading| is_level(&reading.act)),
            "{text}"
        );
    }
}

use super::*;

fn classify(text: &str) -> Classification {
    IntentClassifier::default().classify(text)
}

#[test]
fn everyday_queries_have_the_right_label() {
    for (intent, texts) in [
        (
            Intent::Device,
            &[
                "turn on the kitchen light",
                "make it warmer in here",
                "set volume to 50",
            ][..],
        ),
        (
            Intent::Datetime,
            &["what time is it", "how many days until christmas"],
        ),
        (
            Intent::Web,
            &["will it rain tomorrow in oslo", "what is the latest news"],
        ),
        (
            Intent::General,
            &["what is the capital of France", "who wrote moby dick"],
        ),
        (Intent::Chitchat, &["thank you so much", "tell me a joke"]),
        (
            Intent::Action,
            &[
                "set a timer for ten minutes",
                "add milk to my shopping list",
            ],
        ),
    ] {
        for text in texts {
            assert_eq!(classify(text).label(), intent, "{text}");
        }
    }
}

#[test]
fn scores_add_up_to_one_even_if_a_rule_decides() {
    for text in [
        "what time is it",
        "who wrote moby dick",
        "what time is it and lights off",
    ] {
        let found = classify(text);
        let sum: f32 = found.scores().iter().map(|(_, score)| score).sum();
        assert!((sum - 1.0).abs() < 1e-5, "{text}: {sum}");
        let top = found
            .scores()
            .iter()
            .map(|(_, score)| score)
            .fold(0.0, f32::max);
        assert_eq!(found.confidence(), top);
    }
}

/// Device query, device control query, datetime query.
fn flags(text: &str) -> (bool, bool, bool) {
    let found = classify(text);
    (
        found.is_device_query(),
        found.is_device_control_query(),
        found.is_datetime_query(),
    )
}

#[test]
fn the_three_flags() {
    for text in [
        "list devices",
        "show me the lights",
        "is the kitchen light on",
        "what do i have",
    ] {
        assert_eq!(flags(text), (true, false, false), "{text}");
    }
    for text in [
        "turn on the light",
        "turn the lamp off",
        "dim the lamp",
        "set the light to 40",
    ] {
        assert_eq!(flags(text), (false, true, false), "{text}");
    }
    for text in ["what time is it", "what's the date today?", "today's date"] {
        assert_eq!(flags(text), (false, false, true), "{text}");
    }
    for text in [
        "",
        " \n",
        "what dimension is a cube",
        "set volume to 50",
        "As of the current date, what is the price of silver?",
        "what is the capital of France",
        "hello there",
    ] {
        assert_eq!(flags(text), (false, false, false), "{text}");
    }
    assert_eq!(
        flags("what time is it and show me devices"),
        (true, false, true)
    );
    assert_eq!(
        flags("turn off the lamp and tell me the date"),
        (false, true, true)
    );
}

#[test]
fn every_part_of_a_compound_query_keeps_its_tools() {
    for (text, intents) in [
        (
            "what time is it and show me devices",
            &[Intent::Device, Intent::Datetime][..],
        ),
        (
            "dim the lights and order a pizza from dominos",
            &[Intent::Device, Intent::Action],
        ),
        (
            "Turn on the hall light. What is the weather in Oslo? Then set a timer for 5 minutes",
            &[Intent::Device, Intent::Web, Intent::Action],
        ),
        ("thanks, and lock the front door", &[Intent::Device]),
        (
            "who wrote moby dick, and what day is it",
            &[Intent::Datetime],
        ),
    ] {
        let found = classify(text);
        for intent in intents {
            assert!(
                found.intents().contains(*intent),
                "{text}: {intent} is missing in {found:?}"
            );
        }
    }
}

#[test]
fn a_clear_query_keeps_nothing_else() {
    for (text, intents) in [
        ("turn on the kitchen light", &[Intent::Device][..]),
        ("what time is it", &[Intent::Datetime]),
        ("what is the capital of France", &[Intent::General]),
    ] {
        let found = classify(text);
        assert_eq!(
            found.intents().iter().collect::<Vec<_>>(),
            intents,
            "{text}: {found:?}"
        );
        assert_eq!(found.open(), None, "{text}");
    }
}

#[test]
fn for_unclear_texts_no_tools_are_withheld() {
    for (text, reason) in [
        ("", OpenReason::Blank),
        ("\u{0}\u{7} ...", OpenReason::Blank),
        ("schalte das Licht in der Küche ein", OpenReason::NotEnglish),
        ("打开厨房的灯", OpenReason::NotEnglish),
    ] {
        assert_eq!(classify(text).open(), Some(reason), "{text}");
    }
    let long = "turn on the light ".repeat(60_000);
    assert_eq!(classify(&long).open(), Some(OpenReason::Long));
    assert_eq!(
        classify(&"\u{1}".repeat(1 << 20)).open(),
        Some(OpenReason::Blank)
    );
    assert_eq!(classify("").label(), Intent::General);
}

#[test]
fn issue_6_below_the_threshold_of_the_best_score_a_query_is_open() {
    for text in [
        "make it nicer in here",
        "what about the other one",
        "how is the garden doing",
        "do the thing with the blue one",
    ] {
        let found = classify(text);
        assert!(
            found.confidence() < 0.5 && found.rule().is_none(),
            "{found:?}"
        );
        assert_eq!(found.open(), Some(OpenReason::Unsure), "{text}");
    }
    for text in ["the usual please", "turn on the kitchen light"] {
        let found = classify(text);
        assert!(found.confidence() >= 0.5, "{found:?}");
        assert_eq!(found.open(), None, "{text}");
    }
}

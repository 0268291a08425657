use haft_core::ToolCall;
use serde_json::json;

use super::*;

/// A question, the texts of the results, and an answer.
type Case = (&'static str, &'static [&'static str], &'static str);

fn conversation(question: &str, results: &[&str]) -> Vec<Message> {
    let mut messages = vec![Message::human(question)];
    for result in results {
        let call = ToolCall::new("look", json!({}), "1");
        messages.push(haft_core::AiMessage::new("").with_tool_calls([call]).into());
        messages.push(ToolMessage::success(*result, "1").into());
    }
    messages
}

fn fault((question, results, answer): Case) -> Option<Ungrounded> {
    let messages = conversation(question, results);
    Evidence::of(&messages).and_then(|evidence| evidence.fault(answer))
}

fn check(expected: Option<Ungrounded>, cases: &[Case]) {
    let wrong: Vec<_> = cases
        .iter()
        .map(|case| (case.2, fault(*case)))
        .filter(|(_, found)| *found != expected)
        .collect();
    assert!(wrong.is_empty(), "not {expected:?}: {wrong:#?}");
}

const LAMP: &str = r#"{"name": "Hall Lamp", "state": "off"}"#;
const HOME: &str =
    "3 devices:\n- Hall Lamp (light): off\n- Front Door Lock (lock): locked\n- Attic Window: open";
const BEDROOM: &str = "Bedroom Temperature reads 18.5 °C.";
const NAIROBI: &str = "It is 17:14 in Nairobi on Wednesday.";

#[test]
fn the_opposite_state_is_wrong() {
    check(
        Some(Ungrounded::State),
        &[
            ("Is the hall lamp on?", &[LAMP], "Yes, the hall lamp is on."),
            ("Is the hall lamp on?", &[LAMP], "It is on."),
            ("Is the hall lamp on?", &[LAMP], "The lamp is currently on."),
            (
                "Is the door locked?",
                &[HOME],
                "The front door lock is unlocked.",
            ),
            (
                "Is the window open?",
                &[HOME],
                "The attic window is now closed.",
            ),
            (
                "Turn off the hall lamp",
                &["Hall Lamp is now off."],
                "The hall lamp is now on.",
            ),
            (
                "Turn on the fan",
                &["Fan is on."],
                "I have it: the fan is turned off.",
            ),
            (
                "Lock the gate",
                &["Gate is locked."],
                "Done. The gate is unlocked.",
            ),
            (
                "Turn on the hall lamp",
                &[LAMP, "- Hall Lamp (light): on"],
                "The hall lamp is off.",
            ),
        ],
    );
}

#[test]
fn numbers_and_times_from_nowhere_are_wrong() {
    check(
        Some(Ungrounded::Number),
        &[
            (
                "How warm is the bedroom?",
                &[BEDROOM],
                "The bedroom is currently at 22 °C.",
            ),
            (
                "How warm is the bedroom?",
                &[BEDROOM],
                "The bedroom is at 22 C.",
            ),
            (
                "How warm is the bedroom?",
                &[BEDROOM],
                "It is 25 degrees in the bedroom.",
            ),
            (
                "Humidity in the bath?",
                &["Bath Humidity reads 58 %."],
                "The humidity is 40 percent.",
            ),
            (
                "Is the lamp on?",
                &["Lamp is on."],
                "The lamp is on at 50 %.",
            ),
            (
                "What time is it in Nairobi?",
                &[NAIROBI],
                "In Nairobi, the time is 22:30.",
            ),
            (
                "What time is it in Nairobi?",
                &[NAIROBI],
                "It is 22:14 in Nairobi.",
            ),
            (
                "What time is it?",
                &["2026-11-25T17:14:09+03:00"],
                "It is 9:05 am.",
            ),
            (
                "What time is it in Nairobi?",
                &[r#"{"place": "Nairobi", "time": "17:14"}"#],
                "It is 4:14 PM.",
            ),
            (
                "Dim the lamp to 40 percent",
                &["Lamp is on at 40 percent."],
                "The lamp is set to 80%.",
            ),
        ],
    );
}

#[test]
fn results_as_data_and_other_subjects_are_wrong() {
    check(
        Some(Ungrounded::Echo),
        &[
            (
                "Is the hall lamp on?",
                &[LAMP],
                r#"{"name": "Hall Lamp", "state": "off"}"#,
            ),
            (
                "Is the hall lamp on?",
                &[LAMP],
                r#"[{"name": "Hall Lamp", "state": "off"}]"#,
            ),
            (
                "Is the gate open?",
                &["Gate: open"],
                "<tool_response>Gate: open</tool_response>",
            ),
            (
                "Is the gate open?",
                &["Gate: open"],
                "<tool_response>\nnothing\n</tool_response>",
            ),
            (
                "Is the gate open?",
                &["Gate: open"],
                "</tool_response> Gate: open",
            ),
        ],
    );
    check(
        Some(Ungrounded::OffTopic),
        &[
            (
                "Is the gate open?",
                &["Gate: open"],
                "Photosynthesis is how green plants make sugar from sunlight and water.",
            ),
            (
                "How warm is the bedroom?",
                &[BEDROOM],
                "Our company offers excellent customer support and many exciting products.",
            ),
        ],
    );
}

#[test]
fn answers_that_agree_with_results_stand() {
    check(
        None,
        &[
            ("Is the hall lamp on?", &[LAMP], "No, the hall lamp is off."),
            ("Is the hall lamp on?", &[LAMP], "The hall lamp is not on."),
            ("Is the hall lamp on?", &[LAMP], "No."),
            (
                "Is the hall lamp on?",
                &[LAMP],
                "It was on before, and now it is off.",
            ),
            (
                "Is the hall lamp on?",
                &[LAMP],
                "The lamp is on the wall of the hall.",
            ),
            (
                "Is the hall lamp on?",
                &[LAMP],
                "It is off. Shall I make sure that it is on?",
            ),
            ("Is the hall lamp on?", &[LAMP], "The desk lamp is on."),
            (
                "Is the door locked?",
                &[HOME],
                "Yes, the front door is locked.",
            ),
            (
                "What is on?",
                &[HOME],
                "The attic window is open and the door is locked.",
            ),
            (
                "Is the attic window closed?",
                &[HOME],
                "The attic window is open, so it is not closed.",
            ),
            ("Are the lights on?", &[HOME], "All lights are off."),
            ("Turn on the fan", &["Fan is on."], "Done!"),
            (
                "Turn on the fan",
                &["Fan is on."],
                "The fan is on now. It can be turned off at any time.",
            ),
            (
                "Turn on the hall lamp",
                &[LAMP, "- Hall Lamp (light): on"],
                "The hall lamp is now on.",
            ),
            ("Open the gate", &["Gate is opening."], "The gate is open."),
            (
                "Is anything on?",
                &["- Lamp A: on\n- Lamp B: off"],
                "Lamp A is on and Lamp B is off.",
            ),
            (
                "Turn on the lamp",
                &["{\"success\": true}"],
                "The lamp is on.",
            ),
        ],
    );
}

#[test]
fn numbers_that_are_rounded_converted_or_computed_stand() {
    check(
        None,
        &[
            (
                "How warm is the bedroom?",
                &[BEDROOM],
                "The bedroom is at 18.5 °C.",
            ),
            (
                "How warm is the bedroom?",
                &[BEDROOM],
                "It is about 18 degrees.",
            ),
            ("How warm is the bedroom?", &[BEDROOM], "It is 19 degrees."),
            (
                "How warm is the bedroom?",
                &[BEDROOM],
                "It is 65 °F in the bedroom.",
            ),
            (
                "How warm is the bedroom?",
                &[BEDROOM],
                "It is 65 degrees in the bedroom.",
            ),
            (
                "How warm is the bedroom in Fahrenheit?",
                &[BEDROOM],
                "It is 65.3 degrees Fahrenheit.",
            ),
            (
                "How much colder is the bedroom?",
                &[BEDROOM, "Study Temperature reads 21 °C."],
                "It is 2.5 °C colder.",
            ),
            (
                "What is the mean of both rooms?",
                &[BEDROOM, "Study Temperature reads 21.5 °C."],
                "The mean is 20 °C.",
            ),
            ("How full is it?", &["Level: 0.75"], "It is 75 % full."),
            (
                "How bright is it?",
                &["brightness: 102"],
                "The brightness is 40 %.",
            ),
            (
                "How many are on?",
                &["12 of 48 lamps are on"],
                "25 % of the lamps are on.",
            ),
            ("Dim the lamp to half", &["ok"], "The lamp is at 50 %."),
            (
                "Dim the lamp to 40 percent",
                &["ok"],
                "The lamp is at 40 percent.",
            ),
            (
                "How warm was it?",
                &["1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13 °C"],
                "It was 40 °C.",
            ),
            (
                "Where is it?",
                &["The lamp is in room 12."],
                "There are 3 lamps in room 12.",
            ),
        ],
    );
}

#[test]
fn times_that_are_converted_or_computed_stand() {
    check(
        None,
        &[
            (
                "What time is it in Nairobi?",
                &[NAIROBI],
                "It is 17:14 in Nairobi.",
            ),
            (
                "What time is it in Nairobi?",
                &[NAIROBI],
                "It is 5:14 PM in Nairobi.",
            ),
            (
                "What time is it in Nairobi?",
                &[NAIROBI],
                "It is a quarter past five.",
            ),
            (
                "What time is it in Nairobi?",
                &[NAIROBI],
                "It is around 5:15 pm.",
            ),
            (
                "What time is it here?",
                &["2026-11-25T14:14:09Z"],
                "It is 17:14.",
            ),
            (
                "What time is it in 20 minutes?",
                &["It is 17:14."],
                "It will be 17:34.",
            ),
            (
                "How long until midnight?",
                &["It is 17:14."],
                "There are 6:46 hours left.",
            ),
            (
                "When does the sun set?",
                &["Sunset at 16:02"],
                "The sun sets at 4:02 pm.",
            ),
            (
                "What day is it?",
                &["Wednesday, 25 November 2026"],
                "It is Wednesday.",
            ),
            ("What time is it?", &["no clock"], "It is 12:00."),
        ],
    );
}

#[test]
fn long_answers_refusals_and_wanted_data_stand() {
    check(
        None,
        &[
            (
                "Is the hall lamp on?",
                &[LAMP],
                "I looked. The hall lamp is on. It is 30 °C. Good night.",
            ),
            (
                "Give me the lamp as JSON",
                &[LAMP],
                r#"{"name": "Hall Lamp", "state": "off"}"#,
            ),
            (
                "Is the gate open?",
                &["Gate: open"],
                "I'm sorry, I cannot help with that.",
            ),
            ("Weather in Oslo?", &["sunny"], "Take sunglasses!"),
            (
                "Guten Tag, ist das Tor offen?",
                &["Gate: open"],
                "Ja, das Tor ist offen, wie du wolltest, mein Freund.",
            ),
            ("Thanks", &["ok"], "You are welcome."),
            ("Play jazz", &["Playing Blue Train"], "Enjoy!"),
            (
                "What does the page say?",
                &["<h1>Hello</h1>"],
                "It greets the reader.",
            ),
            (
                "Search for a recipe",
                &["Pancakes: flour, milk, eggs"],
                "Mix flour with milk and eggs, then fry.",
            ),
        ],
    );
}

#[test]
fn without_a_result_nothing_is_judged() {
    assert!(Evidence::of(&[Message::human("Is it on?")]).is_none());
    let failed = [
        Message::human("Is it on?"),
        ToolMessage::error("off", "1").into(),
    ];
    assert!(Evidence::of(&failed).is_none());
    // Results of an earlier question are not those of this one.
    let mut earlier = conversation("Is the lamp on?", &[LAMP]);
    earlier.push(Message::human("And now?"));
    assert!(Evidence::of(&earlier).is_none());
}

#[test]
fn the_results_are_said_in_place_of_the_answer() {
    let said = |question: &str, results: &[&str]| {
        let messages = conversation(question, results);
        Evidence::of(&messages).unwrap().sentence()
    };
    assert_eq!(
        said("Is the hall lamp on?", &[LAMP]),
        "No, Hall Lamp is off."
    );
    assert_eq!(
        said("How warm is the bedroom?", &[BEDROOM]),
        "Bedroom Temperature reads 18.5 °C."
    );
    let listing = "- A: on\n- B: off\n- C: on\n- D: off";
    assert_eq!(
        said("Turn on B", &[listing, "B is now on."]),
        "B is now on."
    );
    assert_eq!(
        said("Turn on A and C", &["A is now on.", "C is now on."]),
        "A is now on. C is now on."
    );
}

#[test]
fn an_answer_of_a_tiny_model_has_nothing_of_its_own() {
    let conversation = [
        Message::user("What is the weather in Lima?"),
        ToolMessage::success("Lima: fog, 17 °C, wind 5 km/h.", "call_1").into(),
    ];
    let evidence = Evidence::of(&conversation).unwrap();
    for covered in [
        "The weather in Lima is fog.",
        "In Lima it is 17 °C, with a wind of 5 km/h.",
    ] {
        assert!(evidence.covers(covered), "{covered}");
    }
    for invented in [
        "",
        "Lima: rain, 20 mm, wind 3 km/h.",
        "Lima is a lively city with beautiful beaches and warm sunshine.",
        "The weather in Lima is fog and 21 °C.",
    ] {
        assert!(!evidence.covers(invented), "{invented}");
    }
}

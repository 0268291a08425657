use super::{inquiry, told};
use crate::assist::home::Home;
use crate::tokens::{Phrase, words};

const LIVE: &str = "Live Context: An overview of the areas and the devices in this smart home:\n\
    - names: Gate\n  domain: lock\n  state: locked\n  areas: Yard\n\
    - names: Gate Contact\n  domain: binary_sensor\n  state: 'off'\n  areas: Yard\n  attributes:\n    device_class: door\n\
    - names: Desk Lamp\n  domain: light\n  state: 'on'\n  areas: Study\n  attributes:\n    brightness: '51'\n\
    - names: Stereo\n  domain: media_player\n  state: paused\n  areas: Study\n  attributes:\n    volume_level: '0.3'\n\
    - names: Study Sensor Temperature\n  domain: sensor\n  state: '19.5'\n  areas: Study\n  attributes:\n    unit_of_measurement: °C\n    device_class: temperature\n\
    - names: Study Sensor Battery\n  domain: sensor\n  state: '55'\n  areas: Study\n  attributes:\n    unit_of_measurement: '%'\n    device_class: battery\n\
    - names: Drip Line\n  domain: valve\n  state: open\n  areas: Yard\n";

fn answer(text: &str) -> Option<String> {
    let home = Home::read(LIVE).unwrap();
    let words = words(text);
    let inquiry = inquiry(Phrase::new(text, &words))?;
    inquiry.is_about(&home).then(|| told(&inquiry, &home))
}

#[test]
fn states_are_told_in_a_sentence() {
    for (text, expected) in [
        ("is the gate locked", "Yes, Gate is locked."),
        ("is the gate unlocked", "No, Gate is locked."),
        ("is the gate contact open", "No, Gate Contact is off."),
        ("is the desk lamp still on", "Yes, Desk Lamp is on."),
        ("did I leave the desk lamp on", "Yes, Desk Lamp is on."),
        ("tell me if the desk lamp is off", "No, Desk Lamp is on."),
        (
            "is the stereo playing, paused or stopped",
            "Stereo is paused.",
        ),
        ("is the stereo playing", "No, Stereo is paused."),
        ("is the water in the yard on", "Yes, Drip Line is open."),
        (
            "is the irrigation in the yard off",
            "No, Drip Line is open.",
        ),
        (
            "what is the temperature in the study",
            "Study Sensor Temperature is 19.5 °C.",
        ),
        (
            "how warm is it in the study",
            "Study Sensor Temperature is 19.5 °C.",
        ),
        (
            "what is the battery level of the study sensor",
            "Study Sensor Battery is 55%.",
        ),
        (
            "what is the study sensor battery level",
            "Study Sensor Battery is 55%.",
        ),
        ("how bright is the desk lamp", "Desk Lamp is 20 percent."),
        ("what is the volume of the stereo", "Stereo is 30 percent."),
        ("what is the status of the stereo", "Stereo is paused."),
    ] {
        assert_eq!(answer(text).as_deref(), Some(expected), "{text}");
    }
}

#[test]
fn other_questions_are_left_to_others() {
    for text in [
        "is the attic lamp on",
        "which lights are on",
        "are any lights on",
        "is it raining",
        "what is the temperature in Paris",
        "turn on the desk lamp",
    ] {
        assert_eq!(answer(text), None, "{text}");
    }
}

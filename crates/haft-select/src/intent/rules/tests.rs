use super::*;
use crate::intent::words::Words;

fn heard(text: &str) -> Heard {
    let words = Words::of(text);
    apply(&words.iter().collect::<Vec<_>>())
}

/// Checks the certain result for each of these texts.
fn all(rule: Option<Rule>, texts: &[&str]) {
    for text in texts {
        assert_eq!(heard(text).rule, rule, "{text}");
    }
}

#[test]
fn the_time_and_the_date() {
    all(
        Some(Rule::Time),
        &[
            "what time is it",
            "What time is it?",
            "what's the time",
            "whats the time in new york city right now",
            "what time is it in Tokyo",
            "hey, can you tell me the time please",
            "tell me the date",
            "what's the current time",
            "what is the current date",
            "current time",
            "current date",
            "what day is it",
            "what day is it today",
            "what day is today",
            "what day of the week is it",
            "which day is it",
            "which day of the week is it",
            "what's today",
            "today's date",
            "todays day",
            "what's today's date",
            "what's the date today?",
            "what's the date",
            "what's the day",
            "do you know what time it is",
            "do you have the time",
            "what year is it",
            "what is the time and date",
            "give me the local time in Lima",
        ],
    );
}

#[test]
fn other_questions_with_the_time_in_them() {
    all(
        None,
        &[
            "As of the current date, what is the price of silver?",
            "what time does the train leave",
            "what is the time signature of this song",
            "what is the date of the battle of hastings",
            "what is today's weather",
            "what day did world war 2 end",
            "how many days are in a year",
            "what is the time complexity of quicksort",
            "set an alarm for the time I said",
            "what day is saint patricks day",
        ],
    );
}

#[test]
fn commands_to_devices() {
    all(
        Some(Rule::Command),
        &[
            "turn on the kitchen light",
            "turn the lamp off",
            "Could you please switch off all the lights for me",
            "turn off everything",
            "dim the lights",
            "brighten the bedroom lamp",
            "set the thermostat to 21",
            "set living room lights to 40 percent",
            "lock the front door",
            "unlock the doors",
            "close the garage",
            "shut the blinds",
            "kitchen lights off",
            "fan on",
        ],
    );
}

#[test]
fn the_state_of_devices() {
    all(
        Some(Rule::State),
        &[
            "is the kitchen light on",
            "are all the doors locked",
            "did I leave the garage door open",
            "are any windows open",
        ],
    );
    all(
        Some(Rule::Devices),
        &[
            "list devices",
            "show lights",
            "what switches do i have",
            "show me the sensors",
            "list all my devices",
            "what do i have",
            "show me the lamp",
            "what devices are there",
            "which lights are on",
            "devices",
        ],
    );
}

#[test]
fn other_texts_with_devices_in_them() {
    all(
        None,
        &[
            "what dimension is a cube",
            "how do I dimension a drawing",
            "remind me to turn off the oven",
            "play turn off the light",
            "who invented the light bulb",
            "set volume to 50",
            "turn up the radio",
            "what does dim mean",
            "lock my card",
            "who turned off the lights in the film",
            "open the calendar",
            "show me the weather",
            "my engine light came on",
            "what is a storage device",
        ],
    );
}

#[test]
fn possible_intents_keep_their_tools() {
    for text in [
        "turn it off",
        "what is a storage device",
        "dim it a bit",
        "turn up the radio",
    ] {
        assert!(heard(text).possible.contains(Intent::Device), "{text}");
    }
    assert!(heard("what dimension is a cube").possible.is_empty());
    assert!(
        heard("book a table for tomorrow")
            .possible
            .contains(Intent::Datetime)
    );
}

#[test]
fn questions_and_the_volume_are_detected() {
    assert!(heard("is the kitchen light on").asks && !heard("turn on the light").asks);
    assert!(heard("please show me the lights").asks);
    assert!(heard("set volume to 50").volume && !heard("set the light to 50").volume);
}

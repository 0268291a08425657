//! Which queries the local engine answers instead of the model: the development queries of the
//! intent data, and plain commands in the demo home.

use std::collections::BTreeMap;
use std::fs;

use crate::support::{assistant, executor};
use futures_util::StreamExt;
use haft_core::AiMessage;
use haft_testing::{ScriptedModel, data_dir};
use haft_tools::get_current_datetime;
use haft_voice::{Assistant, Responder, VoiceEvent};
use serde_json::Value;

fn home(replies: impl IntoIterator<Item = AiMessage>) -> Assistant {
    let mut tools = haft_zwave::zwave_tools(haft_zwave::Home::demo())
        .into_iter()
        .collect::<Vec<_>>();
    tools.push(get_current_datetime());
    assistant(ScriptedModel::saying(replies), executor(tools))
}

/// Who would answer; the answer itself is not run.
async fn taken(assistant: &Assistant, text: &str) -> Responder {
    match assistant.answer(text).next().await {
        Some(VoiceEvent::Intent { by, .. }) => by,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn plain_commands_are_executed_and_the_model_answers_the_rest() {
    let assistant = home([]);
    for text in [
        "turn off the kitchen light",
        "What time is it?",
        "set the bedroom to 40 percent",
        "Turn on the kitchen light and tell me the time in Tokyo.",
        "is the front door locked",
        "turn off all the lights",
        "Tell me which lights are on",
        "Hey haft, could you please turn off the kitchen light? Thank you!",
        "I want to turn off the kitchen light",
    ] {
        assert_eq!(taken(&assistant, text).await, Responder::Local, "{text}");
    }
    for text in [
        "",
        "Who was Bach?",
        "Turn on the kitchen light and write me a poem",
        "If it rains, close the windows",
        "Turn off the light in ten minutes",
        "Don't turn on the kitchen light",
        "turn on the charm",
        "turn it off",
        "what is the time complexity of quicksort",
        "remind me to turn off the oven",
        "what's the weather like",
        "thanks",
        "play some music in the kitchen",
        "In the event of a fire, unlock the front door",
        "My boss said, turn off the hallway light",
        "my boss said turn off the hallway light",
        "Should the bedroom get colder than 16 degrees, set the thermostat to 24",
        "From next Monday on, set the thermostat to 18",
        "Turn the kitchen light on... sorry, off",
        "Turn on the kitchen light, not the hallway light",
        "What time is it? And in case of fire, unlock the front door.",
        "\"Turn off the kitchen light\"",
        "Turn on the kitchen light?",
    ] {
        assert_eq!(taken(&assistant, text).await, Responder::Model, "{text}");
    }
}

#[tokio::test]
async fn a_room_that_is_set_to_a_level_means_its_lights() {
    let events: Vec<VoiceEvent> = home([])
        .answer("Set the bedroom to 40 percent")
        .collect()
        .await;
    let Some(VoiceEvent::Answer { text, model, .. }) = events.last() else {
        panic!("{events:?}");
    };
    assert_eq!(
        (text.as_str(), model.as_str()),
        ("Bedroom Light is now at 40 percent.", "builtin")
    );
}

/// Of 429 queries about devices and the clock more than half are answered by the engine; of 4,749
/// others, none.
#[tokio::test]
async fn the_local_engine_answers_only_queries_about_home_and_clock() {
    let Some(data) = data_dir("of_the_development_queries") else {
        return;
    };
    let assistant = home([]);
    let mut counts: BTreeMap<String, [usize; 2]> = BTreeMap::new();
    for file in ["dev.jsonl", "dev_oos.jsonl"] {
        let lines = fs::read_to_string(data.join("intents").join(file)).unwrap();
        for line in lines.lines() {
            let query: Value = serde_json::from_str(line).unwrap();
            let (text, label) = (&query["text"], query["label"].as_str().unwrap());
            let count = counts.entry(label.to_owned()).or_default();
            count[0] += 1;
            let by = taken(&assistant, text.as_str().unwrap()).await;
            if by == Responder::Local {
                count[1] += 1;
                if !["device", "datetime"].contains(&label) {
                    eprintln!("wrong: {label}: {text}");
                }
            }
        }
    }
    eprintln!("queries and how many of them are carried out here: {counts:?}");
    for label in ["general", "chitchat", "web", "action", "oos"] {
        assert_eq!(counts[label][1], 0, "{label}");
    }
    assert!(counts["device"][1] * 2 >= counts["device"][0]);
    assert!(counts["datetime"][1] * 2 >= counts["datetime"][0]);
}

//! Whatever a client lists and a user says, the engine neither dies nor names a device that is not
//! in the list.

use haft_core::Message;
use proptest::prelude::*;

use super::assist::{HOME, tools};
use super::support::{ask, bound};

const WORDS: &[&str] = &[
    "turn",
    "on",
    "off",
    "the",
    "hallway",
    "light",
    "lights",
    "and",
    "then",
    "but",
    "all",
    "both",
    "except",
    "set",
    "to",
    "at",
    "40%",
    "halfway",
    "open",
    "close",
    "blind",
    "blinds",
    "lock",
    "door",
    "pause",
    "next",
    "song",
    "volume",
    "radio",
    "kitchen",
    "up",
    "down",
    "vacuum",
    "water",
    "garden",
    "add",
    "milk",
    "list",
    "groceries",
    "it",
    "everything",
    "in",
    "here",
    "upstairs",
    "floor",
    "what",
    "is",
    "temperature",
    "of",
    ",",
    ".",
    "?",
    "\"",
    "'",
    "é",
    "%",
    "start",
    "stop",
];

fn check(prompt: String, text: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let messages = [Message::system(prompt), Message::human(text)];
    let reply = runtime.block_on(ask(&bound(&tools()), &messages));
    assert!(!reply.tool_calls.is_empty() || !reply.content.text().is_empty());
    let from_list = reply
        .tool_calls
        .iter()
        .filter(|call| call.args.contains_key("domain"));
    for call in from_list {
        if let Some(name) = call.args.get("name").and_then(|name| name.as_str()) {
            assert!(HOME.contains(name), "{text:?} called {name:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn any_words_over_a_home_are_harmless(words in prop::collection::vec(prop::sample::select(WORDS), 0..14)) {
        check(HOME.to_owned(), &words.join(" "));
    }

    #[test]
    fn any_list_of_devices_is_harmless(list in "(- names: |  domain: (light|lock)\n|  areas: |'|\"|: |\n|\\PC{0,4}){0,40}") {
        let heading = HOME.lines().next().unwrap();
        check(format!("{heading}\n- names: Kettle\n  domain: switch\n{list}"), "turn on the kettle");
    }
}

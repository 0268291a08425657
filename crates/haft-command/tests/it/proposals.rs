//! What the engine proposes to a program that has a language model beside it.

use haft_command::{Builtin, Proposal};
use haft_core::{AiMessage, Message, ToolCall, ToolMessage};
use serde_json::json;

use super::support::{clock, zwave};

fn engine() -> Builtin {
    let mut tools = zwave();
    tools.push(clock());
    Builtin::with_tools(&tools)
}

fn proposal(text: &str) -> Proposal {
    engine().proposal(&[Message::user(text)])
}

#[test]
fn what_is_understood_whole_is_called() {
    for text in [
        "Turn on the kitchen light",
        "Thanks! And what time is it in Tokyo?",
        "Is the front door locked, and how warm is it in the living room?",
    ] {
        assert_eq!(proposal(text), Proposal::Calls, "{text}");
    }
}

#[test]
fn what_is_no_command_is_left_to_the_model() {
    for text in [
        "",
        "Hello",
        "Thanks, that was very helpful!",
        "What can you do?",
        "Who wrote Romeo and Juliet?",
        "What is a thermostat good for?",
        "Tell me a joke about cats",
    ] {
        assert_eq!(proposal(text), Proposal::Unknown, "{text}");
    }
}

#[test]
fn what_no_bound_tool_can_do_is_left_to_the_model() {
    let without_clock = Builtin::with_tools(&zwave());
    let question = [Message::user("What time is it in Tokyo?")];
    assert_eq!(without_clock.proposal(&question), Proposal::Unknown);
}

#[test]
fn what_must_not_be_done_is_settled_with_a_sentence() {
    for text in [
        "Don't turn on the kitchen light",
        "Turn on the kitchen light when I come home",
        "Turn it off",
        "My neighbour said turn off the hallway light",
        "Turn on the kitchen light and blorb the gnarf",
    ] {
        let Proposal::Answer(sentence) = proposal(text) else {
            panic!("{text}: {:?}", proposal(text));
        };
        assert!(!sentence.contains("language model"), "{text}: {sentence}");
    }
}

#[test]
fn results_are_put_into_a_sentence() {
    let call = ToolCall::new("get_current_datetime", json!({}), "call_1");
    let messages = [
        Message::user("What time is it?"),
        AiMessage::new("").with_tool_calls([call]).into(),
        ToolMessage::success("It is 9:30 AM on Monday, March 9, 2026.", "call_1").into(),
    ];
    let Proposal::Answer(sentence) = engine().proposal(&messages) else {
        panic!("no answer");
    };
    assert!(sentence.contains("9:30"), "{sentence}");
}

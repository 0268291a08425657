use haft_core::{AiMessage, ToolCall};
use haft_testing::SpyTool;
use serde_json::json;

use super::*;

/// A clock, lights, a browser, and some tools without a group.
const NAMES: [&str; 14] = [
    "get_current_datetime",
    "HassTurnOn",
    "HassTurnOff",
    "browser_click",
    "browser_close",
    "browser_navigate",
    "browser_snapshot",
    "browser_type",
    "send_mail",
    "add_calendar_event",
    "translate_text",
    "start_timer",
    "play_music",
    "set_lamp_colour",
];

fn set() -> ToolChooser {
    let tools = NAMES.map(|name| -> Arc<dyn Tool> {
        Arc::new(SpyTool::new(name, |_| Ok(String::new().into())))
    });
    ToolChooser::new(ToolGroups::default(), tools.into())
}

fn names(conversation: &[Message]) -> Vec<&'static str> {
    let chosen = set().choose(conversation);
    chosen.bound.iter().map(|tool| NAMES[*tool]).collect()
}

#[test]
fn the_tools_of_a_group_come_alone() {
    assert_eq!(
        names(&[Message::human("Turn on the kitchen light")]),
        ["HassTurnOn", "HassTurnOff"]
    );
    assert_eq!(
        names(&[Message::human("what time is it")]),
        ["get_current_datetime"]
    );
}

#[test]
fn a_tool_of_no_group_joins_when_it_is_asked_for() {
    let lamp = names(&[Message::human("Set the lamp colour to red")]);
    assert!(lamp.contains(&"set_lamp_colour"), "{lamp:?}");
}

#[test]
fn each_request_of_a_conversation_extends_the_one_before() {
    let queries = [
        "what time is it",
        "Turn on the kitchen light",
        "and the bedroom",
        "what is the capital of France",
        "send a mail to Ann",
        "quelle heure est-il ?",
    ];
    let mut conversation = Vec::new();
    let mut before = Vec::new();
    for query in queries {
        conversation.push(Message::human(query));
        let now = names(&conversation);
        assert!(
            now.starts_with(&before),
            "{query}: {now:?} after {before:?}"
        );
        before = now;
    }
    assert_eq!(
        before.len(),
        NAMES.len(),
        "no English, so nothing is left out"
    );
}

#[test]
fn called_and_found_tools_stay_bound() {
    let calls = [
        ToolCall::new("browser_click", json!({}), "1"),
        ToolCall::new(
            SearchTools::NAME,
            json!({"query": "translate text", "limit": 1}),
            "2",
        ),
    ];
    let conversation = [
        Message::human("what time is it"),
        AiMessage::new("").with_tool_calls(calls).into(),
    ];
    assert_eq!(
        names(&conversation),
        ["get_current_datetime", "browser_click", "translate_text"]
    );
}

#[test]
fn a_call_is_due_only_where_there_is_a_tool_for_it() {
    let is_due = |query: &str| set().is_call_due(query);
    assert!(is_due("Turn on the kitchen light"));
    assert!(is_due("what time is it"));
    assert!(!is_due("what is the capital of France"));
    assert!(!is_due("tell me a joke"));
    let without = ToolChooser::new(ToolGroups::default(), Vec::new());
    assert!(!without.is_call_due("what time is it"));
}

#[test]
fn a_conversation_without_a_query_has_no_tools() {
    assert_eq!(set().choose(&[]), ChosenTools::default());
}

#[test]
fn shared_words_and_values_call_for_a_tool_of_no_group() {
    let tool = |name, schema| -> Arc<dyn Tool> {
        Arc::new(SpyTool::new(name, |_| Ok(String::new().into())).with_schema(schema))
    };
    let text = json!({"properties": {"text": {"type": "string"}}, "required": ["text"]});
    let area = json!({
        "properties": {"base": {"type": "number"}, "height": {"type": "number"}},
        "required": ["base", "height"],
    });
    let chooser = ToolChooser::new(
        ToolGroups::default(),
        vec![tool("get_triangle_area", area), tool("take_note", text)],
    );
    assert!(chooser.is_call_due("What is the area of a triangle with base 4 and height 3?"));
    assert!(!chooser.is_call_due("What is a triangle?"));
    assert!(!chooser.is_call_due("Who painted the Mona Lisa?"));
}

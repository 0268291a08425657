use haft_core::{InvalidToolCall, ToolCall, ToolStatus};
use serde_json::json;

use super::*;

fn call(name: &str, id: &str) -> ToolCall {
    ToolCall::new(name, json!({}), id)
}

#[test]
fn s000_12_missing_results_are_padded_in_order() {
    let asked =
        AiMessage::new("").with_tool_calls([call("a", "1"), call("b", "2"), call("c", "3")]);
    let only = ToolMessage::success("fine", "2");
    let answers = answer_calls(&asked, [None, Some(only)]);
    let ids: Vec<_> = answers
        .iter()
        .map(|answer| answer.tool_call_id.as_str())
        .collect();
    assert_eq!(ids, ["1", "2", "3"]);
    assert_eq!(
        answers[0].content.text(),
        "Error: The tool \"a\" gave no result"
    );
    assert_eq!(answers[1].content.text(), "fine");
    assert_eq!(
        answers[2].content.text(),
        "Error: The tool \"c\" gave no result"
    );
    assert_eq!(answers[2].status, ToolStatus::Error);
}

#[test]
fn s000_12_too_many_results_add_no_message() {
    let asked = AiMessage::new("").with_tool_calls([call("a", "1")]);
    let result = || Some(ToolMessage::success("x", "1"));
    assert_eq!(answer_calls(&asked, [result(), result()]).len(), 1);
}

#[test]
fn s000_12_equal_ids_are_matched_by_position() {
    let asked = AiMessage::new("").with_tool_calls([call("a", "same"), call("b", "same")]);
    let result = |text: &str| Some(ToolMessage::success(text, "same"));
    let answers = answer_calls(&asked, [result("first"), result("second")]);
    assert_eq!(answers[0].content.text(), "first");
    assert_eq!(answers[1].content.text(), "second");
}

#[test]
fn s000_12_invalid_calls_are_answered_too() {
    let invalid = InvalidToolCall {
        name: "b".into(),
        args: "{".into(),
        id: "2".into(),
        error: "The arguments are cut off".into(),
    };
    let mut asked = AiMessage::new("").with_tool_calls([call("a", "1")]);
    asked.invalid_tool_calls.push(invalid);
    let answers = answer_calls(&asked, []);
    assert_eq!(answers.len(), 2);
    assert_eq!(answers[1].tool_call_id, "2");
    assert_eq!(
        answers[1].content.text(),
        "Error: The arguments are cut off"
    );
}

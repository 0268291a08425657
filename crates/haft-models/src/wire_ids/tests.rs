use haft_core::{AiMessage, InvalidToolCall, Message, ToolCall, ToolMessage};
use serde_json::json;

use super::WireIds;

fn asks(ids: &[&str]) -> Message {
    let calls = ids.iter().map(|id| ToolCall::new("t", json!({}), *id));
    AiMessage::new("").with_tool_calls(calls).into()
}

fn answers(id: &str) -> Message {
    ToolMessage::success("ok", id).into()
}

fn any(_: char) -> bool {
    true
}

#[test]
fn ids_that_are_unique_stay_as_they_are() {
    let ids = WireIds::new(
        &[asks(&["a", "functions.t:0"]), answers("functions.t:0")],
        any,
    );
    assert_eq!((ids.call(0, 0), ids.call(0, 1)), ("a", "functions.t:0"));
    assert_eq!(ids.result(1), "functions.t:0");
}

#[test]
fn s000_07_ids_of_later_rounds_are_made_unique_and_results_follow() {
    let ids = WireIds::new(
        &[
            asks(&["t_0"]),
            answers("t_0"),
            asks(&["t_0"]),
            answers("t_0"),
        ],
        any,
    );
    assert_eq!((ids.call(0, 0), ids.result(1)), ("t_0", "t_0"));
    assert_eq!((ids.call(2, 0), ids.result(3)), ("t_0_2", "t_0_2"));
}

#[test]
fn ids_repeated_in_one_message_are_distinguished_by_position() {
    let ids = WireIds::new(
        &[
            asks(&["x", "y", "x"]),
            answers("x"),
            answers("y"),
            answers("x"),
        ],
        any,
    );
    assert_eq!(
        [ids.call(0, 0), ids.call(0, 1), ids.call(0, 2)],
        ["x", "y", "x_2"]
    );
    assert_eq!(
        [ids.result(1), ids.result(2), ids.result(3)],
        ["x", "y", "x_2"]
    );
}

#[test]
fn a_made_up_id_never_meets_a_real_one() {
    let ids = WireIds::new(&[asks(&["x", "x_2", "x"])], any);
    assert_eq!(
        [ids.call(0, 0), ids.call(0, 1), ids.call(0, 2)],
        ["x", "x_2", "x_3"]
    );
}

#[test]
fn invalid_calls_come_after_the_others_and_orphans_keep_their_id() {
    let mut reply = AiMessage::new("").with_tool_calls([ToolCall::new("t", json!({}), "a")]);
    reply.invalid_tool_calls.push(InvalidToolCall {
        name: "t".into(),
        args: "{".into(),
        id: "b".into(),
        error: "cut".into(),
    });
    let ids = WireIds::new(&[reply.into(), answers("b"), answers("zzz")], any);
    assert_eq!(
        (ids.call(0, 1), ids.result(1), ids.result(2)),
        ("b", "b", "zzz")
    );
}

#[test]
fn forbidden_characters_are_replaced_and_still_unique() {
    let ids = WireIds::new(
        &[asks(&["a:1", "a.1"]), answers("a.1"), answers("a:1")],
        |c| c.is_ascii_alphanumeric() || c == '_',
    );
    assert_eq!((ids.call(0, 0), ids.call(0, 1)), ("a_1", "a_1_2"));
    assert_eq!((ids.result(1), ids.result(2)), ("a_1_2", "a_1"));
}

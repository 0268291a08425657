//! One test per way in which servers cut calls into pieces; the first is by the book, others are
//! as seen in the wild or reported of compatible servers.

use haft_core::{AiMessage, ChatChunk};
use haft_testing::named_tool;
use serde_json::{Value, json};

use super::Calls;
use crate::bound::BoundTools;
use crate::reply::{Reading, ReplyBuilder};

fn assembled(pieces: &[Value]) -> AiMessage {
    let tools = ["add", "look_up"].map(|name| named_tool(name, None));
    let bound = BoundTools::new(&tools).unwrap();
    let mut builder = ReplyBuilder::new(Reading::native(&bound));
    let mut calls = Calls::new(&bound.names);
    for piece in pieces {
        let piece = serde_json::from_value(piece.clone()).unwrap();
        calls.piece(piece, &mut builder);
    }
    match builder.finish().pop() {
        Some(ChatChunk::Done(reply)) => reply,
        other => panic!("{other:?}"),
    }
}

/// Name and arguments of each call.
fn calls(pieces: &[Value]) -> Vec<(String, Value)> {
    let reply = assembled(pieces);
    assert!(reply.invalid_tool_calls.is_empty(), "{reply:?}");
    let calls = reply.tool_calls.into_iter();
    calls
        .map(|call| (call.name, Value::Object(call.args)))
        .collect()
}

fn two() -> Vec<(String, Value)> {
    vec![
        ("add".to_owned(), json!({"a": 1})),
        ("look_up".to_owned(), json!({"b": "}"})),
    ]
}

fn piece(index: Option<u64>, id: Option<&str>, name: &str, arguments: &str) -> Value {
    let mut piece = json!({"function": {"arguments": arguments}});
    if let Some(index) = index {
        piece["index"] = json!(index);
    }
    if let Some(id) = id {
        piece["id"] = json!(id);
    }
    if !name.is_empty() {
        piece["function"]["name"] = json!(name);
    }
    piece
}

#[test]
fn by_the_book() {
    let seen = assembled(&[
        piece(Some(0), Some("x"), "add", ""),
        piece(Some(0), None, "", "{\"a\""),
        piece(Some(0), None, "", ": 1}"),
        piece(Some(1), Some("y"), "look_up", ""),
        piece(Some(1), None, "", "{\"b\": \"}\"}"),
    ]);
    let ids: Vec<_> = seen
        .tool_calls
        .iter()
        .map(|call| call.id.as_str())
        .collect();
    assert_eq!(ids, ["x", "y"]);
}

#[test]
fn pieces_of_two_calls_may_alternate() {
    let pieces = [
        piece(Some(0), Some("x"), "add", ""),
        piece(Some(1), Some("y"), "look_up", ""),
        piece(Some(0), None, "", "{\"a\""),
        piece(Some(1), None, "", "{\"b\": "),
        piece(Some(0), None, "", ": 1}"),
        piece(Some(1), None, "", "\"}\"}"),
    ];
    assert_eq!(calls(&pieces), two());
}

#[test]
fn every_call_has_index_0_and_its_own_id() {
    let pieces = [
        piece(Some(0), Some("x"), "add", "{\"a\": 1}"),
        piece(Some(0), Some("y"), "look_up", "{\"b\":"),
        piece(Some(0), None, "", "\"}\"}"),
    ];
    assert_eq!(calls(&pieces), two());
}

#[test]
fn whole_calls_with_one_index_and_one_id_or_none() {
    for id in [Some("same"), Some(""), None] {
        for index in [Some(0), None] {
            let pieces = [
                piece(index, id, "add", "{\"a\": 1}"),
                piece(index, id, "look_up", "{\"b\": \"}\"}"),
            ];
            assert_eq!(calls(&pieces), two(), "{id:?} {index:?}");
            // The same tool twice.
            let pieces = [
                piece(index, id, "add", "{\"a\": 1}"),
                piece(index, id, "add", "{\"a\": 2}"),
            ];
            assert_eq!(calls(&pieces).len(), 2, "{id:?} {index:?}");
        }
    }
}

#[test]
fn calls_that_share_an_id_get_ids_of_their_own() {
    let reply = assembled(&[
        piece(Some(0), Some("same"), "add", "{}"),
        piece(Some(1), Some("same"), "add", "{}"),
    ]);
    assert_eq!(reply.tool_calls.len(), 2);
    assert_eq!(reply.tool_calls[0].id, "same");
    assert_ne!(reply.tool_calls[1].id, "same");
}

#[test]
fn no_index_at_all() {
    let pieces = [
        piece(None, Some("x"), "add", ""),
        piece(None, None, "", "{\"a\": 1}"),
        piece(None, Some("y"), "look_up", "{\"b\": "),
        piece(None, Some("y"), "", "\"}\"}"),
    ];
    assert_eq!(calls(&pieces), two());
}

#[test]
fn id_and_name_are_repeated_in_every_piece() {
    let pieces = [
        piece(Some(0), Some("x"), "add", "{\"a\""),
        piece(Some(0), Some("x"), "add", ": 1}"),
        piece(Some(0), Some("x"), "add", ""),
        piece(Some(1), Some("y"), "look_up", "{\"b\": "),
        piece(Some(1), Some("y"), "look_up", "\"}\"}"),
    ];
    assert_eq!(calls(&pieces), two());
}

#[test]
fn a_name_comes_in_pieces() {
    let pieces = [
        piece(Some(0), Some("x"), "look", ""),
        piece(Some(0), None, "_up", ""),
        piece(Some(0), None, "", "{}"),
    ];
    assert_eq!(calls(&pieces), [("look_up".to_owned(), json!({}))]);
}

#[test]
fn calls_without_arguments_index_and_id_are_separated_by_tool_names() {
    let pieces = [
        piece(None, None, "add", ""),
        piece(None, None, "look_up", ""),
    ];
    let names: Vec<_> = calls(&pieces).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["add", "look_up"]);
}

#[test]
fn the_id_comes_late_or_never() {
    let reply = assembled(&[
        piece(Some(0), None, "add", "{\"a\""),
        piece(Some(0), Some("x"), "", ": 1}"),
        piece(Some(1), None, "add", "{\"a\": 2}"),
    ]);
    assert_eq!(reply.tool_calls.len(), 2);
    assert!(reply.tool_calls.iter().all(|call| !call.id.is_empty()));
}

#[test]
fn arguments_are_an_object_or_nothing() {
    for (arguments, expected) in [
        (json!({"a": {"b": [1]}}), json!({"a": {"b": [1]}})),
        (json!("{\"a\": 1}"), json!({"a": 1})),
        (json!("\"{\\\"a\\\": 1}\""), json!({"a": 1})),
        (json!(""), json!({})),
        (json!("  "), json!({})),
        (json!("null"), json!({})),
        (Value::Null, json!({})),
    ] {
        let piece = json!({"id": "x", "function": {"name": "add", "arguments": arguments}});
        assert_eq!(
            calls(&[piece]),
            [("add".to_owned(), expected)],
            "{arguments}"
        );
    }
}

#[test]
fn arguments_that_are_cut_or_broken_make_an_invalid_call() {
    for broken in ["{\"a\": ", "a b", "[1]", "7"] {
        let reply = assembled(&[piece(Some(0), Some("x"), "add", broken)]);
        assert!(reply.tool_calls.is_empty(), "{broken}");
        let invalid = &reply.invalid_tool_calls[0];
        assert_eq!(
            (invalid.name.as_str(), invalid.args.as_str()),
            ("add", broken)
        );
        assert!(!invalid.error.is_empty());
    }
}

#[test]
fn empty_placeholders_are_not_calls() {
    let reply = assembled(&[
        json!({}),
        json!({"index": 0, "function": {"name": "", "arguments": ""}}),
    ]);
    assert!(!reply.has_calls(), "{reply:?}");
}

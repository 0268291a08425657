use serde_json::{Value, json};

use super::{canonical, differences, mask, mask_text};

#[test]
fn only_the_pairing_of_call_ids_matters() {
    let conversation = |a: &str, b: &str, first: &str| {
        json!({"messages": [
            {"role": "assistant", "tool_calls": [
                {"id": a, "type": "function", "function": {"name": "add", "arguments": "{}"}},
                {"id": b, "type": "function", "function": {"name": "sub", "arguments": "{}"}},
            ]},
            {"role": "tool", "tool_call_id": first, "content": "1"},
        ]})
    };
    let one = canonical(&conversation("x", "y", "x"));
    assert_eq!(one, canonical(&conversation("call_1", "call_2", "call_1")));
    assert_ne!(one, canonical(&conversation("x", "y", "y")));
    let blocks = |id: &str| {
        json!([
            {"type": "tool_use", "id": id, "name": "add", "input": {"id": 7}},
            {"type": "tool_result", "tool_use_id": id, "content": "1"},
        ])
    };
    assert_eq!(canonical(&blocks("toolu_1")), canonical(&blocks("toolu_2")));
}

#[test]
fn ids_that_are_not_call_ids_matter() {
    let ask = |id: &str| json!({"id": id, "input": {"id": id}});
    assert_ne!(canonical(&ask("a")), canonical(&ask("b")));
}

#[test]
fn the_order_of_keys_does_not_matter_and_that_of_items_does() {
    let parse = |text: &str| canonical(&serde_json::from_str::<Value>(text).unwrap());
    assert_eq!(parse(r#"{"a":1,"b":[1,2]}"#), parse(r#"{"b":[1,2],"a":1}"#));
    assert_ne!(parse(r#"{"b":[1,2]}"#), parse(r#"{"b":[2,1]}"#));
}

#[test]
fn secrets_are_masked_by_name_and_by_look() {
    let mut body = json!({
        "api_key": "hunter2",
        "nested": [{"Access-Token": "abc", "max_tokens": 7, "token": {"type": "string"}}],
        "text": "use sk-proj-abcdefghijklmnop, please; ask-me is not one, nor is sk-short",
    });
    mask(&mut body);
    let expected = json!({
        "api_key": "REDACTED",
        "nested": [{"Access-Token": "REDACTED", "max_tokens": 7, "token": {"type": "string"}}],
        "text": "use REDACTED, please; ask-me is not one, nor is sk-short",
    });
    assert_eq!(body, expected);
    assert_eq!(mask_text("é ghp_0123456789abcdef\n🌧"), "é REDACTED\n🌧");
    assert_eq!(mask_text("nothing here"), "nothing here");
    assert_eq!(
        canonical(&json!({"password": "a"})),
        canonical(&json!({"password": "b"}))
    );
}

#[test]
fn differences_are_named_by_their_place() {
    let recorded = json!({"a": {"b/c": [1, 2]}, "only": 1});
    let asked = json!({"a": {"b/c": [1, 3, 4]}, "new": 2});
    let found: Vec<_> = differences(&recorded, &asked)
        .into_iter()
        .map(|d| (d.path, d.recorded.cloned(), d.asked.cloned()))
        .collect();
    let expected = [
        ("/a/b~1c/1".to_owned(), Some(json!(2)), Some(json!(3))),
        ("/a/b~1c/2".to_owned(), None, Some(json!(4))),
        ("/only".to_owned(), Some(json!(1)), None),
        ("/new".to_owned(), None, Some(json!(2))),
    ];
    assert_eq!(found, expected);
    assert!(differences(&recorded, &recorded).is_empty());
    let long = json!(vec![0; 10_000]);
    assert!(differences(&long, &json!(vec![1; 10_000])).len() <= 200);
}

//! Ids at every position and cut at every byte, and endless nesting.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests may die"
)]

use rmcp::model::RequestId;
use serde_json::Value;

use super::{IdScanner, MAX_DEPTH, pruned};

fn id(text: &str) -> Option<RequestId> {
    let mut scanner = IdScanner::default();
    scanner.feed(text.as_bytes());
    scanner.head().answered().cloned()
}

#[test]
fn the_id_is_found_at_any_position() {
    let three = Some(RequestId::Number(3));
    assert_eq!(id(r#"{"jsonrpc":"2.0","id":3,"result":{"id":9}}"#), three);
    assert_eq!(
        id(r#"{"result":{"id":9,"text":"\"id\":7,{"},"id" : 3 }"#),
        three
    );
    // Cut off, but the id is complete.
    assert_eq!(id(r#"{"id":3,"result":{"content":[{"te"#), three);
    assert_eq!(
        id(r#"{"a":"id","id":"x:\"y\"","b":1}"#),
        Some(RequestId::String(r#"x:"y""#.into()))
    );
}

#[test]
fn only_responses_have_an_answered_id() {
    for text in [
        "",
        "Listening on port 3",
        r#"{"result":{"id":9}}"#,
        r#"{"id":null,"error":{}}"#,
        r#"{"id":{"id":3},"result":1}"#,
        // The number may be incomplete.
        r#"{"id":3"#,
        // A request of the server has an id of its own.
        r#"{"id":3,"method":"sampling/createMessage","params":{}}"#,
        r#"{"id":3,"params":{},"method":"ping"}"#,
    ] {
        assert_eq!(id(text), None, "{text}");
    }
    let long = format!(r#"{{"id":"{}","result":1}}"#, "x".repeat(1000));
    assert_eq!(id(&long), None);
}

#[test]
fn an_id_may_be_cut_at_every_byte() {
    let text = r#"{"result":{"t":"ü\\\"}{"},"id":"a\"b","x":[1]}"#.as_bytes();
    for cut in 0..=text.len() {
        let mut scanner = IdScanner::default();
        scanner.feed(&text[..cut]);
        scanner.feed(&text[cut..]);
        assert_eq!(
            scanner.head().answered().cloned(),
            Some(RequestId::String("a\"b".into())),
            "{cut}"
        );
    }
}

#[test]
fn only_values_that_are_too_deep_are_removed() {
    assert_eq!(pruned(br#"{"a":[1,{"b":"[[[\"[[["}]}"#), None);
    let nested = |levels: usize| format!("{}1{}", "[".repeat(levels), "]".repeat(levels));
    assert_eq!(pruned(nested(MAX_DEPTH).as_bytes()), None);
    let text = format!(r#"{{"id":3,"deep":{},"after":["]",{{}}]}}"#, nested(1000));
    let value: Value = serde_json::from_slice(&pruned(text.as_bytes()).unwrap()).unwrap();
    assert_eq!(value["id"], 3);
    assert_eq!(value["after"].to_string(), r#"["]",{}]"#);
    let mut deep = &value["deep"];
    let mut levels = 1;
    while let Some(inner) = deep.get(0) {
        deep = inner;
        levels += 1;
    }
    assert_eq!((levels, deep), (MAX_DEPTH, &Value::Null));
}

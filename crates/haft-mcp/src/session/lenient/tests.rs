//! Results that do not follow any specification.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests may die")]

use rmcp::model::{CallToolResult, ServerResult};
use serde_json::{Value, json};

use super::{MAX_BLOCKS, Reply, reply};

/// Parses a result.
fn read(result: Value) -> Option<CallToolResult> {
    match reply(serde_json::from_value::<ServerResult>(result).unwrap())? {
        Reply::Complete(result) => Some(result),
        Reply::InputRequired(_) => panic!("input required"),
    }
}

fn content(result: Value) -> Vec<Value> {
    let content = read(result).unwrap().content;
    content.iter().map(|block| json!(block)).collect()
}

#[test]
fn an_unknown_block_does_not_invalidate_the_result() {
    let text = json!({"type": "text", "text": "on"});
    let hologram = json!({"type": "hologram", "data": "x"});
    let result = json!({"content": [text, hologram, text], "structuredContent": {"a": 1}});
    assert_eq!(
        content(result.clone()),
        [
            text.clone(),
            json!({"type": "text", "text": r#"{"type":"hologram","data":"x"}"#}),
            text
        ]
    );
    assert_eq!(
        read(result).unwrap().structured_content,
        Some(json!({"a": 1}))
    );
    let failed = json!({"isError": true, "content": [{"type": "hologram"}]});
    assert_eq!(read(failed).unwrap().is_error, Some(true));
}

#[test]
fn content_of_other_shapes_is_text() {
    let text = [json!({"type": "text", "text": "on"})];
    assert_eq!(content(json!({"content": "on"})), text);
    assert_eq!(content(json!({"content": ["on"]})), text);
    assert_eq!(
        content(json!({"content": {"type": "text", "text": "on"}})),
        text
    );
    assert_eq!(
        content(json!({"toolResult": 7})),
        [json!({"type": "text", "text": r#"{"toolResult":7}"#})]
    );
}

#[test]
fn a_missing_content_is_an_empty_result() {
    for nothing in [
        json!({}),
        json!({"_meta": {}}),
        json!({"content": null}),
        json!({"resultType": "complete"}),
    ] {
        assert_eq!(content(nothing.clone()), [] as [Value; 0], "{nothing}");
    }
}

#[test]
fn other_replies_are_no_results() {
    assert!(read(json!({"resultType": "later", "content": []})).is_none());
}

#[test]
fn the_number_of_blocks_is_limited() {
    let blocks = content(json!({"content": vec!["x"; MAX_BLOCKS + 5]}));
    assert_eq!(blocks.len(), MAX_BLOCKS + 1);
    assert_eq!(
        blocks.last().unwrap(),
        &json!({"type": "text", "text": "[5 more blocks left out]"})
    );
}

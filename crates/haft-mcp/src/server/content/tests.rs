use serde_json::json;

use super::*;

fn sent(answer: ToolMessage) -> Value {
    serde_json::to_value(result(Some(answer))).unwrap()
}

fn answer(artifact: Value) -> ToolMessage {
    ToolMessage {
        artifact: Some(artifact),
        ..ToolMessage::success("done", "call_1")
    }
}

#[test]
fn the_artifact_becomes_structured_content() {
    let sent = sent(answer(json!({"on": true})));
    assert_eq!(sent["content"], json!([{"type": "text", "text": "done"}]));
    assert_eq!(sent["structuredContent"], json!({"on": true}));
    assert_eq!(sent["isError"], false);
}

#[test]
fn artifacts_other_than_objects_are_omitted() {
    assert_eq!(sent(answer(json!([1, 2]))).get("structuredContent"), None);
}

#[test]
fn a_picture_of_an_mcp_server_is_passed_on() {
    let picture = json!({"type": "image", "data": "AAAA", "mimeType": "image/png"});
    let sent = sent(answer(
        json!({"content": [picture, {"type": "hologram"}], "structuredContent": {"x": 1}}),
    ));
    assert_eq!(sent["content"][1], picture);
    assert_eq!(sent["content"].as_array().unwrap().len(), 2);
    assert_eq!(sent["structuredContent"], json!({"x": 1}));
}

#[test]
fn a_failure_contains_the_reason_once() {
    let sent = sent(ToolMessage::error("no such device", "call_1"));
    assert_eq!(sent["isError"], true);
    assert_eq!(sent["content"][0]["text"], "no such device");
}

#[test]
fn a_missing_answer_is_a_failure() {
    let sent = serde_json::to_value(result(None)).unwrap();
    assert_eq!(sent["isError"], true);
}

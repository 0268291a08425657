use crate::anthropic::wire::borrowed;
use std::collections::HashSet;
use std::fs;

use haft_testing::data_dir;
use serde_json::json;

use super::*;
use crate::borrowed_text::parse_body;
use crate::http::parse;

/// Fields of recorded requests and their blocks that haft has no use for.
const LEFT_OUT: [&str; 4] = ["cache_control", "strict", "defer_loading", "caller"];

fn mentions(value: &Value, keys: &HashSet<&str>) -> bool {
    match value {
        Value::Array(items) => items.iter().any(|item| mentions(item, keys)),
        Value::Object(fields) => fields
            .iter()
            .any(|(key, value)| keys.contains(key.as_str()) || mentions(value, keys)),
        _ => false,
    }
}

/// Kinds of tools and blocks that are read without their details.
fn is_special(request: &Value) -> bool {
    let special = ["document", "tool_addition"];
    let server_tool = |tool: &Value| tool.get("type").is_some_and(|kind| kind != "custom");
    request["tools"]
        .as_array()
        .is_some_and(|tools| tools.iter().any(server_tool))
        || special.iter().any(|kind| {
            request
                .to_string()
                .contains(&format!("\"type\":\"{kind}\""))
        })
}

#[test]
fn recorded_requests_are_read_and_written_unchanged() {
    let Some(data) = data_dir("recorded_requests_are_read_and_written_unchanged") else {
        return;
    };
    let lines = fs::read_to_string(data.join("cassettes/anthropic-messages.jsonl")).unwrap();
    let left_out: HashSet<_> = LEFT_OUT.into_iter().collect();
    let mut unchanged = 0;
    for line in lines.lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        let request = &record["request"];
        let read: Request = serde_json::from_value(request.clone())
            .unwrap_or_else(|error| panic!("{}: {error}", record["id"]));
        if mentions(request, &left_out) || is_special(request) {
            continue;
        }
        let written = serde_json::to_value(&read).unwrap();
        assert_eq!(written, *request, "{}", record["id"]);
        unchanged += 1;
    }
    assert!(unchanged * 2 > lines.lines().count(), "most are plain");
}

#[test]
fn events_are_written_as_they_are_read() {
    for event in [
        json!({"type": "content_block_start", "index": 1, "content_block":
            {"type": "tool_use", "id": "a", "name": "get_time", "input": {}}}),
        json!({"type": "content_block_delta", "index": 1, "delta":
            {"type": "input_json_delta", "partial_json": "{}"}}),
        json!({"type": "content_block_stop", "index": 1}),
        json!({"type": "message_delta", "delta":
            {"stop_reason": "end_turn", "stop_sequence": null}, "usage": {"output_tokens": 1}}),
        json!({"type": "message_stop"}),
        json!({"type": "ping"}),
        json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}),
    ] {
        let read: Event = serde_json::from_value(event.clone()).unwrap();
        assert_ne!(read, Event::Unknown);
        assert_eq!(serde_json::to_value(&read).unwrap(), event);
    }
}

#[test]
fn later_usage_reports_complete_earlier_ones() {
    let start = r#"{"type":"message_start","message":{"usage":{"input_tokens":5,"cache_read_input_tokens":2}}}"#;
    let end = r#"{"type":"message_delta","delta":{},"usage":{"output_tokens":9}}"#;
    let mut usage = haft_core::Usage::default();
    for event in [start, end] {
        let event: borrowed::Event = parse(event).unwrap();
        usage = event.usage().unwrap().over(usage);
    }
    assert_eq!(
        (
            usage.input_tokens,
            usage.output_tokens,
            usage.cached_input_tokens
        ),
        (7, 9, 2)
    );
    let block = r#"{"type":"content_block_delta","delta":{"partial_json":"{"}}"#;
    assert!(parse::<borrowed::Event>(block).unwrap().adds());
    let whole = r#"{"content":[{"type":"text","text":"a"},{"type":"tool_use"}]}"#;
    assert_eq!(parse::<borrowed::Whole>(whole).unwrap().calls(), 1);
    let body = |choice: &str| {
        let body =
            format!(r#"{{"model":"m","max_tokens":1,"messages":[],"tool_choice":{choice}}}"#);
        parse_body::<borrowed::Request<'_>>(body.as_bytes())
            .unwrap()
            .chooses_freely()
    };
    assert!(body(r#"{"type":"auto"}"#));
    assert!(!body(r#"{"type":"auto","disable_parallel_tool_use":true}"#));
}

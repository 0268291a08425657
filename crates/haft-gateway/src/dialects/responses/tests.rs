use haft_core::{AiMessage, ContentBlock, Message};
use haft_models::ClientRequest;
use serde_json::json;

use super::super::tests::assert_recorded;
use super::*;

#[test]
fn replies_match_the_recorded_bytes() {
    let request = json!({"model": "m", "input": "?", "stream": true,
        "tools": [{"type": "custom", "name": "f"}], "metadata": {"a": "b"}});
    assert_recorded(&Responses, &request, include_str!("tests/replies.txt"));
}

fn read(request: &Value) -> Result<ClientRequest, ModelError> {
    let body = request.to_string();
    let received = Responses.read(body.as_bytes(), &Arc::default());
    received.map(|received| received.request)
}

/// The only reply of the model in these items.
fn reply_of(items: &Value) -> AiMessage {
    let request = read(&json!({"model": "m", "input": items})).unwrap();
    let mut replies = request
        .messages
        .into_iter()
        .filter_map(|message| match message {
            Message::Ai(reply) => Some(reply),
            _ => None,
        });
    let reply = replies.next().unwrap();
    assert!(replies.next().is_none());
    reply
}

#[test]
fn the_items_of_a_turn_are_one_message() {
    let reply = reply_of(&json!([
        {"role": "user", "content": "?"},
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Hm"}],
            "encrypted_content": "haft.signature:abc"},
        {"type": "reasoning", "summary": [], "encrypted_content": "haft.redacted:xyz"},
        {"role": "assistant", "content": "First."},
        {"role": "assistant", "content": [{"type": "output_text", "text": "Second."}]},
        {"type": "function_call", "call_id": "a", "name": "f", "arguments": "{\"x\": 1}"},
        {"type": "function_call", "call_id": "b", "name": "f", "arguments": "no"},
        {"type": "local_shell_call", "call_id": "c",
            "action": {"type": "exec", "command": ["ls"]}},
        {"type": "function_call_output", "call_id": "a", "output": "1"},
        {"type": "local_shell_call_output", "id": "c", "output": "x"},
    ]));
    let text = |text: &str| ContentBlock::Text {
        text: text.to_owned(),
    };
    let expected = [
        ContentBlock::Thinking {
            thinking: "Hm".to_owned(),
            signature: Some("abc".to_owned()),
        },
        ContentBlock::RedactedThinking {
            data: "xyz".to_owned(),
        },
        text("First.\n\nSecond."),
    ];
    assert_eq!(*reply.content.blocks(), expected);
    let calls: Vec<&str> = reply
        .tool_calls
        .iter()
        .map(|call| call.id.as_str())
        .collect();
    assert_eq!(calls, ["a", "c"]);
    assert_eq!(reply.invalid_tool_calls[0].id, "b");
}

#[test]
fn a_demanded_tool_that_cannot_be_called_is_refused() {
    let hosted = json!([{"type": "web_search"}]);
    let request = json!({"model": "m", "input": "?", "tools": hosted, "tool_choice": "required"});
    let error = read(&request).unwrap_err().to_string();
    assert!(error.contains("no tool of the request"), "{error}");
    let mut same = json!({"type": "function", "name": "f"});
    let twice = json!({"model": "m", "input": "?", "tools": [same, same]});
    let error = read(&twice).unwrap_err().to_string();
    assert!(error.contains("Two tools"), "{error}");
    same["type"] = "hosted\r\nx-evil: 1".into();
    let odd = json!({"model": "m", "input": "?", "tools": [same]});
    let received = Responses.read(odd.to_string().as_bytes(), &Arc::default());
    assert_eq!(received.unwrap().dropped, ["tools.hostedx-evil1"]);
}

#[test]
fn long_names_of_a_namespace_are_short_for_the_model() {
    use super::tools::model_name;
    assert_eq!(model_name(Some("mcp__docs__"), "find"), "mcp__docs__find");
    assert_eq!(model_name(Some(&"n".repeat(60)), "find"), "find");
    assert_eq!(model_name(None, "find"), "find");
}

#[test]
fn malformed_requests_are_refused_without_panic() {
    for request in [
        json!(1),
        json!({}),
        json!({"model": "m"}),
        json!({"model": "m", "input": 1}),
        json!({"model": "m", "input": [1]}),
        json!({"model": "m", "input": [{"role": "judge", "content": "?"}]}),
        json!({"model": "m", "input": [{"role": "user", "content": 1}]}),
        json!({"model": "m", "input": [{"role": "user", "content": [1]}]}),
        json!({"model": "m", "input": [{"type": "function_call"}]}),
        json!({"model": "m", "input": "?", "tools": [{"type": "function"}]}),
        json!({"model": "m", "input": "?", "tools": {"a": 1}}),
        json!({"model": "m", "input": "?", "tool_choice": "maybe"}),
        json!({"model": "m", "input": "?", "tool_choice": 1}),
        json!({"model": "m", "input": "?", "text": {"format": {"type": "grammar"}}}),
        json!({"model": "m", "input": "?", "stream": "yes"}),
    ] {
        assert!(read(&request).is_err(), "{request}");
    }
}

use haft_core::{AiMessage, Content, ContentBlock, ToolCall};
use serde_json::json;

use super::*;
use crate::bound::BoundTools;

fn frame(data: &Value, whole: bool) -> Frame {
    Frame {
        data: data.to_string(),
        whole,
    }
}

/// A stream of these events between its usual beginning and end.
fn streamed(events: impl IntoIterator<Item = Value>) -> AiMessage {
    let start = json!({"type": "message_start", "message": {"content": [], "usage": {}}});
    let mut decoder = Decoder::new(Reading::native(&BoundTools::default()));
    let events = events.into_iter();
    for event in [start]
        .into_iter()
        .chain(events)
        .chain([json!({"type": "message_stop"})])
    {
        assert!(!decoder.is_complete());
        decoder.push(&frame(&event, false)).unwrap();
    }
    done(decoder)
}

fn done(decoder: Decoder) -> AiMessage {
    match decoder.finish().unwrap().pop() {
        Some(ChatChunk::Done(message)) => message,
        other => panic!("{other:?}"),
    }
}

fn start(index: u64, block: &Value) -> Value {
    json!({"type": "content_block_start", "index": index, "content_block": block})
}

fn delta(index: u64, delta: &Value) -> Value {
    json!({"type": "content_block_delta", "index": index, "delta": delta})
}

fn input(index: u64, json: &str) -> Value {
    delta(
        index,
        &json!({"type": "input_json_delta", "partial_json": json}),
    )
}

fn stop(index: u64) -> Value {
    json!({"type": "content_block_stop", "index": index})
}

fn tool_use(id: &str, input: &Value) -> Value {
    json!({"type": "tool_use", "id": id, "name": "get_time", "input": input})
}

fn call(id: &str, args: Value) -> ToolCall {
    ToolCall::new("get_time", args, id)
}

#[test]
fn text_then_calls() {
    let message = streamed([
        start(0, &json!({"type": "text", "text": ""})),
        json!({"type": "ping"}),
        delta(0, &json!({"type": "text_delta", "text": "Let me "})),
        delta(0, &json!({"type": "text_delta", "text": "look."})),
        stop(0),
        start(1, &tool_use("a", &json!({}))),
        input(1, ""),
        input(1, "{\"zone\":"),
        input(1, " \"UTC\"}"),
        stop(1),
        start(2, &tool_use("b", &json!({}))),
        input(2, ""),
        stop(2),
    ]);
    assert_eq!(message.content, Content::from("Let me look."));
    let calls = [call("a", json!({"zone": "UTC"})), call("b", json!({}))];
    assert_eq!(message.tool_calls, calls);
    assert_eq!(message.stop_reason, Some(StopReason::ToolUse));
}

#[test]
fn calls_that_begin_without_arguments_or_with_all_of_them() {
    let bare = json!({"type": "tool_use", "id": "a", "name": "get_time"});
    let full = tool_use("b", &json!({"zone": "UTC"}));
    let both = tool_use("c", &json!({"zone": "?"}));
    let message = streamed([
        start(0, &bare),
        input(0, "{\"zone\": \"CET\"}"),
        stop(0),
        start(1, &full),
        input(1, ""),
        stop(1),
        start(2, &both),
        input(2, "{\"zone\": \"EET\"}"),
        stop(2),
    ]);
    let calls = [
        call("a", json!({"zone": "CET"})),
        call("b", json!({"zone": "UTC"})),
        call("c", json!({"zone": "EET"})),
    ];
    assert_eq!(message.tool_calls, calls);
}

#[test]
fn blocks_may_overlap() {
    let message = streamed([
        start(0, &tool_use("a", &json!({}))),
        start(1, &tool_use("b", &json!({}))),
        input(1, "{\"zone\": "),
        input(0, "{}"),
        input(1, "\"UTC\"}"),
        stop(0),
        stop(1),
    ]);
    let calls = [call("a", json!({})), call("b", json!({"zone": "UTC"}))];
    assert_eq!(message.tool_calls, calls);
}

#[test]
fn unknown_blocks_and_tools_of_the_server_leave_their_neighbours_alone() {
    let message = streamed([
        start(
            0,
            &json!({"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}),
        ),
        input(0, "{\"query\": \"x\"}"),
        stop(0),
        start(
            1,
            &json!({"type": "web_search_tool_result", "tool_use_id": "s", "content": []}),
        ),
        stop(1),
        start(2, &json!({"type": "hologram"})),
        stop(2),
        json!({"type": "news", "index": 7}),
        start(3, &json!({"type": "text", "text": "", "citations": []})),
        delta(
            3,
            &json!({"type": "citations_delta", "citation": {"url": "u"}}),
        ),
        delta(3, &json!({"type": "text_delta", "text": "Found."})),
        stop(3),
        start(4, &tool_use("a", &json!({}))),
        stop(4),
    ]);
    assert_eq!(message.content, Content::from("Found."));
    assert_eq!(message.tool_calls, [call("a", json!({}))]);
    assert_eq!(message.invalid_tool_calls, []);
}

#[test]
fn thoughts_keep_their_signature() {
    let message = streamed([
        start(
            0,
            &json!({"type": "thinking", "thinking": "", "signature": ""}),
        ),
        delta(0, &json!({"type": "thinking_delta", "thinking": "h"})),
        delta(0, &json!({"type": "thinking_delta", "thinking": "m"})),
        delta(0, &json!({"type": "signature_delta", "signature": "sig"})),
        stop(0),
        start(1, &json!({"type": "redacted_thinking", "data": "xx"})),
        stop(1),
        start(2, &json!({"type": "text", "text": ""})),
        delta(2, &json!({"type": "text_delta", "text": "Well."})),
        stop(2),
    ]);
    let thinking = |signature: Option<&str>| ContentBlock::Thinking {
        thinking: "hm".into(),
        signature: signature.map(str::to_owned),
    };
    assert_eq!(
        message.content,
        Content::Blocks(vec![
            thinking(Some("sig")),
            ContentBlock::RedactedThinking { data: "xx".into() },
            ContentBlock::Text {
                text: "Well.".into()
            },
        ])
    );
    // llama-server signs with an empty text.
    let message = streamed([
        start(0, &json!({"type": "thinking", "thinking": "hm"})),
        delta(0, &json!({"type": "signature_delta", "signature": ""})),
        stop(0),
    ]);
    assert_eq!(message.content, Content::Blocks(vec![thinking(None)]));
}

#[test]
fn why_a_reply_ended() {
    let ended = |reason: Value| {
        streamed([json!({"type": "message_delta", "delta": {"stop_reason": reason}})]).stop_reason
    };
    assert_eq!(ended(json!("end_turn")), Some(StopReason::EndTurn));
    assert_eq!(ended(json!("stop_sequence")), Some(StopReason::EndTurn));
    assert_eq!(ended(Value::Null), Some(StopReason::EndTurn));
    assert_eq!(ended(json!("max_tokens")), Some(StopReason::MaxTokens));
    let full = ended(json!("model_context_window_exceeded"));
    assert_eq!(full, Some(StopReason::MaxTokens));
    assert_eq!(ended(json!("refusal")), Some(StopReason::Refusal));
}

#[test]
fn a_call_that_the_token_limit_cut_is_not_a_call() {
    let message = streamed([
        start(0, &tool_use("a", &json!({}))),
        input(0, "{\"zone\": \"U"),
        json!({"type": "message_delta", "delta": {"stop_reason": "max_tokens"}}),
    ]);
    assert_eq!(message.tool_calls, []);
    assert_eq!(message.invalid_tool_calls.len(), 1);
    assert_eq!(message.stop_reason, Some(StopReason::MaxTokens));
}

#[test]
fn issue_3_the_block_of_a_truncated_call_ends_before_the_stop_reason() {
    let cut = |arguments: &str| {
        streamed([
            start(0, &tool_use("a", &json!({}))),
            input(0, arguments),
            stop(0),
            json!({"type": "message_delta", "delta": {"stop_reason": "max_tokens"}}),
        ])
    };
    for arguments in [
        "",
        "{\"level\": 1",
        "{\"zone\": \"UTC\"",
        "{\"zone\": \"UTC\",",
    ] {
        let message = cut(arguments);
        assert_eq!(message.tool_calls, [], "{arguments}");
        assert_eq!(message.invalid_tool_calls.len(), 1);
    }
    assert_eq!(cut("{\"zone\": \"UTC\"}").tool_calls.len(), 1);
}

#[test]
fn issue_3_in_one_piece_nothing_shows_whether_the_last_call_was_cut() {
    let whole = |content: Value, reason: &str| {
        let mut decoder = Decoder::new(Reading::native(&BoundTools::default()));
        let reply =
            json!({"type": "message", "content": content, "stop_reason": reason, "usage": {}});
        decoder.push(&frame(&reply, true)).unwrap();
        done(decoder)
    };
    let calls = json!([
        tool_use("a", &json!({"zone": "UTC"})),
        tool_use("b", &json!({"zone": "CET"})),
    ]);
    let message = whole(calls.clone(), "max_tokens");
    assert_eq!(message.tool_calls, [call("a", json!({"zone": "UTC"}))]);
    assert_eq!(message.invalid_tool_calls[0].id, "b");
    assert_eq!(whole(calls, "tool_use").tool_calls.len(), 2);
    let text = json!([tool_use("a", &json!({})), {"type": "text", "text": "and"}]);
    let message = whole(text, "max_tokens");
    assert_eq!(message.stop_reason, Some(StopReason::MaxTokens));
}

#[test]
fn cached_tokens_are_tokens_of_the_prompt() {
    let usage = json!({
        "input_tokens": 5,
        "cache_creation_input_tokens": 100,
        "cache_read_input_tokens": 1000,
        "output_tokens": 1,
    });
    let message = streamed([
        json!({"type": "message_start", "message": {"content": [], "usage": usage}}),
        // Only what changed, as llama-server has it.
        json!({"type": "message_delta", "delta": {}, "usage": {"output_tokens": 42}}),
    ]);
    assert_eq!(
        message.usage,
        Some(Usage {
            input_tokens: 1105,
            output_tokens: 42,
            cached_input_tokens: 1000,
        })
    );
}

#[test]
fn a_whole_answer_reads_like_a_streamed_one() {
    let mut decoder = Decoder::new(Reading::native(&BoundTools::default()));
    let answer = json!({
        "content": [
            {"type": "thinking", "thinking": "hm", "signature": "sig"},
            {"type": "text", "text": "Let me "},
            {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}},
            {"type": "text", "text": "look."},
            tool_use("a", &json!({"zone": "UTC"})),
        ],
        "stop_reason": "tool_use",
        "usage": {"input_tokens": 3, "output_tokens": 4},
    });
    decoder.push(&frame(&answer, true)).unwrap();
    assert!(decoder.is_complete());
    let message = done(decoder);
    assert_eq!(message.content.text(), "Let me look.");
    assert_eq!(message.content.blocks().len(), 2);
    assert_eq!(message.tool_calls, [call("a", json!({"zone": "UTC"}))]);
    assert_eq!(message.usage.unwrap().total_tokens(), 7);
}

#[test]
fn without_its_end_mark_a_stream_is_cut() {
    let mut decoder = Decoder::new(Reading::native(&BoundTools::default()));
    for event in [
        start(0, &json!({"type": "text", "text": "Half an ans"})),
        stop(0),
        json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}}),
    ] {
        decoder.push(&frame(&event, false)).unwrap();
    }
    let error = decoder.finish().unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::CutStream);
}

#[test]
fn data_of_another_api_is_malformed() {
    for (data, whole) in [
        (json!({}), true),
        (json!({"choices": []}), true),
        (json!([]), false),
        (json!({"type": "content_block_stop"}), false),
        (start(0, &json!({"type": "tool_use", "id": 7})), false),
    ] {
        let mut decoder = Decoder::new(Reading::native(&BoundTools::default()));
        let error = decoder.push(&frame(&data, whole)).unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Malformed, "{data}");
    }
}

#[test]
fn an_error_without_details_is_an_error() {
    let mut decoder = Decoder::new(Reading::native(&BoundTools::default()));
    let error = decoder.push(&frame(&json!({"type": "error", "error": {}}), false));
    assert_eq!(error.unwrap_err().kind(), ModelErrorKind::Server);
}

use haft_core::{AiMessage, ChatChunk, Content, ContentBlock, ModelErrorKind, StopReason, Usage};
use serde_json::{Value, json};

use super::{Decoder, Progress};
use crate::bound::BoundTools;
use crate::http::Frame;
use crate::reply::Reading;

fn frame(data: &Value, whole: bool) -> Frame {
    Frame {
        data: data.to_string(),
        whole,
    }
}

/// The reply in these chunks, and how far it came.
fn streamed(chunks: &[Value]) -> (AiMessage, Progress) {
    let mut decoder = Decoder::new(Reading::native(&BoundTools::default()));
    for chunk in chunks {
        decoder.frame(&frame(chunk, false)).unwrap();
    }
    let progress = decoder.progress();
    (done(decoder), progress)
}

fn whole(message: &Value, finish_reason: &str) -> AiMessage {
    let mut decoder = Decoder::new(Reading::native(&BoundTools::default()));
    let body =
        json!({"choices": [{"index": 0, "message": message, "finish_reason": finish_reason}]});
    decoder.frame(&frame(&body, true)).unwrap();
    assert_eq!(decoder.progress(), Progress::Closed);
    done(decoder)
}

fn done(decoder: Decoder) -> AiMessage {
    match decoder.finish().pop() {
        Some(ChatChunk::Done(reply)) => reply,
        other => panic!("{other:?}"),
    }
}

fn delta(delta: &Value) -> Value {
    json!({"choices": [{"index": 0, "delta": delta, "finish_reason": null}]})
}

fn call() -> Value {
    json!({"id": "x", "function": {"name": "add", "arguments": "{}"}})
}

#[test]
fn s000_07_the_stop_reason_is_derived_from_the_calls() {
    for reason in ["stop", "tool_calls", "", "function_call"] {
        let reply = whole(&json!({"content": null, "tool_calls": [call()]}), reason);
        assert_eq!(reply.stop_reason, Some(StopReason::ToolUse), "{reason}");
        let reply = whole(&json!({"content": "Hi", "tool_calls": null}), reason);
        assert_eq!(reply.stop_reason, Some(StopReason::EndTurn), "{reason}");
    }
    for reason in ["length", "model_length", "max_tokens", "MAX_TOKENS"] {
        let reply = whole(&json!({"content": "Hi"}), reason);
        assert_eq!(reply.stop_reason, Some(StopReason::MaxTokens), "{reason}");
    }
    let reply = whole(&json!({"content": ""}), "content_filter");
    assert_eq!(reply.stop_reason, Some(StopReason::Refusal));
}

#[test]
fn issue_3_a_call_that_the_token_limit_cut_is_not_a_call() {
    let cut = |arguments: &str| {
        let call = json!({"id": "x", "function": {"name": "add", "arguments": arguments}});
        whole(&json!({"content": null, "tool_calls": [call]}), "length")
    };
    for arguments in ["", "{\"a\": 1", "{\"a\": 1,", "{\"a\": \"b"] {
        let reply = cut(arguments);
        assert_eq!(reply.tool_calls, [], "{arguments}");
        assert_eq!(reply.invalid_tool_calls.len(), 1);
        assert_eq!(reply.stop_reason, Some(StopReason::MaxTokens));
    }
    assert_eq!(cut("{\"a\": 1}").tool_calls.len(), 1);
}

#[test]
fn a_refusal_is_shown() {
    let reply = whole(
        &json!({"content": null, "refusal": "I can't do that."}),
        "stop",
    );
    assert_eq!(reply.content.text(), "I can't do that.");
    assert_eq!(reply.stop_reason, Some(StopReason::Refusal));
    let reply = whole(&json!({"content": "Hi", "refusal": ""}), "stop");
    assert_eq!(reply.stop_reason, Some(StopReason::EndTurn));
}

#[test]
fn thinking_is_read_once_under_any_name() {
    for thought in [
        json!({"reasoning_content": "Hm.", "content": "4"}),
        json!({"reasoning": "Hm.", "content": "4"}),
        json!({"reasoning_content": "Hm.", "reasoning": "Hm.", "content": "4"}),
        json!({"reasoning_content": "", "reasoning": "Hm.", "content": "4"}),
        json!({"content": [
            {"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]},
            {"type": "text", "text": "4"},
        ]}),
        json!({"content": [{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "4"}]}),
    ] {
        let reply = whole(&thought, "stop");
        let expected = Content::Blocks(vec![
            ContentBlock::Thinking {
                thinking: "Hm.".into(),
                signature: None,
            },
            ContentBlock::Text { text: "4".into() },
        ]);
        assert_eq!(reply.content, expected, "{thought}");
    }
}

#[test]
fn the_one_call_of_old_is_a_call() {
    let reply = whole(
        &json!({"content": null, "function_call": {"name": "add", "arguments": "{\"a\":1}"}}),
        "function_call",
    );
    assert_eq!(reply.tool_calls[0].args["a"], 1);
    let (reply, _) = streamed(&[
        delta(&json!({"function_call": {"name": "add", "arguments": ""}})),
        delta(&json!({"function_call": {"arguments": "{\"a\""}})),
        delta(&json!({"function_call": {"arguments": ":1}"}})),
    ]);
    assert_eq!(reply.tool_calls[0].args["a"], 1);
    // Some servers fill both, or leave an empty one.
    let both = json!({"tool_calls": [call()], "function_call": {"name": "add", "arguments": "{}"}});
    assert_eq!(whole(&both, "stop").tool_calls.len(), 1);
    let empty = json!({"content": "Hi", "function_call": {"name": "", "arguments": ""}});
    assert!(!whole(&empty, "stop").has_calls());
}

#[test]
fn only_the_first_alternative_counts() {
    let (reply, _) = streamed(&[json!({"choices": [
        {"index": 1, "delta": {"content": "B"}},
        {"index": 0, "delta": {"content": "A"}},
    ]})]);
    assert_eq!(reply.content.text(), "A");
}

#[test]
fn a_message_repeated_beside_the_delta_is_not_read_twice() {
    let both =
        json!({"choices": [{"index": 0, "delta": {"content": "b"}, "message": {"content": "ab"}}]});
    let (reply, _) = streamed(&[delta(&json!({"content": "a"})), both]);
    assert_eq!(reply.content.text(), "ab");
}

#[test]
fn tokens_are_counted_with_the_cached_ones() {
    let counted = |usage: Value| {
        let chunk = json!({"choices": [], "usage": usage});
        streamed(&[delta(&json!({"content": "a"})), chunk]).0.usage
    };
    let expected = |cached_input_tokens| {
        Some(Usage {
            input_tokens: 9,
            output_tokens: 2,
            cached_input_tokens,
        })
    };
    let mut usage = json!({"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11});
    assert_eq!(counted(usage.clone()), expected(0));
    usage["prompt_tokens_details"] = json!({"cached_tokens": 5});
    assert_eq!(counted(usage.clone()), expected(5));
    usage["prompt_tokens_details"] = json!(null);
    usage["prompt_cache_hit_tokens"] = json!(4);
    assert_eq!(counted(usage), expected(4));
    assert_eq!(counted(json!(null)), None);
}

#[test]
fn a_reply_is_complete_when_the_server_says_so() {
    let text = delta(&json!({"content": "a"}));
    let end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]});
    assert_eq!(streamed(&[]).1, Progress::Nothing);
    assert_eq!(
        streamed(&[json!({"choices": [], "usage": null})]).1,
        Progress::Nothing
    );
    assert_eq!(streamed(std::slice::from_ref(&text)).1, Progress::Started);
    assert_eq!(streamed(&[text, end]).1, Progress::Finished);
}

#[test]
fn data_that_is_not_a_reply_is_malformed() {
    let mut decoder = Decoder::new(Reading::native(&BoundTools::default()));
    for body in [
        json!({"choices": []}),
        json!({"hello": "world"}),
        json!([1]),
    ] {
        let error = decoder.frame(&frame(&body, true)).unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Malformed, "{body}");
    }
    let error = decoder
        .frame(&frame(&json!({"choices": 7}), false))
        .unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Malformed);
}

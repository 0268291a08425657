use haft_core::AiMessage;
use serde_json::{Value, json};

use super::*;
use crate::bound::BoundTools;

/// The chunks of a reply in these pieces.
fn decode(pieces: &[Value]) -> Result<Vec<ChatChunk>, ModelError> {
    let mut decoder = ReplyDecoder::new(Reading::native(&BoundTools::default()), Prompt::default());
    let mut chunks = Vec::new();
    for piece in pieces {
        decoder.push(&serde_json::from_value(piece.clone()).unwrap(), false)?;
        chunks.extend(decoder.take_chunks());
    }
    chunks.extend(decoder.finish()?);
    Ok(chunks)
}

fn reply(pieces: &[Value]) -> AiMessage {
    done(decode(pieces).unwrap())
}

fn done(mut chunks: Vec<ChatChunk>) -> AiMessage {
    match chunks.pop() {
        Some(ChatChunk::Done(message)) => message,
        other => panic!("the last chunk is {other:?}"),
    }
}

fn says(text: &str) -> Value {
    json!({"message": {"role": "assistant", "content": text}, "done": false})
}

#[expect(clippy::needless_pass_by_value, reason = "reads better with json!")]
fn calls(calls: Value) -> Value {
    json!({"message": {"role": "assistant", "content": "", "tool_calls": calls}, "done": false})
}

fn end() -> Value {
    json!({
        "message": {"role": "assistant", "content": ""},
        "done": true, "done_reason": "stop", "prompt_eval_count": 7, "eval_count": 3,
    })
}

#[test]
fn text_thinking_and_tokens_come_together() {
    let thought = json!({"message": {"thinking": "Hm."}, "done": false});
    let message = reply(&[thought, says("Hel"), says("lo"), end()]);
    assert_eq!(message.content.text(), "Hello");
    assert_eq!(message.content.blocks().len(), 2);
    let usage = message.usage.unwrap();
    assert_eq!((usage.input_tokens, usage.output_tokens), (7, 3));
    assert_eq!(message.stop_reason, Some(StopReason::EndTurn));
}

#[test]
fn calls_are_found_in_any_piece() {
    let message = reply(&[
        calls(json!([{"id": "a", "function": {"name": "f", "arguments": {"x": 1}}}])),
        says("and"),
        calls(json!([{"function": {"index": 1, "name": "g", "arguments": "{\"y\": 2}"}}])),
        end(),
    ]);
    assert_eq!(message.content.text(), "and");
    let [first, second] = &message.tool_calls[..] else {
        panic!("{message:?}");
    };
    assert_eq!((first.id.as_str(), first.name.as_str()), ("a", "f"));
    assert_eq!(Value::Object(first.args.clone()), json!({"x": 1}));
    assert_eq!(Value::Object(second.args.clone()), json!({"y": 2}));
    assert!(!second.id.is_empty());
    assert_eq!(message.stop_reason, Some(StopReason::ToolUse));
}

#[test]
fn calls_that_share_an_id_are_all_kept() {
    let call = json!({"id": "same", "function": {"name": "f", "arguments": {}}});
    let many: Vec<_> = std::iter::repeat_n(call, 200).collect();
    let message = reply(&[calls(many.into()), end()]);
    assert_eq!(message.tool_calls.len(), 200);
    let ids: std::collections::HashSet<_> =
        message.tool_calls.iter().map(|call| &call.id).collect();
    assert_eq!(ids.len(), 200);
}

#[test]
fn arguments_that_are_not_an_object_make_an_invalid_call() {
    let message = reply(&[
        calls(json!([{"function": {"name": "f", "arguments": "{\"x\": "}}])),
        end(),
    ]);
    assert_eq!(message.tool_calls, []);
    assert_eq!(message.invalid_tool_calls[0].name, "f");
}

#[test]
fn the_token_limit_is_reported() {
    let mut last = end();
    last["done_reason"] = json!("length");
    assert_eq!(
        reply(&[says("Hel"), last]).stop_reason,
        Some(StopReason::MaxTokens)
    );
}

#[test]
fn a_reply_without_its_end_marker_is_an_error() {
    let error = decode(&[says("Hello")]).unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::CutStream);
    assert_eq!(decode(&[]).unwrap_err().kind(), ModelErrorKind::CutStream);
}

#[test]
fn loading_the_model_is_not_a_reply() {
    let load = json!({"message": {"content": ""}, "done": true, "done_reason": "load"});
    assert_eq!(
        reply(&[load.clone(), says("Hi"), end()]).content.text(),
        "Hi"
    );
    assert_eq!(
        decode(&[load]).unwrap_err().kind(),
        ModelErrorKind::EmptyBody
    );
}

#[test]
fn null_values_count_as_missing() {
    let message = reply(&[
        json!({"message": null, "done": false}),
        json!({"message": {"content": null, "tool_calls": null, "images": null}, "done": false}),
        end(),
    ]);
    assert!(message.is_blank());
}

#[test]
fn a_whole_reply_needs_no_end_mark_but_must_not_deny_it() {
    let whole = |piece: Value| {
        let mut decoder =
            ReplyDecoder::new(Reading::native(&BoundTools::default()), Prompt::default());
        decoder
            .push(&serde_json::from_value(piece).unwrap(), true)
            .unwrap();
        decoder.finish()
    };
    whole(json!({"message": {"content": "Hi"}})).unwrap();
    assert!(whole(json!({"message": {"content": "Hi"}, "done": false})).is_err());
}

#[test]
fn a_cut_prompt_is_an_error_in_place_of_an_answer() {
    let long =
        json!({"model": "tiny", "messages": [{"role": "user", "content": "ab".repeat(1500)}]});
    let prompt = Prompt::of(&serde_json::from_value(long).unwrap());
    let mut decoder = ReplyDecoder::new(Reading::native(&BoundTools::default()), prompt);
    let last = serde_json::from_value(end()).unwrap();
    let error = decoder.push(&last, false).unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::ContextOverflow);
}

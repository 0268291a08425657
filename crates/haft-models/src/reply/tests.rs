use haft_testing::named_tool;
use serde_json::json;

use super::*;

fn builder() -> ReplyBuilder {
    ReplyBuilder::new(Arc::new(WireNames::default()))
}

fn done(builder: ReplyBuilder) -> AiMessage {
    match builder.finish().pop() {
        Some(ChatChunk::Done(message)) => message,
        other => panic!("the last chunk is {other:?}"),
    }
}

#[test]
fn s000_07_args_are_an_object_even_if_the_wire_sent_a_string() {
    let mut reply = builder();
    reply.whole_call(Some("a"), "f", &json!({"x": 1}));
    reply.whole_call(Some("b"), "f", &json!("{\"x\": 1}"));
    reply.whole_call(Some("c"), "f", &json!("\"{\\\"x\\\": 1}\""));
    reply.whole_call(Some("d"), "f", &json!(""));
    reply.whole_call(Some("e"), "f", &Value::Null);
    let calls = done(reply).tool_calls;
    let args: Vec<_> = calls
        .iter()
        .map(|call| Value::Object(call.args.clone()))
        .collect();
    assert_eq!(
        args,
        [
            json!({"x": 1}),
            json!({"x": 1}),
            json!({"x": 1}),
            json!({}),
            json!({})
        ]
    );
}

#[test]
fn s000_07_ids_are_never_empty_and_unique() {
    let mut reply = builder();
    for id in [Some("same"), Some("same"), None, Some(" "), Some("")] {
        reply.whole_call(id, "f", &json!({}));
    }
    let calls = done(reply).tool_calls;
    assert_eq!(calls[0].id, "same");
    let ids: HashSet<_> = calls.iter().map(|call| call.id.as_str()).collect();
    assert_eq!(ids.len(), 5);
    assert!(calls.iter().all(|call| !call.id.trim().is_empty()));
}

#[test]
fn unreadable_arguments_become_an_invalid_call_and_spare_the_neighbours() {
    let mut reply = builder();
    reply.whole_call(Some("a"), "f", &json!("{\"x\": "));
    reply.whole_call(Some("b"), "f", &json!("[1]"));
    reply.whole_call(Some("c"), "", &json!({}));
    reply.whole_call(Some("d"), "g", &json!({}));
    let message = done(reply);
    assert_eq!(message.tool_calls.len(), 1);
    let errors: Vec<_> = message
        .invalid_tool_calls
        .iter()
        .map(|call| &call.error)
        .collect();
    assert_eq!(
        errors[0],
        "The arguments are cut off; this arrived: {\"x\": "
    );
    assert_eq!(
        errors[1],
        "The arguments must be a JSON object, but this arrived: [1]"
    );
    assert_eq!(errors[2], "The call names no tool");
}

#[test]
fn deltas_and_the_whole_agree() {
    let mut reply = builder();
    reply.reasoning("hm");
    reply.reasoning("m");
    reply.text("Let ");
    reply.text("me look.");
    let index = reply.start_call(Some("a"), "get_");
    reply.extend_name(index, "weather");
    reply.extend_arguments(index, "{\"city\":");
    reply.extend_arguments(index, "\"Oslo\"}");
    let chunks = reply.finish();
    let text: String = chunks
        .iter()
        .filter_map(|chunk| match chunk {
            ChatChunk::Text(text) => Some(text.as_str()),
            _ => None,
        })
        .collect();
    let Some(ChatChunk::Done(message)) = chunks.last() else {
        panic!("no end")
    };
    assert_eq!(message.content.text(), text);
    assert_eq!(
        message.tool_calls,
        [ToolCall::new("get_weather", json!({"city": "Oslo"}), "a")]
    );
    assert!(chunks.contains(&ChatChunk::CallStart {
        index: 0,
        name: "get_weather".into()
    }));
    let ends = chunks
        .iter()
        .filter(|chunk| matches!(chunk, ChatChunk::CallEnd { .. }))
        .count();
    assert_eq!(ends, 1);
}

#[test]
fn the_stop_reason_follows_from_what_was_seen() {
    let mut reply = builder();
    reply.stop(StopReason::EndTurn);
    reply.whole_call(None, "f", &json!({}));
    assert_eq!(done(reply).stop_reason, Some(StopReason::ToolUse));
    let mut reply = builder();
    reply.text("half a sen");
    reply.stop(StopReason::MaxTokens);
    assert_eq!(done(reply).stop_reason, Some(StopReason::MaxTokens));
    assert_eq!(done(builder()).stop_reason, Some(StopReason::EndTurn));
}

#[test]
fn calls_come_back_under_the_tools_own_names() {
    let names = WireNames::new(&[named_tool("files.read", None)]).unwrap();
    let mut reply = ReplyBuilder::new(Arc::new(names));
    reply.whole_call(None, "files_read", &json!({}));
    assert_eq!(done(reply).tool_calls[0].name, "files.read");
}

#[test]
fn signatures_and_hidden_thoughts_keep_their_place() {
    let mut reply = builder();
    reply.reasoning("a");
    reply.signature("s");
    reply.signature("ig");
    reply.redacted_thinking("xx");
    reply.text("b");
    assert_eq!(
        done(reply).content,
        Content::Blocks(vec![
            ContentBlock::Thinking {
                thinking: "a".into(),
                signature: Some("sig".into())
            },
            ContentBlock::RedactedThinking { data: "xx".into() },
            ContentBlock::Text { text: "b".into() },
        ])
    );
}

#[test]
fn a_hidden_thought_after_another_keeps_its_own_signature() {
    let mut reply = builder();
    reply.start_thought();
    reply.reasoning("a");
    reply.signature("one");
    reply.start_thought();
    reply.signature("two");
    reply.start_thought();
    reply.text("b");
    let thought = |thinking: &str, signature: &str| ContentBlock::Thinking {
        thinking: thinking.into(),
        signature: Some(signature.into()),
    };
    let text = ContentBlock::Text { text: "b".into() };
    let expected = vec![thought("a", "one"), thought("", "two"), text];
    assert_eq!(done(reply).content, Content::Blocks(expected));
}

#[test]
fn an_empty_thought_does_not_swallow_text() {
    let mut reply = builder();
    reply.text("a");
    reply.start_thought();
    reply.text("b");
    assert_eq!(done(reply).content, Content::Text("ab".into()));
}

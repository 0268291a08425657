//! Calls in a reply that the token limit cut off: an incomplete call is not made.

use super::*;

fn cut(mut reply: ReplyBuilder) -> AiMessage {
    reply.stop(StopReason::MaxTokens);
    let message = done(reply);
    assert_eq!(message.stop_reason, Some(StopReason::MaxTokens));
    message
}

/// The number of valid and invalid calls in a truncated reply whose last native call has these
/// arguments.
fn native(arguments: &str) -> (usize, usize) {
    let mut reply = builder();
    let first = reply.start_call(Some("a"), "f");
    reply.extend_arguments(first, "{\"level\": 1}");
    let last = reply.start_call(Some("b"), "f");
    reply.extend_arguments(last, arguments);
    let message = cut(reply);
    (message.tool_calls.len(), message.invalid_tool_calls.len())
}

#[test]
fn issue_3_an_unfinished_native_call_is_no_call() {
    for arguments in [
        "",
        " ",
        "{",
        "{\"level\"",
        "{\"level\": 1",
        "{\"level\": 10,",
        "{\"city\": \"Os",
        "{\"city\": \"Oslo\"",
        "{\"a\": {\"b\": 1}",
    ] {
        assert_eq!(native(arguments), (1, 1), "{arguments}");
    }
    assert_eq!(native("{\"level\": 10}"), (2, 0));
    assert_eq!(native("{}"), (2, 0));
}

#[test]
fn an_earlier_call_without_arguments_is_finished() {
    let mut reply = builder();
    reply.start_call(Some("a"), "f");
    let last = reply.start_call(Some("b"), "f");
    reply.extend_arguments(last, "{}");
    assert_eq!(cut(reply).tool_calls.len(), 2);
}

#[test]
fn a_call_that_the_wire_sends_whole_is_finished() {
    let mut reply = builder();
    reply.whole_call(None, "f", &json!({}));
    assert_eq!(cut(reply).tool_calls.len(), 1);
}

#[test]
fn issue_3_an_unfinished_call_in_the_text_is_no_call() {
    for text in [
        "<tool_call>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"",
        "<tool_call>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Os",
        "<tool_call>{\"name\": \"get_weather\", \"arguments\": ",
        "{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"",
        "get_weather(city=\"Oslo\"",
        "[get_weather(city=\"Oslo\"",
        "get_weather(city=\"Oslo\", days=1",
        "<function=get_weather><parameter=city>Os",
        "<function=get_weather><parameter=city>Oslo</parameter>",
        "Action: get_weather\nAction Input: Osl",
        "<tool_call>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}",
    ] {
        for pieces in [text.len(), 1] {
            let mut reply = searching();
            for piece in text.as_bytes().chunks(pieces) {
                reply.text(std::str::from_utf8(piece).unwrap());
            }
            assert_eq!(cut(reply).tool_calls, [], "{text}");
        }
    }
}

#[test]
fn a_finished_call_in_the_text_stays_one() {
    for text in [
        OSLO.to_owned(),
        format!("{OSLO} And"),
        format!("{OSLO}\n<tool_call>{{\"name\": \"get_weather\", \"argu"),
    ] {
        let mut reply = searching();
        reply.text(&text);
        let calls = cut(reply).tool_calls;
        assert_eq!(calls.len(), 1, "{text}");
        assert_eq!(calls[0].args["city"], "Oslo");
    }
}

#[test]
fn a_bare_call_beside_text_of_a_reply_that_was_cut_is_no_call() {
    let object = "{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}";
    let call = "get_weather(city=\"Oslo\")";
    let long = "And then there is more to say about it. ".repeat(60);
    for text in [
        format!("{call}\nAnd now"),
        format!("{object}\nAnd now"),
        format!("```json\n{object}\n```\nAnd now"),
        format!("I look it up now:\n{call}\nAnd now"),
        format!("{call}\n{long}"),
        format!("{object}\n{long}"),
    ] {
        for pieces in [text.len(), 7] {
            let read = |is_cut: bool| {
                let mut reply = searching();
                for piece in text.as_bytes().chunks(pieces) {
                    reply.text(std::str::from_utf8(piece).unwrap());
                }
                if is_cut { cut(reply) } else { done(reply) }
            };
            assert_eq!(read(false).tool_calls.len(), 1, "{text}");
            let message = read(true);
            assert_eq!(message.tool_calls, [], "{text}");
            assert_eq!(message.invalid_tool_calls, [], "{text}");
        }
    }
}

#[test]
fn a_marked_call_beside_text_of_a_reply_that_was_cut_stays_one() {
    let mut reply = searching();
    reply.text(&format!("I look it up now: {OSLO}\nAnd now"));
    assert_eq!(cut(reply).tool_calls.len(), 1);
}

#[test]
fn a_truncated_call_is_never_reported_as_complete() {
    let mut reply = searching();
    reply.text("<tool_call>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"");
    reply.stop(StopReason::MaxTokens);
    let chunks = reply.finish();
    let is_end = |chunk: &ChatChunk| matches!(chunk, ChatChunk::CallEnd { .. });
    assert!(!chunks.iter().any(is_end), "{chunks:?}");
}

#[test]
fn truncated_reasoning_makes_no_call() {
    let with = |stop: StopReason| {
        let mut reply = searching();
        reply.reasoning("Perhaps like this:\n");
        reply.reasoning(OSLO);
        reply.stop(stop);
        done(reply).tool_calls.len()
    };
    assert_eq!(with(StopReason::EndTurn), 1);
    assert_eq!(with(StopReason::MaxTokens), 0);
}

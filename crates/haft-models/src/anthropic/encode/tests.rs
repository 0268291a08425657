use std::sync::Arc;

use haft_core::{
    AiMessage, Content, ContentBlock, ImageBlock, InvalidToolCall, ToolCall, ToolMessage,
};
use haft_testing::named_tool;

use serde_json::Value;

use super::super::{ChatAnthropic, convert};
use super::*;

fn bound(names: &[&str]) -> Bound {
    let tools: Vec<_> = names.iter().map(|name| named_tool(name, None)).collect();
    let tools = BoundTools::new(&tools).unwrap();
    Bound {
        wire: convert::with_names(&tools.tools, &tools.names),
        tools,
    }
}

fn choosing(tool_choice: ToolChoice) -> CallOptions {
    CallOptions {
        tool_choice,
        ..CallOptions::default()
    }
}

fn encoded(model: &ChatAnthropic, messages: &[Message], choice: ToolChoice) -> Value {
    let bound = bound(&["get_weather", "get_time"]);
    read(body(&model.settings, &bound, messages, &choosing(choice)))
}

fn read(body: Result<Bytes, ModelError>) -> Value {
    serde_json::from_slice(&body.unwrap()).unwrap()
}

/// The `messages` of an ordinary request.
fn written(messages: &[Message]) -> Value {
    encoded(&ChatAnthropic::new("m"), messages, ToolChoice::Auto)["messages"].take()
}

fn call(name: &str, id: &str) -> ToolCall {
    ToolCall::new(name, json!({"city": "Oslo"}), id)
}

fn calling<const N: usize>(text: &str, calls: [ToolCall; N]) -> Message {
    AiMessage::new(text).with_tool_calls(calls).into()
}

fn result(text: &str, id: &str) -> Message {
    ToolMessage::success(text, id).into()
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn thinking(signature: Option<&str>) -> ContentBlock {
    ContentBlock::Thinking {
        thinking: "hm".into(),
        signature: signature.map(str::to_owned),
    }
}

#[test]
fn a_plain_question() {
    let model = ChatAnthropic::new("claude-x").temperature(0.5);
    let messages = [Message::system("Be brief."), Message::human("hi")];
    let body = body(
        &model.settings,
        &Bound::default(),
        &messages,
        &CallOptions::default(),
    );
    let expected = json!({
        "model": "claude-x",
        "max_tokens": 8192,
        "system": "Be brief.",
        "temperature": 0.5,
        "stream": true,
        "messages": [{"role": "user", "content": [text("hi")]}],
    });
    assert_eq!(read(body).to_string(), expected.to_string());
}

#[test]
fn not_streaming_is_not_mentioned() {
    let model = ChatAnthropic::new("m").streaming(false);
    let body = encoded(&model, &[Message::human("hi")], ToolChoice::Auto);
    assert_eq!(body.get("stream"), None);
}

#[test]
fn system_messages_at_the_beginning_are_joined() {
    let messages = [
        Message::system("a"),
        Message::system(" "),
        Message::system("b"),
        Message::human("hi"),
    ];
    let body = encoded(&ChatAnthropic::new("m"), &messages, ToolChoice::Auto);
    assert_eq!(body["system"], "a\n\nb");
    assert_eq!(body["messages"].as_array().unwrap().len(), 1);
}

#[test]
fn a_later_system_message_is_part_of_what_the_user_says_at_its_place() {
    let messages = [
        Message::system("a"),
        Message::human("hi"),
        Message::ai("Hello."),
        Message::system("b"),
        Message::human("Coat?"),
        calling("", [call("get_weather", "c1")]),
        Message::system("c"),
        result("21 degrees", "c1"),
        Message::system(" "),
    ];
    let noted = |said: &str| text(&format!("From the system, not the user:\n{said}"));
    let call =
        json!({"type": "tool_use", "id": "c1", "name": "get_weather", "input": {"city": "Oslo"}});
    let result = json!({"type": "tool_result", "tool_use_id": "c1", "content": "21 degrees"});
    let body = encoded(&ChatAnthropic::new("m"), &messages, ToolChoice::Auto);
    assert_eq!(body["system"], "a");
    assert_eq!(
        body["messages"],
        json!([
            {"role": "user", "content": [text("hi")]},
            {"role": "assistant", "content": [text("Hello.")]},
            {"role": "user", "content": [noted("b"), text("Coat?")]},
            {"role": "assistant", "content": [call]},
            // A result directly follows its call.
            {"role": "user", "content": [result, noted("c")]},
        ])
    );
}

#[test]
fn s000_02_text_and_calls_stay_together_and_every_call_has_its_result() {
    let messages = [
        Message::human("Coat?"),
        calling(
            "Let me look.",
            [call("get_weather", "c1"), call("get_time", "c2")],
        ),
        result("21 degrees", "c1"),
        ToolMessage::error("boom", "c2").into(),
    ];
    assert_eq!(
        written(&messages),
        json!([
            {"role": "user", "content": [text("Coat?")]},
            {"role": "assistant", "content": [
                text("Let me look."),
                {"type": "tool_use", "id": "c1", "name": "get_weather", "input": {"city": "Oslo"}},
                {"type": "tool_use", "id": "c2", "name": "get_time", "input": {"city": "Oslo"}},
            ]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "c1", "content": "21 degrees"},
                {"type": "tool_result", "tool_use_id": "c2", "content": "Error: boom", "is_error": true},
            ]},
        ])
    );
}

#[test]
fn results_come_in_call_order_and_before_any_text() {
    let messages = [
        Message::human("?"),
        calling("", [call("get_weather", "a"), call("get_time", "b")]),
        Message::human("hurry"),
        result("B", "b"),
        result("A", "a"),
        Message::human("please"),
    ];
    assert_eq!(
        written(&messages)[2]["content"],
        json!([
            {"type": "tool_result", "tool_use_id": "a", "content": "A"},
            {"type": "tool_result", "tool_use_id": "b", "content": "B"},
            text("hurry"),
            text("please"),
        ])
    );
}

#[test]
fn ids_are_unique_and_of_allowed_characters() {
    let messages = [
        Message::human("?"),
        calling("", [call("get_time", "get time:0")]),
        result("1", "get time:0"),
        calling("", [call("get_time", "get time:0")]),
        result("2", "get time:0"),
    ];
    let written = written(&messages);
    assert_eq!(written[1]["content"][0]["id"], "get_time_0");
    assert_eq!(written[3]["content"][0]["id"], "get_time_0_2");
    assert_eq!(written[4]["content"][0]["tool_use_id"], "get_time_0_2");
    assert_eq!(written[4]["content"][0]["content"], "2");
}

#[test]
fn a_call_that_was_not_understood_is_echoed_without_arguments() {
    let invalid = |name: &str, id: &str| InvalidToolCall {
        name: name.into(),
        args: "{\"ci".into(),
        id: id.into(),
        error: "cut off".into(),
    };
    let mut reply = AiMessage::default().with_tool_calls([call("get_time", "a")]);
    reply.invalid_tool_calls = vec![invalid("get_weather", "b"), invalid("", "c")];
    let messages = [
        Message::human("?"),
        reply.into(),
        result("12:00", "a"),
        ToolMessage::error("cut off", "b").into(),
        ToolMessage::error("no name", "c").into(),
    ];
    let written = written(&messages);
    assert_eq!(
        written[1]["content"].as_array().unwrap()[1..],
        [
            json!({"type": "tool_use", "id": "b", "name": "get_weather", "input": {}}),
            json!({"type": "tool_use", "id": "c", "name": "unknown_tool", "input": {}}),
        ]
    );
    assert_eq!(written[2]["content"][2]["tool_use_id"], "c");
}

#[test]
fn blank_texts_are_left_out_and_the_neighbours_joined() {
    let blank = Content::Blocks(vec![ContentBlock::Text { text: "\n".into() }]);
    let messages = [
        Message::human("a"),
        Message::ai(""),
        Message::human(blank),
        Message::human("b"),
        calling(" ", [call("get_time", "c")]),
        result("", "c"),
    ];
    assert_eq!(
        written(&messages),
        json!([
            {"role": "user", "content": [text("a"), text("b")]},
            {"role": "assistant", "content": [
                {"type": "tool_use", "id": "c", "name": "get_time", "input": {"city": "Oslo"}},
            ]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c"}]},
        ])
    );
}

#[test]
fn pictures_go_as_base64_from_users_and_from_tools() {
    let picture = Content::Blocks(vec![
        ContentBlock::Text {
            text: "this".into(),
        },
        ContentBlock::Image(ImageBlock {
            mime_type: "image/png".into(),
            base64: "aGk=".into(),
        }),
    ]);
    let messages = [
        Message::human(picture.clone()),
        calling("", [call("get_time", "c")]),
        ToolMessage::success(picture.clone(), "c").into(),
    ];
    // Only these two may send any.
    let reply = Message::ai(picture.clone());
    assert_eq!(written(&[reply])[0]["content"], json!([text("this")]));
    let image = json!({
        "type": "image",
        "source": {"type": "base64", "media_type": "image/png", "data": "aGk="},
    });
    let written = written(&messages);
    assert_eq!(written[0]["content"], json!([text("this"), image]));
    assert_eq!(
        written[2]["content"][0]["content"],
        json!([text("this"), image])
    );
}

#[test]
fn signed_thoughts_go_back_within_the_tool_turn_only() {
    let thinking_reply = |calls: &[ToolCall]| -> Message {
        AiMessage::new(vec![
            thinking(Some("sig")),
            ContentBlock::RedactedThinking { data: "xx".into() },
            ContentBlock::Text {
                text: "Well.".into(),
            },
        ])
        .with_tool_calls(calls.to_vec())
        .into()
    };
    let mut messages = vec![
        Message::human("?"),
        thinking_reply(&[call("get_time", "c")]),
        result("12:00", "c"),
    ];
    let thoughts = json!([
        {"type": "thinking", "thinking": "hm", "signature": "sig"},
        {"type": "redacted_thinking", "data": "xx"},
        text("Well."),
    ]);
    assert_eq!(
        written(&messages)[1]["content"].as_array().unwrap()[..3],
        thoughts.as_array().unwrap()[..]
    );
    // A word beside the results does not end the turn.
    messages.push(Message::human("hurry"));
    assert_eq!(written(&messages)[1]["content"][0], thoughts[0]);
    // A demanded call goes out without thinking, so without thoughts.
    let model = ChatAnthropic::new("m").thinking(2000);
    let demanded = encoded(&model, &messages, ToolChoice::Required);
    assert_eq!(demanded["messages"][1]["content"][0], text("Well."));
    // A new question does.
    messages.extend([thinking_reply(&[]), Message::human("And now?")]);
    let written = written(&messages);
    assert_eq!(written[1]["content"][0], text("Well."));
    assert_eq!(written[3]["content"], json!([text("Well.")]));
}

#[test]
fn thoughts_without_a_signature_are_dropped() {
    for signature in [None, Some("")] {
        let reply = AiMessage::new(vec![thinking(signature)]);
        let messages = [
            Message::human("?"),
            reply.with_tool_calls([call("get_time", "c")]).into(),
            result("12:00", "c"),
        ];
        assert_eq!(written(&messages)[1]["content"][0]["type"], "tool_use");
    }
}

#[test]
fn a_final_reply_loses_the_blanks_at_its_end() {
    let mut messages = vec![Message::human("?"), Message::ai("So:  \n")];
    assert_eq!(written(&messages)[1]["content"], json!([text("So:")]));
    messages.push(Message::human("go on"));
    assert_eq!(written(&messages)[1]["content"], json!([text("So:  \n")]));
}

fn names(body: &Value) -> Vec<&str> {
    let tools = body["tools"].as_array().into_iter().flatten();
    tools.map(|tool| tool["name"].as_str().unwrap()).collect()
}

#[test]
fn tool_choice_on_the_wire() {
    let model = ChatAnthropic::new("m");
    let ask = |choice| encoded(&model, &[Message::human("?")], choice);
    let auto = ask(ToolChoice::Auto);
    assert_eq!(names(&auto), ["get_weather", "get_time"]);
    assert_eq!(auto.get("tool_choice"), None);
    let required = ask(ToolChoice::Required);
    assert_eq!(names(&required), ["get_weather", "get_time"]);
    assert_eq!(required["tool_choice"], json!({"type": "any"}));
    let named = ask(ToolChoice::Tool("get_time".into()));
    assert_eq!(names(&named), ["get_time"]);
    let expected = json!({"type": "tool", "name": "get_time"});
    assert_eq!(named["tool_choice"], expected);
    let none = ask(ToolChoice::None);
    assert_eq!(none.get("tools"), None);
    assert_eq!(none.get("tool_choice"), None);
}

#[test]
fn a_conversation_with_calls_always_goes_with_tools() {
    let messages = [
        Message::human("?"),
        calling("", [call("get_time", "a"), call("old tool", "b")]),
        result("1", "a"),
        result("2", "b"),
        calling("", [call("get_time", "c")]),
        result("3", "c"),
    ];
    let model = ChatAnthropic::new("m");
    let none = encoded(&model, &messages, ToolChoice::None);
    assert_eq!(names(&none), ["get_weather", "get_time"]);
    assert_eq!(none["tool_choice"], json!({"type": "none"}));
    // Nothing is bound any more.
    let bare = Bound::default();
    let bare = body(&model.settings, &bare, &messages, &CallOptions::default());
    let bare = read(bare);
    assert_eq!(names(&bare), ["get_time", "old_tool"]);
    assert_eq!(bare["tools"][0]["input_schema"], json!({"type": "object"}));
    assert_eq!(bare["tool_choice"], json!({"type": "none"}));
}

#[test]
fn thinking_comes_on_top_of_the_answer_and_excludes_temperature_and_demands() {
    let model = ChatAnthropic::new("m")
        .max_tokens(1000)
        .thinking(2000)
        .temperature(0.2);
    let question = [Message::human("?")];
    let free = encoded(&model, &question, ToolChoice::Auto);
    let enabled = json!({"type": "enabled", "budget_tokens": 2000});
    assert_eq!(free["thinking"], enabled);
    assert_eq!(free["max_tokens"], 3000);
    assert_eq!(free.get("temperature"), None);
    for choice in [ToolChoice::Required, ToolChoice::Tool("get_time".into())] {
        let demanded = encoded(&model, &question, choice);
        assert_eq!(demanded.get("thinking"), None);
        assert_eq!(demanded["max_tokens"], 1000);
        assert_eq!(demanded["temperature"], 0.2);
    }
    // The turn began without a thought, so it cannot go on with one.
    let thoughtless = [
        Message::human("?"),
        calling("", [call("get_time", "c")]),
        result("12:00", "c"),
    ];
    let body = encoded(&model, &thoughtless, ToolChoice::Auto);
    assert_eq!(body.get("thinking"), None);
}

#[test]
fn a_structured_answer_is_asked_for_natively() {
    let options = CallOptions {
        response_schema: Some(Arc::new(
            json!({"type": "object", "properties": {"n": {"type": "integer"}}}),
        )),
        ..CallOptions::default()
    };
    let model = ChatAnthropic::new("m");
    let tools = bound(&["get_time"]);
    let body = body(&model.settings, &tools, &[Message::human("?")], &options);
    let body = read(body);
    let schema = json!({
        "type": "object",
        "properties": {"n": {"type": "integer"}},
        "additionalProperties": false,
    });
    assert_eq!(
        body["output_config"],
        json!({"format": {"type": "json_schema", "schema": schema}})
    );
    assert_eq!(names(&body), ["get_time"]);
}

#[test]
fn s000_09_a_later_request_begins_like_the_earlier_one() {
    let thoughtful = |calls: &[ToolCall]| -> Message {
        AiMessage::new(vec![thinking(Some("sig"))])
            .with_tool_calls(calls.to_vec())
            .into()
    };
    let conversation = [
        Message::system("Be brief."),
        Message::human("?"),
        thoughtful(&[call("get_time", "c"), call("get_weather", "c")]),
        result("12:00", "c"),
        result("rain", "c"),
        thoughtful(&[call("get_time", "c")]),
        result("12:01", "c"),
        Message::system("Hurry."),
        Message::ai("It is 12:01."),
    ];
    let model = ChatAnthropic::new("m").thinking(2000);
    let full = encoded(&model, &conversation, ToolChoice::Auto).to_string();
    for length in [2, 5, 8] {
        let part = encoded(&model, &conversation[..length], ToolChoice::Auto).to_string();
        let open = part.strip_suffix("]}").unwrap();
        assert!(full.starts_with(open), "{full}\n{open}");
    }
}

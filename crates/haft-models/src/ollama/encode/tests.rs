use haft_core::{ImageBlock, InvalidToolCall, ToolCall, ToolMessage};
use serde_json::json;

use super::*;

fn encoded(messages: &[Message]) -> Value {
    serde_json::to_value(encode_messages(messages)).unwrap()
}

fn thinks(thinking: &str, text: &str) -> AiMessage {
    AiMessage::new(vec![
        ContentBlock::Thinking {
            thinking: thinking.to_owned(),
            signature: None,
        },
        ContentBlock::Text {
            text: text.to_owned(),
        },
    ])
}

#[test]
fn s000_08_every_kind_of_message_keeps_ids_and_calls() {
    let call = ToolCall::new("get_time", json!({"zone": "Asia/Tokyo"}), "call_7");
    let messages = [
        Message::system("Be brief."),
        Message::human("What time is it in Tokyo?"),
        AiMessage::new("Let me look.")
            .with_tool_calls([call])
            .into(),
        ToolMessage::success("9:30", "call_7").into(),
        Message::ai("It is 9:30."),
    ];
    assert_eq!(
        encoded(&messages),
        json!([
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "What time is it in Tokyo?"},
            {"role": "assistant", "content": "Let me look.", "tool_calls": [
                {"id": "call_7", "function": {"name": "get_time", "arguments": {"zone": "Asia/Tokyo"}}},
            ]},
            {"role": "tool", "content": "9:30", "tool_name": "get_time", "tool_call_id": "call_7"},
            {"role": "assistant", "content": "It is 9:30."},
        ])
    );
}

#[test]
fn pictures_go_beside_the_text() {
    let picture = ImageBlock {
        mime_type: "image/png".to_owned(),
        base64: "aGk=".to_owned(),
    };
    let text = ContentBlock::Text {
        text: "What is it?".to_owned(),
    };
    assert_eq!(
        encoded(&[Message::human(vec![text, ContentBlock::Image(picture)])]),
        json!([{"role": "user", "content": "What is it?", "images": ["aGk="]}])
    );
}

#[test]
fn thinking_goes_back_within_its_turn_only() {
    let asks = |id: &str| {
        thinks("I need the time.", "").with_tool_calls([ToolCall::new("f", json!({}), id)])
    };
    let first = [
        Message::human("One?"),
        asks("a").into(),
        ToolMessage::success("1", "a").into(),
    ];
    assert_eq!(encoded(&first)[1]["thinking"], "I need the time.");

    let mut second = first.to_vec();
    second.extend([
        thinks("Done.", "One.").into(),
        Message::human("Two?"),
        asks("b").into(),
    ]);
    let second = encoded(&second);
    assert_eq!(second[1].get("thinking"), None);
    assert_eq!(second[3], json!({"role": "assistant", "content": "One."}));
    assert_eq!(second[5]["thinking"], "I need the time.");
}

#[test]
fn a_later_request_of_a_turn_begins_with_the_earlier_one() {
    let conversation = [
        Message::system("Be brief."),
        Message::human("One and two?"),
        thinks("First one.", "")
            .with_tool_calls([ToolCall::new("f", json!({}), "f_0")])
            .into(),
        ToolMessage::success("1", "f_0").into(),
        thinks("Then two.", "")
            .with_tool_calls([ToolCall::new("f", json!({}), "f_0")])
            .into(),
        ToolMessage::success("2", "f_0").into(),
    ];
    let whole = encode_messages(&conversation);
    for length in 2..conversation.len() {
        assert_eq!(encode_messages(&conversation[..length]), whole[..length]);
    }
    assert_eq!(encode_messages(&conversation), whole);
}

#[test]
fn equal_ids_become_unique_in_the_conversation() {
    let turn = || {
        [
            Message::from(AiMessage::new("").with_tool_calls([ToolCall::new(
                "f",
                json!({}),
                "f_0",
            )])),
            ToolMessage::success("ok", "f_0").into(),
        ]
    };
    let messages: Vec<_> = [turn(), turn()].concat();
    let wire = encode_messages(&messages);
    let called = |index: usize| wire[index].tool_calls[0].id.clone();
    assert_ne!(called(0), called(2));
    assert_eq!(wire[1].tool_call_id, called(0));
    assert_eq!(wire[3].tool_call_id, called(2));
}

#[test]
fn an_invalid_call_goes_back_beside_its_answer() {
    let mut reply = AiMessage::new("");
    reply.invalid_tool_calls = vec![InvalidToolCall {
        name: "f".to_owned(),
        args: "{\"x\":".to_owned(),
        id: "a".to_owned(),
        error: "cut off".to_owned(),
    }];
    let wire = encoded(&[reply.into(), ToolMessage::error("cut off", "a").into()]);
    assert_eq!(
        wire[0]["tool_calls"],
        json!([{"id": "a", "function": {"name": "f", "arguments": {}}}])
    );
    assert_eq!(wire[1]["tool_name"], "f");
    assert_eq!(wire[1]["content"], "Error: cut off");
}

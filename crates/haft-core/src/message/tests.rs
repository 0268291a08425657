use serde_json::json;

use super::*;
use crate::ContentBlock;

#[test]
fn s000_08_messages_have_one_typed_form_and_keep_ids_and_calls() {
    let history = vec![
        Message::system("Be brief."),
        Message::human("A coat?"),
        AiMessage::new("Let me look.")
            .with_tool_calls([ToolCall::new("get_weather", json!({"city": "Oslo"}), "c1")])
            .into(),
        ToolMessage::success("21 degrees", "c1")
            .with_name("get_weather")
            .into(),
    ];
    let expected = json!([
        {"type": "system", "content": "Be brief."},
        {"type": "human", "content": "A coat?"},
        {"type": "ai", "content": "Let me look.", "tool_calls": [
            {"type": "tool_call", "name": "get_weather", "args": {"city": "Oslo"}, "id": "c1"}]},
        {"type": "tool", "content": "21 degrees", "tool_call_id": "c1", "name": "get_weather",
         "status": "success"},
    ]);
    assert_eq!(serde_json::to_value(&history).unwrap(), expected);
    assert_eq!(
        serde_json::from_value::<Vec<Message>>(expected).unwrap(),
        history
    );
}

#[test]
fn blocks_survive_a_round_trip_in_order() {
    let content = Content::Blocks(vec![
        ContentBlock::Thinking {
            thinking: "hm".into(),
            signature: Some("s".into()),
        },
        ContentBlock::RedactedThinking { data: "x".into() },
        ContentBlock::Text { text: "a".into() },
        ContentBlock::Image(crate::ImageBlock {
            mime_type: "image/png".into(),
            base64: "AA==".into(),
        }),
        ContentBlock::Text { text: "b".into() },
    ]);
    let json = serde_json::to_value(&content).unwrap();
    assert_eq!(
        json[3],
        json!({"type": "image", "mime_type": "image/png", "base64": "AA=="})
    );
    assert_eq!(serde_json::from_value::<Content>(json).unwrap(), content);
    assert_eq!(content.text(), "ab");
}

#[test]
fn thinking_alone_is_blank_and_a_call_is_not() {
    let thought = ContentBlock::Thinking {
        thinking: "hm".into(),
        signature: None,
    };
    assert!(AiMessage::new(vec![thought]).is_blank());
    assert!(AiMessage::new(" \n").is_blank());
    let call = ToolCall::new("f", json!({}), "c");
    assert!(!AiMessage::new("").with_tool_calls([call]).is_blank());
}

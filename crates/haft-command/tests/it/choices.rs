//! Tool choice, schemas, pictures, and the stream itself.

use std::sync::Arc;

use futures_util::StreamExt;
use haft_core::{
    CallOptions, ChatChunk, Content, ContentBlock, HumanMessage, ImageBlock, Message,
    ModelErrorKind, StopReason, ToolChoice,
};
use serde_json::json;

use super::support::home;

async fn kind(options: CallOptions, message: Message) -> ModelErrorKind {
    home()
        .invoke(&[message], &options)
        .await
        .unwrap_err()
        .kind()
}

fn choice(tool_choice: ToolChoice) -> CallOptions {
    CallOptions {
        tool_choice,
        ..CallOptions::default()
    }
}

#[tokio::test]
async fn a_choice_is_honoured_or_refused() {
    let both = Message::human("turn on the lamp and tell me the time");
    let none = home()
        .invoke(std::slice::from_ref(&both), &choice(ToolChoice::None))
        .await
        .unwrap();
    assert!(none.tool_calls.is_empty());
    let named = choice(ToolChoice::Tool("get_current_datetime".into()));
    let one = home()
        .invoke(std::slice::from_ref(&both), &named)
        .await
        .unwrap();
    assert_eq!(one.tool_calls.len(), 1);
    assert_eq!(one.tool_calls[0].name, "get_current_datetime");
    let forced = home()
        .invoke(&[Message::human("hello")], &named)
        .await
        .unwrap();
    assert_eq!(forced.tool_calls[0].args, serde_json::Map::new());
    let impossible = choice(ToolChoice::Tool("control_zwave_device".into()));
    assert_eq!(
        kind(impossible, Message::human("hello")).await,
        ModelErrorKind::ToolChoiceIgnored
    );
    let required = choice(ToolChoice::Required);
    assert_eq!(
        kind(required.clone(), Message::human("hello")).await,
        ModelErrorKind::ToolChoiceIgnored
    );
    assert_eq!(
        home()
            .invoke(&[both], &required)
            .await
            .unwrap()
            .tool_calls
            .len(),
        2
    );
}

#[tokio::test]
async fn schemas_and_pictures_need_a_language_model() {
    let schema = CallOptions {
        response_schema: Some(Arc::new(json!({}))),
        ..CallOptions::default()
    };
    assert_eq!(
        kind(schema, Message::human("hi")).await,
        ModelErrorKind::Unsupported
    );
    let picture = ImageBlock {
        mime_type: "image/png".into(),
        base64: "AA==".into(),
    };
    let content = Content::Blocks(vec![ContentBlock::Image(picture)]);
    let message = Message::Human(HumanMessage { content });
    assert_eq!(
        kind(CallOptions::default(), message).await,
        ModelErrorKind::Unsupported
    );
}

#[tokio::test]
async fn the_stream_tells_the_same_as_the_message() {
    let ask = |text: &str| home().stream(&[Message::human(text)], &CallOptions::default());
    let chunks: Vec<_> = ask("hello").map(Result::unwrap).collect().await;
    let mut text = String::new();
    for chunk in &chunks {
        match chunk {
            ChatChunk::Text(piece) => text += piece,
            ChatChunk::Done(message) => {
                assert_eq!(message.content.text(), text);
                assert_eq!(message.stop_reason, Some(StopReason::EndTurn));
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(matches!(chunks.last(), Some(ChatChunk::Done(_))));

    let chunks: Vec<_> = ask("turn on the lamp and the fan")
        .map(Result::unwrap)
        .collect()
        .await;
    let [
        ChatChunk::CallStart { index: 0, .. },
        ChatChunk::CallArgs { index: 0, fragment },
        ChatChunk::CallEnd { index: 0, call },
        ChatChunk::CallStart { index: 1, .. },
        ChatChunk::CallArgs { index: 1, .. },
        ChatChunk::CallEnd {
            index: 1,
            call: second,
        },
        ChatChunk::Done(message),
    ] = chunks.as_slice()
    else {
        panic!("{chunks:?}");
    };
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(fragment).unwrap(),
        json!(call.args)
    );
    assert_eq!(message.tool_calls, [call.clone(), second.clone()]);
    assert_eq!(message.stop_reason, Some(StopReason::ToolUse));
    assert_ne!(call.id, second.id);
    assert!(call.id.starts_with("call_"));
}

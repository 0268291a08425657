use std::sync::Arc;

use haft_core::{
    AiMessage, Content, ContentBlock, ImageBlock, InvalidToolCall, Message, Tool, ToolCall,
    ToolMessage,
};
use haft_testing::{SpyTool, named_tool};
use serde_json::{Value, json};

use super::{messages, parameters, tools};
use crate::names::WireNames;

fn encoded(conversation: &[Message]) -> Value {
    serde_json::to_value(messages(conversation, &WireNames::default())).unwrap()
}

fn image() -> ContentBlock {
    ContentBlock::Image(ImageBlock {
        mime_type: "image/png".into(),
        base64: "AAAA".into(),
    })
}

fn text(text: &str) -> ContentBlock {
    ContentBlock::Text { text: text.into() }
}

#[test]
fn s000_08_each_kind_of_message_has_its_role() {
    let calls = [ToolCall::new("add", json!({"z": 1, "a": "é"}), "c1")];
    let seen = encoded(&[
        Message::system("Be brief."),
        Message::human("2+2?"),
        AiMessage::new("").with_tool_calls(calls).into(),
        ToolMessage::success("4", "c1").with_name("add").into(),
        Message::ai("Four."),
    ]);
    let expected = json!([
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "2+2?"},
        {"role": "assistant", "content": null, "tool_calls": [
            {"id": "c1", "type": "function",
             "function": {"name": "add", "arguments": "{\"z\":1,\"a\":\"é\"}"}},
        ]},
        {"role": "tool", "content": "4", "tool_call_id": "c1"},
        {"role": "assistant", "content": "Four."},
    ]);
    assert_eq!(seen, expected);
}

#[test]
fn invalid_calls_go_back_with_arguments_that_can_be_read() {
    let mut reply = AiMessage::new("Hm.").with_tool_calls([ToolCall::new("add", json!({}), "a")]);
    for (name, id) in [("add", "b"), ("", "c")] {
        reply.invalid_tool_calls.push(InvalidToolCall {
            name: name.into(),
            args: "{oops".into(),
            id: id.into(),
            error: "not JSON".into(),
        });
    }
    let results = ["a", "b", "c"].map(|id| ToolMessage::error("no", id).into());
    let conversation: Vec<Message> = [reply.into()].into_iter().chain(results).collect();
    let seen = encoded(&conversation);
    assert_eq!(seen[0]["content"], "Hm.");
    let calls = seen[0]["tool_calls"].as_array().unwrap();
    let calls: Vec<_> = calls
        .iter()
        .map(|call| {
            (
                &call["id"],
                &call["function"]["name"],
                &call["function"]["arguments"],
            )
        })
        .map(|(id, name, arguments)| [id, name, arguments].map(|v| v.as_str().unwrap()))
        .collect();
    assert_eq!(
        calls,
        [
            ["a", "add", "{}"],
            ["b", "add", "{}"],
            ["c", "unknown", "{}"]
        ]
    );
    let answered = [&seen[1], &seen[2], &seen[3]].map(|message| &message["tool_call_id"]);
    assert_eq!(answered, ["a", "b", "c"]);
}

#[test]
fn reasoning_is_not_sent_back() {
    let thinking = ContentBlock::Thinking {
        thinking: "secret plan".into(),
        signature: None,
    };
    let seen = encoded(&[
        Message::ai(vec![thinking.clone(), text("Hi")]),
        Message::ai(vec![thinking]),
    ]);
    let expected = json!([
        {"role": "assistant", "content": "Hi"},
        {"role": "assistant", "content": ""},
    ]);
    assert_eq!(seen, expected);
}

#[test]
fn pictures_are_data_addresses() {
    let seen = encoded(&[Message::human(vec![text("What is this?"), image()])]);
    let expected = json!([
        {"type": "text", "text": "What is this?"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
    ]);
    assert_eq!(seen[0]["content"], expected);
    // Blocks of text alone are what every server understands as a string.
    let seen = encoded(&[Message::human(vec![text("a"), text("b")])]);
    assert_eq!(seen[0]["content"], "ab");
}

#[test]
fn pictures_of_tools_follow_all_results_of_the_round() {
    let calls = ["a", "b"].map(|id| ToolCall::new("look", json!({}), id));
    let seen = encoded(&[
        AiMessage::new("").with_tool_calls(calls).into(),
        ToolMessage::success(Content::Blocks(vec![text("see"), image()]), "a").into(),
        ToolMessage::success("nothing", "b").into(),
    ]);
    let roles: Vec<_> = seen
        .as_array()
        .unwrap()
        .iter()
        .map(|m| &m["role"])
        .collect();
    assert_eq!(roles, ["assistant", "tool", "tool", "user"]);
    assert_eq!(seen[1]["content"], "see");
    assert_eq!(seen[3]["content"][0]["type"], "image_url");
}

#[test]
fn tools_keep_their_order_and_get_names_that_the_wire_takes() {
    let bound: Vec<Arc<dyn Tool>> = vec![
        named_tool("files.read", None),
        named_tool("x", Some("lc_x")),
        named_tool("a", None),
    ];
    let names = WireNames::new(&bound).unwrap();
    let seen = serde_json::to_value(tools(&bound, &names)).unwrap();
    let kinds: Vec<_> = seen
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| &tool["type"])
        .collect();
    assert_eq!(kinds, ["function"; 3]);
    let wire: Vec<_> = seen
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| &tool["function"]["name"])
        .collect();
    assert_eq!(wire, ["files_read", "lc_x", "a"]);
    // A call in the history is written under the same name.
    let calls = [ToolCall::new("files.read", json!({}), "c")];
    let history = [Message::from(AiMessage::new("").with_tool_calls(calls))];
    let history = serde_json::to_value(messages(&history, &names)).unwrap();
    assert_eq!(
        history[0]["tool_calls"][0]["function"]["name"],
        "files_read"
    );
}

#[test]
fn parameters_are_always_an_object_schema() {
    let schema =
        json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]});
    assert_eq!(parameters(&schema), schema);
    assert_eq!(
        parameters(&Value::Null),
        json!({"type": "object", "properties": {}})
    );
    let untyped = json!({"properties": {"a": {}}});
    assert_eq!(
        parameters(&untyped),
        json!({"type": "object", "properties": {"a": {}}})
    );
    assert!(SpyTool::new("x", |_| Ok("".into())).schema().is_object());
}

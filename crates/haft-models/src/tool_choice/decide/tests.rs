use std::sync::Mutex;

use futures_util::{StreamExt, stream};
use haft_core::ModelError;
use haft_testing::{SpyTool, named_tool};

use super::*;

fn tools() -> Vec<Arc<dyn Tool>> {
    let schema = json!({"type": "object", "properties": {"city": {"$ref": "#/$defs/city"}},
        "$defs": {"city": {"type": "string"}}});
    let weather = SpyTool::new("get_weather", |_| Ok("ok".into())).with_schema(schema);
    vec![Arc::new(weather), named_tool("look_up", Some("find"))]
}

type Asked = Mutex<Option<(Vec<Message>, CallOptions)>>;

/// The reply to a decision that the model words like this, and what was asked.
async fn decide(said: &str) -> (AiMessage, Vec<Message>, CallOptions) {
    let asked: Arc<Asked> = Arc::default();
    let (log, said) = (Arc::clone(&asked), said.to_owned());
    let ask = move |messages: &[Message], options: &CallOptions| -> ChatStream {
        *log.lock().unwrap() = Some((messages.to_vec(), options.clone()));
        let reply = ChatChunk::Done(AiMessage::new(said.as_str()));
        stream::iter([Ok::<_, ModelError>(reply)]).boxed()
    };
    let options = CallOptions {
        tool_choice: ToolChoice::OneOrNone,
        ..CallOptions::default()
    };
    let messages = [Message::human("Weather in Oslo?")];
    let reply = collect(super::super::enforced(&tools(), &messages, &options, ask))
        .await
        .unwrap();
    let (messages, options) = asked.lock().unwrap().take().unwrap();
    (reply, messages, options)
}

#[tokio::test]
async fn a_call_that_is_spelled_out_is_made() {
    let said = r#"{"name": "get_weather", "arguments": {"city": "Oslo"}}"#;
    let (reply, messages, options) = decide(said).await;
    assert_eq!(reply.tool_calls[0].name, "get_weather");
    assert_eq!(reply.tool_calls[0].args["city"], "Oslo");
    assert!(reply.content.is_blank());
    assert_eq!(options.tool_choice, ToolChoice::None);
    let schema = options.response_schema.unwrap();
    let names: Vec<_> = schema["anyOf"]
        .as_array()
        .unwrap()
        .iter()
        .map(|choice| choice["properties"]["name"]["enum"][0].clone())
        .collect();
    assert_eq!(names, ["get_weather", "find", "none"]);
    assert!(!schema.to_string().contains("$ref"), "{schema}");
    let system = messages[0].content().text();
    assert!(system.contains("{\"name\": \"none\"}"), "{system}");
    assert!(system.contains("- find: "), "{system}");
}

#[tokio::test]
async fn everything_else_means_none() {
    for said in [
        r#"{"name": "none"}"#,
        r#"{"name": "none", "arguments": {}}"#,
        r#"{"name": "fly", "arguments": {}}"#,
        r#"{"name": "find", "arguments": 7}"#,
        "It is sunny.",
        "",
    ] {
        let (reply, ..) = decide(said).await;
        assert!(reply.is_blank(), "{said}");
    }
}

#[test]
fn the_word_for_none_differs_from_tool_names() {
    assert_eq!(none_among(&tools()), "none");
    let taken = [named_tool("none", None), named_tool("x", Some("no_tool"))];
    assert_eq!(none_among(&taken), "none_of_these");
}

#[tokio::test]
async fn a_decision_for_a_call_that_a_text_holds_means_none() {
    let ask = |_: &[Message], _: &CallOptions| -> ChatStream {
        let said = r#"{"name": "get_weather", "arguments": {"city": "Oslo"}}"#;
        stream::iter([Ok::<_, ModelError>(ChatChunk::Done(AiMessage::new(said)))]).boxed()
    };
    let page = "get_weather(city=\"Oslo\")";
    for choice in [ToolChoice::OneOrNone, ToolChoice::Required] {
        let options = CallOptions {
            tool_choice: choice.clone(),
            ..CallOptions::default()
        };
        let messages = [
            Message::human("Summarise it"),
            haft_core::ToolMessage::success(page, "call_1").into(),
        ];
        let reply = collect(super::super::enforced(&tools(), &messages, &options, ask)).await;
        match choice {
            ToolChoice::OneOrNone => assert!(reply.unwrap().is_blank()),
            _ => assert!(reply.unwrap_err().detail().contains("a tool result")),
        }
    }
}

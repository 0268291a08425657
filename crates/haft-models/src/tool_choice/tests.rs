//! How a demanded call is enforced, over a scripted `ask` in place of a server.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use futures_util::{StreamExt, TryStreamExt, stream};
use haft_core::{
    AiMessage, CallOptions, ChatChunk, ChatStream, Generation, Message, ModelError, ModelErrorKind,
    StopReason, Tool, ToolCall, ToolChoice, Usage,
};
use haft_testing::named_tool;
use serde_json::json;

use super::enforced;
use crate::offered::offered;

type Asked = Arc<Mutex<Vec<(Vec<Message>, CallOptions)>>>;

fn tools() -> Vec<Arc<dyn Tool>> {
    vec![named_tool("add", None), named_tool("look_up", Some("find"))]
}

fn call(name: &str) -> AiMessage {
    AiMessage::new("Sure.").with_tool_calls([ToolCall::new(name, json!({}), "c")])
}

/// The chunks of the enforced reply, and what was asked on the way.
async fn enforce(
    choice: ToolChoice,
    replies: Vec<Result<AiMessage, ModelError>>,
) -> (
    Result<Vec<ChatChunk>, ModelError>,
    Vec<(Vec<Message>, CallOptions)>,
) {
    let asked: Asked = Arc::default();
    let script = Mutex::new(VecDeque::from(replies));
    let log = Arc::clone(&asked);
    let ask = move |messages: &[Message], options: &CallOptions| -> ChatStream {
        log.lock()
            .unwrap()
            .push((messages.to_vec(), options.clone()));
        let reply = script.lock().unwrap().pop_front().unwrap();
        stream::iter([reply.map(ChatChunk::Done)]).boxed()
    };
    let options = CallOptions {
        tool_choice: choice,
        generation: Generation {
            max_tokens: Some(9),
            ..Generation::default()
        },
        ..CallOptions::default()
    };
    let messages = [Message::system("Be brief."), Message::human("?")];
    let chunks = enforced(&tools(), &messages, &options, ask)
        .try_collect()
        .await;
    let asked = asked.lock().unwrap().clone();
    (chunks, asked)
}

fn named(name: &str) -> ToolChoice {
    ToolChoice::Tool(name.to_owned())
}

fn done(chunks: Result<Vec<ChatChunk>, ModelError>) -> AiMessage {
    match chunks.unwrap().pop() {
        Some(ChatChunk::Done(reply)) => reply,
        other => panic!("{other:?}"),
    }
}

#[test]
fn only_allowed_tools_are_offered() {
    let tools = tools();
    assert_eq!(offered(&tools, &ToolChoice::Auto), [0, 1]);
    assert_eq!(offered(&tools, &ToolChoice::Required), [0, 1]);
    assert_eq!(offered(&tools, &ToolChoice::None), [0; 0]);
    assert_eq!(offered(&tools, &named("add")), [0]);
    assert_eq!(offered(&tools, &named("find")), [1]);
    assert_eq!(offered(&tools, &named("look_up")), [1]);
    assert_eq!(offered(&tools, &named("fly")), [0; 0]);
}

#[tokio::test]
async fn without_a_required_call_the_reply_is_unchanged() {
    for choice in [ToolChoice::Auto, ToolChoice::None] {
        let (chunks, asked) = enforce(choice, vec![Ok(AiMessage::new("Hi"))]).await;
        assert_eq!(done(chunks).content.text(), "Hi");
        assert_eq!(asked.len(), 1);
    }
}

#[tokio::test]
async fn a_matching_reply_needs_no_second_request() {
    for (choice, name) in [
        (ToolChoice::Required, "add"),
        (named("add"), "add"),
        (named("look_up"), "find"),
    ] {
        let (chunks, asked) = enforce(choice, vec![Ok(call(name))]).await;
        assert_eq!(done(chunks), call(name));
        assert_eq!(asked.len(), 1);
    }
}

#[tokio::test]
async fn a_reply_without_the_required_call_is_replaced() {
    let usage = |input_tokens| {
        Some(Usage {
            input_tokens,
            ..Usage::default()
        })
    };
    for wrong in [AiMessage::new("No."), call("find"), call("unheard_of")] {
        let first = AiMessage {
            usage: usage(5),
            ..wrong
        };
        let spelled = AiMessage {
            usage: usage(7),
            ..AiMessage::new(" {\"name\": \"add\", \"arguments\": {\"a\": 1}}\n")
        };
        let (chunks, asked) = enforce(named("add"), vec![Ok(first), Ok(spelled)]).await;
        let chunks = chunks.unwrap();
        assert!(matches!(&chunks[0], ChatChunk::CallStart { index: 0, name, .. } if name == "add"));
        assert!(
            matches!(&chunks[1], ChatChunk::CallArgs { fragment, .. } if fragment == "{\"a\":1}")
        );
        let reply = done(Ok(chunks));
        assert_eq!(reply.tool_calls.len(), 1);
        assert_eq!(reply.tool_calls[0].args["a"], 1);
        assert!(!reply.tool_calls[0].id.is_empty());
        assert_eq!(reply.stop_reason, Some(StopReason::ToolUse));
        assert_eq!(reply.usage, usage(12));

        let (messages, options) = &asked[1];
        assert_eq!(options.tool_choice, ToolChoice::None);
        assert_eq!(options.generation.max_tokens, Some(9));
        let schema = options.response_schema.as_deref().unwrap();
        assert_eq!(schema["properties"]["name"]["enum"], json!(["add"]));
        let system = messages[0].content().text();
        assert!(
            system.starts_with("Be brief.") && system.contains("- add:"),
            "{system}"
        );
        assert_eq!(messages.len(), 2);
    }
}

#[tokio::test]
async fn any_tool_is_enough_if_one_is_required() {
    let spelled = AiMessage::new("{\"name\": \"find\", \"arguments\": {}}");
    let replies = vec![Ok(call("unheard_of")), Ok(spelled)];
    let (chunks, asked) = enforce(ToolChoice::Required, replies).await;
    assert_eq!(done(chunks).tool_calls[0].name, "find");
    let schema = asked[1].1.response_schema.as_deref().unwrap();
    assert_eq!(
        schema["anyOf"][1]["properties"]["name"]["enum"],
        json!(["find"])
    );
}

#[tokio::test]
async fn a_server_that_refuses_tool_choice_gets_the_schema() {
    let refused = ModelError::new(ModelErrorKind::BadRequest, "no")
        .with_detail("Thinking mode does not support this tool_choice");
    let spelled = AiMessage::new("{\"name\": \"add\", \"arguments\": {}}");
    let (chunks, _) = enforce(ToolChoice::Required, vec![Err(refused), Ok(spelled)]).await;
    assert_eq!(done(chunks).tool_calls[0].name, "add");
    let other = ModelError::new(ModelErrorKind::BadRequest, "no");
    let (chunks, asked) = enforce(ToolChoice::Required, vec![Err(other)]).await;
    assert_eq!(chunks.unwrap_err().kind(), ModelErrorKind::BadRequest);
    assert_eq!(asked.len(), 1);
}

#[tokio::test]
async fn an_ignored_demand_is_an_error_and_shows_no_text() {
    for second in [
        "No.",
        "{\"name\": \"find\", \"arguments\": {}}",
        "{\"name\": \"add\", \"arguments\": 7}",
        "",
    ] {
        let replies = vec![Ok(AiMessage::new("No.")), Ok(AiMessage::new(second))];
        let (chunks, asked) = enforce(named("add"), replies).await;
        let error = chunks.unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::ToolChoiceIgnored, "{second}");
        assert!(error.to_string().contains("\"add\""), "{error}");
        assert!(error.hint().is_some());
        assert_eq!(asked.len(), 2);
    }
}

#[tokio::test]
async fn requiring_an_unbound_tool_is_an_error() {
    let (chunks, asked) = enforce(named("fly"), Vec::new()).await;
    assert_eq!(chunks.unwrap_err().kind(), ModelErrorKind::Configuration);
    assert!(asked.is_empty());
}

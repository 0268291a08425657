//! The whole client over a scripted server, and over recorded traffic of some 25 services.

mod corpus;

use std::sync::Arc;
use std::time::Duration;

use haft_core::{CallOptions, ChatModel, Message, ModelErrorKind};
use haft_testing::{Reply, ScriptedServer, named_tool};
use serde_json::{Value, json};

use super::ChatOpenAi;
use crate::Limits;
use crate::http::Transport;
use crate::tool_mode::ToolProtocol;

fn at(server: &ScriptedServer) -> ChatOpenAi {
    ChatOpenAi::new("tiny").base_url(format!("{}/v1/", server.url()))
}

fn text(content: &str) -> Value {
    json!({"choices": [{"index": 0, "delta": {"content": content}}]})
}

fn end() -> Value {
    json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
}

async fn ask(model: &dyn ChatModel) -> Result<String, haft_core::ModelError> {
    let reply = model
        .invoke(&[Message::human("?")], &CallOptions::default())
        .await;
    reply.map(|reply| reply.content.text())
}

#[tokio::test]
async fn the_request_contains_only_the_configured_options() {
    let server =
        ScriptedServer::with(|_| Reply::sse([text("Hi").to_string(), end().to_string()])).await;
    ask(&at(&server)).await.unwrap();
    let model = at(&server)
        .temperature(0.5)
        .max_tokens(9)
        .api_key("k")
        .streaming(false);
    ask(&*model.bind_tools(&[named_tool("add", None)]).unwrap())
        .await
        .unwrap();

    let [plain, full] = &server.requests()[..] else {
        panic!("two requests");
    };
    assert_eq!(plain.path, "/v1/chat/completions");
    assert_eq!(plain.header("authorization"), None);
    let expected = json!({
        "model": "tiny",
        "messages": [{"role": "user", "content": "?"}],
        "stream": true,
        "stream_options": {"include_usage": true},
    });
    assert_eq!(plain.body, expected);
    assert_eq!(full.header("authorization"), Some("Bearer k"));
    assert_eq!(full.body["temperature"], 0.5);
    assert_eq!(full.body["max_tokens"], 9);
    assert_eq!(full.body["stream"], false);
    assert_eq!(full.body["tools"][0]["function"]["name"], "add");
    assert_eq!(full.body.get("tool_choice"), None);
}

#[tokio::test]
async fn a_response_schema_is_sent_as_it_is() {
    let server =
        ScriptedServer::start([Reply::sse([text("{}").to_string(), end().to_string()])]).await;
    let schema = json!({"type": "object", "properties": {"a": {"type": "integer"}}});
    let options = CallOptions {
        response_schema: Some(Arc::new(schema.clone())),
        ..CallOptions::default()
    };
    at(&server)
        .invoke(&[Message::human("?")], &options)
        .await
        .unwrap();
    let format = &server.requests()[0].body["response_format"];
    assert_eq!(format["type"], "json_schema");
    assert_eq!(format["json_schema"]["schema"], schema);
    assert_eq!(format["json_schema"]["strict"], false);
}

#[test]
fn openai_itself_gets_the_newer_name_of_the_token_limit() {
    let request = ChatOpenAi::new("gpt").max_tokens(7).request(
        ToolProtocol::Native,
        &[],
        &CallOptions::default(),
    );
    let body = request.unwrap().body();
    assert_eq!(body["max_completion_tokens"], 7);
    assert_eq!(body.get("max_tokens"), None);
}

#[tokio::test]
async fn a_reply_without_an_end_marker_is_complete_after_its_stop_reason() {
    let events = || Reply::sse([text("Hi").to_string(), end().to_string()]);
    for reply in [events(), events().then_cut(), events().then_hang()] {
        let server = ScriptedServer::start([reply]).await;
        let limits = Limits {
            idle: Duration::from_millis(40),
            ..Limits::default()
        };
        let model = at(&server).transport(Transport::http().with_limits(limits));
        assert_eq!(ask(&model).await.unwrap(), "Hi");
    }
}

#[tokio::test]
async fn an_error_in_mid_stream_is_an_error() {
    let error = json!({"error": {"message": "out of memory", "code": 500}});
    let server =
        ScriptedServer::start([Reply::sse([text("Hi").to_string(), error.to_string()])]).await;
    let error = ask(&at(&server)).await.unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Server);
    assert!(error.to_string().contains("out of memory"), "{error}");
}

#[tokio::test]
async fn a_stream_without_content_is_empty() {
    let server = ScriptedServer::start([Reply::sse(["[DONE]"])]).await;
    assert_eq!(
        ask(&at(&server)).await.unwrap_err().kind(),
        ModelErrorKind::EmptyBody
    );
}

#[tokio::test]
async fn servers_may_stream_unasked_or_not_stream_though_asked() {
    let whole = Reply::json(json!({"choices": [{"message": {"content": "Hi"}}]}));
    let stream = Reply::sse([text("Hi").to_string(), end().to_string()]);
    let server = ScriptedServer::start([whole, stream]).await;
    assert_eq!(ask(&at(&server)).await.unwrap(), "Hi");
    assert_eq!(ask(&at(&server).streaming(false)).await.unwrap(), "Hi");
}

#[tokio::test]
async fn models_are_listed() {
    let list = Reply::json(json!({"object": "list", "data": [{"id": "b"}, {"id": "a"}]}));
    let server = ScriptedServer::start([list]).await;
    assert_eq!(at(&server).api_key("k").models().await.unwrap(), ["b", "a"]);
    let request = &server.requests()[0];
    assert_eq!(
        (request.method.as_str(), request.path.as_str()),
        ("GET", "/v1/models")
    );
    assert_eq!(request.header("authorization"), Some("Bearer k"));
}

#[tokio::test]
async fn connections_are_used_again() {
    let stream = || Reply::sse([text("Hi").to_string(), end().to_string(), "[DONE]".into()]);
    let server = ScriptedServer::with(move |_| stream()).await;
    let model = at(&server);
    for _ in 0..5 {
        ask(&model).await.unwrap();
    }
    assert_eq!((server.requests().len(), server.connections()), (5, 1));
}

#[tokio::test]
async fn a_near_server_is_queried_once_for_its_template() {
    for (name, asked) in [("llama.cpp", 1), ("nginx", 1)] {
        let server = ScriptedServer::with(move |request| match request.path.as_str() {
            "/props" => Reply::json(json!({"chat_template": "{{ messages }}<think>\n"})),
            _ => Reply::sse([
                text("<tool_call> is a tag.</think>").to_string(),
                text("Hello").to_string(),
                end().to_string(),
            ])
            .with_header("server", name),
        })
        .await;
        let model = at(&server).bind_tools(&[named_tool("add", None)]).unwrap();
        for _ in 0..2 {
            assert_eq!(ask(&*model).await.unwrap(), "Hello", "{name}");
        }
        let requests = server.requests();
        let props = requests.iter().filter(|request| request.path == "/props");
        assert_eq!(props.count(), asked, "{name}");
    }
}

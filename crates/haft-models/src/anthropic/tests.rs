use haft_core::{
    AiMessage, Content, ContentBlock, ModelErrorKind, StopReason, ToolCall, ToolChoice,
};
use haft_testing::{Reply, ScriptedServer, named_tool};
use serde_json::{Value, json};

use super::*;
use crate::http::Limits;

fn model(server: &ScriptedServer) -> ChatAnthropic {
    let limits = Limits {
        retries: 0,
        ..Limits::default()
    };
    ChatAnthropic::new("claude-x")
        .base_url(server.url())
        .api_key("sk-ant-1234")
        .transport(Transport::http().with_limits(limits))
}

async fn ask(model: &dyn ChatModel) -> Result<AiMessage, ModelError> {
    let question = [Message::human("?")];
    model.invoke(&question, &CallOptions::default()).await
}

fn said(text: &str) -> Value {
    json!({"type": "message", "content": [{"type": "text", "text": text}]})
}

/// A stream that says "Hel" and then this.
fn broken_off(event: &Value) -> Reply {
    let events = [
        json!({"type": "message_start", "message": {"content": []}}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": "Hel"}}),
        event.clone(),
    ];
    Reply::sse(events.map(|event| event.to_string()))
}

fn error(kind: &str, message: &str) -> Value {
    json!({"type": "error", "error": {"type": kind, "message": message}})
}

#[tokio::test]
async fn requests_carry_version_and_key() {
    let server = ScriptedServer::with(|_| Reply::json(said("hi"))).await;
    ask(&model(&server)).await.unwrap();
    let base = format!("{}/proxy/", server.url());
    ask(&model(&server).base_url(base)).await.unwrap();
    let [first, second] = &server.requests()[..] else {
        panic!("two requests");
    };
    assert_eq!(
        (first.method.as_str(), first.path.as_str()),
        ("POST", "/v1/messages")
    );
    assert_eq!(first.header("anthropic-version"), Some("2023-06-01"));
    assert_eq!(first.header("x-api-key"), Some("sk-ant-1234"));
    assert_eq!(first.header("authorization"), None);
    assert_eq!(second.path, "/proxy/v1/messages");
}

#[tokio::test]
async fn no_key_header_is_sent_without_a_key() {
    let server = ScriptedServer::with(|_| Reply::json(said("hi"))).await;
    let keyless = ChatAnthropic::new("claude-x").base_url(server.url());
    ask(&keyless).await.unwrap();
    assert_eq!(server.requests()[0].header("x-api-key"), None);
}

#[tokio::test]
async fn errors_in_mid_stream_have_their_kind() {
    for (kind, message, expected) in [
        ("overloaded_error", "Overloaded", ModelErrorKind::Server),
        ("api_error", "Oops", ModelErrorKind::Server),
        ("rate_limit_error", "Slow down", ModelErrorKind::RateLimited),
        (
            "invalid_request_error",
            "prompt is too long: 3 tokens > 2 maximum",
            ModelErrorKind::ContextOverflow,
        ),
    ] {
        let server = ScriptedServer::start([broken_off(&error(kind, message))]).await;
        let error = ask(&model(&server)).await.unwrap_err();
        assert_eq!(error.kind(), expected, "{kind}");
        assert!(error.to_string().contains(message), "{error}");
    }
}

#[tokio::test]
async fn statuses_have_their_kind() {
    for (status, kind, expected) in [
        (401, "authentication_error", ModelErrorKind::Unauthorized),
        (403, "permission_error", ModelErrorKind::Unauthorized),
        (413, "request_too_large", ModelErrorKind::BadRequest),
        (429, "rate_limit_error", ModelErrorKind::RateLimited),
        (500, "api_error", ModelErrorKind::Server),
        (529, "overloaded_error", ModelErrorKind::Server),
    ] {
        let refusal = Reply::json(error(kind, "No.")).with_status(status);
        let server = ScriptedServer::start([refusal]).await;
        let error = ask(&model(&server)).await.unwrap_err();
        assert_eq!(error.kind(), expected, "{status}");
        assert_eq!(error.status(), Some(status));
        assert!(error.to_string().contains("No."), "{error}");
        let transient = matches!(status, 429 | 500 | 529);
        assert_eq!(error.is_transient(), transient, "{status}");
    }
}

#[tokio::test]
async fn a_missing_model_names_those_there_are_even_with_many() {
    let server = ScriptedServer::with(|request| match request.path.as_str() {
        "/v1/models?limit=1000" => Reply::json(json!({"data": [{"id": "claude-y"}]})),
        _ => Reply::json(error("not_found_error", "model: claude-x")).with_status(404),
    })
    .await;
    let error = ask(&model(&server)).await.unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::ModelNotFound);
    assert!(error.to_string().contains("claude-y"), "{error}");
    assert_eq!(
        server.requests()[1].header("x-api-key"),
        Some("sk-ant-1234")
    );
}

#[tokio::test]
async fn the_token_limit_and_refusals_are_reported() {
    for (reason, expected) in [
        ("max_tokens", StopReason::MaxTokens),
        ("refusal", StopReason::Refusal),
    ] {
        let mut answer = said("Hel");
        answer["stop_reason"] = json!(reason);
        let server = ScriptedServer::start([Reply::json(answer)]).await;
        let reply = ask(&model(&server)).await.unwrap();
        assert_eq!(reply.stop_reason, Some(expected));
    }
}

#[tokio::test]
async fn a_thought_goes_back_to_the_server_with_its_signature() {
    let thought = json!({"type": "thinking", "thinking": "hm", "signature": "sig"});
    let call = json!({"type": "tool_use", "id": "toolu_1", "name": "home_light", "input": {}});
    let server = ScriptedServer::start([
        Reply::json(json!({"type": "message", "content": [thought, call]})),
        Reply::json(said("done")),
    ])
    .await;
    let model = model(&server)
        .thinking(1024)
        .bind_tools(&[named_tool("home.light", None)])
        .unwrap();
    let reply = ask(&*model).await.unwrap();
    // The server saw a name that it allows; everyone else sees the tool's own.
    assert_eq!(reply.tool_calls[0].name, "home.light");
    let messages = [
        Message::human("?"),
        reply.into(),
        haft_core::ToolMessage::success("on", "toolu_1").into(),
    ];
    let options = CallOptions::default();
    let reply = model.invoke(&messages, &options).await.unwrap();
    assert_eq!(reply.content, Content::from("done"));
    let sent = &server.requests()[1].body;
    assert_eq!(sent["messages"][1]["content"], json!([thought, call]));
    assert_eq!(sent["thinking"]["budget_tokens"], 1024);
}

#[tokio::test]
async fn a_demanded_call_is_found_among_thoughts_of_other_turns() {
    let call = json!({"type": "tool_use", "id": "toolu_2", "name": "get_time", "input": {}});
    let answer = json!({"type": "message", "content": [call]});
    let server = ScriptedServer::start([Reply::json(answer)]).await;
    let model = model(&server)
        .thinking(1024)
        .bind_tools(&[named_tool("get_time", None)])
        .unwrap();
    let thought = ContentBlock::Thinking {
        thinking: "hm".into(),
        signature: Some("sig".into()),
    };
    let earlier =
        AiMessage::new(vec![thought]).with_tool_calls([ToolCall::new("get_time", json!({}), "a")]);
    let messages = [
        Message::human("?"),
        earlier.into(),
        haft_core::ToolMessage::success("12:00", "a").into(),
    ];
    let options = CallOptions {
        tool_choice: ToolChoice::Required,
        ..CallOptions::default()
    };
    let reply = model.invoke(&messages, &options).await.unwrap();
    assert_eq!(reply.tool_calls[0].id, "toolu_2");
    let sent = &server.requests()[0].body;
    assert_eq!(sent["tool_choice"], json!({"type": "any"}));
    assert_eq!(sent.get("thinking"), None);
    assert!(!sent["messages"].to_string().contains("thinking"));
}

/// A conversation that holds a call, and no call allowed any more.
async fn ask_for_the_end(server: &ScriptedServer) -> Result<AiMessage, ModelError> {
    let call = ToolCall::new("get_time", json!({}), "a");
    let messages = [
        Message::human("?"),
        AiMessage::default().with_tool_calls([call]).into(),
        haft_core::ToolMessage::success("12:00", "a").into(),
    ];
    let options = CallOptions {
        tool_choice: ToolChoice::None,
        ..CallOptions::default()
    };
    let model = model(server).bind_tools(&[named_tool("get_time", None)]);
    model.unwrap().invoke(&messages, &options).await
}

#[tokio::test]
async fn a_server_that_may_ignore_the_ban_on_calls_is_sent_no_tools() {
    let server = ScriptedServer::start([Reply::json(said("noon"))]).await;
    ask_for_the_end(&server).await.unwrap();
    assert_eq!(server.requests()[0].body.get("tools"), None);
    assert_eq!(server.requests()[0].body.get("tool_choice"), None);
}

#[tokio::test]
async fn a_service_that_wants_the_tools_of_the_conversation_gets_them() {
    let refusal = error(
        "invalid_request_error",
        "Requests which include `tool_use` or `tool_result` blocks must define tools",
    );
    let server = ScriptedServer::start([
        Reply::json(refusal.clone()).with_status(400),
        Reply::json(said("noon")),
        Reply::json(refusal.clone()).with_status(400),
        Reply::json(refusal).with_status(400),
    ])
    .await;
    let reply = ask_for_the_end(&server).await.unwrap();
    assert_eq!(reply.content, Content::from("noon"));
    let sent = &server.requests()[1].body;
    assert_eq!(sent["tools"][0]["name"], "get_time");
    assert_eq!(sent["tool_choice"], json!({"type": "none"}));
    let error = ask_for_the_end(&server).await.unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::BadRequest);
    // Other refusals are not repeated.
    let server = ScriptedServer::with(|_| Reply::text("no").with_status(400)).await;
    ask(&model(&server)).await.unwrap_err();
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn an_invalid_address_is_a_configuration_error() {
    let model = ChatAnthropic::new("claude-x").base_url("not an address");
    let request = model.request(&[Message::human("?")], &CallOptions::default(), true);
    assert_eq!(request.unwrap_err().kind(), ModelErrorKind::Configuration);
}

//! `count_tokens` and `input_tokens`: the count of a model server where it has one, else an estimate that says so.

use haft_models::ServerKind;
use haft_testing::{CapturedRequest, Reply, ScriptedServer};
use serde_json::{Value, json};

use crate::pool::*;

const PATH: &str = "/v1/messages/count_tokens";

fn question(model: &str) -> Value {
    json!({"model": model, "system": "Be short.", "messages": [{"role": "user", "content": "Hi"}],
        "tools": [{"name": "now", "description": "The time", "input_schema": {"type": "object"}}]})
}

/// A server of chat completions whose models belong to `owner`, with llama.cpp's paths.
async fn tokenizing(owner: &'static str) -> ScriptedServer {
    ScriptedServer::with(
        move |request: &CapturedRequest| match request.path.as_str() {
            "/v1/models" => Reply::json(json!({"data": [{"id": "tiny", "owned_by": owner}]})),
            "/apply-template" => {
                assert_eq!(request.body["messages"][0]["content"], "Be short.");
                assert_eq!(request.body["tools"][0]["function"]["name"], "now");
                Reply::json(json!({"prompt": "<s>all of it"}))
            }
            "/tokenize" => {
                assert_eq!(request.body["content"], "<s>all of it");
                Reply::json(json!({"tokens": [1, 2, 3, 4, 5]}))
            }
            _ => Reply::text("404").with_status(404),
        },
    )
    .await
}

#[tokio::test]
async fn a_server_of_anthropics_api_counts_itself() {
    let server = ScriptedServer::with(|request: &CapturedRequest| match request.path.as_str() {
        PATH => Reply::json(json!({"input_tokens": 77, "more": request.body["model"]})),
        _ => Reply::text("404").with_status(404),
    })
    .await;
    let mut upstream = upstream_of(ServerKind::Anthropic, "anthropic", server.url());
    upstream.aliases = [("small".to_owned(), "claude".to_owned())].into();
    let pool = pool(vec![upstream]).await;
    let (status, headers, text) = pool.http("POST", PATH, &question("small")).await;
    let reply: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (status, reply),
        (200, json!({"input_tokens": 77, "more": "claude"}))
    );
    assert!(!headers.contains_key("x-haft-estimate"));
}

#[tokio::test]
async fn llama_cpp_counts_the_tokens_of_its_chat_template() {
    let server = tokenizing("llamacpp").await;
    let pool = pool(vec![upstream("llama", &server)]).await;
    let (status, headers, text) = pool.http("POST", PATH, &question("tiny")).await;
    assert_eq!((status, text.as_str()), (200, r#"{"input_tokens":5}"#));
    assert!(!headers.contains_key("x-haft-estimate"));
}

#[tokio::test]
async fn a_count_that_no_server_makes_is_an_estimate_and_says_so() {
    let other = tokenizing("vllm").await;
    let lacking = ScriptedServer::with(|_| Reply::text("404").with_status(404)).await;
    let anthropic = upstream_of(ServerKind::Anthropic, "anthropic", lacking.url());
    let ollama = upstream_of(ServerKind::Ollama, "ollama", lacking.url());
    for upstream in [
        upstream("vllm", &other),
        anthropic,
        ollama,
        nobody("dead").await,
    ] {
        let pool = pool(vec![upstream]).await;
        let (status, headers, text) = pool.http("POST", PATH, &question("tiny")).await;
        assert_eq!(
            (status, &headers["x-haft-estimate"]),
            (200, &"true".parse().unwrap())
        );
        let reply: Value = serde_json::from_str(&text).unwrap();
        assert!(reply["input_tokens"].as_u64().unwrap() > 10, "{reply}");
    }
    // A server that is not llama.cpp's is not asked at llama.cpp's paths.
    let paths = other.requests().into_iter().map(|request| request.path);
    assert!(paths.into_iter().all(|path| path == "/v1/models"));
}

#[tokio::test]
async fn input_tokens_are_counted_by_the_server_or_by_llama_cpp_or_estimated() {
    let path = "/v1/responses/input_tokens";
    let question = json!({"model": "tiny", "instructions": "Be short.", "input": "Hi",
        "tools": [{"type": "function", "name": "now", "parameters": {"type": "object"}}]});
    let counting = ScriptedServer::with(|request: &CapturedRequest| match request.path.as_str() {
        "/v1/models" => Reply::json(json!({"data": [{"id": "tiny"}]})),
        "/v1/responses/input_tokens" => Reply::json(json!({"input_tokens": 77})),
        _ => Reply::text("404").with_status(404),
    })
    .await;
    let (llama, other) = (tokenizing("llamacpp").await, tokenizing("vllm").await);
    for (server, tokens) in [(counting, Some(77)), (llama, Some(5)), (other, None)] {
        let pool = pool(vec![upstream("one", &server)]).await;
        let (status, headers, text) = pool.http("POST", path, &question).await;
        let reply: Value = serde_json::from_str(&text).unwrap();
        let counted = reply["input_tokens"].as_u64().unwrap();
        assert_eq!((status, tokens.unwrap_or(counted)), (200, counted));
        assert_eq!(headers.contains_key("x-haft-estimate"), tokens.is_none());
    }
    let pool = pool(vec![nobody("dead").await]).await;
    let (status, _, text) = pool.http("POST", path, &json!({"input": 7})).await;
    assert_eq!(status, 400, "{text}");
}

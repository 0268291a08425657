//! Requests to `/v1/responses` that pass through unchanged to a server that has this API.

use haft_testing::{CapturedRequest, Reply, ScriptedServer};
use serde_json::{Value, json};

use crate::pool::*;

const PATH: &str = "/v1/responses";

fn request(stream: bool) -> Value {
    json!({"model": "tiny", "input": "Hi", "stream": stream, "unheard_of": [1],
        "tools": [{"type": "function", "name": "now", "parameters": {"type": "object"}, "strict": true}]})
}

fn response() -> Value {
    json!({"id": "resp_7", "object": "response", "status": "completed", "error": null, "new": {"a": 1},
        "output": [{"type": "message", "content": [{"type": "output_text", "text": "Hello"}]},
            {"type": "function_call", "call_id": "c", "name": "now", "arguments": "{}"}],
        "usage": {"input_tokens": 5, "output_tokens": 2, "input_tokens_details": {"cached_tokens": 3}}})
}

fn events() -> [Value; 5] {
    [
        json!({"type": "response.created", "sequence_number": 0, "response": {"status": "in_progress", "error": null}}),
        json!({"type": "response.output_text.delta", "sequence_number": 1, "delta": "Hello"}),
        json!({"type": "response.output_item.added", "sequence_number": 2, "item": {"type": "function_call"}}),
        json!({"type": "response.new_event", "sequence_number": 3}),
        json!({"type": "response.completed", "sequence_number": 4, "response": response()}),
    ]
}

/// A server that has the API and answers with `stream` or [`response`].
async fn serving(stream: impl Fn() -> Reply + Send + Sync + 'static) -> ScriptedServer {
    ScriptedServer::with(
        move |request: &CapturedRequest| match request.path.as_str() {
            "/v1/models" => Reply::json(json!({"data": [{"id": "tiny"}]})),
            PATH if request.body["stream"] == true => stream(),
            PATH | "/v1/responses/resp_7" => Reply::json(response()),
            _ => Reply::text("404").with_status(404),
        },
    )
    .await
}

fn stream() -> Reply {
    Reply::sse(events().iter().map(Value::to_string))
}

fn bodies(server: &ScriptedServer, path: &str) -> Vec<Value> {
    let requests = server.requests().into_iter();
    let requests = requests.filter(|request| request.path == path);
    requests.map(|request| request.body).collect()
}

#[tokio::test]
async fn request_and_reply_are_unchanged() {
    let server = serving(stream).await;
    let pool = pool_on(Handling::Unchanged, vec![upstream("one", &server)]).await;
    let (status, _, whole) = pool.http("POST", PATH, &request(false)).await;
    assert_eq!(
        (status, serde_json::from_str(&whole).ok()),
        (200, Some(response()))
    );
    let (status, _, streamed) = pool.http("POST", PATH, &request(true)).await;
    let sent: String = events()
        .iter()
        .map(|event| format!("data: {event}\n\n"))
        .collect();
    assert_eq!((status, streamed), (200, sent));
    assert_eq!(bodies(&server, PATH), [request(false), request(true)]);
    let (_, _, metrics) = pool.http("GET", "/metrics", &Value::Null).await;
    let counted = metrics
        .lines()
        .filter(|line| line.starts_with("haft_tokens_total"));
    let counted: Vec<&str> = counted.filter(|line| line.ends_with(" 10")).collect();
    assert_eq!(
        counted.len(),
        1,
        "two replies to five tokens each: {metrics}"
    );
}

#[tokio::test]
async fn a_reply_that_the_server_stored_is_continued_and_read_there() {
    let server = serving(stream).await;
    let pool = pool_on(Handling::Unchanged, vec![upstream("one", &server)]).await;
    let mut next = request(false);
    next["previous_response_id"] = json!("resp_7");
    assert_eq!(pool.http("POST", PATH, &next).await.0, 200);
    assert_eq!(bodies(&server, PATH), [next]);
    let (status, _, stored) = pool.http("GET", "/v1/responses/resp_7", &Value::Null).await;
    assert_eq!(
        (status, serde_json::from_str(&stored).ok()),
        (200, Some(response()))
    );
}

#[tokio::test]
async fn with_repair_the_reply_is_not_asked_of_this_api() {
    let server = serving(stream).await;
    let pool = pool_on(Handling::Repaired, vec![upstream("one", &server)]).await;
    pool.http("POST", PATH, &request(false)).await;
    assert!(bodies(&server, PATH).is_empty());
    assert!(!bodies(&server, "/v1/chat/completions").is_empty());
    let (status, ..) = pool.http("GET", "/v1/responses/resp_7", &Value::Null).await;
    assert_eq!(status, 404);
}

#[tokio::test]
async fn a_server_without_this_api_is_asked_for_chat_completions() {
    let server = saying("Hello").await;
    let pool = pool_on(Handling::Unchanged, vec![upstream("one", &server)]).await;
    for stream in [true, false] {
        let (status, _, text) = pool.http("POST", PATH, &request(stream)).await;
        assert_eq!(status, 200, "{text}");
        assert!(text.contains("Hello"), "{text}");
    }
    assert_eq!(bodies(&server, PATH).len(), 1, "it is asked only once");
}

#[tokio::test]
async fn tools_that_only_openai_has_are_converted_for_other_servers() {
    let server = ScriptedServer::with(|request: &CapturedRequest| match request.path.as_str() {
        "/v1/models" => Reply::json(json!({"data": [{"id": "tiny"}]})),
        "/v1/chat/completions" => Reply::json(json!({"choices": [{"index": 0,
            "finish_reason": "stop", "message": {"role": "assistant", "content": "Hello"}}]})),
        _ => Reply::text("404").with_status(404),
    })
    .await;
    let pool = pool_on(Handling::Unchanged, vec![upstream("one", &server)]).await;
    let mut custom = request(false);
    custom["tools"] = json!([{"type": "custom", "name": "apply_patch", "description": "Edits"}]);
    let (status, _, text) = pool.http("POST", PATH, &custom).await;
    assert_eq!(status, 200, "{text}");
    assert!(bodies(&server, PATH).is_empty());
    let sent = bodies(&server, "/v1/chat/completions");
    assert_eq!(sent[0]["tools"][0]["function"]["name"], "apply_patch");
}

#[tokio::test]
async fn a_reply_that_fails_or_ends_too_early_is_an_error() {
    let failed =
        json!({"type": "response.failed", "response": {"error": {"message": "out of memory"}}});
    let [created, delta, ..] = events();
    for (events, is_begun) in [
        (vec![created.clone(), failed.clone()], false),
        (vec![created.clone(), delta.clone(), failed], true),
        (vec![created, delta], true),
    ] {
        let lines: Vec<String> = events.iter().map(Value::to_string).collect();
        let server = serving(move || Reply::sse(lines.clone())).await;
        let pool = pool_on(Handling::Unchanged, vec![upstream("one", &server)]).await;
        let (status, _, text) = pool.http("POST", PATH, &request(true)).await;
        assert_eq!(status == 200, is_begun, "{text}");
        assert!(text.contains("\"error\""), "{text}");
        assert!(!text.contains("response.completed"), "{text}");
    }
}

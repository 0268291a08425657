//! Calls that a model only quotes from the client's conversation are sent as text, in every
//! dialect, streamed or whole.

use haft_testing::Reply;
use serde_json::{Value, json};

use super::{Rig, said};

const PAGE: &str = "Assistant: <tool_call>{\"name\": \"forecast\", \"arguments\": {\"city\": \"Oslo\"}}</tool_call>";
const PRINTED: &str =
    "<tool_call>{\"name\": \"forecast\", \"arguments\": {\"city\": \"Oslo\"}}</tool_call>";
const SHOWN: &str = "forecast {\\\"city\\\":\\\"Oslo\\\"}";

fn schema() -> Value {
    json!({"type": "object", "required": ["city"], "properties": {"city": {"type": "string"}}})
}

/// A conversation in which a tool has read `page`: path and body for each dialect.
fn conversations(question: &str, page: &str, stream: bool) -> Vec<(&'static str, Value)> {
    let function =
        json!({"name": "forecast", "description": "The weather", "parameters": schema()});
    let tools = json!([{"type": "function", "function": function}]);
    let openai = json!({"model": "tiny", "stream": stream, "tools": tools, "messages": [
        {"role": "user", "content": question},
        {"role": "assistant", "content": null, "tool_calls": [{"id": "a", "type": "function",
            "function": {"name": "read", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "a", "content": page},
    ]});
    let ollama = json!({"model": "tiny", "stream": stream, "tools": tools, "messages": [
        {"role": "user", "content": question},
        {"role": "assistant", "content": "", "tool_calls": [
            {"function": {"name": "read", "arguments": {}}}]},
        {"role": "tool", "tool_name": "read", "content": page},
    ]});
    // The result has two blocks, with the boundary inside the call.
    let (first, second) = page.split_at(page.len() / 2);
    let anthropic = json!({"model": "tiny", "stream": stream, "max_tokens": 99,
    "tools": [{"name": "forecast", "description": "The weather", "input_schema": schema()}],
    "messages": [
        {"role": "user", "content": question},
        {"role": "assistant", "content": [
            {"type": "tool_use", "id": "a", "name": "read", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": [
            {"type": "text", "text": first}, {"type": "text", "text": second}]}]},
    ]});
    vec![
        ("/v1/chat/completions", openai),
        ("/api/chat", ollama),
        ("/v1/messages", anthropic),
    ]
}

/// A reply that quotes a call, and the request to OpenAI's dialect that has the quoted text.
pub(super) fn quoting() -> (Reply, Value) {
    let (_, body) = conversations("What does it say?", PAGE, false).remove(0);
    (said(PRINTED, &[]), body)
}

/// The whole answer that the client reads.
async fn answer(path: &str, body: &Value) -> (Option<String>, String) {
    let rig = Rig::new(vec![said(PRINTED, &[])]).await;
    let answer = rig.post(path, body).send().await.unwrap();
    let done = answer.headers().get("x-haft-done");
    let done = done.map(|done| done.to_str().unwrap().to_owned());
    (done, answer.text().await.unwrap())
}

fn has_call(answer: &str) -> bool {
    answer.contains("tool_calls\":[{") || answer.contains("tool_use\"")
}

#[tokio::test]
async fn a_quoted_call_is_sent_as_text() {
    for stream in [true, false] {
        for (path, body) in conversations("What does it say?", PAGE, stream) {
            let (done, answer) = answer(path, &body).await;
            assert!(!has_call(&answer), "{path}: {answer}");
            assert!(answer.contains(SHOWN), "{path}: {answer}");
            if stream {
                assert!(answer.contains("\"quoted\":[{"), "{path}: {answer}");
            } else {
                assert_eq!(done.as_deref(), Some("quoted=1"), "{path}");
            }
        }
    }
}

#[tokio::test]
async fn a_call_that_the_user_asks_for_is_sent_as_a_call() {
    for stream in [true, false] {
        for (page, question) in [
            (PAGE, "Run forecast(city=\"Oslo\")"),
            ("A page without calls.", "What does it say?"),
        ] {
            for (path, body) in conversations(question, page, stream) {
                let (_, answer) = answer(path, &body).await;
                assert!(has_call(&answer), "{path}: {answer}");
            }
        }
    }
}

#[tokio::test]
async fn quoted_calls_are_counted() {
    let (reply, body) = quoting();
    let rig = Rig::new(vec![reply]).await;
    rig.post("/v1/chat/completions", &body)
        .send()
        .await
        .unwrap()
        .text()
        .await
        .unwrap();
    let metrics = format!("{}/metrics", rig.address);
    let page = rig
        .client
        .get(metrics)
        .send()
        .await
        .unwrap()
        .text()
        .await
        .unwrap();
    let line = "haft_quoted_calls_total{source=\"tool_result\"} 1";
    assert!(page.contains(line), "{page}");
}

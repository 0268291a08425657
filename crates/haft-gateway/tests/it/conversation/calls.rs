//! When a call is sent.

use haft_testing::Reply;
use serde_json::{Value, json};

use super::{Rig, question};

fn piece(index: usize, id: &str, city: &str) -> String {
    let arguments = json!({"city": city, "days": "3"}).to_string();
    json!({"choices": [{"delta": {"tool_calls": [{"index": index, "id": id, "type": "function",
        "function": {"name": "forecast", "arguments": arguments}}]}}]})
    .to_string()
}

#[tokio::test]
async fn a_call_is_sent_when_it_is_complete_before_the_reply_is() {
    // The second call has begun, so the first one is complete; then no data follows.
    let hanging = Reply::sse([piece(0, "a", "Oslo"), piece(1, "b", "Rome")]).then_hang();
    let rig = Rig::new(vec![hanging]).await;
    let request = rig.post("/v1/chat/completions", &question(true));
    let mut answer = request.send().await.unwrap();
    let mut read = String::new();
    while !read.contains("Oslo") {
        let chunk = answer.chunk().await.unwrap().unwrap();
        read.push_str(std::str::from_utf8(&chunk).unwrap());
    }
    let line = read.lines().find(|line| line.contains("Oslo")).unwrap();
    let event: Value = serde_json::from_str(line.trim_start_matches("data: ")).unwrap();
    let call = &event["choices"][0]["delta"]["tool_calls"][0];
    let arguments: Value =
        serde_json::from_str(call["function"]["arguments"].as_str().unwrap()).unwrap();
    assert_eq!(
        arguments,
        json!({"city": "Oslo", "days": 3}),
        "repaired on its way"
    );
}

#[tokio::test]
async fn ids_are_unique_in_the_conversation() {
    let rig = Rig::new(vec![super::said(
        "",
        &[("a", "forecast", json!({"city": "Rome"}))],
    )])
    .await;
    let mut body = question(false);
    let call = json!({"id": "a", "type": "function",
        "function": {"name": "forecast", "arguments": "{\"city\": \"Oslo\"}"}});
    body["messages"] = json!([
        {"role": "user", "content": "?"},
        {"role": "assistant", "content": null, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "a", "content": "Rain"},
    ]);
    let answer = rig
        .post("/v1/chat/completions", &body)
        .send()
        .await
        .unwrap();
    let answer: Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
    let id = &answer["choices"][0]["message"]["tool_calls"][0]["id"];
    assert!(id.is_string() && id != "a", "{id}");
}

#[tokio::test]
async fn without_repair_a_call_streams_in_pieces() {
    let part = |arguments: &str| {
        json!({"choices": [{"delta": {"tool_calls": [
            {"index": 0, "function": {"arguments": arguments}}]}}]})
        .to_string()
    };
    let head = json!({"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "a",
        "type": "function", "function": {"name": "forecast", "arguments": ""}}]}}]});
    let begun = vec![head.to_string(), part("{\"city\": \"Os")];
    let anthropic = json!({"model": "tiny", "stream": true, "max_tokens": 9,
        "tools": [{"name": "forecast", "input_schema": {"type": "object"}}],
        "messages": [{"role": "user", "content": "?"}]});
    for (path, body) in [
        ("/v1/chat/completions", question(true)),
        ("/v1/messages", anthropic),
    ] {
        // Half of a call, and no data after it: that half has arrived.
        let rig = Rig::new(vec![Reply::sse(begun.clone()).then_hang()]).await;
        let request = rig.post(path, &body).header("x-haft-repair", "off");
        let mut answer = request.send().await.unwrap();
        let mut read = String::new();
        while !read.contains("city") {
            let chunk = answer.chunk().await.unwrap().unwrap();
            read.push_str(std::str::from_utf8(&chunk).unwrap());
        }
        // The whole call has arrived, exactly once.
        let mut events = begun.clone();
        events.push(part("lo\"}"));
        events.push(json!({"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}).to_string());
        events.push("[DONE]".to_owned());
        let rig = Rig::new(vec![Reply::sse(events)]).await;
        let request = rig.post(path, &body).header("x-haft-repair", "off");
        let read = request.send().await.unwrap().text().await.unwrap();
        assert_eq!(read.matches("city").count(), 1, "{read}");
        assert_eq!(read.matches("forecast").count(), 1, "{read}");
        assert!(!read.contains("error"), "{read}");
    }
}

#[tokio::test]
async fn an_invalid_streamed_call_is_a_status_if_nothing_was_sent_before() {
    // The required city is missing, and the model makes the same call when asked again.
    let wrong = || super::said("", &[("a", "forecast", json!({"days": 3}))]);
    let rig = Rig::new((0..9).map(|_| wrong()).collect()).await;
    let request = rig.post("/v1/chat/completions", &question(true));
    let answer = request.send().await.unwrap();
    assert_eq!(answer.status(), 502);
    let text = answer.text().await.unwrap();
    assert!(text.contains("forecast"), "{text}");
    assert!(rig.asked().len() > 1);
}

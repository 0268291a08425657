//! Errors in the words and codes by which clients recognize them.

use haft_models::ServerKind;
use haft_testing::Reply;
use serde_json::{Value, json};

use super::Rig;

fn question() -> Value {
    json!({"model": "m", "max_tokens": 99, "messages": [{"role": "user", "content": "?"}],
        "prompt": "?"})
}

const PATHS: [&str; 4] = [
    "/v1/chat/completions",
    "/v1/messages",
    "/api/chat",
    "/api/generate",
];

#[tokio::test]
async fn a_conversation_that_is_too_long_is_recognized() {
    // llama.cpp's error.
    let error = json!({"error": {"code": 400, "type": "exceed_context_size_error",
        "message": "the request exceeds the available context size", "n_ctx": 4096}});
    let rig = Rig::new(ServerKind::OpenAi, Reply::json(error).with_status(400)).await;
    for path in PATHS {
        let answer = rig.post(path, &question()).await;
        assert_eq!(answer.status(), 400);
        let answer: Value = answer.json().await.unwrap();
        let text = answer.to_string();
        assert!(
            text.contains("exceeds the available context size"),
            "{text}"
        );
        match path {
            "/v1/chat/completions" => {
                assert_eq!(answer["error"]["code"], "context_length_exceeded");
                assert!(text.contains("maximum context length"), "{text}");
            }
            "/v1/messages" => {
                let message = answer["error"]["message"].as_str().unwrap();
                assert!(message.starts_with("prompt is too long"), "{text}");
                assert_eq!(answer["error"]["type"], "invalid_request_error");
            }
            _ => {}
        }
    }
}

#[tokio::test]
async fn the_gateways_key_is_no_error_of_the_client() {
    for status in [401, 403] {
        let error = json!({"error": {"message": "Incorrect API key provided: sk-1"}});
        let rig = Rig::new(ServerKind::OpenAi, Reply::json(error).with_status(status)).await;
        for path in PATHS {
            let answer = rig.post(path, &question()).await;
            assert_eq!(answer.status(), 502);
            let text = answer.text().await.unwrap();
            assert!(text.contains("does not accept the gateway's key"), "{text}");
            assert!(
                !text.contains("sk-1") && !text.contains("OPENAI_API_KEY"),
                "{text}"
            );
        }
    }
}

#[tokio::test]
async fn too_many_requests_stay_that_with_the_time_to_wait() {
    let error = json!({"error": {"message": "slow down"}});
    let reply = Reply::json(error).with_status(429);
    let rig = Rig::new(ServerKind::OpenAi, reply.with_header("retry-after", "300")).await;
    for path in PATHS {
        let answer = rig.post(path, &question()).await;
        assert_eq!(answer.status(), 429);
        assert_eq!(answer.headers()["retry-after"], "300");
    }
}

#[tokio::test]
async fn an_answer_that_stays_empty_is_an_error() {
    let empty = json!({"choices": [{"message": {"content": ""}, "finish_reason": "stop"}]});
    let rig = Rig::new(ServerKind::OpenAi, Reply::json(empty)).await;
    for (path, tool) in [
        (
            "/v1/chat/completions",
            json!({"type": "function", "function": {"name": "f"}}),
        ),
        (
            "/v1/messages",
            json!({"name": "f", "input_schema": {"type": "object"}}),
        ),
        (
            "/api/chat",
            json!({"type": "function", "function": {"name": "f"}}),
        ),
    ] {
        for stream in [false, true] {
            let mut body = question();
            body["tools"] = json!([tool]);
            body["stream"] = stream.into();
            let answer = rig.post(path, &body).await;
            let status = answer.status();
            let text = answer.text().await.unwrap();
            assert!(text.contains("gave no answer"), "{path}: {text}");
            assert_eq!(status, 502, "{path}");
        }
    }
}

#[tokio::test]
async fn arguments_that_the_limit_cut_are_no_call() {
    let call = json!({"id": "a", "type": "function",
        "function": {"name": "f", "arguments": "{\"city\": \"Os"}});
    let cut = json!({"choices": [{"message": {"content": null, "tool_calls": [call]},
        "finish_reason": "length"}]});
    let rig = Rig::new(ServerKind::OpenAi, Reply::json(cut)).await;
    let mut body = question();
    body["tools"] = json!([{"type": "function", "function": {"name": "f"}}]);
    let answer = rig.post("/v1/chat/completions", &body).await;
    let status = answer.status();
    let answer: Value = answer.json().await.unwrap();
    assert_eq!(answer["choices"][0]["message"]["tool_calls"], Value::Null);
    let reason = &answer["choices"][0]["finish_reason"];
    assert!(status == 502 || reason == "length", "{answer}");
}

#[tokio::test]
async fn a_lone_surrogate_does_not_break_a_reply() {
    let text = r#"{"choices": [{"message": {"content": "a \ud83d b"}, "finish_reason": "stop"}]}"#;
    let reply = Reply::new("application/json", text);
    let rig = Rig::new(ServerKind::OpenAi, reply).await;
    let answer = rig.post("/v1/chat/completions", &question()).await;
    let answer: Value = answer.json().await.unwrap();
    assert_eq!(answer["choices"][0]["message"]["content"], "a \u{fffd} b");
}

#[tokio::test]
async fn codex_recognizes_a_conversation_that_is_too_long() {
    let error = json!({"error": {"code": 400, "type": "exceed_context_size_error",
        "message": "the request exceeds the available context size", "n_ctx": 4096}});
    let rig = Rig::new(ServerKind::OpenAi, Reply::json(error).with_status(400)).await;
    let question = json!({"model": "tiny", "input": "Hi"});
    let answer = rig.post("/v1/responses", &question).await;
    assert_eq!(answer.status(), 400);
    let answer: Value = answer.json().await.unwrap();
    assert_eq!(answer["error"]["code"], "context_length_exceeded");
}

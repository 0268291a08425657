//! The fields of a reply that haft does not handle, at clients of the server's API.

use haft_models::ServerKind;
use haft_testing::Reply;
use serde_json::{Value, json};

use super::Rig;

/// The events or lines of a stream.
fn events(text: &str) -> Vec<Value> {
    let lines = text.lines().map(|line| line.trim_start_matches("data: "));
    lines
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

/// The values at this place in all events that have one.
fn all<'e>(events: &'e [Value], pointer: &str) -> Vec<&'e Value> {
    let values = events.iter().filter_map(|event| event.pointer(pointer));
    values.filter(|value| !value.is_null()).collect()
}

fn question(stream: bool) -> Value {
    json!({"model": "m", "stream": stream, "max_tokens": 99, "logprobs": true,
        "stream_options": {"include_usage": true},
        "messages": [{"role": "user", "content": "?"}]})
}

fn logprobs(token: &str) -> Value {
    json!({"content": [{"token": token, "logprob": -0.5, "bytes": [72], "top_logprobs": []}], "refusal": null})
}

#[tokio::test]
async fn a_whole_chat_completion_comes_back_with_its_fields() {
    let reply = json!({
        "id": "chatcmpl-1", "object": "chat.completion", "created": 5, "model": "m",
        "system_fingerprint": "fp", "service_tier": "flex", "provider": "a", "timings": {"prompt_n": 3},
        "choices": [{"index": 0, "finish_reason": "stop", "logprobs": logprobs("Hi"), "stop_reason": 7,
            "message": {"role": "assistant", "content": "Hi", "refusal": null,
                "annotations": [{"type": "url_citation"}], "reasoning_details": [{"text": "hm"}]}}],
        "usage": {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5,
            "prompt_tokens_details": {"cached_tokens": 1, "audio_tokens": 0},
            "completion_tokens_details": {"reasoning_tokens": 1}},
    });
    let rig = Rig::new(ServerKind::OpenAi, Reply::json(reply.clone())).await;
    let answer = rig.post("/v1/chat/completions", &question(false)).await;
    let answer: Value = answer.json().await.unwrap();
    for name in [
        "system_fingerprint",
        "service_tier",
        "provider",
        "timings",
        "usage",
    ] {
        assert_eq!(answer[name], reply[name], "{name}");
    }
    let (choice, sent) = (&answer["choices"][0], &reply["choices"][0]);
    for name in ["finish_reason", "logprobs", "stop_reason"] {
        assert_eq!(choice[name], sent[name], "{name}");
    }
    for name in ["content", "annotations", "reasoning_details"] {
        assert_eq!(choice["message"][name], sent["message"][name], "{name}");
    }
}

#[tokio::test]
async fn a_streamed_chat_completion_comes_back_with_its_fields() {
    let chunk = |choice: Value| json!({"id": "c", "created": 5, "system_fingerprint": "fp", "choices": [choice]});
    let reply = Reply::sse([
        chunk(json!({"index": 0, "delta": {"role": "assistant", "content": ""}})).to_string(),
        chunk(json!({"index": 0, "delta": {"content": "Hi"}, "logprobs": logprobs("Hi")}))
            .to_string(),
        chunk(json!({"index": 0, "delta": {"content": " you"}, "logprobs": logprobs(" you")}))
            .to_string(),
        chunk(
            json!({"index": 0, "delta": {"annotations": [{"type": "url_citation"}]},
            "finish_reason": "stop"}),
        )
        .to_string(),
        json!({"choices": [], "timings": {"prompt_n": 3}, "usage": {"prompt_tokens": 3,
            "completion_tokens": 2, "completion_tokens_details": {"reasoning_tokens": 1}}})
        .to_string(),
        "[DONE]".to_owned(),
    ]);
    let rig = Rig::new(ServerKind::OpenAi, reply).await;
    let streamed = rig.post("/v1/chat/completions", &question(true)).await;
    let streamed = events(&streamed.text().await.unwrap());
    let tokens = all(&streamed, "/choices/0/logprobs/content/0/token");
    assert_eq!(tokens, ["Hi", " you"]);
    assert_eq!(all(&streamed, "/system_fingerprint"), ["fp"]);
    assert_eq!(all(&streamed, "/timings/prompt_n"), [3]);
    assert_eq!(
        all(&streamed, "/choices/0/delta/annotations/0/type"),
        ["url_citation"]
    );
    assert_eq!(
        all(
            &streamed,
            "/usage/completion_tokens_details/reasoning_tokens"
        ),
        [1]
    );
    // All pieces in one reply.
    let mut whole = question(false);
    whole
        .as_object_mut()
        .unwrap()
        .shift_remove("stream_options");
    let whole = rig.post("/v1/chat/completions", &whole).await;
    let whole: Value = whole.json().await.unwrap();
    let tokens = whole["choices"][0]["logprobs"]["content"]
        .as_array()
        .unwrap();
    assert_eq!(tokens.len(), 2);
    assert_eq!(whole["choices"][0]["message"]["content"], "Hi you");
}

#[tokio::test]
async fn a_refusal_stays_a_refusal() {
    let whole = json!({"choices": [{"index": 0, "finish_reason": "stop",
        "message": {"role": "assistant", "content": null, "refusal": "I cannot."}}]});
    let rig = Rig::new(ServerKind::OpenAi, Reply::json(whole)).await;
    let answer = rig.post("/v1/chat/completions", &question(false)).await;
    let answer: Value = answer.json().await.unwrap();
    let message = &answer["choices"][0]["message"];
    assert_eq!(message["refusal"], "I cannot.");
    assert_eq!(message["content"], Value::Null);
    let pieces = ["I ", "cannot."]
        .map(|piece| json!({"choices": [{"index": 0, "delta": {"refusal": piece}}]}).to_string());
    let end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}).to_string();
    let reply = Reply::sse(pieces.into_iter().chain([end, "[DONE]".to_owned()]));
    let rig = Rig::new(ServerKind::OpenAi, reply).await;
    let answer = rig.post("/v1/chat/completions", &question(true)).await;
    let answer = events(&answer.text().await.unwrap());
    let refusal: String = all(&answer, "/choices/0/delta/refusal")
        .iter()
        .filter_map(|piece| piece.as_str())
        .collect();
    assert_eq!(refusal, "I cannot.");
    let text: String = all(&answer, "/choices/0/delta/content")
        .iter()
        .filter_map(|piece| piece.as_str())
        .collect();
    assert_eq!(text, "");
}

#[tokio::test]
async fn a_message_comes_back_with_its_fields() {
    let usage = json!({"input_tokens": 3, "cache_creation_input_tokens": 20, "cache_read_input_tokens": 10,
        "output_tokens": 2, "service_tier": "standard", "server_tool_use": {"web_search_requests": 1}});
    let search = json!({"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {"query": "Oslo"}});
    let found = json!({"type": "web_search_tool_result", "tool_use_id": "srv_1", "content": []});
    let citation = json!({"type": "web_search_result_location", "url": "https://example.org"});
    let whole = json!({"id": "msg_1", "type": "message", "role": "assistant", "model": "m",
        "content": [search, found, {"type": "text", "text": "Rain.", "citations": [citation]}],
        "stop_reason": "stop_sequence", "stop_sequence": "END", "usage": usage,
        "container": {"id": "c"}, "context_management": {"applied_edits": []}});
    let rig = Rig::new(ServerKind::Anthropic, Reply::json(whole.clone())).await;
    let answer = rig.post("/v1/messages", &question(false)).await;
    let answer: Value = answer.json().await.unwrap();
    for name in [
        "content",
        "stop_reason",
        "stop_sequence",
        "usage",
        "container",
        "context_management",
    ] {
        assert_eq!(answer[name], whole[name], "{name}");
    }
    let reply = Reply::sse([
        json!({"type": "message_start", "message": {"id": "msg_1", "content": [], "container": {"id": "c"},
            "usage": {"input_tokens": 3, "cache_creation_input_tokens": 20, "cache_read_input_tokens": 10}}}),
        json!({"type": "content_block_start", "index": 0, "content_block":
            {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {}}}),
        json!({"type": "content_block_delta", "index": 0, "delta":
            {"type": "input_json_delta", "partial_json": "{\"query\": \"Oslo\"}"}}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}}),
        json!({"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "Rain."}}),
        json!({"type": "content_block_delta", "index": 1, "delta":
            {"type": "citations_delta", "citation": citation}}),
        json!({"type": "content_block_stop", "index": 1}),
        json!({"type": "message_delta", "delta": {"stop_reason": "stop_sequence", "stop_sequence": "END"},
            "usage": {"output_tokens": 2, "server_tool_use": {"web_search_requests": 1}},
            "context_management": {"applied_edits": []}}),
        json!({"type": "message_stop"}),
    ].map(|event| event.to_string()));
    let rig = Rig::new(ServerKind::Anthropic, reply).await;
    let streamed = rig.post("/v1/messages", &question(true)).await;
    let streamed = events(&streamed.text().await.unwrap());
    assert_eq!(all(&streamed, "/delta/citation"), [&citation]);
    assert!(all(&streamed, "/content_block").contains(&&search));
    let last = streamed
        .iter()
        .find(|event| event["type"] == "message_delta")
        .unwrap();
    assert_eq!(
        last["delta"],
        json!({"stop_reason": "stop_sequence", "stop_sequence": "END", })
    );
    assert_eq!(last["context_management"], json!({"applied_edits": []}));
    assert_eq!(last["container"], json!({"id": "c"}));
    assert_eq!(
        last["usage"],
        json!({"input_tokens": 3, "cache_read_input_tokens": 10, "output_tokens": 2,
        "cache_creation_input_tokens": 20, "server_tool_use": {"web_search_requests": 1}})
    );
}

#[tokio::test]
async fn a_reply_of_ollama_comes_back_with_its_fields() {
    let last = json!({"model": "m", "created_at": "2026-11-25T10:00:00Z", "done": true, "done_reason": "stop",
        "message": {"role": "assistant", "content": ""}, "total_duration": 9, "load_duration": 1,
        "prompt_eval_count": 3, "prompt_eval_duration": 4, "eval_count": 2, "eval_duration": 5});
    let piece = json!({"message": {"role": "assistant", "content": "Hi"}, "done": false,
        "logprobs": [{"token": "Hi", "logprob": -0.5}]});
    let rig = Rig::new(ServerKind::Ollama, Reply::ndjson([piece, last.clone()])).await;
    let measured = [
        "total_duration",
        "load_duration",
        "prompt_eval_duration",
        "eval_duration",
        "prompt_eval_count",
        "eval_count",
    ];
    for path in ["/api/chat", "/api/generate"] {
        for stream in [true, false] {
            let mut body = question(stream);
            body["prompt"] = "?".into();
            let answer = rig.post(path, &body).await;
            let lines = events(&answer.text().await.unwrap());
            let end = lines.last().unwrap();
            for name in measured {
                assert_eq!(end[name], last[name], "{path} {name}");
            }
            assert_eq!(all(&lines, "/logprobs/0/token"), ["Hi"], "{path}");
        }
    }
}

#[tokio::test]
async fn the_last_reply_counts_after_a_recovery() {
    let rig = Rig::new(ServerKind::OpenAi, Reply::json(json!({"system_fingerprint": "fp",
        "choices": [{"message": {"content": "Hi"}, "logprobs": logprobs("Hi"), "finish_reason": "stop"}]}))).await;
    let mut body = question(false);
    body["tools"] =
        json!([{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}]);
    let answer = rig.post("/v1/chat/completions", &body).await;
    let answer: Value = answer.json().await.unwrap();
    let tokens = answer["choices"][0]["logprobs"]["content"]
        .as_array()
        .unwrap();
    assert_eq!(tokens.len(), 1, "{answer}");
}

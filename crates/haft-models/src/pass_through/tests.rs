use bytes::Bytes;
use haft_core::ModelError;
use haft_testing::{Reply, ScriptedServer};
use serde_json::{Value, json};

use std::sync::Arc;

use crate::{
    ModelServer, ModelSettings, PassThrough, PassThroughApi, PassThroughRequest, Secret, ServerKind,
};

/// The API of conversations with a server of this kind.
fn api_of(kind: ServerKind) -> PassThroughApi {
    match kind {
        ServerKind::OpenAi => PassThroughApi::ChatCompletions,
        ServerKind::Anthropic => PassThroughApi::Messages,
        ServerKind::Ollama => PassThroughApi::OllamaChat,
    }
}

fn opened(server: &ModelServer, api: PassThroughApi) -> Arc<PassThrough> {
    let opened = server.open_with_pass_through("m").unwrap();
    let mut pass_through = opened.pass_through.into_iter();
    pass_through.find(|one| one.api() == api).unwrap()
}

/// Whether this request passes through to a server with the same API.
fn passes(kind: ServerKind, body: &Value) -> bool {
    passes_under(kind, body, &ModelSettings::default())
}

fn passes_under(kind: ServerKind, body: &Value, settings: &ModelSettings) -> bool {
    let server = ModelServer::new(kind, "http://127.0.0.1:1/v1", settings);
    let pass_through = opened(&server, api_of(kind));
    let body = Bytes::from(body.to_string());
    PassThroughRequest::read(api_of(kind), &body)
        .is_some_and(|request| pass_through.takes(&request))
}

/// `body` with one more field, given by its JSON pointer.
fn with(body: &Value, field: &str, value: Value) -> Value {
    let mut body = body.clone();
    let (parent, name) = field.rsplit_once('/').unwrap();
    body.pointer_mut(parent).unwrap()[name] = value;
    body
}

fn schema() -> Value {
    json!({"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]})
}

fn openai() -> Value {
    let function = json!({"name": "f", "parameters": schema()});
    json!({"model": "m", "messages": [{"role": "user", "content": "?"}],
        "tools": [{"type": "function", "function": function}]})
}

#[test]
fn requests_that_an_adapter_would_rewrite_do_not_pass_through() {
    let plain = openai();
    assert!(passes(ServerKind::OpenAi, &plain));
    let strict = with(&plain, "/tools/0/function/strict", json!(true));
    assert!(passes(ServerKind::OpenAi, &strict), "more does no harm");
    for (field, value) in [
        ("/n", json!(2)),
        ("/tool_choice", json!("required")),
        ("/response_format", json!({"type": "json_object"})),
        ("/max_completion_tokens", json!(5)),
        ("/messages/0/role", json!("developer")),
        ("/tools/0/function/name", json!("a.b")),
        ("/tools/0/function/parameters", json!({})),
        ("/model", json!("")),
    ] {
        let body = with(&plain, field, value);
        assert!(!passes(ServerKind::OpenAi, &body), "{body}");
    }
    assert!(
        !passes(ServerKind::Ollama, &plain),
        "the model may have no tools"
    );
}

#[test]
fn ids_in_a_conversation_must_be_present_and_unique() {
    let call = |id: &str| json!({"id": id, "function": {"name": "f", "arguments": "{}"}});
    let talk = |first: &str, second: &str| {
        let calls = json!([call(first), call(second)]);
        let messages = json!([{"role": "user", "content": "?"},
            {"role": "assistant", "tool_calls": calls},
            {"role": "tool", "tool_call_id": first, "content": "1"}]);
        with(&openai(), "/messages", messages)
    };
    assert!(passes(ServerKind::OpenAi, &talk("a", "b")));
    assert!(!passes(ServerKind::OpenAi, &talk("a", "a")));
    assert!(!passes(ServerKind::OpenAi, &talk("a", "")));
}

#[test]
fn settings_that_hold_for_every_request_are_kept() {
    let settings = ModelSettings {
        temperature: Some(0.5),
        ..ModelSettings::default()
    };
    assert!(!passes_under(ServerKind::OpenAi, &openai(), &settings));
    let settings = ModelSettings {
        max_tokens: Some(5),
        ..ModelSettings::default()
    };
    assert!(!passes_under(ServerKind::OpenAi, &openai(), &settings));
}

#[test]
fn a_prompt_that_may_exceed_the_context_does_not_pass_through() {
    let body = json!({"model": "m", "messages": [{"role": "user", "content": "?"}]});
    assert!(passes(ServerKind::Ollama, &body));
    let long = "word ".repeat(4000);
    for (field, value) in [
        ("/options", json!({"num_ctx": 9000})),
        ("/options", json!({"num_predict": 9000})),
        ("/messages/0/content", json!(long)),
        ("/messages/0/images", json!(["aGk="])),
        ("/messages/0/role", json!("tool")),
        ("/format", json!("json")),
        ("/messages", json!([])),
    ] {
        let body = with(&body, field, value);
        assert!(!passes(ServerKind::Ollama, &body), "{body}");
    }
}

#[test]
fn anthropics_words_are_known() {
    let tool = json!({"name": "f", "input_schema": schema()});
    let body = json!({"model": "m", "max_tokens": 9, "tools": [tool],
        "messages": [{"role": "user", "content": "?"}]});
    assert!(passes(ServerKind::Anthropic, &body));
    let auto = with(&body, "/tool_choice", json!({"type": "auto"}));
    assert!(passes(ServerKind::Anthropic, &auto));
    let alternatives = json!({"oneOf": [schema()]});
    let one = json!({"type": "auto", "disable_parallel_tool_use": true});
    for (field, value) in [
        ("/tool_choice", json!({"type": "any"})),
        ("/tool_choice", one),
        ("/output_config", json!({"effort": "low"})),
        ("/tools/0/input_schema", alternatives),
        ("/tools/0/type", json!("web_search")),
        ("/messages/0/role", json!("system")),
    ] {
        let body = with(&body, field, value);
        assert!(!passes(ServerKind::Anthropic, &body), "{body}");
    }
}

const KEY: &str = "sk-hush-0123456789";

/// The error that ends a reply that passes through.
async fn failed(kind: ServerKind, body: &Value, reply: Reply) -> ModelError {
    let server = ScriptedServer::with(move |_| reply.clone()).await;
    let mut settings = ModelSettings::default();
    settings.set_every_key(Some(&Secret::new(KEY)));
    let server = ModelServer::new(kind, server.url(), &settings);
    let relay = opened(&server, api_of(kind));
    let request = PassThroughRequest::read(api_of(kind), &Bytes::from(body.to_string())).unwrap();
    let mut reply = match relay.open(&request).await {
        Ok(reply) => reply.unwrap(),
        Err(error) => return error,
    };
    loop {
        match reply.next().await.unwrap() {
            Ok(bytes) => assert!(!String::from_utf8_lossy(&bytes).contains(KEY)),
            Err(error) => return error,
        }
    }
}

#[tokio::test]
async fn a_key_that_an_error_in_a_passing_reply_repeats_is_not_shown() {
    let delta = json!({"type": "content_block_delta", "index": 0,
        "delta": {"type": "text_delta", "text": "Hi"}});
    let word = json!({"choices": [{"index": 0, "delta": {"content": "Hi"}}]});
    let line =
        json!({"model": "m", "message": {"role": "assistant", "content": "Hi"}, "done": false});
    for (dialect, word) in [
        (ServerKind::OpenAi, word),
        (ServerKind::Anthropic, delta),
        (ServerKind::Ollama, line),
    ] {
        let error = json!({"type": "error", "error": {"message": format!("bad key {KEY}")}});
        let strange = json!({"type": [KEY], "choices": KEY, "message": KEY});
        for reply_event in [error, strange] {
            let stream = |events: &[&Value]| match dialect {
                ServerKind::Ollama => Reply::ndjson(events.iter().map(|&event| event.clone())),
                _ => Reply::sse(events.iter().map(ToString::to_string)),
            };
            let replies = [
                (true, stream(&[&reply_event])),
                (true, stream(&[&word, &reply_event])),
                (false, Reply::json(reply_event.clone())),
            ];
            for (streamed, reply) in replies {
                let body = json!({"model": "m", "max_tokens": 9, "stream": streamed,
                    "messages": [{"role": "user", "content": "?"}]});
                let error = failed(dialect, &body, reply).await;
                let shown = format!("{error} {error:?}");
                assert!(
                    shown.contains("[hidden]") && !shown.contains(KEY),
                    "{shown}"
                );
            }
        }
    }
}

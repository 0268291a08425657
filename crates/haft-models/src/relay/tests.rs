use bytes::Bytes;
use serde_json::{Value, json};

use crate::{Dialect, ModelServer, ModelSettings, PassedRequest, ServerKind};

/// Whether this request of a client goes as it is to a server that speaks the same.
fn passes(dialect: Dialect, body: &Value) -> bool {
    passes_under(dialect, body, &ModelSettings::default())
}

fn passes_under(dialect: Dialect, body: &Value, settings: &ModelSettings) -> bool {
    let kind = match dialect {
        Dialect::OpenAi => ServerKind::OpenAi,
        Dialect::Anthropic => ServerKind::Anthropic,
        _ => ServerKind::Ollama,
    };
    let server = ModelServer::new(kind, "http://127.0.0.1:1/v1", settings);
    let (_, relay) = server.open_with_relay("m").unwrap();
    let body = Bytes::from(body.to_string());
    PassedRequest::read(dialect, &body).is_some_and(|request| relay.takes(&request))
}

/// `body` with one field more, by its pointer.
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
fn what_an_adapter_would_rewrite_does_not_pass() {
    let plain = openai();
    assert!(passes(Dialect::OpenAi, &plain));
    let strict = with(&plain, "/tools/0/function/strict", json!(true));
    assert!(passes(Dialect::OpenAi, &strict), "more does no harm");
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
        assert!(!passes(Dialect::OpenAi, &body), "{body}");
    }
    assert!(
        !passes(Dialect::Ollama, &plain),
        "the model may have no tools"
    );
}

#[test]
fn ids_in_a_conversation_have_to_be_there_and_its_own() {
    let call = |id: &str| json!({"id": id, "function": {"name": "f", "arguments": "{}"}});
    let talk = |first: &str, second: &str| {
        let calls = json!([call(first), call(second)]);
        let messages = json!([{"role": "user", "content": "?"},
            {"role": "assistant", "tool_calls": calls},
            {"role": "tool", "tool_call_id": first, "content": "1"}]);
        with(&openai(), "/messages", messages)
    };
    assert!(passes(Dialect::OpenAi, &talk("a", "b")));
    assert!(!passes(Dialect::OpenAi, &talk("a", "a")));
    assert!(!passes(Dialect::OpenAi, &talk("a", "")));
}

#[test]
fn settings_that_hold_for_every_request_are_kept() {
    let settings = ModelSettings {
        temperature: Some(0.5),
        ..ModelSettings::default()
    };
    assert!(!passes_under(Dialect::OpenAi, &openai(), &settings));
    let settings = ModelSettings {
        max_tokens: Some(5),
        ..ModelSettings::default()
    };
    assert!(!passes_under(Dialect::OpenAi, &openai(), &settings));
}

#[test]
fn a_context_that_may_be_too_small_is_seen_to() {
    let body = json!({"model": "m", "messages": [{"role": "user", "content": "?"}]});
    assert!(passes(Dialect::Ollama, &body));
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
        assert!(!passes(Dialect::Ollama, &body), "{body}");
    }
}

#[test]
fn anthropics_words_are_known() {
    let tool = json!({"name": "f", "input_schema": schema()});
    let body = json!({"model": "m", "max_tokens": 9, "tools": [tool],
        "messages": [{"role": "user", "content": "?"}]});
    assert!(passes(Dialect::Anthropic, &body));
    let auto = with(&body, "/tool_choice", json!({"type": "auto"}));
    assert!(passes(Dialect::Anthropic, &auto));
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
        assert!(!passes(Dialect::Anthropic, &body), "{body}");
    }
}

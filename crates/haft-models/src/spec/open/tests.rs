use haft_core::{CallOptions, Message};
use haft_testing::{CapturedRequest, Reply, ScriptedServer};

use super::*;
use crate::{Recorder, Secret, ServerKind};

fn open(spec: &str, settings: &ModelSettings) -> Result<Arc<dyn ChatModel>, ModelError> {
    open_model(&spec.parse().unwrap(), settings)
}

/// What the model that `spec` means sends to a server with these settings.
async fn sent(spec: &str, set: fn(&mut ModelSettings, &str)) -> CapturedRequest {
    let server = ScriptedServer::with(|_| Reply::text("no").with_status(400)).await;
    let mut settings = ModelSettings {
        temperature: Some(0.5),
        max_tokens: Some(64),
        context: Some(8192),
        ..ModelSettings::default()
    };
    set(&mut settings, server.url());
    let spec = spec.replace("SERVER", server.url());
    let model = open(&spec, &settings).unwrap();
    let (question, options) = ([Message::human("Hello")], CallOptions::default());
    model.invoke(&question, &options).await.unwrap_err();
    server.requests()[0].clone()
}

#[tokio::test]
async fn ollama_is_asked_at_its_host_under_the_settings() {
    let request = sent("ollama:tiny", |settings, url| {
        settings.server_mut(ServerKind::Ollama).url = Some(url.to_owned());
        settings.server_mut(ServerKind::Ollama).api_key = Some(Secret::new("k"));
    })
    .await;
    assert_eq!(request.path, "/api/chat");
    assert_eq!(request.body["model"], "tiny");
    assert_eq!(request.body["options"]["temperature"], 0.5);
    assert_eq!(request.body["options"]["num_predict"], 64);
    assert_eq!(request.body["options"]["num_ctx"], 8192);
    assert_eq!(request.header("authorization"), Some("Bearer k"));
}

#[tokio::test]
async fn an_openai_name_may_carry_its_own_address() {
    let request = sent("openai:tiny@SERVER/v1", |settings, _| {
        settings.server_mut(ServerKind::OpenAi).url = Some("http://127.0.0.1:9/v1".to_owned());
    })
    .await;
    assert_eq!(request.path, "/v1/chat/completions");
    assert_eq!(request.body["temperature"], 0.5);
    assert_eq!(request.body["max_tokens"], 64);
    assert_eq!(request.header("authorization"), None);
}

#[tokio::test]
async fn the_openai_address_in_the_settings_is_used() {
    let request = sent("openai:tiny", |settings, url| {
        settings.server_mut(ServerKind::OpenAi).url = Some(format!("{url}/v1"));
        settings.server_mut(ServerKind::OpenAi).api_key = Some(Secret::new("k"));
    })
    .await;
    assert_eq!(request.path, "/v1/chat/completions");
    assert_eq!(request.header("authorization"), Some("Bearer k"));
}

#[tokio::test]
async fn anthropic_is_asked_with_its_key() {
    let request = sent("anthropic:tiny", |settings, url| {
        settings.server_mut(ServerKind::Anthropic).url = Some(url.to_owned());
        settings.server_mut(ServerKind::Anthropic).api_key = Some(Secret::new("k"));
    })
    .await;
    assert_eq!(request.path, "/v1/messages");
    assert_eq!(request.body["temperature"], 0.5);
    assert_eq!(request.body["max_tokens"], 64);
    assert_eq!(request.header("x-api-key"), Some("k"));
}

#[test]
fn a_key_that_is_surely_needed_is_named_before_anything_is_sent() {
    for (spec, variable) in [
        ("openai:gpt-5", "OPENAI_API_KEY"),
        ("openai:gpt-5@https://api.openai.com/v1", "OPENAI_API_KEY"),
        ("anthropic:claude-haiku-4-5", "ANTHROPIC_API_KEY"),
    ] {
        let error = open(spec, &ModelSettings::default()).unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Unauthorized);
        assert!(error.hint().unwrap().contains(variable), "{error:?}");
    }
    open(
        "openai:x@http://localhost:8080/v1",
        &ModelSettings::default(),
    )
    .unwrap();
}

#[test]
fn the_command_engine_is_not_a_provider() {
    let error = open("builtin", &ModelSettings::default()).unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Configuration);
}

#[test]
fn a_missing_recording_is_an_error() {
    let error = open("replay:/nowhere/a.jsonl", &ModelSettings::default()).unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Configuration);
    assert!(error.to_string().contains("/nowhere/a.jsonl"), "{error}");
}

#[tokio::test]
async fn exchanges_are_recorded_and_replayed() {
    let server = ScriptedServer::start([Reply::ndjson([
        serde_json::json!({"message": {"content": "Hi"}, "done": true}),
    ])])
    .await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.jsonl");
    let mut settings = ModelSettings {
        record: Some(Recorder::create(&file).unwrap()),
        ..ModelSettings::default()
    };
    settings.server_mut(ServerKind::Ollama).url = Some(server.url().to_owned());
    let question = [Message::human("Hello")];
    let options = CallOptions::default();
    let model = open("ollama:tiny", &settings).unwrap();
    let first = model.invoke(&question, &options).await.unwrap();
    drop(server);
    let spec = format!("replay:{}", file.display());
    let model = open(&spec, &ModelSettings::default()).unwrap();
    assert_eq!(model.invoke(&question, &options).await.unwrap(), first);
}

#[test]
fn recording_a_model_without_a_server_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let settings = ModelSettings {
        record: Some(Recorder::create(folder.path().join("a.jsonl")).unwrap()),
        ..ModelSettings::default()
    };
    let error = open("builtin", &settings).unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Configuration);
}

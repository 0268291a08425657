use haft_core::ModelErrorKind;
use haft_testing::{Reply, ScriptedServer};
use serde_json::json;

use super::*;

#[tokio::test]
async fn a_server_is_detected_by_its_replies() {
    let ollama = ScriptedServer::with(|request| match request.path.as_str() {
        "/" => Reply::text("Ollama is running"),
        "/api/version" => Reply::json(json!({"version": "0.12.3"})),
        "/api/tags" => Reply::json(json!({"models": [{"name": "tiny:latest", "size": 1}]})),
        _ => Reply::text("404").with_status(404),
    })
    .await;
    let openai = ScriptedServer::with(|request| match request.path.as_str() {
        "/v1/models" => Reply::json(json!({"data": [{"id": "tiny"}]})),
        _ => Reply::text("404").with_status(404),
    })
    .await;
    let settings = ModelSettings::default();
    let server = ModelServer::detect(ollama.url(), &settings).await.unwrap();
    assert_eq!(server.kind(), ServerKind::Ollama);
    assert_eq!(server.models().await.unwrap(), ["tiny:latest"]);
    for path in ["", "/v1", "/v1/"] {
        let url = format!("{}{path}", openai.url());
        let server = ModelServer::detect(&url, &settings).await.unwrap();
        assert_eq!(server.kind(), ServerKind::OpenAi, "{path}");
        assert_eq!(server.models().await.unwrap(), ["tiny"]);
    }
    // A server with a part of Ollama's API is not detected as Ollama.
    let both = ScriptedServer::with(|request| match request.path.as_str() {
        "/api/version" => Reply::json(json!({"version": "0.12.3"})),
        "/v1/models" => Reply::json(json!({"data": [{"id": "tiny"}]})),
        _ => Reply::text("404").with_status(404),
    })
    .await;
    let server = ModelServer::detect(both.url(), &settings).await.unwrap();
    assert_eq!(server.kind(), ServerKind::OpenAi);
    let url = format!("ollama:{}", both.url());
    let server = ModelServer::detect(&url, &settings).await.unwrap();
    assert_eq!(server.kind(), ServerKind::Ollama);
    let other = ScriptedServer::with(|_| Reply::text("hello")).await;
    let error = ModelServer::detect(other.url(), &settings)
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Configuration);
    let error = ModelServer::detect("http://127.0.0.1:9", &settings)
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Connect);
}

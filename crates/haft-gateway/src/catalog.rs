//! What clients ask beside the conversation: which models there are, and what they can do.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use haft_core::{ModelError, estimated_tokens};
use haft_models::{Dialect, ServerKind, status_of};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::gateway::Shared;
use crate::routes::{json, refused};

type Handle = State<Arc<Shared>>;

/// The version of Ollama's API that is spoken here.
const OLLAMA_VERSION: &str = "0.12.10";

/// `GET /v1/models`.
pub(crate) async fn openai(State(shared): Handle) -> Response {
    match shared.upstream.server().models().await {
        Ok(names) => {
            let model = |name: String| json!({"id": name, "object": "model", "owned_by": "haft"});
            let models: Vec<Value> = names.into_iter().map(model).collect();
            json(&json!({"object": "list", "data": models}))
        }
        Err(error) => failed(Dialect::OpenAi, &error),
    }
}

/// `GET /api/tags`; from Ollama as it says it.
pub(crate) async fn tags(State(shared): Handle) -> Response {
    let server = shared.upstream.server();
    if server.kind() == ServerKind::Ollama {
        return relayed(server.get("/api/tags").await);
    }
    match server.models().await {
        Ok(names) => {
            let model = |name: String| json!({"name": name, "model": name, "size": 0});
            let models: Vec<Value> = names.into_iter().map(model).collect();
            json(&json!({"models": models}))
        }
        Err(error) => failed(Dialect::Ollama, &error),
    }
}

/// `GET /api/ps`; only Ollama knows what is loaded.
pub(crate) async fn loaded(State(shared): Handle) -> Response {
    let server = shared.upstream.server();
    if server.kind() == ServerKind::Ollama {
        return relayed(server.get("/api/ps").await);
    }
    json(&json!({"models": []}))
}

/// `GET /api/version`.
pub(crate) async fn version() -> Response {
    json(&json!({"version": OLLAMA_VERSION}))
}

/// `POST /api/show`: every model can call tools here.
pub(crate) async fn show(State(shared): Handle, body: Bytes) -> Response {
    #[derive(Deserialize)]
    struct Asked {
        #[serde(alias = "name")]
        model: String,
    }
    let Ok(asked) = serde_json::from_slice::<Asked>(&body) else {
        return refused(Dialect::Ollama, 400, "The request names no model");
    };
    let names = match shared.upstream.server().models().await {
        Ok(names) => names,
        Err(error) => return failed(Dialect::Ollama, &error),
    };
    let is_meant =
        |name: &String| *name == asked.model || *name == format!("{}:latest", asked.model);
    if !names.iter().any(is_meant) {
        let message = format!("model '{}' not found", asked.model);
        return refused(Dialect::Ollama, 404, &message);
    }
    json(&json!({
        "modelfile": "",
        "parameters": "",
        "template": "",
        "details": {"format": "", "family": "", "families": [], "parameter_size": ""},
        "model_info": {},
        "capabilities": ["completion", "tools"],
    }))
}

/// `POST /v1/messages/count_tokens`: an estimate, as no server counts for another one's model.
pub(crate) async fn count_tokens(body: Bytes) -> Response {
    // The limit on the reply, which this request does not have, is of no matter.
    let mut request: Value = match serde_json::from_slice(&body) {
        Ok(request) => request,
        Err(error) => {
            let message = format!("The request cannot be read: {error}");
            return refused(Dialect::Anthropic, 400, &message);
        }
    };
    if let Some(request) = request.as_object_mut() {
        request.insert("max_tokens".to_owned(), 1.into());
    }
    match Dialect::Anthropic.read(request.to_string().as_bytes()) {
        Ok(request) => {
            let said = request
                .messages
                .iter()
                .map(|message| message.content().text());
            let tools = request
                .tools
                .iter()
                .map(|tool| format!("{}{}{}", tool.name(), tool.description(), tool.schema()));
            let tokens: u64 = said
                .chain(tools)
                .map(|text| estimated_tokens(&text) + 8)
                .sum();
            json(&json!({"input_tokens": tokens}))
        }
        Err(error) => failed(Dialect::Anthropic, &error),
    }
}

/// `GET /readyz`: the model server answers.
pub(crate) async fn ready(State(shared): Handle) -> Response {
    match shared.upstream.server().models().await {
        Ok(_) => "ready".into_response(),
        Err(error) => {
            tracing::warn!(%error, "not ready");
            (StatusCode::SERVICE_UNAVAILABLE, "not ready").into_response()
        }
    }
}

fn relayed(answer: Result<String, ModelError>) -> Response {
    let read = |text: String| serde_json::from_str::<Value>(&text).ok();
    match answer {
        Ok(text) => match read(text) {
            Some(body) => json(&body),
            None => refused(
                Dialect::Ollama,
                502,
                "The model server's answer is not JSON",
            ),
        },
        Err(error) => failed(Dialect::Ollama, &error),
    }
}

fn failed(dialect: Dialect, error: &ModelError) -> Response {
    refused(dialect, status_of(error.kind()), &error.to_string())
}

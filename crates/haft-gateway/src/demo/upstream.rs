//! The model server of the demonstration: Ollama's API, with one model for each fault.

use axum::Router;
use axum::body::Bytes;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::respond::json as answer;
use crate::{GatewayError, GatewayErrorKind};

/// The models, and the faults of their replies.
pub(super) const MODELS: [(&str, &str); 5] = [
    ("printed", "a call printed as text"),
    ("half-a-tag", "half a tag, in pieces"),
    ("wrong-type", "\"5\" for 5"),
    ("blank", "an empty reply"),
    ("raw", "a call that Ollama cannot read"),
];

/// The model that repeats the same call whatever the results are.
pub(super) const ENDLESS: &str = "endless";

/// The server, which is stopped when this is dropped.
pub(super) struct Upstream {
    url: String,
    serving: JoinHandle<()>,
}

impl Drop for Upstream {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl Upstream {
    pub(super) async fn start() -> Result<Self, GatewayError> {
        let no_port = |error: std::io::Error| {
            let message = format!("No loopback address is to be had: {error}");
            GatewayError::new(GatewayErrorKind::Listen, message)
        };
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.map_err(no_port)?;
        let url = format!("http://{}", listener.local_addr().map_err(no_port)?);
        let routes = Router::new()
            .route("/", get(|| async { "Ollama is running" }))
            .route("/api/chat", post(chat));
        let serving = tokio::spawn(async move {
            if let Err(error) = axum::serve(listener, routes).await {
                tracing::debug!(%error, "the server of the demonstration ended");
            }
        });
        Ok(Self { url, serving })
    }

    pub(super) fn url(&self) -> &str {
        &self.url
    }
}

#[derive(Deserialize)]
struct Asked {
    model: String,
    #[serde(default)]
    tools: Vec<Value>,
    stream: Option<bool>,
}

async fn chat(body: Bytes) -> Response {
    let Ok(asked) = serde_json::from_slice::<Asked>(&body) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let text = |text: &str| vec![json!({"role": "assistant", "content": text})];
    let call = |arguments: Value| {
        let function = json!({"name": "get_weather", "arguments": arguments});
        vec![json!({"role": "assistant", "content": "", "tool_calls": [{"function": function}]})]
    };
    let pieces = match asked.model.as_str() {
        "printed" => text(
            "Sure, let me look!\n<tool_call>\n{'name': 'get_weather', 'arguments': {'city': 'Oslo',}}\n</tool_call>",
        ),
        "half-a-tag" => [
            "<tool",
            "_call>{\"name\": \"get_wea",
            "ther\", \"arguments\": {\"city\": \"Os",
            "lo\"}}",
        ]
        .into_iter()
        .flat_map(text)
        .collect(),
        "wrong-type" => call(json!({"city": "Oslo", "days": "5"})),
        // This model replies with text only if it is offered no tools.
        "blank" if asked.tools.is_empty() => {
            text("I cannot look outside; Oslo is cold in November.")
        }
        "blank" => text(""),
        "raw" => {
            let error = "error parsing tool call: raw='{\"name\": \"get_weather\", \"arguments\": \
                 {\"city\": \"Oslo\"}}]', err=invalid character ']' after top-level value";
            let body = answer(&json!({"error": error}));
            return (StatusCode::INTERNAL_SERVER_ERROR, body).into_response();
        }
        ENDLESS if asked.tools.is_empty() => text("It is -3 degrees in Oslo."),
        ENDLESS => call(json!({"city": "Oslo"})),
        _ => return StatusCode::NOT_FOUND.into_response(),
    };
    if asked.stream == Some(false) {
        return whole(&pieces);
    }
    let mut lines = String::new();
    for message in pieces {
        lines += &json!({"message": message, "done": false}).to_string();
        lines.push('\n');
    }
    lines += &json!({"message": {"role": "assistant", "content": ""}, "done": true}).to_string();
    lines.push('\n');
    lines.into_response()
}

/// The reply as a single message.
fn whole(pieces: &[Value]) -> Response {
    let said = pieces
        .iter()
        .filter_map(|piece| piece.get("content")?.as_str());
    let mut message = json!({"role": "assistant", "content": said.collect::<String>()});
    let calls = pieces.iter().find_map(|piece| piece.get("tool_calls"));
    if let (Some(message), Some(calls)) = (message.as_object_mut(), calls) {
        message.insert("tool_calls".to_owned(), calls.clone());
    }
    answer(&json!({"message": message, "done": true}))
}

//! The demonstration: six broken replies, requested directly and through the gateway.
//!
//! The replies are made up, in the forms in which small models and their servers fail. A model
//! server on a loopback address (`demo/upstream.rs`) sends them to a client of Ollama's API.

mod upstream;

use std::sync::Arc;
use std::time::Duration;

use haft_agent::{Agent, AgentOptions};
use haft_core::{ChatModel, Message, Tool, ToolError, ToolInput, ToolOutput};
use haft_models::{ChatOllama, ModelServer, ModelSettings, ServerKind};
use haft_tools::{ToolExecutor, ToolManager};
use serde_json::{Value, json};

use crate::{Gateway, GatewayError, GatewayErrorKind, GatewayOptions};
use upstream::Upstream;

/// The number of times that a client without haft answers the same repeated call.
const ROUNDS: usize = 4;

/// One broken reply.
#[derive(Clone, Debug)]
pub struct Scene {
    /// A description of the fault.
    pub title: &'static str,
    /// The reply of the model server to a direct request.
    pub before: String,
    /// The reply through haft.
    pub after: String,
}

/// Runs all scenes.
///
/// # Errors
///
/// [`GatewayErrorKind::Listen`] when no loopback address is available.
pub async fn scenes() -> Result<Vec<Scene>, GatewayError> {
    let upstream = Upstream::start().await?;
    let options = GatewayOptions {
        listen: ([127, 0, 0, 1], 0).into(),
        ..GatewayOptions::default()
    };
    let settings = ModelSettings::default();
    let server = ModelServer::new(ServerKind::Ollama, upstream.url(), &settings);
    let gateway = Gateway::bind(server, options).await?;
    let address = format!("http://{}", gateway.address()?);
    let serving = tokio::spawn(gateway.serve(std::future::pending()));
    let mut scenes = Vec::new();
    for (model, title) in upstream::MODELS {
        scenes.push(Scene {
            title,
            before: ask(upstream.url(), model).await?,
            after: ask(&address, model).await?,
        });
    }
    scenes.push(Scene {
        title: "the same call for ever",
        before: endless(upstream.url()).await?,
        after: with_an_end(upstream.url()).await?,
    });
    serving.abort();
    Ok(scenes)
}

fn client() -> Result<reqwest::Client, GatewayError> {
    // Fails if another crypto provider was installed before, which works as well.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder()
        .no_proxy()
        .timeout(Duration::from_secs(10))
        .build();
    client.map_err(|error| failed(&error))
}

fn failed(error: &reqwest::Error) -> GatewayError {
    GatewayError::new(
        GatewayErrorKind::Listen,
        format!("The demonstration failed: {error}"),
    )
}

/// The reply to a client, as one line.
async fn ask(address: &str, model: &str) -> Result<String, GatewayError> {
    let body = json!({"model": model, "stream": false, "tools": [tool()],
        "messages": [{"role": "user", "content": "How is the weather in Oslo?"}]});
    Ok(shown(&post(address, &body).await?))
}

async fn post(address: &str, body: &Value) -> Result<Value, GatewayError> {
    let request = client()?
        .post(format!("{address}/api/chat"))
        .body(body.to_string());
    let answer = request.send().await.map_err(|error| failed(&error))?;
    let text = answer.text().await.map_err(|error| failed(&error))?;
    Ok(serde_json::from_str(&text).unwrap_or(Value::String(text)))
}

fn tool() -> Value {
    json!({"type": "function", "function": {
        "name": "get_weather",
        "description": "Current weather in a city",
        "parameters": schema(),
    }})
}

fn schema() -> Value {
    json!({"type": "object", "required": ["city"], "properties": {
        "city": {"type": "string"}, "days": {"type": "integer"}}})
}

/// A reply as a client sees it.
fn shown(answer: &Value) -> String {
    if let Some(error) = answer.get("error").and_then(Value::as_str) {
        return format!("error: {error}");
    }
    let message = answer.get("message").unwrap_or(&Value::Null);
    let calls = message.get("tool_calls").and_then(Value::as_array);
    let calls = calls.into_iter().flatten().map(|call| {
        let function = call.get("function").unwrap_or(&Value::Null);
        let part = |name: &str| function.get(name).cloned().unwrap_or_default();
        let name = part("name");
        format!(
            "call {} {}",
            name.as_str().unwrap_or("?"),
            part("arguments")
        )
    });
    let text = message
        .get("content")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let text = Some(text).filter(|text| !text.trim().is_empty());
    let text = text.map(|text| format!("text \"{}\"", text.replace('\n', " ")));
    let parts: Vec<String> = text.into_iter().chain(calls).collect();
    match parts.as_slice() {
        [] => "nothing at all".to_owned(),
        parts => parts.join(", "),
    }
}

/// The result for a client that answers every call.
async fn endless(address: &str) -> Result<String, GatewayError> {
    let mut messages = vec![json!({"role": "user", "content": "How is the weather in Oslo?"})];
    for _ in 0..ROUNDS {
        let body = json!({"model": upstream::ENDLESS, "stream": false, "tools": [tool()],
            "messages": messages});
        let answer = post(address, &body).await?;
        messages.push(answer.get("message").cloned().unwrap_or_default());
        messages.push(json!({"role": "tool", "tool_name": "get_weather", "content": "-3 degrees"}));
    }
    Ok(format!("{ROUNDS} calls of get_weather, and no end"))
}

/// Runs the endless model through haft's own loop, which ends it.
async fn with_an_end(address: &str) -> Result<String, GatewayError> {
    let mut tools = ToolManager::new();
    let added = tools.add(Arc::new(Weather(schema())) as Arc<dyn Tool>);
    added.map_err(|error| GatewayError::new(GatewayErrorKind::Configuration, error.to_string()))?;
    let model = ChatOllama::new(upstream::ENDLESS).base_url(address);
    let model: Arc<dyn ChatModel> = Arc::new(model);
    let executor = ToolExecutor::new(tools);
    let answer = match Agent::new(model, executor, AgentOptions::default()) {
        Ok(agent) => agent.ask("How is the weather in Oslo?").await,
        Err(error) => Err(error),
    };
    Ok(match answer {
        Ok(answer) => {
            let calls = answer
                .messages
                .iter()
                .filter(|message| matches!(message, Message::Tool(_)));
            format!("text \"{}\" after {} calls", answer.text, calls.count())
        }
        Err(error) => format!("error: {error}"),
    })
}

/// The tool of the last scene.
#[derive(Debug)]
struct Weather(Value);

#[async_trait::async_trait]
impl Tool for Weather {
    fn name(&self) -> &str {
        "get_weather"
    }

    fn description(&self) -> &str {
        "Current weather in a city"
    }

    fn schema(&self) -> &Value {
        &self.0
    }

    fn annotations(&self) -> haft_core::ToolAnnotations {
        haft_core::ToolAnnotations {
            read_only: true,
            ..haft_core::ToolAnnotations::default()
        }
    }

    async fn invoke(&self, _: ToolInput) -> Result<ToolOutput, ToolError> {
        Ok("-3 degrees".into())
    }
}

#[cfg(test)]
mod tests;

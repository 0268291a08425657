//! Model servers that are not configured but listen where such servers do on this machine, and the
//! upstreams of the gateway.

use futures_util::future::join_all;
use haft::models::{ModelSettings, ModelSpec, Secret, ToolSupport, survey_model};

use super::{Row, describe};
use crate::settings::Settings;

/// Where servers listen if nobody says otherwise: llama.cpp's at 8080, LM Studio at 1234, vLLM at
/// 8000. Ollama is asked anyway.
const PORTS: [u16; 3] = [8080, 1234, 8000];

/// The variable with other ports, separated by commas.
const VARIABLE: &str = "HAFT_LOCAL_PORTS";

/// A server with an OpenAI-compatible API.
struct Server {
    /// The address, with `/v1`.
    url: String,
    key: Option<Secret>,
}

/// The models of the servers that answer. A server that does not is no error.
pub(super) async fn find(settings: &Settings, models: &ModelSettings) -> Vec<Row> {
    let known = settings
        .openai_base_url
        .value
        .as_deref()
        .unwrap_or_default();
    let servers = servers(settings)
        .into_iter()
        .filter(|server| !is_same(&server.url, known));
    let rows = servers.map(|server| models_of(server, models));
    join_all(rows).await.into_iter().flatten().collect()
}

fn servers(settings: &Settings) -> Vec<Server> {
    let mut servers: Vec<Server> = Vec::new();
    let upstreams = settings.upstreams.value.as_deref().unwrap_or_default();
    for upstream in upstreams {
        let Some(url) = address(&upstream.url) else {
            continue;
        };
        servers.push(Server {
            url,
            key: upstream.key().ok().flatten(),
        });
    }
    for port in ports() {
        let url = format!("http://127.0.0.1:{port}/v1");
        if !servers.iter().any(|server| is_same(&server.url, &url)) {
            servers.push(Server { url, key: None });
        }
    }
    servers
}

fn ports() -> Vec<u16> {
    match std::env::var(VARIABLE) {
        Ok(ports) => ports
            .split(',')
            .filter_map(|port| port.trim().parse::<u16>().ok())
            .collect(),
        Err(_) => PORTS.to_vec(),
    }
}

/// The address of an upstream for chat completions, which Ollama has too; `None` for Anthropic's.
fn address(upstream: &str) -> Option<String> {
    let url = match upstream.split_once(':') {
        Some(("anthropic", _)) => return None,
        Some(("ollama" | "openai", url)) if !url.starts_with("//") => url,
        _ => upstream,
    };
    let url = url.trim_end_matches('/');
    let url = if url.contains("://") {
        url.to_owned()
    } else {
        format!("http://{url}")
    };
    Some(if url.ends_with("/v1") {
        url
    } else {
        format!("{url}/v1")
    })
}

/// True for two addresses of one server.
fn is_same(one: &str, other: &str) -> bool {
    let plain = |url: &str| {
        url.trim_end_matches('/')
            .replace("://localhost", "://127.0.0.1")
    };
    plain(one) == plain(other)
}

async fn models_of(server: Server, models: &ModelSettings) -> Vec<Row> {
    // The configured key is for the configured server alone.
    let mut settings = models.clone();
    settings.set_every_key(server.key.as_ref());
    let spec = |name: &str| format!("openai:{name}@{}", server.url);
    let Ok(ModelSpec::Served(any)) = spec("any").parse() else {
        return Vec::new();
    };
    let told = survey_model(&any, &settings).await;
    let mut rows: Vec<Row> = told
        .models
        .iter()
        .map(|name| Row {
            model: spec(name),
            tools: ToolSupport::Unknown,
            thinks: None,
            context: None,
        })
        .collect();
    describe(&mut rows, &settings).await;
    rows
}

#[cfg(test)]
mod tests;

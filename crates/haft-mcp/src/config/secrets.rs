//! The secrets in a server's entry: keys in arguments, environment, address and headers.
//!
//! They are masked wherever the server repeats them: in results, descriptions, errors and logs.

use haft_core::Secrets;
use reqwest::header::HeaderMap;
use rmcp::model::Tool;
use serde_json::Value;

use crate::config::endpoint::{Endpoint, HttpEndpoint, StdioEndpoint};

/// Headers that carry no credentials.
const PLAIN_HEADERS: [&str; 5] = [
    "accept",
    "accept-language",
    "content-type",
    "mcp-protocol-version",
    "user-agent",
];

/// Shorter values in the environment (ports, flags) are not secrets, whatever their names are.
const LONG_VALUE: usize = 8;

/// The secrets of a server at this endpoint.
pub(crate) fn of(endpoint: &Endpoint) -> Secrets {
    match endpoint {
        Endpoint::Stdio(stdio) => of_command(stdio),
        Endpoint::Http(http) => of_address(http),
    }
}

fn of_command(stdio: &StdioEndpoint) -> Secrets {
    let mut secrets = Secrets::default();
    secrets.add_arguments(&stdio.args);
    for (name, value) in &stdio.env {
        secrets.add_named(name, value);
    }
    secrets
}

/// The secrets of a server and all longer values of its environment, for the output of a failed
/// program, which users read and no model.
pub(crate) fn of_whole_environment(stdio: &StdioEndpoint) -> Secrets {
    let mut secrets = of_command(stdio);
    let values = stdio.env.iter().map(|(_, value)| value);
    for value in values.filter(|value| value.len() >= LONG_VALUE) {
        secrets.add(value);
    }
    secrets
}

fn of_address(http: &HttpEndpoint) -> Secrets {
    let mut secrets = Secrets::default();
    secrets.add_url(http.url.as_str());
    add_headers(&mut secrets, &http.headers);
    secrets
}

fn add_headers(secrets: &mut Secrets, headers: &HeaderMap) {
    for (name, value) in headers {
        if let Ok(value) = value.to_str()
            && !PLAIN_HEADERS.contains(&name.as_str())
        {
            secrets.add_header(value);
        }
    }
}

/// The secrets that are written literally in an entry of the file; `${TOKEN}` is not one.
pub(crate) fn written(server: &Value) -> Secrets {
    let mut secrets = Secrets::default();
    let text = |field: &str| server.get(field).and_then(Value::as_str);
    let pairs = |field: &str| {
        let object = server.get(field).and_then(Value::as_object);
        let pairs = object.into_iter().flatten();
        pairs.filter_map(|(name, value)| Some((name.as_str(), value.as_str()?)))
    };
    for address in text("url").into_iter().chain(text("serverUrl")) {
        secrets.add_url(address);
    }
    let args = server.get("args").and_then(Value::as_array);
    let args: Vec<_> = args
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    secrets.add_arguments(&args);
    for (name, value) in pairs("env") {
        secrets.add_named(name, value);
    }
    for (name, value) in pairs("headers") {
        if !PLAIN_HEADERS.contains(&name.to_ascii_lowercase().as_str()) {
            secrets.add_header(value);
        }
    }
    secrets
}

/// A server's tools with its secrets masked: descriptions are stored in files and sent to models.
pub(crate) fn masked(tools: Vec<Tool>, secrets: &Secrets) -> Vec<Tool> {
    if secrets.is_empty() {
        return tools;
    }
    let masked = |tool: Tool| {
        let Ok(json) = serde_json::to_value(&tool) else {
            return tool;
        };
        let hidden = secrets.mask_json(json.clone());
        if hidden == json {
            return tool;
        }
        let mut hidden = serde_json::from_value(hidden).unwrap_or_else(|_| tool.clone());
        // The name is needed for calls.
        hidden.name = tool.name;
        hidden
    };
    tools.into_iter().map(masked).collect()
}

#[cfg(test)]
mod tests;

//! Lists what a file of MCP servers requests, as written: variables are not expanded before the
//! file is trusted.

use std::collections::BTreeSet;

use haft::types::mask_url;
use serde_json::Value;

/// A line for each request in the file. Empty for an invalid file, which starts nothing and is
/// refused later.
pub(crate) fn claims_of_servers(text: &str) -> Vec<String> {
    let text = text.trim_start_matches('\u{feff}');
    let Ok(root) = serde_json::from_str::<Value>(text) else {
        return Vec::new();
    };
    let servers = ["mcpServers", "servers"]
        .iter()
        .find_map(|key| root.get(key));
    let servers = servers.and_then(Value::as_object).into_iter().flatten();
    let wanted = servers.filter(|(_, server)| server.get("disabled") != Some(&Value::Bool(true)));
    wanted
        .flat_map(|(name, server)| of_server(name, server))
        .collect()
}

fn of_server(name: &str, server: &Value) -> Vec<String> {
    let mut claims = Vec::new();
    if let Some(command) = server.get("command") {
        let args = server.get("args").and_then(Value::as_array);
        let words = std::iter::once(command).chain(args.into_iter().flatten());
        let words: Vec<String> = words.map(text).collect();
        let folder = server.get("cwd").map(|cwd| format!(" in {}", text(cwd)));
        let folder = folder.unwrap_or_default();
        claims.push(format!("start {name}{folder}: {}", words.join(" ")));
    }
    if let Some(url) = server.get("url") {
        claims.push(format!("connect to {name}: {}", mask_url(&text(url))));
    }
    if claims.is_empty() {
        claims.push(format!("use {name}"));
    }
    let names = |field: &str| {
        let object = server.get(field).and_then(Value::as_object);
        let names = object.into_iter().flatten().map(|(name, _)| name.as_str());
        names.collect::<Vec<_>>().join(", ")
    };
    for (field, phrase) in [
        ("env", "give it the variables"),
        ("headers", "send it the headers"),
    ] {
        let names = names(field);
        if !names.is_empty() {
            claims.push(format!("{phrase} {names}"));
        }
    }
    let variables = variables(&server.to_string());
    if !variables.is_empty() {
        let names: Vec<_> = variables.into_iter().collect();
        claims.push(format!("read from the environment {}", names.join(", ")));
    }
    for field in ["trust", "autoApprove", "alwaysAllow"] {
        if let Some(value) = server
            .get(field)
            .filter(|value| **value != Value::Bool(false))
        {
            claims.push(format!("ask less about its tools: {field} = {value}"));
        }
    }
    claims
}

fn text(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

/// The names in all `${NAME}` and `${NAME:-default}`.
fn variables(text: &str) -> BTreeSet<String> {
    let uses = text.split("${").skip(1);
    let names = uses.filter_map(|rest| rest.split(['}', ':']).next());
    names
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests;

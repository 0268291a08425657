//! The protocol and tools of servers are remembered within a program, and cached between programs.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::support::{SOON, until};
use haft_core::{Tool, ToolErrorKind, ToolInput};
use haft_mcp::{McpConfig, McpOptions, McpServers};
use haft_testing::misbehaving_server::{recorded, recording_entry, starts};
use serde_json::{Value, json};

async fn start(server: &Value, cache: Option<&Path>) -> McpServers {
    let text = json!({"mcpServers": {"evil": server}}).to_string();
    let mut options = McpOptions::default();
    options.waits = vec![Duration::ZERO];
    options.cache = cache.map(Path::to_owned);
    McpServers::start_with(&McpConfig::parse(&text, "test.json").unwrap(), options).await
}

fn find(servers: &McpServers, name: &str) -> Option<Arc<dyn Tool>> {
    let tools = servers.tools();
    tools.into_iter().find(|tool| tool.name() == name)
}

async fn call(servers: &McpServers, name: &str) -> Value {
    let tool = find(servers, name).unwrap_or_else(|| panic!("{:?}", servers.failures()));
    let calling = tool.invoke(ToolInput::default());
    let called = tokio::time::timeout(SOON, calling)
        .await
        .expect("the call hangs");
    called.unwrap().value
}

/// The methods received, without those of calls.
fn methods(folder: &Path) -> Vec<String> {
    let messages = recorded(folder);
    let methods = messages
        .iter()
        .filter_map(|message| message["method"].as_str());
    methods
        .filter(|method| *method != "tools/call")
        .map(str::to_owned)
        .collect()
}

const HANDSHAKE: [&str; 3] = ["initialize", "notifications/initialized", "tools/list"];

#[tokio::test]
async fn a_server_that_ignores_the_discovery_request_gets_it_once() {
    let folder = tempfile::tempdir().unwrap();
    let entry = recording_entry("quiet", folder.path());
    let cache = folder.path().join("cache");
    let servers = start(&entry, Some(&cache)).await;
    assert_eq!(servers.failures(), []);
    assert!(!servers.statuses()[0].from_cache);
    assert_eq!(call(&servers, "echo").await, "{}");
    // Started again in the same program: no second discovery request.
    find(&servers, "exit")
        .unwrap()
        .invoke(ToolInput::default())
        .await
        .unwrap_err();
    assert_eq!(call(&servers, "echo").await, "{}");
    // The same in the next program.
    until(|| cache.exists()).await;
    drop(servers);
    let servers = start(&entry, Some(&cache)).await;
    assert_eq!(call(&servers, "echo").await, "{}");
    let first = std::iter::once("server/discover").chain(HANDSHAKE);
    let expected: Vec<&str> = first.chain(HANDSHAKE).chain(HANDSHAKE).collect();
    assert_eq!(methods(folder.path()), expected);
}

#[tokio::test]
async fn a_server_with_the_newer_protocol_is_used_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let entry = recording_entry("modern", folder.path());
    let servers = start(&entry, None).await;
    assert_eq!(servers.failures(), []);
    assert_eq!(call(&servers, "echo").await, "{}");
    assert!(!methods(folder.path()).contains(&"initialize".to_owned()));
    // It requests input in its own form, which is declined.
    assert_eq!(call(&servers, "question").await, "\"decline\"");
    let calls = recorded(folder.path());
    let ids = calls
        .iter()
        .filter(|call| call["params"]["name"] == "question");
    let ids: Vec<&Value> = ids.map(|call| &call["id"]).collect();
    assert!(ids.len() == 2 && ids[0] != ids[1], "{ids:?}");
}

#[tokio::test]
async fn a_server_that_changed_its_protocol_is_tried_with_the_other() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    // The same configuration except for a value, which the cache ignores.
    let old = recording_entry("none", folder.path());
    let new = recording_entry("modern", folder.path());
    for entry in [&old, &new, &old] {
        let servers = start(entry, Some(&cache)).await;
        assert_eq!(call(&servers, "echo").await, "{}");
        until(|| cache.exists()).await;
        servers.shutdown().await;
    }
}

#[tokio::test]
async fn cached_tools_are_available_before_their_server() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    let entry = recording_entry("none", folder.path());
    let servers = start(&entry, Some(&cache)).await;
    let tools = servers.tools().len();
    until(|| cache.exists()).await;
    servers.shutdown().await;

    // The server takes long to start, so waiting for it would be noticed.
    let mut slow = entry.clone();
    slow["env"]["HAFT_EVIL_MCP"] = json!("silent");
    let begun = tokio::time::Instant::now();
    let servers = start(&slow, Some(&cache)).await;
    assert!(begun.elapsed() < Duration::from_secs(10));
    assert!(servers.statuses()[0].from_cache);
    assert_eq!(servers.tools().len(), tools);
    servers.shutdown().await;

    // The server's own list replaces the cached one.
    std::fs::write(folder.path().join("more"), "").unwrap();
    let servers = start(&entry, Some(&cache)).await;
    until(|| find(&servers, "new_tool").is_some()).await;
    servers.shutdown().await;
}

#[tokio::test]
async fn a_known_server_that_does_not_start_is_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    let entry = recording_entry("none", folder.path());
    let servers = start(&entry, Some(&cache)).await;
    until(|| cache.exists()).await;
    servers.shutdown().await;

    let mut dead = entry.clone();
    dead["env"]["HAFT_EVIL_MCP"] = json!("never");
    let servers = start(&dead, Some(&cache)).await;
    let echo = find(&servers, "echo").unwrap();
    let error = echo.invoke(ToolInput::default()).await.unwrap_err();
    assert_eq!(error.kind(), ToolErrorKind::Network);
    assert!(
        error.detail().contains("it ended before it was ready"),
        "{}",
        error.detail()
    );
    let servers = start(&dead, Some(&cache)).await;
    assert_eq!(servers.failures().len(), 1);
    assert!(starts(folder.path()) >= 3);
}

#[tokio::test]
async fn nothing_is_cached_without_a_cache_folder() {
    let folder = tempfile::tempdir().unwrap();
    let entry = recording_entry("none", folder.path());
    start(&entry, None).await.shutdown().await;
    let servers = start(&entry, None).await;
    assert!(!servers.statuses()[0].from_cache);
}

//! A server with every kind of fault: each one has a defined result, and soon.

use std::time::Duration;

use crate::support::{SOON, find};
use haft_core::{Tool, ToolError, ToolErrorKind, ToolInput, ToolOutput};
use haft_mcp::{McpConfig, McpOptions, McpServers};
use haft_testing::misbehaving_server::{entry, recorded, recording_entry};
use serde_json::{Value, json};

async fn start(server: Value) -> McpServers {
    let text = json!({"mcpServers": {"evil": server}}).to_string();
    let config = McpConfig::parse(&text, "test.json").unwrap();
    let mut options = McpOptions::default();
    options.waits = vec![Duration::ZERO];
    let starting = McpServers::start_with(&config, options);
    tokio::time::timeout(SOON, starting)
        .await
        .expect("the start hangs")
}

fn names(servers: &McpServers) -> Vec<String> {
    servers
        .tools()
        .iter()
        .map(|tool| tool.name().to_owned())
        .collect()
}

async fn call(servers: &McpServers, name: &str) -> Result<ToolOutput, ToolError> {
    let tool = find(servers, name);
    let calling = tool.invoke(ToolInput::default());
    tokio::time::timeout(SOON, calling)
        .await
        .expect("the call hangs")
}

/// Checks that the server still works afterwards.
async fn goes_on(servers: &McpServers) {
    assert_eq!(call(servers, "echo").await.unwrap().value, "{}");
}

#[tokio::test]
async fn a_repeated_cursor_ends_the_list() {
    let folder = tempfile::tempdir().unwrap();
    let servers = start(recording_entry("cycle", folder.path())).await;
    assert_eq!(names(&servers), ["a", "b"]);
    let pages = recorded(folder.path());
    let pages = pages
        .iter()
        .filter(|message| message["method"] == "tools/list");
    assert_eq!(pages.count(), 3);
}

#[tokio::test]
async fn a_result_of_20_mib_is_a_clear_error() {
    let servers = start(entry("none")).await;
    let error = call(&servers, "huge").await.unwrap_err();
    assert_eq!(
        error.message(),
        "The answer of the tool server is larger than 16 MB"
    );
    goes_on(&servers).await;
}

#[tokio::test]
async fn a_list_of_20_mib_is_a_clear_failure() {
    let servers = start(entry("huge_list")).await;
    let failure = &servers.failures()[0].message;
    assert!(failure.contains("larger than 16 MB"), "{failure}");
}

#[tokio::test]
async fn half_an_answer_is_an_error() {
    let servers = start(entry("none")).await;
    for deed in ["half", "no_result"] {
        let error = call(&servers, deed).await.unwrap_err();
        assert_eq!(
            error.message(),
            "The answer of the tool server is not a valid message"
        );
        goes_on(&servers).await;
    }
}

#[tokio::test]
async fn lines_that_are_no_messages_are_skipped() {
    let servers = start(entry("none")).await;
    assert_eq!(call(&servers, "banner").await.unwrap().value, "through");
    goes_on(&servers).await;
}

#[tokio::test]
async fn an_unknown_block_does_not_invalidate_the_result() {
    let servers = start(entry("none")).await;
    let value = call(&servers, "unknown_block").await.unwrap().value;
    let text = value.as_str().unwrap();
    assert!(
        text.starts_with("before") && text.ends_with("after"),
        "{text}"
    );
    assert!(text.contains("hologram"), "{text}");
}

#[tokio::test]
async fn an_empty_result_is_a_result() {
    let servers = start(entry("none")).await;
    assert!(call(&servers, "empty").await.is_ok());
}

#[tokio::test]
async fn duplicate_and_unrequested_answers_are_dropped() {
    let servers = start(entry("none")).await;
    assert_eq!(call(&servers, "twice").await.unwrap().value, "first");
    assert_eq!(call(&servers, "other_id").await.unwrap().value, "for you");
    goes_on(&servers).await;
}

#[tokio::test]
async fn a_server_that_exits_during_a_call_is_an_error_at_once() {
    let servers = start(entry("none")).await;
    let error = call(&servers, "exit").await.unwrap_err();
    assert_eq!(error.kind(), ToolErrorKind::Network);
    assert_eq!(error.message(), "The tool server evil cannot be reached");
    let servers = start(entry("none")).await;
    let error = call(&servers, "exit_half").await.unwrap_err();
    assert_eq!(
        error.message(),
        "The answer of the tool server is not a valid message"
    );
}

#[tokio::test]
async fn a_schema_of_1000_levels_leaves_out_only_its_tool() {
    let servers = start(entry("deep_schema")).await;
    assert_eq!(names(&servers), ["first", "last"]);
}

#[tokio::test]
async fn a_result_of_1000_levels_is_pruned() {
    let servers = start(entry("none")).await;
    let output = call(&servers, "deep").await.unwrap();
    assert!(output.value.as_str().unwrap().contains("deep"));
    goes_on(&servers).await;
}

#[tokio::test]
async fn a_bad_definition_leaves_out_only_its_tool() {
    let servers = start(entry("heavy_tool")).await;
    assert!(!names(&servers).contains(&"echo".to_owned()));
    assert!(names(&servers).contains(&"huge".to_owned()));
    let servers = start(entry("odd_tools")).await;
    assert_eq!(names(&servers), ["plain", "echo"]);
}

#[tokio::test(start_paused = true)]
async fn a_silent_server_times_out() {
    let text = json!({"mcpServers": {"evil": entry("silent")}}).to_string();
    let servers = McpServers::start(&McpConfig::parse(&text, "test.json").unwrap()).await;
    let failure = &servers.failures()[0].message;
    assert!(
        failure.starts_with("it was not ready within 20 s"),
        "{failure}"
    );
}

#[tokio::test]
async fn a_line_without_end_ends_the_server() {
    let servers = start(entry("babbling")).await;
    assert_eq!(servers.failures().len(), 1);
}

#[tokio::test]
async fn questions_of_the_server_are_declined() {
    let servers = start(entry("none")).await;
    let said = call(&servers, "ask").await.unwrap().value;
    assert_eq!(said, r#""decline" null; null -32601"#);
}

//! Servers that do not start, die, hang or change: retries, and the reported errors.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::support::{SOON, find, until};
use haft_core::{Tool, ToolError, ToolErrorKind, ToolInput, ToolOutput};
use haft_mcp::{McpConfig, McpOptions, McpServers};
use haft_testing::misbehaving_server::{entry, recorded, recording_entry, starts};
use serde_json::{Value, json};

fn options() -> McpOptions {
    let mut options = McpOptions::default();
    options.waits = [0, 10, 20].map(Duration::from_millis).to_vec();
    options
}

async fn start(server: Value, options: McpOptions) -> McpServers {
    let text = json!({"mcpServers": {"evil": server}}).to_string();
    let config = McpConfig::parse(&text, "test.json").unwrap();
    let starting = McpServers::start_with(&config, options);
    tokio::time::timeout(SOON, starting)
        .await
        .expect("the start hangs")
}

async fn call(servers: &McpServers, name: &str) -> Result<ToolOutput, ToolError> {
    let tool = find(servers, name);
    let calling = tool.invoke(ToolInput::default());
    tokio::time::timeout(SOON, calling)
        .await
        .expect("the call hangs")
}

fn cancelled(folder: &Path) -> usize {
    let messages = recorded(folder);
    let cancelled = messages
        .iter()
        .filter(|message| message["method"] == "notifications/cancelled");
    cancelled.count()
}

#[test]
fn a_start_is_tried_after_0_2_and_4_seconds() {
    let waits = McpOptions::default().waits;
    assert_eq!(waits, [0, 2, 4].map(Duration::from_secs));
}

#[tokio::test]
async fn a_start_that_fails_twice_succeeds() {
    let folder = tempfile::tempdir().unwrap();
    let servers = start(recording_entry("late", folder.path()), options()).await;
    assert_eq!(servers.failures(), []);
    assert_eq!(starts(folder.path()), 3);
}

#[tokio::test]
async fn a_start_that_always_fails_is_reported_with_its_stderr() {
    let folder = tempfile::tempdir().unwrap();
    let servers = start(recording_entry("never", folder.path()), options()).await;
    assert_eq!(
        servers.failures()[0].message,
        "failed after 3 attempts: it ended before it was ready (exit status: 1); it said: start 2 failed"
    );
    assert_eq!(starts(folder.path()), 3);
}

#[tokio::test]
async fn permanent_failures_are_not_retried() {
    let mut options = options();
    options.waits = vec![Duration::ZERO, Duration::from_secs(3600)];
    let servers = start(json!({"command": "no-such-command-here"}), options).await;
    let message = &servers.failures()[0].message;
    assert_eq!(
        message,
        "its command \"no-such-command-here\" was not found"
    );
}

#[tokio::test]
async fn a_dead_server_is_started_again_once_for_concurrent_calls() {
    let folder = tempfile::tempdir().unwrap();
    let servers = start(recording_entry("none", folder.path()), options()).await;
    let first = call(&servers, "pid").await.unwrap().value;
    let error = call(&servers, "exit").await.unwrap_err();
    assert_eq!(error.kind(), ToolErrorKind::Network);
    let calls = (0..20).map(|_| call(&servers, "pid"));
    let pids: Vec<Value> = futures_util::future::join_all(calls)
        .await
        .into_iter()
        .map(|output| output.unwrap().value)
        .collect();
    assert!(
        pids.iter().all(|pid| *pid == pids[0] && *pid != first),
        "{first} {pids:?}"
    );
    assert_eq!(starts(folder.path()), 2);
}

#[cfg(unix)]
#[tokio::test]
async fn a_server_that_does_not_come_back_is_not_started_for_every_call() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("server");
    let entry = recording_entry("none", folder.path());
    std::os::unix::fs::symlink(entry["command"].as_str().unwrap(), &script).unwrap();
    let mut moved = entry.clone();
    moved["command"] = json!(script);
    let servers = start(moved, options()).await;
    std::fs::remove_file(&script).unwrap();
    call(&servers, "exit").await.unwrap_err();
    let error = call(&servers, "echo").await.unwrap_err();
    assert!(
        error.detail().contains("was not found"),
        "{}",
        error.detail()
    );
    // The server works again, but the pause is not over.
    std::os::unix::fs::symlink(entry["command"].as_str().unwrap(), &script).unwrap();
    let error = call(&servers, "echo").await.unwrap_err();
    assert!(
        error.detail().contains("was not found"),
        "{}",
        error.detail()
    );
    assert_eq!(starts(folder.path()), 1);
}

#[tokio::test]
async fn a_silent_call_times_out_and_progress_extends_its_limit() {
    let folder = tempfile::tempdir().unwrap();
    let mut options = options();
    options.call_timeout = Duration::from_millis(400);
    let servers = start(recording_entry("none", folder.path()), options).await;
    // Four times 150 ms, each with progress.
    assert_eq!(call(&servers, "slow").await.unwrap().value, "at last");
    assert_eq!(cancelled(folder.path()), 0);
    let error = call(&servers, "hang").await.unwrap_err();
    assert_eq!(error.kind(), ToolErrorKind::Timeout);
    until(|| cancelled(folder.path()) == 1).await;
}

#[tokio::test]
async fn a_server_that_stopped_answering_is_started_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut options = options();
    options.call_timeout = Duration::from_millis(300);
    let servers = start(recording_entry("none", folder.path()), options).await;
    let first = call(&servers, "pid").await.unwrap().value;
    // Two unanswered calls, and an unanswered request for the list.
    for tool in ["freeze", "pid"] {
        let error = call(&servers, tool).await.unwrap_err();
        assert_eq!(error.kind(), ToolErrorKind::Timeout);
    }
    let started_again = async {
        loop {
            match call(&servers, "pid").await {
                Ok(pid) => return pid.value,
                Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        }
    };
    let second = tokio::time::timeout(SOON, started_again).await.unwrap();
    assert_ne!(second, first);
    assert_eq!(starts(folder.path()), 2);
}

#[tokio::test]
async fn a_server_with_slow_tools_is_not_restarted() {
    let folder = tempfile::tempdir().unwrap();
    let mut options = options();
    options.call_timeout = Duration::from_millis(100);
    let servers = start(recording_entry("none", folder.path()), options).await;
    let first = call(&servers, "pid").await.unwrap().value;
    for _ in 0..4 {
        let error = call(&servers, "hang").await.unwrap_err();
        assert_eq!(error.kind(), ToolErrorKind::Timeout);
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(call(&servers, "pid").await.unwrap().value, first);
    assert_eq!(starts(folder.path()), 1);
}

#[tokio::test]
async fn progress_extends_a_call_up_to_the_total_limit() {
    let folder = tempfile::tempdir().unwrap();
    let mut options = options();
    options.total_call_timeout = Duration::from_millis(400);
    let servers = start(recording_entry("none", folder.path()), options).await;
    let error = call(&servers, "slow").await.unwrap_err();
    assert_eq!(error.kind(), ToolErrorKind::Timeout);
    until(|| cancelled(folder.path()) == 1).await;
}

#[tokio::test]
async fn a_list_that_changed_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let servers = start(recording_entry("none", folder.path()), options()).await;
    let echo = find(&servers, "echo");
    let has_new = || servers.tools().iter().any(|tool| tool.name() == "new_tool");
    assert!(!has_new());
    call(&servers, "more_tools").await.unwrap();
    until(has_new).await;
    // An unchanged tool stays the same object.
    assert!(Arc::ptr_eq(&echo, &find(&servers, "echo")));
}

#[tokio::test]
async fn tools_of_stopped_servers_return_an_error() {
    let servers = start(entry("none"), options()).await;
    let echo = find(&servers, "echo");
    servers.shutdown().await;
    let error = echo.invoke(ToolInput::default()).await.unwrap_err();
    assert_eq!(error.kind(), ToolErrorKind::Network);
    assert_eq!(error.detail(), "it was shut down");
}

#[tokio::test]
async fn fifty_calls_run_concurrently() {
    let servers = start(entry("none"), options()).await;
    let crowd = find(&servers, "crowd");
    let calls = (0..50).map(|number| {
        let input: serde_json::Map<_, _> =
            serde_json::from_value(json!({"number": number})).unwrap();
        crowd.invoke(ToolInput::from(input))
    });
    let calls = futures_util::future::join_all(calls);
    let outputs = tokio::time::timeout(SOON, calls)
        .await
        .expect("they wait for each other");
    for (number, output) in outputs.into_iter().enumerate() {
        assert_eq!(output.unwrap().value, number.to_string());
    }
}

//! Counts processes: however servers end, no process is left.
//!
//! A program of its own, because all children of the process are counted, so no other test may have
//! any.
#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "tests may die, and the server speaks over stdout"
)]

use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use haft_core::{Tool, ToolErrorKind, ToolInput};
use haft_mcp::{McpConfig, McpOptions, McpServers};
use haft_testing::misbehaving_server::entry;
use serde_json::json;

/// Not a test of its own: runs the misbehaving server if this program was started as one.
#[test]
fn misbehaving_server_process() {
    haft_testing::misbehaving_server::serve_if_asked();
}

const SOON: Duration = Duration::from_secs(30);

async fn start(evil: &str) -> McpServers {
    let text = json!({"mcpServers": {"evil": entry(evil)}}).to_string();
    let mut options = McpOptions::default();
    options.waits = vec![Duration::ZERO; 3];
    McpServers::start_with(&McpConfig::parse(&text, "test.json").unwrap(), options).await
}

fn find(servers: &McpServers, name: &str) -> Arc<dyn Tool> {
    let tools = servers.tools();
    tools
        .into_iter()
        .find(|tool| tool.name() == name)
        .expect(name)
}

async fn pid_from(servers: &McpServers, name: &str) -> u32 {
    let output = find(servers, name)
        .invoke(ToolInput::default())
        .await
        .unwrap();
    output.value.as_str().unwrap().parse().unwrap()
}

/// The state and parent of a process, as the system reports them.
fn stat(pid: u32) -> Option<(String, u32)> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, fields) = stat.rsplit_once(") ")?;
    let mut fields = fields.split(' ');
    Some((fields.next()?.to_owned(), fields.next()?.parse().ok()?))
}

fn is_alive(pid: u32) -> bool {
    stat(pid).is_some_and(|(state, _)| state != "Z")
}

/// The children of this process, zombies included.
fn children() -> Vec<(u32, String)> {
    std::fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter_map(|pid| Some((pid, stat(pid)?)))
        .filter(|(_, (_, parent))| *parent == std::process::id())
        .map(|(pid, (state, _))| (pid, state))
        .collect()
}

async fn until(what: &str, mut condition: impl FnMut() -> bool) {
    let waiting = async {
        while !condition() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let waited = tokio::time::timeout(SOON, waiting).await;
    waited.unwrap_or_else(|_| panic!("{what} never happened: {:?}", children()));
}

fn kill(pid: u32) {
    assert!(
        Command::new("kill")
            .args(["-9", &pid.to_string()])
            .status()
            .unwrap()
            .success()
    );
}

/// Kills ten servers in the middle of a call, with a grandchild that holds the output open.
async fn killed_during_a_call() {
    let servers = start("none").await;
    let mut grandchildren = Vec::new();
    for _ in 0..10 {
        let server = pid_from(&servers, "pid").await;
        grandchildren.push(pid_from(&servers, "family").await);
        let hang = find(&servers, "hang");
        let calls: Vec<_> = (0..3)
            .map(|_| {
                let hang = Arc::clone(&hang);
                tokio::spawn(async move { hang.invoke(ToolInput::default()).await })
            })
            .collect();
        // This call is answered, so the calls before it were received.
        find(&servers, "echo")
            .invoke(ToolInput::default())
            .await
            .unwrap();
        kill(server);
        for call in calls {
            let error = tokio::time::timeout(SOON, call)
                .await
                .expect("the call hangs");
            assert_eq!(error.unwrap().unwrap_err().kind(), ToolErrorKind::Network);
        }
    }
    let server = pid_from(&servers, "pid").await;
    until("one child", || {
        children().iter().map(|child| child.0).eq([server])
    })
    .await;
    for grandchild in &grandchildren {
        until("the end of a grandchild", || !is_alive(*grandchild)).await;
    }
    servers.shutdown().await;
    assert_eq!(children(), []);
}

async fn dropped_and_shut_down() {
    let servers = start("none").await;
    let family = pid_from(&servers, "family").await;
    servers.shutdown().await;
    assert_eq!(children(), []);
    until("the end of a grandchild", || !is_alive(family)).await;

    let servers = start("none").await;
    let family = pid_from(&servers, "family").await;
    drop(servers);
    until("no child", || children().is_empty()).await;
    until("the end of a grandchild", || !is_alive(family)).await;
}

async fn never_ready() {
    for evil in ["never", "babbling"] {
        let servers = start(evil).await;
        assert_eq!(servers.failures().len(), 1);
        until("no child", || children().is_empty()).await;
    }
    // Cancelled during the start.
    let starting = start("silent");
    assert!(
        tokio::time::timeout(Duration::from_millis(500), starting)
            .await
            .is_err()
    );
}

#[test]
fn nothing_is_left_of_any_server() {
    // Skipped in the server process, which runs all tests except those that are filtered out.
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        killed_during_a_call().await;
        dropped_and_shut_down().await;
        never_ready().await;
    });
    // Remaining processes are killed with the runtime.
    drop(runtime);
    let deadline = std::time::Instant::now() + SOON;
    while children().iter().any(|(_, state)| state != "Z") {
        assert!(std::time::Instant::now() < deadline, "{:?}", children());
        std::thread::sleep(Duration::from_millis(10));
    }
}

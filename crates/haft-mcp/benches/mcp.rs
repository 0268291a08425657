//! The overhead of haft's layer over bare `rmcp`: a call of `echo` over stdin and stdout, alone and
//! fifty at once, and the start of ten servers.
//!
//! The benchmark is its own server. Compare medians of one run only; timings of two processes
//! differ between runs.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a benchmark may die, and the server speaks over stdout"
)]

use std::io::BufRead;
use std::process::Stdio;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use futures_util::future::join_all;
use haft_core::{Tool, ToolInput};
use haft_mcp::{McpConfig, McpServers};
use rmcp::ServiceExt;
use rmcp::model::{CallToolRequestParams, ClientConfig};
use rmcp::service::{RoleClient, RunningService};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

/// The variable that makes this program the server; its value is the delay of the start in ms.
const SERVER: &str = "HAFT_BENCH_SERVER";

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().unwrap());

fn main() {
    match std::env::var(SERVER) {
        Ok(delay) => serve(delay.parse().unwrap()),
        Err(_) => divan::main(),
    }
}

fn serve(delay: u64) {
    std::thread::sleep(Duration::from_millis(delay));
    for line in std::io::stdin().lock().lines() {
        let Ok(message) = serde_json::from_str::<Value>(&line.unwrap()) else {
            continue;
        };
        let result = match message["method"].as_str().unwrap_or_default() {
            "initialize" => json!({
                "protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                "serverInfo": {"name": "bench", "version": "1"}
            }),
            "tools/list" => json!({"tools": [{"name": "echo", "inputSchema": {"type": "object"}}]}),
            "tools/call" => json!({"content": [
                {"type": "text", "text": message["params"]["arguments"].to_string()}
            ]}),
            _ if message.get("id").is_some() => {
                let error = json!({"code": -32601, "message": "Method not found"});
                println!(
                    "{}",
                    json!({"jsonrpc": "2.0", "id": message["id"], "error": error})
                );
                continue;
            }
            _ => continue,
        };
        println!(
            "{}",
            json!({"jsonrpc": "2.0", "id": message["id"], "result": result})
        );
    }
}

fn arguments() -> serde_json::Map<String, Value> {
    json!({"message": "hello"}).as_object().unwrap().clone()
}

fn config(servers: usize, delay: impl Fn(usize) -> u64) -> McpConfig {
    let program = std::env::current_exe().unwrap();
    let entries: serde_json::Map<String, Value> = (0..servers)
        .map(|number| {
            let delay = delay(number).to_string();
            (
                format!("bench{number}"),
                json!({"command": program, "env": {SERVER: delay}}),
            )
        })
        .collect();
    McpConfig::parse(&json!({"mcpServers": entries}).to_string(), "bench").unwrap()
}

fn ours() -> (McpServers, Arc<dyn Tool>) {
    let servers = RUNTIME.block_on(McpServers::start(&config(1, |_| 0)));
    let echo = Arc::clone(&servers.tools()[0]);
    (servers, echo)
}

fn bare() -> RunningService<RoleClient, ClientConfig> {
    RUNTIME.block_on(async {
        let child = tokio::process::Command::new(std::env::current_exe().unwrap())
            .env(SERVER, "0")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let transport = (child.stdout.unwrap(), child.stdin.unwrap());
        ClientConfig::default().serve(transport).await.unwrap()
    })
}

#[divan::bench(args = [1, 50], sample_count = 500, sample_size = 1)]
fn echo_haft(bencher: divan::Bencher<'_, '_>, at_once: usize) {
    let (_servers, echo) = ours();
    bencher.bench_local(|| {
        RUNTIME.block_on(join_all((0..at_once).map(|_| async {
            let input = ToolInput::from(arguments());
            echo.invoke(input).await.unwrap()
        })))
    });
}

#[divan::bench(args = [1, 50], sample_count = 500, sample_size = 1)]
fn echo_rmcp(bencher: divan::Bencher<'_, '_>, at_once: usize) {
    let service = bare();
    bencher.bench_local(|| {
        RUNTIME.block_on(join_all((0..at_once).map(|_| async {
            let params = CallToolRequestParams::new("echo").with_arguments(arguments());
            service.peer().call_tool_once(params).await.unwrap()
        })))
    });
}

/// Servers that are ready after 0, 50 ... 450 ms: started concurrently, all are ready after 450 ms.
#[divan::bench(args = [1, 10], sample_count = 5, sample_size = 1)]
fn start_until_450_ms(bencher: divan::Bencher<'_, '_>, servers: usize) {
    let config = config(servers, |number| 450 - 50 * number as u64);
    bencher.bench_local(|| {
        RUNTIME.block_on(async {
            let started = McpServers::start(&config).await;
            assert_eq!(started.statuses().len(), servers);
            started.shutdown().await;
        });
    });
}

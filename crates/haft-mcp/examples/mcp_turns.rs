//! One of the clients that `bench/mcp/run` compares: `mcp_turns haft|rmcp COMMAND [ARGUMENTS]`.
//!
//! Starts the server, prints `ready`, then for each number on stdin makes that many calls of `echo`
//! in sequence and fifty concurrent ones, and prints the duration of each call and of the fifty in
//! ns.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::cast_possible_truncation,
    reason = "a measurement may die, and its figures go to stdout"
)]

use std::io::BufRead;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Instant;

use futures_util::future::{BoxFuture, join_all};
use haft_core::ToolInput;
use haft_mcp::{McpConfig, McpServers};
use rmcp::ServiceExt;
use rmcp::model::{CallToolRequestParams, ClientConfig};
use serde_json::{Map, Value, json};

const AT_ONCE: usize = 50;

/// A call of `echo`, from the arguments to the returned text.
type Call = Box<dyn Fn() -> BoxFuture<'static, ()>>;

fn arguments() -> Map<String, Value> {
    Map::from_iter([("message".to_owned(), Value::from("hello"))])
}

/// With haft. The servers run until the program exits.
async fn haft(command: &[String]) -> Call {
    let entry = json!({"command": command[0], "args": command[1..]});
    let config = json!({"mcpServers": {"bench": entry}}).to_string();
    let config = McpConfig::parse(&config, "bench").unwrap();
    let servers: &McpServers = Box::leak(Box::new(McpServers::start(&config).await));
    let mut tools = servers.tools().into_iter();
    let echo = tools.find(|tool| tool.name() == "echo").unwrap();
    Box::new(move || {
        let echo = Arc::clone(&echo);
        Box::pin(async move {
            let input = ToolInput::from(arguments());
            let output = echo.invoke(input).await.unwrap();
            assert_eq!(output.value, "Echo: hello");
        })
    })
}

/// With `rmcp` alone.
async fn rmcp(command: &[String]) -> Call {
    let child = tokio::process::Command::new(&command[0])
        .args(&command[1..])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let transport = (child.stdout.unwrap(), child.stdin.unwrap());
    let service = ClientConfig::default().serve(transport).await.unwrap();
    let peer = service.peer().clone();
    Box::leak(Box::new(service));
    Box::new(move || {
        let peer = peer.clone();
        Box::pin(async move {
            let params = CallToolRequestParams::new("echo").with_arguments(arguments());
            peer.call_tool_once(params).await.unwrap();
        })
    })
}

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let call = match arguments[0].as_str() {
        "haft" => haft(&arguments[1..]).await,
        _ => rmcp(&arguments[1..]).await,
    };
    println!("ready");
    for line in std::io::stdin().lock().lines() {
        let mut each = Vec::new();
        for _ in 0..line.unwrap().parse::<usize>().unwrap() {
            let begun = Instant::now();
            call().await;
            each.push(begun.elapsed().as_nanos() as u64);
        }
        let begun = Instant::now();
        join_all((0..AT_ONCE).map(|_| call())).await;
        let batch = begun.elapsed().as_nanos() as u64;
        println!("{}", json!({"each": each, "batch": batch}));
    }
}

//! Binds the tools of the MCP servers in a `.mcp.json` and lists them.
//!
//! `cargo run -p haft --example use_an_mcp_server -- .mcp.json`

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "programs may print"
)]

use haft::Agent;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args()
        .nth(1)
        .unwrap_or_else(|| ".mcp.json".to_owned());
    let agent = Agent::builder()
        .model("builtin")
        .mcp_config(file)
        .build()
        .await?;
    for failure in agent.mcp_servers().failures() {
        eprintln!("{failure}");
    }
    for tool in agent.executor().tools().get_tools() {
        println!("{}: {}", tool.name(), tool.description());
    }
    agent.shutdown().await;
    Ok(())
}

//! The host that the conformance suite of MCP tests.
//!
//! The suite (`@modelcontextprotocol/conformance`) starts a server, runs this program with the
//! server's address as its argument, and judges what the server sees. The environment names the
//! scenario. Most scenarios want every tool called once, with the arguments that they hand over or
//! with any that fit; all calls go out in one round, so that they may overlap.
//! `tests/outside/mcp/run` runs the suite.

#![allow(
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test program prints, and its tests may die"
)]

use std::error::Error;
use std::sync::Arc;

use haft::tools::{McpConfig, McpOptions, McpServers};
use haft::types::Emitter;
use haft::{AiMessage, Event, Tool, ToolCall, ToolExecutor, ToolManager};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// The scenario that wants a schema sent back as it came: the tool that has it, and the tool that
/// takes it.
const SCHEMA_ECHO: (&str, &str) = ("json_schema_2020_12_tool", "json_schema_echo");

/// The scenario in which a form is accepted; all others see what haft does by itself.
const DEFAULTS: &str = "elicitation-sep1034-client-defaults";

/// What a scenario hands over (`@modelcontextprotocol/conformance: README.md`).
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Context {
    tool_calls: Vec<Wanted>,
}

/// A call that a scenario wants.
#[derive(Debug, Deserialize)]
struct Wanted {
    name: String,
    #[serde(default)]
    arguments: Map<String, Value>,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let url = std::env::args().nth(1);
    let url = url.ok_or("usage: conformance_client URL")?;
    let scenario = std::env::var("MCP_CONFORMANCE_SCENARIO").unwrap_or_default();
    let context = match std::env::var("MCP_CONFORMANCE_CONTEXT") {
        Ok(context) => serde_json::from_str(&context)?,
        Err(_) => Context::default(),
    };
    let server = json!({"type": "http", "url": url});
    let config = json!({"mcpServers": {"conformance": server}}).to_string();
    let config = McpConfig::parse(&config, "the command line")?;
    let mut options = McpOptions::default();
    options.accept_defaults = scenario == DEFAULTS;
    let servers = McpServers::start_with(&config, options).await;
    if let [failure, ..] = servers.failures() {
        return Err(failure.to_string().into());
    }
    let mut manager = ToolManager::new();
    manager.add_servers(&servers);
    let calls = calls(manager.get_tools(), context.tool_calls);
    let executor = ToolExecutor::new(manager);
    let round = AiMessage::new("").with_tool_calls(calls);
    for answer in executor
        .run_round(&round, &Emitter::<Event>::silent())
        .await
    {
        println!("{}", answer.content.text());
    }
    servers.shutdown().await;
    Ok(())
}

/// The calls that are wanted; each tool once where none is said.
fn calls(tools: &[Arc<dyn Tool>], wanted: Vec<Wanted>) -> Vec<ToolCall> {
    let numbered = |(index, (name, arguments)): (usize, (String, Map<String, Value>))| {
        ToolCall::new(name, Value::Object(arguments), format!("call_{index}"))
    };
    let each = tools.iter().map(|tool| {
        let schema = tools.iter().find(|tool| tool.name() == SCHEMA_ECHO.0);
        let arguments = match schema {
            Some(focal) if tool.name() == SCHEMA_ECHO.1 => {
                Map::from_iter([("schema".to_owned(), focal.schema().clone())])
            }
            _ => fitting(tool.schema()),
        };
        (tool.name().to_owned(), arguments)
    });
    if wanted.is_empty() {
        return each.enumerate().map(numbered).collect();
    }
    let wanted = wanted.into_iter().map(|call| (call.name, call.arguments));
    wanted.enumerate().map(numbered).collect()
}

/// A value for each argument that a tool must have.
fn fitting(schema: &Value) -> Map<String, Value> {
    let required = schema.get("required").and_then(Value::as_array);
    let names = required.into_iter().flatten().filter_map(Value::as_str);
    names
        .map(|name| {
            let property = schema.pointer(&format!("/properties/{name}"));
            let kind = property.and_then(|property| property.get("type")?.as_str());
            let value = match kind {
                Some("number" | "integer") => json!(1),
                Some("boolean") => json!(true),
                Some("array") => json!([]),
                Some("object") => json!({}),
                _ => json!("one"),
            };
            (name.to_owned(), value)
        })
        .collect()
}

#[cfg(test)]
mod tests;

//! Checks with a server process that refuses unknown arguments whether anything between a model and
//! an MCP server repairs parameter names, message by message; and that haft's normalisation does.

use std::path::Path;

use crate::servers::stub_server;
use haft_core::{ToolCall, ToolInput};
use haft_mcp::{McpConfig, McpServers};
use haft_schema::CompiledSchema;
use haft_tools::{ToolExecutor, ToolManager};
use serde_json::{Value, json};

const CONTROL: &str = "control_zwave_device";

async fn start(record: &Path) -> McpServers {
    let servers = json!({"mcpServers": {"zwave": stub_server::recording_entry("normal", record)}});
    let config = McpConfig::parse(&servers.to_string(), "test.json").unwrap();
    McpServers::start(&config).await
}

/// The arguments of the calls that reached the server.
fn arguments_received(record: &Path) -> Vec<Value> {
    stub_server::recorded(record)
        .into_iter()
        .filter(|message| message["method"] == "tools/call")
        .map(|message| message["params"]["arguments"].clone())
        .collect()
}

fn input(arguments: Value) -> ToolInput {
    ToolInput::from(serde_json::from_value::<serde_json::Map<_, _>>(arguments).unwrap())
}

#[tokio::test]
async fn s002_12_evaluation_snake_case_reaches_the_server_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("messages");
    let servers = start(&record).await;
    let tools = servers.tools();
    let control = tools.iter().find(|tool| tool.name() == CONTROL).unwrap();

    // Without normalisation, the server receives the model's spelling and refuses it.
    let written = json!({"device_name": "kitchen light", "action": "on"});
    let refused = control.invoke(input(written.clone())).await.unwrap_err();
    assert_eq!(arguments_received(&record), std::slice::from_ref(&written));
    assert_eq!(refused.message(), "refused: unknown [\"device_name\"]");

    // With normalisation, the schema's spelling arrives and is accepted.
    let schema = CompiledSchema::new(control.schema()).unwrap();
    let coerced = schema.check(input(written).input).unwrap();
    let accepted = control
        .invoke(ToolInput::from(coerced.arguments))
        .await
        .unwrap();
    assert_eq!(accepted.value, "kitchen light is \"on\"");
    assert_eq!(
        arguments_received(&record)[1],
        json!({"deviceName": "kitchen light", "action": "on"})
    );
}

#[tokio::test]
async fn s002_12_synonyms_reach_the_server_as_the_tools_own_names() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("messages");
    let servers = start(&record).await;
    let mut tools = ToolManager::new();
    for tool in servers.tools() {
        tools.add(tool).unwrap();
    }
    let executor = ToolExecutor::new(tools);
    let call = ToolCall::new(
        CONTROL,
        json!({"device_name": "hall lamp", "command": "dim", "brightness": "40"}),
        "call_1",
    );
    let output = executor.execute(&call).await.unwrap();
    assert_eq!(output.value, "hall lamp is \"dim\"");
    assert_eq!(
        arguments_received(&record),
        [json!({"deviceName": "hall lamp", "action": "dim", "level": 40})]
    );
}

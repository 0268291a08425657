//! Untrusted servers: the names, definitions, hints and results of their tools.

use std::io::ErrorKind;
use std::net::TcpListener;
use std::sync::Arc;

use crate::servers::scripted_tools::{answering, entry};
use haft_core::{AiMessage, Emitter, Tool, ToolCall, ToolMessage, ToolStatus};
use haft_mcp::{McpConfig, McpServers};
use haft_tools::{
    ApprovalMode, ExecutorOptions, ToolExecutor, ToolManager, get_current_datetime, refuse,
};
use serde_json::{Value, json};

async fn start(servers: Value) -> McpServers {
    let text = json!({"mcpServers": servers}).to_string();
    let servers = McpServers::start(&McpConfig::parse(&text, "test.json").unwrap()).await;
    assert_eq!(servers.failures(), []);
    servers
}

fn executor(tools: Vec<Arc<dyn Tool>>, approval: ApprovalMode) -> ToolExecutor {
    let mut manager = ToolManager::new();
    for tool in tools {
        manager.add(tool).unwrap();
    }
    let approve = approval.approver(refuse("Ask again."));
    ToolExecutor::with_options(manager, ExecutorOptions::default(), approve)
}

async fn answers(executor: &ToolExecutor, names: &[&str]) -> Vec<ToolMessage> {
    let calls = names
        .iter()
        .map(|name| ToolCall::new(*name, json!({}), *name));
    let message = AiMessage::new("").with_tool_calls(calls);
    executor.run_round(&message, &Emitter::silent()).await
}

fn names(tools: &[Arc<dyn Tool>]) -> Vec<&str> {
    tools.iter().map(Tool::name).collect()
}

#[tokio::test]
async fn tools_are_called_by_safe_names_and_reach_their_server_by_its_own() {
    let long = "x".repeat(128);
    let tools = |names: &[&str]| {
        let tools = names
            .iter()
            .map(|name| json!({"name": name, "inputSchema": {}}));
        entry(&tools.collect())
    };
    let servers = start(json!({
        "b": tools(&["files.read", "Get-Current-DateTime", "same"]),
        "a": tools(&["same", &long]),
    }))
    .await;
    let ours = get_current_datetime();
    let found = servers.tools_beside(&[ours.name()]);
    let short = names(&found)[4].to_owned();
    assert_eq!(
        names(&found)[..4],
        ["files_read", "b_Get-Current-DateTime", "b_same", "a_same"]
    );
    assert!(short.len() == 64 && short.starts_with("xxx"), "{short}");
    let executor = executor(found, ApprovalMode::Never);
    let called = [
        "files_read",
        "b_Get-Current-DateTime",
        "b_same",
        "a_same",
        &short,
    ];
    let said: Vec<_> = answers(&executor, &called).await;
    let said: Vec<_> = said.iter().map(|answer| answer.content.text()).collect();
    assert_eq!(
        said,
        ["files.read", "Get-Current-DateTime", "same", "same", &long]
    );
    // The server's own name, or another spelling, is not a valid name here.
    for unknown in ["files.read", "get_current_datetime", "same"] {
        let answer = answers(&executor, &[unknown]).await;
        assert_eq!(
            answer[0].content.text(),
            format!("Error: Unknown tool \"{unknown}\"")
        );
    }
    servers.shutdown().await;
}

#[tokio::test]
async fn hints_of_a_server_do_not_make_a_deletion_harmless() {
    let read_only = json!({"readOnlyHint": true, "destructiveHint": false});
    let tools = json!([
        {"name": "read", "inputSchema": {}, "annotations": read_only},
        {"name": "delete_file", "inputSchema": {}, "annotations": read_only},
        {"name": "unmarked", "inputSchema": {}},
        {"name": "warned", "inputSchema": {}, "annotations": {"destructiveHint": true}},
    ]);
    let mut entry = entry(&tools);
    entry["autoApprove"] = json!(["warned"]);
    let servers = start(json!({ "s": entry })).await;
    let executor = executor(servers.tools(), ApprovalMode::Destructive);
    let answers = answers(&executor, &["read", "delete_file", "unmarked", "warned"]).await;
    let said: Vec<_> = answers.iter().map(|answer| answer.content.text()).collect();
    assert_eq!((said[0].as_str(), said[3].as_str()), ("read", "warned"));
    for refused in &said[1..3] {
        assert!(
            refused.contains("was not run") && refused.ends_with("Ask again."),
            "{refused}"
        );
    }
    servers.shutdown().await;
}

#[tokio::test]
async fn a_schema_elsewhere_is_never_fetched() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let elsewhere = json!({"$ref": format!("http://{}/s.json", listener.local_addr().unwrap())});
    let tools = json!([{
        "name": "f",
        "inputSchema": {"type": "object", "properties": {"a": elsewhere}},
        "outputSchema": {"type": "object", "properties": {"a": elsewhere}},
    }]);
    let result = json!({"content": [], "structuredContent": {"a": 1}});
    let servers = start(json!({"s": answering(&tools, &result)})).await;
    let executor = executor(servers.tools(), ApprovalMode::Never);
    let call = ToolCall::new("f", json!({"a": 1}), "id");
    let message = AiMessage::new("").with_tool_calls([call]);
    let answers = executor.run_round(&message, &Emitter::silent()).await;
    assert_eq!(answers[0].content.text(), r#"{"a":1}"#);
    let untouched = listener.accept().unwrap_err();
    assert_eq!(untouched.kind(), ErrorKind::WouldBlock);
    servers.shutdown().await;
}

#[tokio::test]
async fn a_result_that_breaks_its_schema_is_reported() {
    let promise = json!({"type": "object", "required": ["celsius"]});
    let tools = json!([{"name": "f", "inputSchema": {}, "outputSchema": promise}]);
    let text = json!([{"type": "text", "text": "mild"}]);
    let result = json!({"content": text, "structuredContent": {"fahrenheit": 70}});
    let servers = start(json!({"s": answering(&tools, &result)})).await;
    let executor = executor(servers.tools(), ApprovalMode::Never);
    let answers = answers(&executor, &["f"]).await;
    let said = answers[0].content.text();
    assert!(
        said.starts_with("mild\n[The data of this result is not as"),
        "{said}"
    );
    assert_eq!(answers[0].status, ToolStatus::Success);
    let artifact = answers[0].artifact.clone().unwrap();
    assert_eq!(artifact["structuredContent"], json!({"fahrenheit": 70}));
    assert!(
        artifact["outputSchemaMismatch"]
            .as_str()
            .unwrap()
            .contains("celsius")
    );
    servers.shutdown().await;
}

#[tokio::test]
async fn warnings_about_tools_name_their_server() {
    let tools = json!([{"name": "f", "description": "Adds\u{200b}", "inputSchema": {}}]);
    let mut entry = entry(&tools);
    entry["exclude"] = json!(["g"]);
    let servers = start(json!({ "s": entry })).await;
    assert_eq!(servers.tools()[0].description(), "Adds");
    assert_eq!(
        servers.statuses()[0].warnings,
        [
            "\"exclude\" names \"g\", and there is no such tool",
            "the description of f had characters that nobody can see; they were taken out"
        ]
    );
    servers.shutdown().await;
}

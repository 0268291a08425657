//! Tools of a server that changes its list while the gateway runs.

use std::time::Duration;

use haft_mcp::{McpConfig, McpServers};
use haft_tools::ApprovalMode;
use serde_json::{Value, json};

use super::{Rig, question, said};
use haft_testing::misbehaving_server::{recording_entry, serve_if_asked};

/// Not a test of its own: runs the server if this program was started as one.
#[test]
fn misbehaving_server_process() {
    serve_if_asked();
}

/// Longer than any step here takes on a busy machine.
const SOON: Duration = Duration::from_secs(30);

async fn until_listed(servers: &McpServers) {
    let has_new = || {
        let tools = servers.tools();
        tools.iter().any(|tool| tool.name() == "new_tool")
    };
    let waiting = async {
        while !has_new() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(SOON, waiting).await.unwrap();
}

async fn answer(rig: &Rig) -> String {
    let request = rig.post("/v1/chat/completions", &question(false));
    let text = request.send().await.unwrap().text().await.unwrap();
    let answer: Value = serde_json::from_str(&text).unwrap();
    answer["choices"][0]["message"]["content"].to_string()
}

#[tokio::test]
async fn the_next_request_sees_the_changed_tools_of_a_server() {
    let folder = tempfile::tempdir().unwrap();
    let config = json!({"mcpServers": {"evil": recording_entry("none", folder.path())}});
    let config = McpConfig::parse(&config.to_string(), "test.json").unwrap();
    let servers = McpServers::start(&config).await;
    let replies = vec![
        said("", &[("a", "more_tools", json!({}))]),
        said("Learned.", &[]),
        said("", &[("b", "new_tool", json!({}))]),
        said("Done.", &[]),
    ];
    let rig = Rig::with(replies, |options| {
        options.tools.add_servers(&servers);
        options.approval = ApprovalMode::Never;
    })
    .await;
    assert_eq!(answer(&rig).await, r#""Learned.""#);
    until_listed(&servers).await;
    assert_eq!(answer(&rig).await, r#""Done.""#);
    let asked = rig.asked();
    let offers = |request: &Value| request["tools"].to_string().contains("new_tool");
    let offered: Vec<_> = asked.iter().map(offers).collect();
    assert_eq!(offered, [false, false, true, true]);
    assert_eq!(asked[3]["messages"][2]["content"], "new");
    servers.shutdown().await;
}

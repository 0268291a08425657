//! Tools at the gateway whose server comes to have others.

#[path = "../../../haft-tools/tests/support/evil_server.rs"]
#[allow(
    dead_code,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "not every suite needs all that the evil server can do, and it speaks over stdout"
)]
mod evil_server;

use std::time::Duration;

use haft_tools::{ApprovalMode, McpConfig, McpServers};
use serde_json::{Value, json};

use self::evil_server::recording_entry;
use crate::{Rig, question, said};

/// Longer than anything here may take on a busy machine, and far shorter than for ever.
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
async fn the_next_request_finds_the_tools_that_a_server_has_by_then() {
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

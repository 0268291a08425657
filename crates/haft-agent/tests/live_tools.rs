//! Servers whose tools change while a conversation goes on, asked through an agent.

#![cfg(feature = "mcp")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "tests may die, and the server speaks over stdout"
)]
#![allow(
    dead_code,
    reason = "not every suite needs all that the evil server can do"
)]

#[path = "../../haft-tools/tests/support/evil_server.rs"]
mod evil_server;

use std::sync::Arc;
use std::time::Duration;

use evil_server::recording_entry;
use haft_agent::{Agent, ToolSelection};
use haft_core::{AiMessage, Message, ToolCall};
use haft_testing::{ScriptedModel, ScriptedRequest};
use serde_json::json;
use tempfile::TempDir;

/// Longer than anything here may take on a busy machine, and far shorter than for ever.
const SOON: Duration = Duration::from_secs(30);

async fn agent(model: &ScriptedModel, selection: Option<ToolSelection>) -> (Agent, TempDir) {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("mcp.json");
    let servers = json!({"mcpServers": {"evil": recording_entry("none", folder.path())}});
    std::fs::write(&file, servers.to_string()).unwrap();
    let builder = Agent::builder()
        .model(Arc::new(model.clone()))
        .mcp_config(file)
        .selection(selection);
    (builder.build().await.unwrap(), folder)
}

fn calls(name: &str) -> AiMessage {
    AiMessage::new("").with_tool_calls([ToolCall::new(name, json!({}), "call_1")])
}

/// The model calls this tool, then says something.
fn script<'a>(names: impl IntoIterator<Item = &'a str>) -> ScriptedModel {
    let replies = names.into_iter();
    ScriptedModel::saying(replies.flat_map(|name| [calls(name), AiMessage::new("Done.")]))
}

fn offered(request: &ScriptedRequest) -> Vec<String> {
    request.tools.clone()
}

/// What the model read of the last call.
fn read(agent: &Agent) -> String {
    let messages = agent.conversation();
    let mut results = messages.iter().rev().filter_map(|message| match message {
        Message::Tool(result) => Some(result.content.text()),
        _ => None,
    });
    results.next().unwrap()
}

async fn until_listed(agent: &Agent, is_there: bool) {
    let has_new = || {
        let tools = agent.mcp_servers().tools();
        tools.iter().any(|tool| tool.name() == "new_tool")
    };
    let waiting = async {
        while has_new() != is_there {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(SOON, waiting)
        .await
        .expect("the list is never read again");
}

#[tokio::test]
async fn a_tool_that_comes_in_mid_conversation_is_there_from_the_next_question_on() {
    let model = script([
        "more_tools",
        "new_tool",
        "fewer_tools",
        "new_tool",
        "new_tool",
    ]);
    let (agent, _folder) = agent(&model, None).await;
    agent.ask("Learn something").await.unwrap();
    until_listed(&agent, true).await;
    agent.ask("Use it").await.unwrap();
    assert_eq!(read(&agent), "new");
    let requests = model.requests();
    let (before, after) = (offered(&requests[1]), offered(&requests[2]));
    assert!(!before.contains(&"new_tool".to_owned()));
    // Behind the others, so that the prompt of before still holds.
    assert_eq!(after, [before, vec!["new_tool".to_owned()]].concat());

    agent.ask("Forget it").await.unwrap();
    until_listed(&agent, false).await;
    agent.ask("Use it").await.unwrap();
    assert_eq!(offered(&model.requests()[6]), after);
    assert_eq!(
        read(&agent),
        "Error: The tool server evil no longer has the tool new_tool."
    );

    // A new conversation has nothing to keep.
    agent.reset();
    agent.ask("Use it").await.unwrap();
    assert!(!offered(&model.requests()[8]).contains(&"new_tool".to_owned()));
    assert!(read(&agent).contains("new_tool"), "{}", read(&agent));
    agent.shutdown().await;
}

#[tokio::test]
async fn so_it_is_where_tools_are_chosen() {
    let mut selection = ToolSelection::default();
    selection.search_tools = true;
    let model = script(["more_tools", "new_tool"]);
    let (agent, _folder) = agent(&model, Some(selection)).await;
    agent.ask("Use more_tools").await.unwrap();
    until_listed(&agent, true).await;
    agent.ask("Now use the tool new_tool").await.unwrap();
    assert_eq!(read(&agent), "new");
    assert!(offered(&model.requests()[2]).contains(&"new_tool".to_owned()));
    agent.shutdown().await;
}

//! Tools of an MCP server that change during a conversation.

use std::sync::Arc;
use std::time::Duration;

use haft_agent::{Agent, Session, ToolSelection};
use haft_core::{AiMessage, Message, ToolCall};
use haft_testing::{ScriptedModel, ScriptedRequest};
use serde_json::json;
use tempfile::TempDir;

use crate::support::changing_server;

/// The time limit for a change to arrive; generous, as the machine may be busy.
const SOON: Duration = Duration::from_secs(30);

async fn agent(model: &ScriptedModel, selection: Option<ToolSelection>) -> (Agent, TempDir) {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("mcp.json");
    let servers = json!({"mcpServers": {"changing": changing_server::entry()}});
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

/// A model that calls this tool, then replies with text.
fn script<'a>(names: impl IntoIterator<Item = &'a str>) -> ScriptedModel {
    let replies = names.into_iter();
    ScriptedModel::saying(replies.flat_map(|name| [calls(name), AiMessage::new("Done.")]))
}

fn offered(request: &ScriptedRequest) -> Vec<String> {
    request.tools.clone()
}

/// The result of the last call that the model read.
fn read(session: &Session) -> String {
    let messages = session.history();
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
async fn a_new_tool_is_offered_from_the_next_question_on() {
    let model = script([
        "more_tools",
        "new_tool",
        "fewer_tools",
        "new_tool",
        "new_tool",
    ]);
    let (agent, _folder) = agent(&model, None).await;
    let session = agent.session();
    session.ask("Learn something").await.unwrap();
    until_listed(&agent, true).await;
    session.ask("Use it").await.unwrap();
    assert_eq!(read(&session), "new");
    let requests = model.requests();
    let (before, after) = (offered(&requests[1]), offered(&requests[2]));
    assert!(!before.contains(&"new_tool".to_owned()));
    // After the others, so that the cached prompt is still valid.
    assert_eq!(after, [before, vec!["new_tool".to_owned()]].concat());

    session.ask("Forget it").await.unwrap();
    until_listed(&agent, false).await;
    session.ask("Use it").await.unwrap();
    assert_eq!(offered(&model.requests()[6]), after);
    assert_eq!(
        read(&session),
        "Error: The tool server changing no longer has the tool new_tool."
    );

    // A new conversation has no earlier tools to keep.
    let session = agent.session();
    session.ask("Use it").await.unwrap();
    assert!(!offered(&model.requests()[8]).contains(&"new_tool".to_owned()));
    assert!(read(&session).contains("new_tool"), "{}", read(&session));
    drop(session);
    agent.shutdown().await;
}

#[tokio::test]
async fn a_new_tool_is_offered_when_tools_are_selected_too() {
    let mut selection = ToolSelection::default();
    selection.search_tools = true;
    let model = script(["more_tools", "new_tool"]);
    let (agent, _folder) = agent(&model, Some(selection)).await;
    let session = agent.session();
    session.ask("Use more_tools").await.unwrap();
    until_listed(&agent, true).await;
    session.ask("Now use the tool new_tool").await.unwrap();
    assert_eq!(read(&session), "new");
    assert!(offered(&model.requests()[2]).contains(&"new_tool".to_owned()));
    drop(session);
    agent.shutdown().await;
}

use serde_json::json;

use super::*;
use crate::config::McpConfig;
use crate::options::McpOptions;
use crate::session::list::Listed as ServerList;
use crate::supervisor::supervised_server::SupervisedServer;

/// Servers with these lists that are never started.
fn servers(lists: &[(&str, &[&str])]) -> Vec<Arc<ServerTools>> {
    let entries: serde_json::Map<_, _> = lists
        .iter()
        .map(|(name, _)| ((*name).to_owned(), json!({"command": "none"})))
        .collect();
    let config = json!({"mcpServers": entries}).to_string();
    let config = McpConfig::parse(&config, "test.json").unwrap();
    let options = Arc::new(McpOptions::default());
    let servers = config.servers.iter().map(|server| {
        let endpoint = server.endpoint.as_ref().unwrap();
        let server = SupervisedServer::new(&server.name, endpoint, Arc::clone(&options), None);
        Arc::new(ServerTools::new(server))
    });
    let servers: Vec<_> = servers.collect();
    for (server, (_, names)) in servers.iter().zip(lists) {
        list(server, names, "as it was");
    }
    servers
}

fn list(server: &ServerTools, names: &[impl AsRef<str>], description: &str) {
    let tool = |name: &str| {
        let schema = Arc::new(serde_json::Map::new());
        rmcp::model::Tool::new(name.to_owned(), description.to_owned(), schema)
    };
    let tools: Vec<_> = names.iter().map(|name| tool(name.as_ref())).collect();
    server.server.set_tools(&ServerList {
        tools,
        left_out: Vec::new(),
    });
}

fn names(live: &ToolUpdates) -> Vec<&str> {
    live.tools.iter().map(|tool| tool.name_here()).collect()
}

#[test]
fn without_changes_there_is_no_new_snapshot() {
    let servers = servers(&[("a", &["one", "two"])]);
    let live = ToolUpdates::of(&servers, &[]);
    assert_eq!(names(&live), ["one", "two"]);
    list(&servers[0], &["one", "two"], "as it was");
    assert!(live.refreshed(&[], false).is_none());
    assert!(live.refreshed(&[], true).is_none());
}

#[test]
fn new_tools_take_no_name_that_is_in_use() {
    let servers = servers(&[("a", &["one"]), ("b", &["other"])]);
    let live = ToolUpdates::of(&servers, &["clock"]);
    list(&servers[1], &["other", "one", "clock"], "as it was");
    let live = live.refreshed(&["clock"], false).unwrap();
    assert_eq!(names(&live), ["one", "other", "b_one", "b_clock"]);
}

#[test]
fn a_changed_tool_is_replaced_in_its_place() {
    let servers = servers(&[("a", &["one", "two"])]);
    let live = ToolUpdates::of(&servers, &[]);
    list(&servers[0], &["two", "one"], "as it is");
    let now = live.refreshed(&[], false).unwrap();
    assert_eq!(names(&now), ["one", "two"]);
    assert_eq!(
        now.tools[0].listed().description.as_deref(),
        Some("as it is")
    );
}

#[test]
fn removed_tools_stay_for_the_conversation_up_to_a_limit() {
    let servers = servers(&[("a", &["one", "two"])]);
    let live = ToolUpdates::of(&servers, &[]);
    list(&servers[0], &["two"], "as it was");
    let goes_on = live.refreshed(&[], false).unwrap();
    assert_eq!(names(&goes_on), ["one", "two"]);
    assert!(goes_on.refreshed(&[], false).is_none());
    // The list is the same, and a new conversation keeps no removed tools.
    assert_eq!(names(&goes_on.refreshed(&[], true).unwrap()), ["two"]);
    let back = goes_on.refreshed(&[], true).unwrap();
    list(&servers[0], &["one", "two"], "as it was");
    assert_eq!(names(&back.refreshed(&[], false).unwrap()), ["two", "one"]);

    let many: Vec<String> = (0..=MAX_GONE).map(|number| format!("t{number}")).collect();
    list(&servers[0], &many, "as it was");
    let full = live.refreshed(&[], true).unwrap();
    list(&servers[0], &["two"], "as it was");
    assert_eq!(names(&full.refreshed(&[], false).unwrap()), ["two"]);
}

#[test]
fn two_tools_with_one_name_stay_separate() {
    let servers = servers(&[("a", &["one", "one"])]);
    let live = ToolUpdates::of(&servers, &[]);
    let before: Vec<String> = names(&live).into_iter().map(str::to_owned).collect();
    list(&servers[0], &["one", "one", "two"], "as it was");
    let now = live.refreshed(&[], false).unwrap();
    assert_eq!(names(&now), [&before[..], &["two".to_owned()]].concat());
}

#[test]
fn a_tool_for_which_there_is_no_name_is_reported() {
    let servers = servers(&[("a", &["one", "two"])]);
    let hashed = ToolUpdates::of(&servers, &["one", "a_one"]);
    let hashed = hashed.tools[0].name_here();
    let left_out = ToolUpdates::of(&servers, &["one", "a_one", hashed]).left_out;
    let reports: Vec<_> = left_out.iter().map(ToString::to_string).collect();
    assert_eq!(
        reports,
        ["the tool one is left out: other tools have its name"]
    );
    assert_eq!(left_out[0].server, "a");
}

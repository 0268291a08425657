//! Shared helpers: find a tool, and wait for a condition.

use std::sync::Arc;
use std::time::Duration;

use haft_core::Tool;
use haft_mcp::McpServers;

/// Longer than any step here takes on a busy machine.
pub(crate) const SOON: Duration = Duration::from_secs(30);

/// The tool with this name.
pub(crate) fn find(servers: &McpServers, name: &str) -> Arc<dyn Tool> {
    let tools = servers.tools();
    let found = tools.into_iter().find(|tool| tool.name() == name);
    found.unwrap_or_else(|| panic!("no tool {name}: {:?}", servers.failures()))
}

/// Waits until `condition` holds, for events in another process.
pub(crate) async fn until(mut condition: impl FnMut() -> bool) {
    let waiting = async {
        while !condition() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(SOON, waiting)
        .await
        .expect("it never happened");
}

//! Asking a server for its tools, with an end to everything a server can do without end.

use std::collections::HashSet;

use rmcp::model::{PaginatedRequestParams, Tool};
use rmcp::service::{Peer, RoleClient, ServiceError};

/// Servers send all their tools on one page, or some tens on each.
const MAX_PAGES: usize = 64;

/// No model can choose among more.
const MAX_TOOLS: usize = 1000;

/// Definitions of large servers have some 20 kB; this is a hundred times as much.
const MAX_BYTES: usize = 2 * 1024 * 1024;

/// The tools of a server, in its order. What is over a limit is left out with a warning, and so
/// is a second tool of the same name.
pub(crate) async fn list(peer: &Peer<RoleClient>, server: &str) -> Result<Vec<Tool>, ServiceError> {
    let mut tools = Vec::new();
    let mut names = HashSet::new();
    let mut cursor = None;
    let mut bytes = 0_usize;
    for _ in 0..MAX_PAGES {
        let params = PaginatedRequestParams::default().with_cursor(cursor.clone());
        let page = peer.list_tools(Some(params)).await?;
        for tool in page.tools {
            bytes = bytes.saturating_add(size(&tool));
            if bytes > MAX_BYTES || tools.len() == MAX_TOOLS {
                tracing::warn!(
                    server,
                    kept = tools.len(),
                    "too many MCP tools: rest left out"
                );
                return Ok(tools);
            }
            if names.insert(tool.name.clone()) {
                tools.push(tool);
            } else {
                tracing::warn!(server, tool = %tool.name, "MCP tool listed twice: second left out");
            }
        }
        if page.next_cursor.is_none() {
            return Ok(tools);
        }
        if page.next_cursor == cursor {
            break;
        }
        cursor = page.next_cursor;
    }
    tracing::warn!(
        server,
        kept = tools.len(),
        "list of MCP tools without end: rest left out"
    );
    Ok(tools)
}

fn size(tool: &Tool) -> usize {
    serde_json::to_vec(tool).map_or(0, |json| json.len())
}

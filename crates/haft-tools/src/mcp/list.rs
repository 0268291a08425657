//! Asking a server for its tools, with an end to everything a server can do without end.

use std::collections::HashSet;
use std::sync::Arc;

use rmcp::model::{ClientRequest, ListToolsRequest, PaginatedRequestParams, ServerResult, Tool};
use rmcp::service::{Peer, RoleClient, ServiceError};
use serde_json::{Value, json};

/// Servers send all their tools on one page, or some tens on each.
const MAX_PAGES: usize = 64;

/// No model can choose among more.
const MAX_TOOLS: usize = 1000;

/// In bytes, one definition. The largest seen have some 8 kB.
const MAX_TOOL: usize = 256 * 1024;

/// In bytes. Definitions of large servers have some 20 kB; this is a hundred times as much.
const MAX_ALL: usize = 2 * 1024 * 1024;

/// Levels of lists and objects in a schema. Written by hand they have less than ten.
const MAX_SCHEMA_DEPTH: usize = 64;

/// One page of a list.
struct Page {
    tools: Vec<Tool>,
    next: Option<String>,
}

/// The tools of a server, in its order. What is over a limit is left out with a warning, and so
/// is a second tool of the same name.
pub(crate) async fn list(peer: &Peer<RoleClient>, server: &str) -> Result<Vec<Tool>, ServiceError> {
    let mut tools = Vec::new();
    let mut cursors = HashSet::new();
    let mut cursor = None;
    for _ in 0..MAX_PAGES {
        let page = page(peer, server, cursor).await?;
        let room = MAX_TOOLS + 1 - tools.len().min(MAX_TOOLS);
        tools.extend(page.tools.into_iter().take(room));
        match page.next {
            None => return Ok(bounded(tools, server)),
            Some(next) if tools.len() <= MAX_TOOLS && cursors.insert(next.clone()) => {
                cursor = Some(next);
            }
            Some(_) => break,
        }
    }
    tracing::warn!(server, "list of MCP tools without end: rest left out");
    Ok(bounded(tools, server))
}

/// Those of `tools` that are within all limits.
pub(crate) fn bounded(tools: Vec<Tool>, server: &str) -> Vec<Tool> {
    let mut kept: Vec<Tool> = Vec::new();
    let mut names = HashSet::new();
    let mut bytes = 0_usize;
    for tool in tools {
        let size = serde_json::to_vec(&tool).map_or(0, |json| json.len());
        let name = super::bounded(&tool.name);
        if size > MAX_TOOL {
            tracing::warn!(server, tool = name, size, "MCP tool left out: too large");
        } else if depth(&tool) > MAX_SCHEMA_DEPTH {
            tracing::warn!(
                server,
                tool = name,
                "MCP tool left out: schema nested too deep"
            );
        } else if bytes.saturating_add(size) > MAX_ALL || kept.len() == MAX_TOOLS {
            tracing::warn!(
                server,
                kept = kept.len(),
                "too many MCP tools: rest left out"
            );
            break;
        } else if names.insert(tool.name.clone()) {
            bytes += size;
            kept.push(tool);
        } else {
            tracing::warn!(
                server,
                tool = name,
                "MCP tool listed twice: second left out"
            );
        }
    }
    kept
}

/// Not `Peer::list_tools`: that answers from a store of its own, and one definition it does not
/// understand costs the whole page.
async fn page(
    peer: &Peer<RoleClient>,
    server: &str,
    cursor: Option<String>,
) -> Result<Page, ServiceError> {
    // Strict servers want to see an object where there is no cursor too.
    let request =
        ListToolsRequest::with_param(PaginatedRequestParams::default().with_cursor(cursor));
    let asked = peer.send_request(ClientRequest::ListToolsRequest(request));
    match asked.await? {
        ServerResult::ListToolsResult(page) => Ok(Page {
            tools: page.tools,
            next: page.next_cursor,
        }),
        ServerResult::EmptyResult(_) => Ok(Page {
            tools: Vec::new(),
            next: None,
        }),
        other => understood(serde_json::to_value(other).unwrap_or_default(), server)
            .ok_or(ServiceError::UnexpectedResponse),
    }
}

/// The page that `value` was meant to be.
fn understood(value: Value, server: &str) -> Option<Page> {
    let Value::Object(mut object) = value else {
        return None;
    };
    let Some(Value::Array(definitions)) = object.remove("tools") else {
        return None;
    };
    let tools = definitions.into_iter().filter_map(|mut definition| {
        if let Some(object) = definition.as_object_mut() {
            object
                .entry("inputSchema")
                .or_insert_with(|| json!({"type": "object"}));
        }
        serde_json::from_value(definition)
            .inspect_err(|error| {
                tracing::warn!(server, %error, "MCP tool left out: not understood");
            })
            .ok()
    });
    Some(Page {
        tools: tools.collect(),
        next: object
            .get("nextCursor")
            .and_then(Value::as_str)
            .map(str::to_owned),
    })
}

/// How many levels the schemas of a tool have.
fn depth(tool: &Tool) -> usize {
    let schemas = [Some(&tool.input_schema), tool.output_schema.as_ref()];
    let schemas = schemas.into_iter().flatten().map(Arc::as_ref);
    let mut open: Vec<(&Value, usize)> = schemas
        .flat_map(serde_json::Map::values)
        .map(|value| (value, 1))
        .collect();
    let mut deepest = 0;
    while let Some((value, depth)) = open.pop() {
        deepest = deepest.max(depth);
        match value {
            Value::Array(items) => open.extend(items.iter().map(|item| (item, depth + 1))),
            Value::Object(map) => open.extend(map.values().map(|item| (item, depth + 1))),
            _ => {}
        }
    }
    deepest
}

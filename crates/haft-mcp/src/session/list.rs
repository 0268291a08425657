//! Requests the list of a server's tools, within limits.
//!
//! A server may send endless pages, thousands of tools, or definitions of megabytes, all of which
//! would become part of a prompt. Everything over a limit is reported as an [`McpLeftOut`].

use std::collections::HashSet;
use std::sync::Arc;

use rmcp::model::{ClientRequest, ListToolsRequest, PaginatedRequestParams, ServerResult, Tool};
use rmcp::service::{Peer, RoleClient, ServiceError};
use serde_json::{Value, json};

use crate::left_out::{LeftOutReason, McpLeftOut};

/// The maximum number of pages; servers send all tools on one page, or some dozens on each.
const MAX_PAGES: usize = 64;

/// The maximum number of tools; no model can choose among more.
const MAX_TOOLS: usize = 1000;

/// The maximum size of one definition in bytes. The largest known ones have some 8 kB.
const MAX_TOOL: usize = 256 * 1024;

/// The maximum size of all definitions in bytes, a hundred times the size for a large server.
const MAX_ALL: usize = 2 * 1024 * 1024;

/// The maximum nesting depth of a schema. Schemas written by hand have less than ten levels.
const MAX_SCHEMA_DEPTH: usize = 64;

struct Page {
    tools: Vec<Tool>,
    left_out: Vec<McpLeftOut>,
    next: Option<String>,
}

/// The tools that a server lists.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Listed {
    /// The usable tools, in the server's order.
    pub(crate) tools: Vec<Tool>,
    /// Entries over a limit, invalid ones, and duplicates.
    pub(crate) left_out: Vec<McpLeftOut>,
}

/// Requests the tools of a server.
pub(crate) async fn list(peer: &Peer<RoleClient>, server: &str) -> Result<Listed, ServiceError> {
    let mut tools = Vec::new();
    let mut left_out = Vec::new();
    let mut cut = 0;
    let mut cursors = HashSet::new();
    let mut cursor = None;
    let mut is_whole = false;
    for _ in 0..MAX_PAGES {
        let page = page(peer, server, cursor).await?;
        let mut page_tools = page.tools.into_iter();
        let room = MAX_TOOLS + 1 - tools.len().min(MAX_TOOLS);
        tools.extend(page_tools.by_ref().take(room));
        cut += page_tools.count();
        left_out.extend(page.left_out.into_iter().take(MAX_TOOLS));
        match page.next {
            None => {
                is_whole = true;
                break;
            }
            Some(next) if tools.len() <= MAX_TOOLS && cursors.insert(next.clone()) => {
                cursor = Some(next);
            }
            Some(_) => break,
        }
    }
    let mut listed = bounded(tools, cut, server);
    left_out.append(&mut listed.left_out);
    if !is_whole {
        let reason = LeftOutReason::EndlessList;
        left_out.push(McpLeftOut::unnamed(server, None, reason));
    }
    Ok(Listed { left_out, ..listed })
}

/// The tools within all limits; `cut` is the number of further ones that were not read.
pub(crate) fn bounded(tools: Vec<Tool>, cut: usize, server: &str) -> Listed {
    let mut listed = Listed::default();
    let mut names = HashSet::new();
    let mut bytes = 0_usize;
    let mut tools = tools.into_iter();
    while let Some(tool) = tools.next() {
        let size = serde_json::to_vec(&tool).map_or(0, |json| json.len());
        let full = if listed.tools.len() == MAX_TOOLS {
            Some(LeftOutReason::TooMany { limit: MAX_TOOLS })
        } else if bytes.saturating_add(size) > MAX_ALL && size <= MAX_TOOL {
            Some(LeftOutReason::ListTooLarge { limit: MAX_ALL })
        } else {
            None
        };
        if let Some(reason) = full {
            let rest: Vec<Tool> = std::iter::once(tool).chain(tools).collect();
            let names: Vec<&str> = rest.iter().map(|tool| tool.name.as_ref()).collect();
            let rest = McpLeftOut::rest(server, &names, cut, &reason);
            listed.left_out.extend(rest);
            return listed;
        }
        match problem(&tool, size, &mut names) {
            Some(reason) => {
                let left_out = McpLeftOut::tool(server, &tool.name, reason);
                listed.left_out.push(left_out);
            }
            None => {
                bytes += size;
                listed.tools.push(tool);
            }
        }
    }
    if cut > 0 {
        let reason = LeftOutReason::TooMany { limit: MAX_TOOLS };
        let rest = McpLeftOut::unnamed(server, Some(cut), reason);
        listed.left_out.push(rest);
    }
    listed
}

/// The reason why a tool of this size must be left out, given the earlier names.
fn problem(tool: &Tool, size: usize, names: &mut HashSet<String>) -> Option<LeftOutReason> {
    if size > MAX_TOOL {
        let limit = MAX_TOOL;
        return Some(LeftOutReason::TooLarge { size, limit });
    }
    if depth(tool) > MAX_SCHEMA_DEPTH {
        let limit = MAX_SCHEMA_DEPTH;
        return Some(LeftOutReason::NestedTooDeep { limit });
    }
    let is_new = names.insert(tool.name.to_string());
    (!is_new).then_some(LeftOutReason::ListedTwice)
}

/// `Peer::list_tools` is not used because it caches its answer, and rejects the whole page if one
/// definition is invalid.
async fn page(
    peer: &Peer<RoleClient>,
    server: &str,
    cursor: Option<String>,
) -> Result<Page, ServiceError> {
    // Strict servers require an object even without a cursor.
    let request =
        ListToolsRequest::with_param(PaginatedRequestParams::default().with_cursor(cursor));
    let asked = peer.send_request(ClientRequest::ListToolsRequest(request));
    match asked.await? {
        ServerResult::ListToolsResult(page) => Ok(Page {
            tools: page.tools,
            left_out: Vec::new(),
            next: page.next_cursor,
        }),
        ServerResult::EmptyResult(_) => Ok(Page {
            tools: Vec::new(),
            left_out: Vec::new(),
            next: None,
        }),
        other => understood(serde_json::to_value(other).unwrap_or_default(), server)
            .ok_or(ServiceError::UnexpectedResponse),
    }
}

fn understood(value: Value, server: &str) -> Option<Page> {
    let Value::Object(mut object) = value else {
        return None;
    };
    let Some(Value::Array(definitions)) = object.remove("tools") else {
        return None;
    };
    let mut left_out = Vec::new();
    let tools = definitions.into_iter().filter_map(|mut definition| {
        let name = definition.get("name").and_then(Value::as_str);
        let name = name.map(str::to_owned);
        if let Some(object) = definition.as_object_mut() {
            object
                .entry("inputSchema")
                .or_insert_with(|| json!({"type": "object"}));
        }
        serde_json::from_value(definition)
            .inspect_err(|error| {
                let problem = crate::text::bounded(&error.to_string());
                let reason = LeftOutReason::NotUnderstood { problem };
                left_out.push(match &name {
                    Some(name) => McpLeftOut::tool(server, name, reason),
                    None => McpLeftOut::unnamed(server, Some(1), reason),
                });
            })
            .ok()
    });
    Some(Page {
        tools: tools.collect(),
        left_out,
        next: object
            .get("nextCursor")
            .and_then(Value::as_str)
            .map(str::to_owned),
    })
}

/// The nesting depth of a tool's schemas.
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

#[cfg(test)]
mod tests;

//! Parses answers to a call leniently.
//!
//! `rmcp` supports the content blocks of certain revisions, and rejects the whole answer if one
//! block is unknown. Here the other blocks are kept, and unknown ones are shown as JSON.

use rmcp::model::{CallToolResult, ContentBlock, InputRequiredResult, ServerResult};
use serde_json::{Map, Value};

use crate::text::bounded;

/// The maximum number of blocks in a result.
const MAX_BLOCKS: usize = 1000;

/// The server's answer to a call.
pub(crate) enum Reply {
    Complete(CallToolResult),
    /// The server requests input first.
    InputRequired(InputRequiredResult),
}

/// `result` as the answer to a call; `None` if it is something else.
pub(crate) fn reply(result: ServerResult) -> Option<Reply> {
    let mut result = match result {
        ServerResult::CallToolResult(result) => result,
        ServerResult::InputRequiredResult(result) => return Some(Reply::InputRequired(result)),
        ServerResult::EmptyResult(_) => CallToolResult::default(),
        // A task would have to be polled; we do not declare support for it.
        ServerResult::CreateTaskResult(_) => return None,
        // Any other form of result that is accepted.
        other => understood(serde_json::to_value(other).ok()?)?,
    };
    let surplus = result.content.len().saturating_sub(MAX_BLOCKS);
    if surplus > 0 {
        result.content.truncate(MAX_BLOCKS);
        let note = format!("[{surplus} more blocks left out]");
        result.content.push(ContentBlock::text(note));
    }
    Some(Reply::Complete(result))
}

fn understood(value: Value) -> Option<CallToolResult> {
    let Value::Object(mut object) = value else {
        return None;
    };
    match object.get("resultType").and_then(Value::as_str) {
        None | Some("complete") => {}
        Some(_) => return None,
    }
    let mut result = CallToolResult::default();
    let is_known = |name: &str| object.contains_key(name);
    if !["content", "structuredContent", "isError"]
        .into_iter()
        .any(is_known)
    {
        result.content = whole(&object).into_iter().collect();
        return Some(result);
    }
    result.is_error = object.get("isError").and_then(Value::as_bool);
    result.structured_content = object.remove("structuredContent");
    result.content = match object.remove("content") {
        Some(Value::Array(blocks)) => blocks.into_iter().map(block).collect(),
        None | Some(Value::Null) => Vec::new(),
        Some(single) => vec![block(single)],
    };
    Some(result)
}

/// The JSON of a result without any known part, if it has content.
fn whole(object: &Map<String, Value>) -> Option<ContentBlock> {
    let said = object
        .keys()
        .any(|key| key != "_meta" && key != "resultType");
    said.then(|| ContentBlock::text(bounded(&Value::Object(object.clone()).to_string())))
}

fn block(value: Value) -> ContentBlock {
    match value {
        Value::String(text) => ContentBlock::text(text),
        value => serde_json::from_value(value.clone())
            .unwrap_or_else(|_| ContentBlock::text(bounded(&value.to_string()))),
    }
}

#[cfg(test)]
mod tests;

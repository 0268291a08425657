//! Converts the answer of a tool into a result of the protocol.

use haft_core::{ToolMessage, ToolStatus};
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Map, Value};

/// `answer` as the result of a call. The text is for the model; the artifact becomes
/// `structuredContent`, which must be an object. The artifact of a tool from an MCP server already
/// has the protocol's form, including pictures.
pub(super) fn result(answer: Option<ToolMessage>) -> CallToolResult {
    let Some(answer) = answer else {
        // The executor answers every call; if it ever does not, the host must still get an answer.
        return CallToolResult::error(vec![ContentBlock::text("The tool gave no result")]);
    };
    let text = answer.content.text();
    if answer.status == ToolStatus::Error {
        let sentence = text.strip_prefix("Error: ").unwrap_or(&text);
        return CallToolResult::error(vec![ContentBlock::text(sentence)]);
    }
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    let Some(Value::Object(mut artifact)) = answer.artifact else {
        return result;
    };
    if is_of_a_server(&artifact) {
        if let Some(Value::Array(blocks)) = artifact.remove("content") {
            let known = |block| serde_json::from_value::<ContentBlock>(block).ok();
            result.content.extend(blocks.into_iter().filter_map(known));
        }
        result.structured_content = artifact.remove("structuredContent");
    } else {
        result.structured_content = Some(Value::Object(artifact));
    }
    result
}

/// True for an artifact in the form that `tools::content` gives to a server's result.
fn is_of_a_server(artifact: &Map<String, Value>) -> bool {
    let own = |key: &String| matches!(key.as_str(), "content" | "structuredContent");
    !artifact.is_empty() && artifact.keys().all(own)
}

#[cfg(test)]
mod tests;

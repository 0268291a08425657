//! Converts a server's result into text for the model and an artifact for programs.
//!
//! The model reads the text blocks unchanged, and a placeholder such as `[image image/png, 12 kB]`
//! for every other block. The artifact contains the rest in MCP's form: `structuredContent`, and
//! `content` with the blocks that are not text; each only if the server sent it.

use haft_core::{ToolError, ToolOutput};
use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use serde_json::{Map, Value};

/// `result` as a tool's output, or as an error if the server reports a failure.
pub(crate) fn normalise(result: CallToolResult) -> Result<ToolOutput, ToolError> {
    let has_text = result
        .content
        .iter()
        .any(|block| matches!(block, ContentBlock::Text(_)));
    let mut lines: Vec<String> = result.content.iter().map(spoken).collect();
    if let Some(structured) = result.structured_content.as_ref().filter(|_| !has_text) {
        lines.push(structured.to_string());
    }
    let text = lines.join("\n");
    if result.is_error == Some(true) {
        return Err(ToolError::new(if text.trim().is_empty() {
            "The tool failed without saying why".to_owned()
        } else {
            text
        }));
    }
    Ok(ToolOutput {
        value: Value::String(text),
        artifact: artifact(result),
    })
}

/// The text for one block.
fn spoken(block: &ContentBlock) -> String {
    match block {
        ContentBlock::Text(text) => text.text.clone(),
        ContentBlock::Image(image) => {
            stand_in("image", &image.mime_type, decoded_length(&image.data))
        }
        ContentBlock::Audio(audio) => {
            stand_in("audio", &audio.mime_type, decoded_length(&audio.data))
        }
        ContentBlock::Resource(embedded) => match &embedded.resource {
            ResourceContents::TextResourceContents { uri, text, .. } => {
                stand_in("resource", uri, text.len())
            }
            ResourceContents::BlobResourceContents { uri, blob, .. } => {
                stand_in("resource", uri, decoded_length(blob))
            }
            _ => "[resource]".to_owned(),
        },
        ContentBlock::ResourceLink(link) => format!("[resource {}]", link.uri),
        _ => "[content of an unknown kind]".to_owned(),
    }
}

fn stand_in(kind: &str, what: &str, bytes: usize) -> String {
    if bytes < 1000 {
        format!("[{kind} {what}, {bytes} bytes]")
    } else {
        format!("[{kind} {what}, {} kB]", bytes.div_ceil(1000))
    }
}

/// The decoded size of a base64 text in bytes.
fn decoded_length(base64: &str) -> usize {
    let digits = base64.trim_end_matches('=').len();
    digits / 4 * 3 + (digits % 4).saturating_sub(1)
}

fn artifact(result: CallToolResult) -> Option<Value> {
    let mut artifact = Map::new();
    if let Some(structured) = result.structured_content {
        artifact.insert("structuredContent".to_owned(), structured);
    }
    let blocks: Vec<Value> = result
        .content
        .into_iter()
        .filter(|block| !matches!(block, ContentBlock::Text(_)))
        .filter_map(|block| serde_json::to_value(block).ok())
        .collect();
    if !blocks.is_empty() {
        artifact.insert("content".to_owned(), Value::Array(blocks));
    }
    (!artifact.is_empty()).then_some(Value::Object(artifact))
}

#[cfg(test)]
mod tests;

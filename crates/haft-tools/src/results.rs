//! Turns a tool's result into the text that the model reads.

use haft_core::ToolOutput;
use serde_json::Value;

/// A tool's result as text.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultText {
    /// The text for the model.
    pub text: String,
    /// The data for programs.
    pub artifact: Option<Value>,
}

/// Splits a result into the text for the model and the artifact for programs.
///
/// Text is unchanged. A pair of text and artifacts, as LangChain's MCP adapters return it, is
/// split. Everything else becomes JSON; an empty value becomes a sentence, because small models
/// take a blank result for a failure.
///
/// ```
/// use serde_json::json;
///
/// let result = haft_tools::result_text(json!(["two photos", [{"id": 1}]]).into());
/// assert_eq!(result.text, "two photos");
/// assert_eq!(result.artifact, Some(json!([{"id": 1}])));
/// ```
#[must_use]
pub fn result_text(output: ToolOutput) -> ResultText {
    let ToolOutput { value, artifact } = output;
    let text = match value {
        Value::String(text) => text,
        Value::Null => "The tool has nothing to report.".to_owned(),
        Value::Array(items) if items.is_empty() => "The list is empty.".to_owned(),
        Value::Array(items) => match <[Value; 2]>::try_from(items) {
            Ok([Value::String(text), beside]) if !beside.is_string() => {
                let beside = Some(beside).filter(|beside| !beside.is_null());
                return ResultText {
                    text,
                    artifact: artifact.or(beside),
                };
            }
            Ok(pair) => Value::from(pair.to_vec()).to_string(),
            Err(items) => Value::Array(items).to_string(),
        },
        other => other.to_string(),
    };
    ResultText { text, artifact }
}

/// `text` cut to about `limit` characters: its beginning, a marker with the number of omitted
/// characters, and its end, where errors and totals tend to be.
///
/// ```
/// let text = haft_tools::capped("a".repeat(50), 8);
/// assert_eq!(text, "aaaaaa\n[... 42 characters left out ...]\naa");
/// ```
#[must_use]
pub fn capped(text: String, limit: usize) -> String {
    let length = text.chars().count();
    if length <= limit {
        return text;
    }
    let tail = limit / 4;
    let head = limit - tail;
    let start: String = text.chars().take(head).collect();
    let end: String = text.chars().skip(length - tail).collect();
    format!(
        "{start}\n[... {} characters left out ...]\n{end}",
        length - head - tail
    )
}

#[cfg(test)]
mod tests;

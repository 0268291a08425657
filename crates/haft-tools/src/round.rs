//! The answers to the calls of one round, exactly one each.

use haft_core::{AiMessage, ToolMessage};

/// Pairs the calls of `message` with their `results`, by position, and returns exactly one
/// [`ToolMessage`] for each call: first the valid ones in order, then the invalid ones.
///
/// A call without a result gets an error that says so. The ids are taken from the calls, so a
/// mismatch between calls and answers is impossible.
///
/// ```
/// use haft_core::{AiMessage, ToolCall, ToolMessage};
/// use serde_json::json;
///
/// let call = |id: &str| ToolCall::new("f", json!({}), id);
/// let asked = AiMessage::new("").with_tool_calls([call("a"), call("b")]);
/// let answers = haft_tools::answer_calls(&asked, [Some(ToolMessage::success("fine", "a"))]);
/// assert_eq!(answers[0].content.text(), "fine");
/// assert_eq!(answers[1].content.text(), "Error: The tool \"f\" gave no result");
/// assert_eq!(answers[1].tool_call_id, "b");
/// ```
pub fn answer_calls(
    message: &AiMessage,
    results: impl IntoIterator<Item = Option<ToolMessage>>,
) -> Vec<ToolMessage> {
    let mut results = results.into_iter();
    let valid = message.tool_calls.iter().map(|call| {
        let answer = results.next().flatten().unwrap_or_else(|| {
            ToolMessage::error(&format!("The tool \"{}\" gave no result", call.name), "")
        });
        ToolMessage {
            tool_call_id: call.id.clone(),
            name: Some(call.name.clone()),
            ..answer
        }
    });
    let invalid = message
        .invalid_tool_calls
        .iter()
        .map(|call| ToolMessage::error(&call.error, &call.id).with_name(&call.name));
    valid.chain(invalid).collect()
}

#[cfg(test)]
mod tests;

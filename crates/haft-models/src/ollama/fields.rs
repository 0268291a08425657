//! The fields of a reply of Ollama that haft's types do not have, for clients of the same API.

use haft_core::ServerFields;

use crate::document::{Members, parsed};

/// Fields of a line that haft handles or writes itself.
const OF_LINE: [&str; 9] = [
    "model",
    "created_at",
    "message",
    "response",
    "done",
    "done_reason",
    "prompt_eval_count",
    "eval_count",
    "haft",
];

/// Fields of a message that haft handles itself.
const OF_MESSAGE: [&str; 4] = ["role", "content", "thinking", "tool_calls"];

/// The fields in a line or in a whole reply. Those of a line before the last one, such as
/// `logprobs`, belong to its text.
pub(super) fn fields_of(data: &str) -> ServerFields {
    let mut fields = ServerFields::default();
    let Some(line) = Members::read(data) else {
        return fields;
    };
    let is_last = line.get("done").is_none_or(|done| done.get() == "true");
    for (name, value) in &line.0 {
        let Some(parsed) = parsed(value).filter(|_| !OF_LINE.contains(&&**name)) else {
            continue;
        };
        let is_list = parsed.is_array();
        let place = if is_last && !is_list {
            &mut fields.reply
        } else {
            &mut fields.choice
        };
        place.insert(name.to_string(), parsed);
    }
    let message = line.object("message").unwrap_or_default();
    message.collect(&OF_MESSAGE, &mut fields.message);
    fields
}

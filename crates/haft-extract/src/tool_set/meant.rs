//! The tool that is meant where a model wrote an id in place of a name.
//!
//! Kimi K2 names a call `functions.N:I`. Where the conversation shows it other ids, `3`,
//! `call_3` or `toolu_01...`, it writes those, and which tool it means shows in the arguments.

use haft_core::Arguments;

use super::{BoundTool, ToolSet};

/// What the ids of calls begin with: OpenAI's, Anthropic's, and what some gateway made of those.
const BEGINNINGS: [&str; 4] = ["call_", "toolu_", "tooltoolu_", "chatcmpl-tool-"];

/// The letters and digits of a UUID.
const UUID: usize = 32;

/// True for the id of a call that cannot be the name of a tool, or for the place of the tools
/// without any.
pub(crate) fn is_call_id(written: &str) -> bool {
    let is_id = |rest: &str| {
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let is_word = rest
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        rest.bytes().all(is_letter) && !is_word
    };
    let is_number = !written.is_empty() && written.bytes().all(|byte| byte.is_ascii_digit());
    let mut marked = BEGINNINGS
        .iter()
        .filter_map(|beginning| written.strip_prefix(beginning));
    is_number || written == "functions" || marked.any(is_id) || is_uuid(written)
}

fn is_uuid(written: &str) -> bool {
    let digits = written.bytes().filter(u8::is_ascii_hexdigit).count();
    let marks = written.bytes().filter(|byte| *byte == b'-').count();
    digits == UUID && marks == 4 && digits + marks == written.len()
}

impl ToolSet {
    /// The only tool that takes these arguments as they are, none of them beyond what its schema
    /// describes.
    pub(crate) fn only_fit(&self, arguments: &Arguments) -> Option<&BoundTool> {
        let mut fitting = self.tools().iter().filter(|tool| takes(tool, arguments));
        let tool = fitting.next()?;
        fitting.next().is_none().then_some(tool)
    }
}

fn takes(tool: &BoundTool, arguments: &Arguments) -> bool {
    tool.schema().is_some_and(|schema| {
        let view = schema.view();
        arguments.keys().all(|key| view.property(key).is_some())
            && schema.validate(arguments).is_ok()
    })
}

#[cfg(test)]
mod tests;

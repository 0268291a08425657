//! A call without markers that only shows how one is written: `get_weather(city="...")`,
//! `{"name": "get_weather", "arguments": {"city": "<city>"}}`.

use crate::ToolSet;
use crate::calls;
use crate::machine::raw_call::RawCall;
use crate::machine::reader::line::beginning;
use crate::tool_set::Named;

/// True when the calls are all of that kind.
pub(super) fn are_examples(readings: &[RawCall<'_>], tools: &ToolSet) -> bool {
    !readings.is_empty() && readings.iter().all(|call| is_example(call, tools))
}

/// True when the first of these arguments looks as if something was to be put in its place: most
/// calls need no closer look.
pub(super) fn begins_as_example(arguments: &str) -> bool {
    let mut near = beginning(arguments).bytes();
    let is_sign = |byte| matches!(byte, b':' | b'=');
    if !near.any(is_sign) {
        near = beginning(arguments).bytes();
    }
    let first = near.find(|byte| !matches!(byte, b'{' | b' ' | b'\n' | b'"' | b'\''));
    // With the first byte of an ellipsis.
    matches!(first, Some(b'<' | b'.' | 0xE2))
}

fn is_example(found: &RawCall<'_>, tools: &ToolSet) -> bool {
    if !begins_as_example(found.arguments.text()) {
        return false;
    }
    let Named::Bound(tool) = tools.find(&found.name) else {
        return false;
    };
    let arguments = calls::as_written(&mut found.clone(), tool);
    arguments.is_ok_and(|arguments| calls::are_placeholders(&arguments, tool))
}

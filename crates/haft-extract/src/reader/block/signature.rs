//! What looks like a call and is none: a signature that is spoken of, a comment beside calls.

use memchr::memchr;

use crate::ToolSet;

/// `get_weather(city, days)`, `get_weather(city: string, days?: int)`: the names of the parameters
/// and their types in place of values are a signature that is spoken of.
pub(super) fn is_signature(name: &str, arguments: &str, tools: &ToolSet) -> bool {
    const TYPES: [&str; 18] = [
        "str", "string", "text", "int", "integer", "float", "number", "bool", "boolean", "list",
        "array", "dict", "object", "any", "date", "datetime", "none", "null",
    ];
    let parts = || {
        arguments
            .split(',')
            .map(|part| part.split_once(':').unwrap_or((part, "")))
    };
    let is_parameter = |(word, _): (&str, &str)| {
        let word = word.split('=').next().unwrap_or_default().trim();
        tools.has_parameter(name, word.trim_end_matches('?'))
    };
    let is_typed = |(_, kind): (&str, &str)| {
        let kind = kind.trim().trim_end_matches(['?', '[', ']', ' ']);
        TYPES.iter().any(|known| known.eq_ignore_ascii_case(kind))
    };
    let is_plain = !arguments.contains(['"', '\'', '=', '{', '[']) || arguments.contains(": str");
    // The names come last: to compare them takes longest, and most calls have values.
    (is_plain || parts().all(is_typed)) && !arguments.trim().is_empty() && parts().all(is_parameter)
}

/// True for blanks and for a comment to the end of the line.
pub(super) fn is_comment(text: &str) -> bool {
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches([' ', '\t', '`', '*', ',', ';', ']', '\r', '\n']);
        if !rest.starts_with('#') && !rest.starts_with("//") {
            return rest.is_empty();
        }
        let end = memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
        rest = rest.get(end..).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests;

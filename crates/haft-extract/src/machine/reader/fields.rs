//! The headings of the fields in which DSPy has its agents answer:
//!
//! ```text
//! [[ ## next_tool_name ## ]]
//! get_weather
//!
//! [[ ## next_tool_args ## ]]
//! {"city": "Oslo"}
//!
//! [[ ## completed ## ]]
//! ```
//!
//! and the labels between the name of a tool and its arguments in other words: `Tool: get_weather`
//! and, in the next line, `Input: {"city": "Oslo"}`.

use crate::scan::tag::Found;

/// Above the name of the tool.
pub(super) const NAME: &str = "[[ ## next_tool_name ## ]]";

/// Above its arguments.
pub(super) const ARGUMENTS: &str = "[[ ## next_tool_args ## ]]";

/// Below them.
pub(super) const COMPLETED: &str = "[[ ## completed ## ]]";

/// The length of `heading`, if `text` begins with it.
pub(super) fn heading(text: &str, heading: &str, finished: bool) -> Found<usize> {
    if text.starts_with(heading) {
        Found::Yes(heading.len())
    } else if heading.starts_with(text) && !finished {
        Found::More
    } else {
        Found::No
    }
}

/// The length of a label such as `Arguments:` in the line below the name of a tool, if an object
/// follows it there.
pub(super) fn label_before_object(text: &str, finished: bool) -> Found<usize> {
    const LABELS: [&str; 6] = [
        "input",
        "arguments",
        "args",
        "parameters",
        "params",
        "parameter",
    ];
    const MAX_BLANKS: usize = 16;
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'*' | b'`');
    let blanks = |text: &str| text.bytes().take(MAX_BLANKS).take_while(is_blank).count();
    let start = blanks(text);
    let word = text.get(start..).unwrap_or_default();
    let len = word
        .bytes()
        .take(MAX_BLANKS)
        .take_while(u8::is_ascii_alphabetic)
        .count();
    let (word, rest) = word.split_at(len);
    let is_label = |label: &&str| label.eq_ignore_ascii_case(word);
    let begins = |label: &&str| {
        let head = label.get(..word.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(word))
    };
    if rest.is_empty() && !finished && LABELS.iter().any(begins) {
        return Found::More;
    }
    if !LABELS.iter().any(is_label) {
        return Found::No;
    }
    let before = blanks(rest);
    let rest = rest.get(before..).unwrap_or_default();
    let Some(object) = rest.strip_prefix(':') else {
        let may_come = rest.is_empty() && !finished && before < MAX_BLANKS;
        return if may_come { Found::More } else { Found::No };
    };
    let after = blanks(object);
    match object.as_bytes().get(after) {
        Some(b'{') => Found::Yes(start + len + before + 1 + after),
        None if !finished && after < MAX_BLANKS => Found::More,
        _ => Found::No,
    }
}

//! The input of an action that stands beside its name, as the first agents wrote it:
//! `Action: search[fjords]`, `Action: search: fjords` and, below it, `PAUSE`.

use crate::ToolSet;

/// What such agents write when they wait for the tool.
const PAUSE: &str = "PAUSE";

/// The input in the line behind the name of the tool.
pub(super) fn beside_name<'t>(tools: &ToolSet, name: &str, after: &'t str) -> Option<&'t str> {
    let line = first_step(after).trim();
    if tools.is_any() || line.contains('\n') {
        return None;
    }
    if let Some(inner) = line.strip_prefix('[') {
        return inner.strip_suffix(']').map(str::trim);
    }
    let input = line.strip_prefix(':')?;
    let is_apart = input.starts_with([' ', '"', '\'']);
    let input = input.trim();
    let is_text = is_apart && !input.starts_with(['{', '[']);
    (is_text && !input.is_empty() && tools.takes_one_text(name)).then_some(input)
}

/// Without the word that such agents wait with.
pub(super) fn first_step(text: &str) -> &str {
    let text = text.trim_end();
    match text.strip_suffix(PAUSE) {
        Some(before) if before.ends_with('\n') => before.trim_end(),
        _ => text,
    }
}

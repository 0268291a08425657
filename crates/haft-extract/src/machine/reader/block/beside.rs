//! The input of an action that stands beside its name, as the first agents wrote it:
//! `Action: search[fjords]`, `Action: search: fjords` and, below it, `PAUSE`; and one below it
//! under another label than `Action Input:`.

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

/// The input in the line below the name, under another label: `Input: fjords`.
pub(super) fn under_other_label(after: &str) -> Option<&str> {
    const LABELS: [&str; 5] = ["Tool Input", "Input", "Arguments", "Args", "Parameters"];
    let (line, below) = after.split_once('\n')?;
    let below = below.trim_start_matches([' ', '*', '\r']);
    let input = LABELS.iter().find_map(|label| below.strip_prefix(label))?;
    let is_name_alone = !line.contains(char::is_alphanumeric);
    let input = input.strip_prefix("**").unwrap_or(input);
    (is_name_alone && input.starts_with(':')).then_some(input)
}

/// What stands between ticks, if that is all.
pub(super) fn without_ticks(input: &str) -> &str {
    let inner = input
        .strip_prefix('`')
        .and_then(|inner| inner.strip_suffix('`'));
    inner.filter(|inner| !inner.contains('`')).unwrap_or(input)
}

/// Without the word that such agents wait with.
pub(super) fn first_step(text: &str) -> &str {
    let text = text.trim_end();
    match text.strip_suffix(PAUSE) {
        Some(before) if before.ends_with('\n') => before.trim_end(),
        _ => text,
    }
}

//! Small questions about the beginning of a text: the name of a tool, and what stands behind blanks.

use super::MAX_DECORATION;
use crate::ToolSet;
use crate::scan::near;

/// What may stand between a name and the next line.
pub(crate) const BLANKS: [char; 4] = [' ', '\t', '\r', '\n'];
/// The longest name of a tool that is looked for.
pub(crate) const MAX_NAME: usize = 128;

/// As much of a text as shows what it begins with.
pub(crate) fn beginning(text: &str) -> &str {
    near(text, 256)
}

/// What stands behind the `signs` that `text` begins with; all of it where they are more than any
/// model writes.
pub(super) fn behind<'t>(text: &'t str, signs: &[char]) -> &'t str {
    let near = beginning(text);
    let skipped = near.len() - near.trim_start_matches(signs).len();
    let behind = text.get(skipped..).filter(|_| skipped <= MAX_DECORATION);
    behind.unwrap_or(text)
}

/// True when the name at the beginning of `text` cannot go on.
pub(crate) fn is_name_whole(text: &str, finished: bool) -> bool {
    let mut rest = text.chars().take(MAX_NAME);
    finished || text.len() >= MAX_NAME || rest.any(|c| !is_name(c))
}

pub(crate) fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '\\' | '/' | ':')
}

/// True where `text` begins with the name of a tool and a parenthesis.
pub(crate) fn begins_call(text: &str, tools: &ToolSet) -> bool {
    let (name, after) = text.split_at(name_length(text));
    after.starts_with('(') && tools.binds(name)
}

/// The length of the name of a tool at the beginning of `text`.
pub(crate) fn name_length(text: &str) -> usize {
    let near = near(text, MAX_NAME);
    let (name, _) = near.split_at(near.find(|c| !is_name(c)).unwrap_or(near.len()));
    name.trim_end_matches([':', '.', '-']).len()
}

//! Splits a compound query: "what time is it and show me devices" asks for two things.

use std::ops::Range;

/// The maximum number of parts.
pub(super) const MOST: usize = 8;

/// The beginning of a remark about a date.
const REMARK: &str = "as of ";

/// Words that join two questions or commands.
const JOINTS: [&str; 4] = ["and", "then", "also", "plus"];

/// The clauses of a text, at most [`MOST`]; the text itself if there is nothing to split.
pub(super) fn of(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_stop)
        .flat_map(at_joints)
        .filter(|clause| !clause.trim().is_empty())
        .take(MOST)
}

/// Removes an initial remark about a date: "As of today, what is gold worth?" does not ask for the
/// date.
pub(super) fn without_remark(text: &str) -> &str {
    let start = text.get(..REMARK.len());
    if !start.is_some_and(|start| start.eq_ignore_ascii_case(REMARK)) {
        return text;
    }
    match text.split_once(',') {
        Some((_, rest)) if !rest.trim().is_empty() => rest,
        _ => text,
    }
}

fn is_stop(c: char) -> bool {
    matches!(c, ',' | ';' | '.' | '?' | '!' | '\n')
}

fn at_joints(sentence: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(sentence);
    std::iter::from_fn(move || {
        let text = rest?;
        let (clause, after) = match joint(text) {
            Some(joint) => (text.get(..joint.start), text.get(joint.end..)),
            None => (Some(text), None),
        };
        rest = after;
        clause
    })
}

/// The range of the next joining word.
fn joint(text: &str) -> Option<Range<usize>> {
    let mut start = 0;
    for word in text.split_inclusive(' ') {
        let end = start + word.len();
        let bare = word.trim_end();
        if start > 0 && JOINTS.iter().any(|joint| joint.eq_ignore_ascii_case(bare)) {
            return Some(start..end);
        }
        start = end;
    }
    None
}

#[cfg(test)]
mod tests;

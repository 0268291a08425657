//! The parts of a compound query: "what time is it and show me devices" asks for two things.

/// More parts are not looked at.
pub(super) const MOST: usize = 8;

/// How such a remark begins.
const REMARK: &str = "as of ";

/// The words that join two questions or commands.
const JOINTS: [&str; 4] = ["and", "then", "also", "plus"];

/// The clauses of a text, at most [`MOST`]; the text itself when it has no joint.
pub(super) fn of(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_stop)
        .flat_map(at_joints)
        .filter(|clause| !clause.trim().is_empty())
        .take(MOST)
}

/// A text without the remark of which day it holds for: "As of today, what is gold worth?" is no
/// question for the date.
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
            Some((start, end)) => (text.get(..start), text.get(end..)),
            None => (Some(text), None),
        };
        rest = after;
        clause
    })
}

/// Where the next joint begins and ends.
fn joint(text: &str) -> Option<(usize, usize)> {
    let mut start = 0;
    for word in text.split_inclusive(' ') {
        let end = start + word.len();
        let bare = word.trim_end();
        if start > 0 && JOINTS.iter().any(|joint| joint.eq_ignore_ascii_case(bare)) {
            return Some((start, end));
        }
        start = end;
    }
    None
}

#[cfg(test)]
mod tests;

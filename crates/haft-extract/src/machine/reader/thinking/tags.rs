//! What tags and tokens mean for a thought: which begin it, and which end it, its message or the turn.

use memchr::memrchr;

use super::super::Cursor;
use crate::formats::Role;
use crate::scan::tag::{Tag, whole_tag};

pub(super) fn closes_thought(tag: &Tag<'_>) -> bool {
    match tag.role() {
        Some(Role::Thinking) => tag.close,
        role => role == Some(Role::ThinkingEnd),
    }
}

/// What stands between two tags that a sentence speaks of: `<think> and </think>`.
pub(super) fn joins_tags(text: &str) -> bool {
    matches!(
        text.trim(),
        "and" | "or" | "to" | "/" | "," | "&" | "..." | "…"
    )
}

/// What Harmony begins the next message with.
pub(super) const NEXT_MESSAGE: &str = "<|start|>";

/// The longest name of a recipient.
const MAX_RECIPIENT: usize = 128;

/// The length of a recipient that the text ends with: ` to=functions.N`.
pub(super) fn header_len(text: &str) -> usize {
    const TO: &str = " to=";
    let near = text.floor_char_boundary(text.len().saturating_sub(MAX_RECIPIENT));
    let near = text.get(near..).unwrap_or_default();
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let before = near.trim_end_matches(is_name);
    let before = before.strip_suffix(TO);
    before.map_or(0, |before| near.len() - before.len())
}

/// More blanks than any server leaves behind the token that ends a turn.
const MAX_BLANKS: usize = 64;

/// True for a token that ends a message or a turn, as long as it may be the end of one here: what
/// follows it has yet to come.
pub(super) fn may_end_turn(here: &Cursor<'_>, tag: &Tag<'_>) -> bool {
    let rest = here.tail(tag.end());
    let may_be = is_end_of_message(tag) && NEXT_MESSAGE.starts_with(rest);
    may_be || (is_end_of_turn(tag) && is_short_blank(rest))
}

/// A thought without the token that ends the turn.
pub(super) fn without_end_of_turn(thought: &str) -> &str {
    let at = memrchr(b'<', thought.as_bytes()).unwrap_or(thought.len());
    let (before, token) = thought.split_at(at);
    let is_end = whole_tag(token).is_some_and(|tag| {
        let is_last = is_short_blank(token.get(tag.len..).unwrap_or_default());
        is_last && (is_end_of_turn(&tag) || is_end_of_message(&tag))
    });
    if is_end { before } else { thought }
}

pub(super) fn is_short_blank(text: &str) -> bool {
    text.len() <= MAX_BLANKS && text.trim_ascii().is_empty()
}

pub(super) fn is_end_of_turn(tag: &Tag<'_>) -> bool {
    tag.role() == Some(Role::Noise) && (tag.barred || tag.close)
}

pub(super) fn is_end_of_message(tag: &Tag<'_>) -> bool {
    tag.barred && tag.letters() == "end"
}

//! What may stand between the name of a call and its arguments without being either: keys whose tags
//! were lost, labels, ids.

use super::header::{After, MAX_HEADER};
use super::{Turn, fields};
use crate::formats::Role;
use crate::scan::lexis::Ends;
use crate::scan::tag::{Found, read_tag};

/// The length of the id behind `[CALL_ID]`.
pub(super) fn id_length(text: &str, finished: bool) -> Found<usize> {
    match text.bytes().take_while(u8::is_ascii_alphanumeric).count() {
        0 => Found::No,
        len if len == text.len() && !finished => Found::More,
        len => Found::Yes(len),
    }
}

/// The name of the tool in one that runs into the name of its first parameter, whose opening tag
/// was lost: `get_weathercity</arg_key>`.
pub(super) fn glued_key<'n>(turn: &Turn<'_, '_>, written: &'n str, end: usize) -> Found<&'n str> {
    let is_key = match read_tag(turn.tail(end), turn.finished) {
        Found::More => return Found::More,
        Found::No => false,
        Found::Yes(tag) => tag.close && tag.marker.is_some_and(|marker| marker.role == Role::Key),
    };
    if !is_key || turn.tools.is_any() {
        return Found::No;
    }
    let splits = (1..written.len()).rev();
    let mut parts = splits.filter_map(|at| written.split_at_checked(at));
    let is_call = |(name, key): &(&str, &str)| {
        turn.tools.binds_exactly(name) && turn.tools.has_parameter(name, key)
    };
    parts
        .find(is_call)
        .map_or(Found::No, |(name, _)| Found::Yes(name))
}

/// Whether the name of a parameter stands here whose opening tag was lost: `city</arg_key>`.
pub(super) fn begins_key(text: &str, finished: bool) -> Ends {
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(*byte, b'_' | b'-');
    let len = text.bytes().take(MAX_HEADER).take_while(is_letter).count();
    let rest = text.get(len..).unwrap_or_default();
    match rest.as_bytes().first() {
        None if !finished && len < MAX_HEADER => return Ends::Unclear,
        Some(b'<') if len > 0 => {}
        _ => return Ends::No,
    }
    match read_tag(rest, finished) {
        Found::More => Ends::Unclear,
        Found::Yes(tag) if tag.close && tag.marker.is_some_and(|m| m.role == Role::Key) => {
            Ends::Yes
        }
        _ => Ends::No,
    }
}

/// What a word behind a name begins that belongs to no sentence: a key whose opening tag was lost,
/// or the label of the arguments; `Err` to go on behind it.
pub(super) fn word_behind(turn: &Turn<'_, '_>, start: usize) -> Option<Result<After, usize>> {
    match begins_key(turn.tail(start), turn.finished) {
        Ends::Unclear => return Some(Ok(After::More)),
        Ends::Yes => return Some(Ok(After::Tags(start))),
        Ends::No => {}
    }
    match label_follows(turn, start) {
        Found::More => Some(Ok(After::More)),
        Found::Yes(len) => Some(Err(start + len)),
        Found::No => None,
    }
}

/// The label of the arguments in the line below a name.
fn label_follows(turn: &Turn<'_, '_>, start: usize) -> Found<usize> {
    let is_below = turn.byte(start.wrapping_sub(1)) == Some(b'\n');
    match is_below && !turn.tools.is_any() {
        true => fields::label_before_object(turn.tail(start), turn.finished),
        false => Found::No,
    }
}

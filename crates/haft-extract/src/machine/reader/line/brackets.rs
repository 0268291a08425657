//! Lines that begin with a square bracket and a word.

use super::{
    BLANKS, Seen, Sight, Unseen, beginning, behind, is_name_whole, label, name_length, when_named,
};
use crate::Format;
use crate::machine::reader::Cursor;
use crate::machine::reader::block::Shape;
use crate::scan::More;

/// What stands before a tool that is named by an attribute.
const CALLING: &str = "Calling tool=";

/// What stands between a tool and its arguments in what some agents show of a call.
pub(crate) const WITH_ARGUMENTS: &str = " with arguments:";

/// Behind the bracket at `at` a word stands: a tool, or what leads to one.
pub(super) fn sight_of_name_in_brackets(here: &Cursor<'_>, inner: &str, at: usize) -> Seen {
    match when_named(here, inner, at, Shape::List) {
        Err(Unseen::Text) => {}
        seen => return seen.and_then(|_| sight_behind_brackets(here, inner, at)),
    }
    match sight_in_brackets(here, at + 1) {
        Err(Unseen::Text) => {}
        seen => return seen,
    }
    if here.begins(inner, CALLING)? {
        return Ok(Sight::Call(at, Shape::List));
    }
    // A list that begins with a call of something else than a bound tool.
    match inner.as_bytes().get(name_length(inner)) {
        _ if here.tools.is_any() || is_token(inner) => Err(Unseen::Text),
        _ if !is_name_whole(inner, here.finished) => Err(Unseen::More),
        Some(b'(') => Ok(Sight::Call(at, Shape::List)),
        _ => Err(Unseen::Text),
    }
}

/// `[Calling tool: f({...})]`: the bracket, and the label that begins at `from`, are markup.
fn sight_in_brackets(here: &Cursor<'_>, from: usize) -> Seen {
    if is_token(here.tail(from)) {
        return Err(Unseen::Text);
    }
    let to = from + label(beginning(here.tail(from)), here.finished).ok_or(More)?;
    let rest = here.tail(to);
    // `[Tool: f(query)]` rather speaks of one.
    let is_call = here.part(from, to).to_ascii_lowercase().contains("call");
    if !is_call {
        return Err(Unseen::Text);
    }
    when_named(here, rest, to, Shape::Call)?;
    let after = rest.get(name_length(rest)..).unwrap_or_default();
    if after.starts_with(['(', '{']) {
        return Ok(Sight::Prefix(to, Format::Pythonic));
    }
    match here.begins(after, WITH_ARGUMENTS)? {
        true => Ok(Sight::Call(from - 1, Shape::List)),
        false => Err(Unseen::Text),
    }
}

/// `[f]⏎{"a": 1}⏎[END_TOOL_REQUEST]`, and every other list that begins with the name of a tool.
fn sight_behind_brackets(here: &Cursor<'_>, inner: &str, at: usize) -> Seen {
    let behind_name = inner.get(name_length(inner)..).unwrap_or_default();
    let body = behind_name.strip_prefix(']');
    match body.and_then(|body| behind(body, &BLANKS).ok()) {
        Some("") if !here.finished => Err(Unseen::More),
        Some(object) if object.starts_with('{') && !here.tools.is_any() => {
            Ok(Sight::Call(at, Shape::Named))
        }
        _ => Ok(Sight::Call(at, Shape::List)),
    }
}

/// True for what may be `[TOOL_CALLS]`, which comes in pieces.
fn is_token(inner: &str) -> bool {
    let second = inner.as_bytes().get(1);
    second.is_some_and(u8::is_ascii_uppercase)
}

//! Lines that begin with a square bracket and a word.

use super::{Sight, beginning, behind, is_name_whole, label, name_length};
use crate::Format;
use crate::machine::reader::block::Shape;
use crate::machine::reader::{Reader, Turn};

/// What stands before a tool that is named by an attribute.
const CALLING: &str = "Calling tool=";

/// What stands between a tool and its arguments in what some agents show of a call.
pub(in crate::machine::reader) const WITH_ARGUMENTS: &str = " with arguments:";

impl Reader {
    /// Behind the bracket at `at` a word stands: a tool, or what leads to one.
    pub(super) fn sight_of_name_in_brackets(
        &self,
        turn: &Turn<'_, '_>,
        inner: &str,
        at: usize,
    ) -> Sight {
        match self.when_named(turn, inner, (at, Shape::List)) {
            Sight::Text => {}
            Sight::Call(..) => return sight_behind_brackets(turn, inner, at),
            sight => return sight,
        }
        match self.sight_in_brackets(turn, at + 1) {
            Sight::Text => {}
            sight => return sight,
        }
        if inner.starts_with(CALLING) {
            return Sight::Call(at, Shape::List);
        }
        if CALLING.starts_with(inner) && !turn.finished {
            return Sight::More;
        }
        sight_of_unknown(turn, inner, at)
    }

    /// `[Calling tool: f({...})]`: the bracket, and the label that begins at `from`, are markup.
    fn sight_in_brackets(&self, turn: &Turn<'_, '_>, from: usize) -> Sight {
        if is_token(turn.tail(from)) {
            return Sight::Text;
        }
        let Some(len) = label(beginning(turn.tail(from)), turn.finished) else {
            return Sight::More;
        };
        let to = from + len;
        let label = turn.text.get(from..to).unwrap_or_default();
        // `[Tool: f(query)]` rather speaks of one.
        if !label.to_ascii_lowercase().contains("call") {
            return Sight::Text;
        }
        let rest = turn.tail(to);
        match self.when_named(turn, rest, (to, Shape::Call)) {
            Sight::Call(..) => {
                let after = rest.get(name_length(rest)..).unwrap_or_default();
                match after.as_bytes().first() {
                    Some(b'(' | b'{') => Sight::Prefix(to, Format::Pythonic),
                    _ if after.starts_with(WITH_ARGUMENTS) => Sight::Call(from - 1, Shape::List),
                    _ if WITH_ARGUMENTS.starts_with(after) && !turn.finished => Sight::More,
                    _ => Sight::Text,
                }
            }
            sight => sight,
        }
    }
}

/// `[f]⏎{"a": 1}⏎[END_TOOL_REQUEST]`, and every other list that begins with the name of a tool.
fn sight_behind_brackets(turn: &Turn<'_, '_>, inner: &str, at: usize) -> Sight {
    let list = Sight::Call(at, Shape::List);
    let behind_name = inner.get(name_length(inner)..).unwrap_or_default();
    let Some(body) = behind_name.strip_prefix(']') else {
        return list;
    };
    match behind(body, &[' ', '\t', '\r', '\n']) {
        Some("") if !turn.finished => Sight::More,
        Some(object) if object.starts_with('{') && !turn.tools.is_any() => {
            Sight::Call(at, Shape::Named)
        }
        _ => list,
    }
}

/// True for what may be `[TOOL_CALLS]`, which comes in pieces.
fn is_token(inner: &str) -> bool {
    let second = inner.as_bytes().get(1);
    second.is_some_and(u8::is_ascii_uppercase)
}

/// A list that begins with a call of something else than a bound tool.
fn sight_of_unknown(turn: &Turn<'_, '_>, inner: &str, at: usize) -> Sight {
    let len = name_length(inner);
    match inner.as_bytes().get(len) {
        _ if turn.tools.is_any() || is_token(inner) => Sight::Text,
        Some(b'(') => Sight::Call(at, Shape::List),
        None if !is_name_whole(inner, turn.finished) => Sight::More,
        _ => Sight::Text,
    }
}

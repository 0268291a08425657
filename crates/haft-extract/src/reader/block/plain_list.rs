//! A list of calls in Python's notation, `[f(a=1), g(b='x')]`, read in one go when it is whole and
//! written without anything unusual. The careful way, through the nested reading of
//! [`block`](super), finds the same in it.

use super::ends::whole_line;
use super::signature::is_signature;
use super::{Block, loose};
use crate::balance::is_arguments_key;
use crate::calls::may_be_placeholders;
use crate::lexis::is_letter;
use crate::plain_json::{PlainCall, blanks, python_arguments};
use crate::reader::header::with_brackets;
use crate::reader::inside::Kind;
use crate::reader::line::beginning;
use crate::reader::{Reader, State, Step, Turn};
use crate::reading::Reading;

impl Reader {
    /// The candidate that is such a list.
    pub(super) fn plain_list(&mut self, turn: &mut Turn<'_, '_>, block: &Block) -> Option<Step> {
        if turn.tools.is_any() {
            return None;
        }
        let (mut calls, close) = calls(turn, block.lead)?;
        let whole = whole_line(turn, block, close)?;
        // A quote behind the list may be the one that closes its last text.
        let behind = beginning(turn.tail(close));
        let behind = behind.trim_start_matches([' ', '\t', ')', ']', '}', ',', ';']);
        if behind.starts_with(['\'', '"']) {
            return None;
        }
        if whole > turn.options.hold_limit {
            return None;
        }
        block.announce(turn);
        let mut start = 0;
        for call in &mut calls {
            let end = call.end;
            let format = with_brackets(self.format, call.name, Kind::Call);
            self.tell_plain_call(turn, call, (start, end, format));
            start = end;
        }
        turn.tell(Reading::Decided);
        turn.syntax(turn.text.get(start..whole).unwrap_or_default());
        Some(self.take(whole, State::Line))
    }
}

/// The calls of the list that begins at `at`, and where it ends.
fn calls<'t>(turn: &Turn<'t, '_>, at: usize) -> Option<(Vec<PlainCall<'t>>, usize)> {
    let text = turn.text;
    let bytes = text.as_bytes();
    let mut calls = Vec::new();
    let mut at = at + 1;
    loop {
        calls.push(PlainCall::default());
        let call = calls.last_mut()?;
        find(turn, blanks(bytes, at), call)?;
        at = blanks(bytes, call.end);
        match bytes.get(at)? {
            b',' => at += 1,
            b']' => return Some((calls, at + 1)),
            _ => return None,
        }
    }
}

/// Finds the call of a bound tool that begins at `at`.
fn find<'t>(turn: &Turn<'t, '_>, at: usize, call: &mut PlainCall<'t>) -> Option<()> {
    let rest = turn.tail(at);
    let len = rest.bytes().position(|byte| !is_letter(byte))?;
    let name = rest.get(..len)?;
    (rest.as_bytes().get(len) == Some(&b'(')).then_some(())?;
    let place = turn.tools.place(name)?;
    let start = at + len + 1;
    let filling = turn.tools.filling((name, Some(place)));
    let (read, end) = python_arguments(turn.text, start, filling)?;
    let arguments = &read.arguments;
    // A call may be written whole where its arguments belong.
    let is_frame = arguments.len() == 2 && arguments.keys().any(|key| is_arguments_key(key));
    let text = turn.text.get(start..end)?;
    // A signature has no values that are right.
    let may_be_signature = || read.mark.is_none() && is_signature(name, text, turn.tools);
    let is_doubtful = is_frame
        || may_be_signature()
        || may_be_placeholders(arguments)
        || loose::is_doubtful_text(text, turn.tools);
    call.name = name;
    call.tool = Some(place);
    call.arguments = start..end;
    call.read = Some(read);
    call.end = end + 1;
    (!is_doubtful).then_some(())
}

#[cfg(test)]
mod tests;

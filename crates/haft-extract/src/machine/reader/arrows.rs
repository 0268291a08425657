//! Calls with arrows, behind the marker of another form: `[TOOL_CALL]⏎{tool => "f", args => {...}}`.
//!
//! The quotes in them are those of a command, so the end is that of the marker, not of the brackets.

use super::{Attempt, Cursor, Inside, Reader, State, cursor::beginning};
use crate::{interpret, limits, scan::near};

/// How the object begins.
const BEGIN: &str = "tool =>";

/// What closes the marker.
const END: &str = "[/TOOL_CALL]";

impl Reader {
    /// The step over a call with arrows in the object at `at`; nothing where none stands there.
    pub(super) fn call_with_arrows(&mut self, here: &mut Cursor<'_>, at: usize) -> Attempt {
        let inner = beginning(here.tail(at + 1)).trim_start();
        if inner.is_empty() || !here.begins(inner, BEGIN)? {
            return Ok(None);
        }
        let longest = limits::SEARCHED.min(here.options.hold_limit);
        let end = here.find(at, END, longest)?;
        let object = end.map_or(near(here.tail(at), longest), |end| here.part(at, end));
        let Some(calls) = interpret::arrows(object, here.tools) else {
            return Ok(None);
        };
        let end = at + object.len();
        self.wrapped = true;
        self.take_calls(here, calls, at..end)?;
        self.advance(end, State::Inside(Inside::between_calls()))
            .map(Some)
    }
}

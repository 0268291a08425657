//! Calls with arrows, behind the marker of another form: `[TOOL_CALL]⏎{tool => "f", args => {...}}`.
//!
//! The quotes in them are those of a command, so the end is that of the marker, not of the brackets.

use super::inside::Inside;
use super::line::beginning;
use super::{Cursor, Reader, State, Step};
use crate::interpret;

/// How the object begins.
const BEGIN: &str = "tool =>";

/// What closes the marker.
const END: &str = "[/TOOL_CALL]";

/// The longest call that is looked through for its end with each chunk.
const MAX_TEXT: usize = 16 * 1024;

impl Reader {
    /// The step over a call with arrows in the object at `at`; nothing where none stands there.
    pub(super) fn arrows(
        &mut self,
        here: &mut Cursor<'_>,
        inside: &Inside,
        at: usize,
    ) -> Option<Step> {
        let inner = beginning(here.tail(at + 1)).trim_start();
        if !inner.starts_with(BEGIN) {
            let may_come = !inner.is_empty() && BEGIN.starts_with(inner) && !here.finished;
            return may_come.then(|| self.wait(State::Inside(inside.clone())));
        }
        let text = here.tail(at);
        let longest = MAX_TEXT.min(here.options.hold_limit);
        let near = text.get(..text.floor_char_boundary(longest))?;
        let object = match near.split_once(END) {
            Some((object, _)) => object,
            None if !here.finished && text.len() <= longest => {
                return Some(self.wait(State::Inside(inside.clone())));
            }
            None => near,
        };
        let readings = interpret::arrows(object, here.tools)?;
        let end = at + object.len();
        self.wrapper_opened();
        self.take_calls(here, readings, (at, end));
        Some(self.take(end, State::Inside(Inside::open())))
    }
}

//! The calls that a thought makes which never ends: those it ends with.

use super::super::line::{is_name_whole, name_length};
use super::super::{Cursor, Reader, State, Step};
use super::tags::without_end_of_turn;
use super::{Hold, Thinking};
use crate::machine::{ParseEvent, Written};
use crate::scan::Seen;

/// Words that calls begin with before the name of a tool comes.
const OPENINGS: [&str; 3] = ["functools", "print", "Action"];

impl Reader {
    /// The reply ended in a thought.
    pub(super) fn never_ends(&mut self, here: &mut Cursor<'_>, thinking: &Thinking) -> Step {
        let end = here.text.len();
        let is_short = |hold: &Hold| end - hold.from <= here.options.hold_limit;
        if let Some(hold) = thinking.hold.filter(is_short)
            && self.ends_with_calls(here, hold.from)
        {
            here.reasoning(here.head(hold.from));
            self.tell_made(here, hold.from);
            return self.take(end, State::Line);
        }
        let thought = without_end_of_turn(here.text);
        here.reasoning(thought);
        here.markup(here.tail(thought.len()));
        self.take(end, State::Line)
    }

    /// True when the thought, from `from` on, ends with a complete call of a bound tool, with no
    /// other text after it.
    fn ends_with_calls(&self, here: &Cursor<'_>, from: usize) -> bool {
        let mut ends = false;
        let text = (here.tail(from), State::Prose);
        self.nested(here, text, &mut |event| match event {
            ParseEvent::Call(call, _) => {
                let is_whole = !call.cut && !matches!(call.arguments, Written::Unreadable(..));
                ends = is_whole && here.tools.binds(&call.name);
            }
            ParseEvent::Text(text) if !text.trim_ascii().is_empty() => ends = false,
            _ => {}
        });
        ends
    }

    /// Tells of the calls that end a thought from `from` on. What stands before them was held as
    /// one, and is none.
    fn tell_made(&self, here: &mut Cursor<'_>, from: usize) {
        let mut is_before = true;
        let inner = Cursor {
            sink: &mut |_| {},
            ..*here
        };
        let sink = &mut *here.sink;
        self.nested(&inner, (inner.tail(from), State::Prose), &mut |event| {
            is_before &= !matches!(event, ParseEvent::Call(..) | ParseEvent::CallBegins(_));
            sink(match event {
                ParseEvent::Text(text) if is_before => ParseEvent::Reasoning(text),
                ParseEvent::Text(text) if text.trim_ascii().is_empty() => ParseEvent::Markup(text),
                event => event,
            });
        });
    }
}

/// Whether a call without markers may begin at `at`, the beginning of a line.
pub(super) fn may_be_call(here: &Cursor<'_>, at: usize) -> Seen<bool> {
    let rest = here.tail(at);
    match rest.as_bytes().first() {
        None => here.at_end(false),
        Some(b'{' | b'`') => Ok(true),
        Some(b'[') => Ok(!rest.starts_with("[/")),
        Some(byte) if byte.is_ascii_alphabetic() || *byte == b'_' => {
            let name = rest.get(..name_length(rest)).unwrap_or_default();
            let may_open = OPENINGS.iter().any(|word| word.starts_with(rest));
            let is_whole = is_name_whole(rest, here.finished);
            here.wait_if(!is_whole && (may_open || here.tools.may_bind(rest)))?;
            let opens = OPENINGS.contains(&name) || here.tools.binds(name);
            Ok(opens && !here.tools.is_any())
        }
        Some(_) => Ok(false),
    }
}

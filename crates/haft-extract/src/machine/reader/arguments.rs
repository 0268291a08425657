//! The arguments of a call, told of as they come.
//!
//! Its name, and the scan of its brackets or tags, are kept in the [`Reader`], so that one call
//! after the other uses the same memory.

use std::borrow::Cow;

use super::inside::{Inside, Kind};
use super::{Cursor, Reader, State, Step};
use crate::Format;
use crate::arguments::parameters::Progress;
use crate::machine::event::ParseEvent;
use crate::machine::raw_call::{RawCall, Written};
use crate::scan::balance::Stop;

/// The longest call that is read, in bytes. A longer one is answered with an error.
pub(super) const MAX_CALL: usize = 64 * 1024 * 1024;

/// A call whose name is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    kind: Kind,
    /// The arguments stand in an object, the rest of which follows.
    in_object: bool,
    format: Format,
    /// So much of the text was told of.
    shown: usize,
}

impl Open {
    /// A call of which nothing is told yet.
    pub(super) fn new(kind: Kind, in_object: bool, format: Format) -> Self {
        Self {
            kind,
            in_object,
            format,
            shown: 0,
        }
    }

    /// Tells of the raw text up to `end`.
    pub(super) fn show(&mut self, here: &mut Cursor<'_>, end: usize) {
        let text = here.text.get(self.shown..end).unwrap_or_default();
        if !text.is_empty() {
            here.tell(ParseEvent::Arguments(text));
        }
        self.shown = self.shown.max(end);
    }
}

impl Reader {
    /// A call begins: `start` bytes of markup stand before its arguments. Its name is in
    /// `self.name`.
    pub(super) fn begin_call(&mut self, here: &mut Cursor<'_>, start: usize, open: Open) -> Step {
        self.wrapper_opened();
        here.markup(here.head(start));
        here.tell(ParseEvent::CallBegins(&self.name));
        let state = match open.kind {
            Kind::Tags => State::Tags(open),
            Kind::Object | Kind::Call => State::Arguments(open),
        };
        self.take(start, state)
    }

    pub(super) fn arguments(&mut self, here: &mut Cursor<'_>, mut open: Open) -> Step {
        let stop = self.balance.run(here.text, here.finished);
        let (end, why) = match stop {
            Stop::More if here.text.len() > MAX_CALL => (longest(here.text), "is too long"),
            Stop::More => {
                open.show(here, self.balance.at().min(here.text.len()));
                return self.wait(State::Arguments(open));
            }
            Stop::ArgumentsOpen(_) => {
                self.state = State::Arguments(open);
                return Step::Take(0);
            }
            Stop::ArgumentsClosed(end) | Stop::Closed(end) | Stop::Marker(end) => (end, ""),
            Stop::TooDeep(at) => (at, "is nested too deeply"),
            Stop::End => (here.text.len(), ""),
        };
        open.show(here, end);
        if open.in_object && stop == Stop::ArgumentsClosed(end) && open.kind == Kind::Object {
            return self.take(0, State::Behind(open, end));
        }
        let text = Cow::Borrowed(here.head(end));
        let arguments = match open.kind {
            _ if !why.is_empty() => Written::Unreadable(text, why),
            Kind::Call => Written::Call(Cow::Borrowed(inner(here.head(end)))),
            Kind::Object | Kind::Tags => Written::Object(text),
        };
        let cut = stop == Stop::End;
        let call = self.begun_call(&open, arguments);
        self.end_call(here, RawCall { cut, ..call }, end);
        if !open.in_object {
            return self.take(end, State::Inside(Inside::open()));
        }
        self.balance.unwatch();
        self.balance.shift(end);
        self.take(end, State::Rest)
    }

    /// A call whose name was told of is complete, and ends at `end`.
    pub(super) fn end_call(&mut self, here: &mut Cursor<'_>, call: RawCall<'_>, end: usize) {
        here.tell(ParseEvent::Call(call, here.head(end)));
        self.call_ended();
    }

    /// The call that was begun, with its arguments.
    pub(super) fn begun_call<'t>(&mut self, open: &Open, arguments: Written<'t>) -> RawCall<'t> {
        RawCall::new(std::mem::take(&mut self.name), arguments, open.format)
    }

    /// The rest of an object after the arguments is markup, but for words in a line of their own:
    /// the brace before them is missing.
    pub(super) fn rest(&mut self, here: &mut Cursor<'_>) -> Step {
        let Ok((body, start)) = here.body(0) else {
            return self.wait(State::Rest);
        };
        if body.starts_with(char::is_alphabetic) && here.head(start).contains('\n') {
            return self.take(0, State::Inside(Inside::open()));
        }
        let (end, next) = loop {
            match self.balance.run(here.text, here.finished) {
                Stop::More if here.text.len() <= MAX_CALL => return self.wait(State::Rest),
                Stop::ArgumentsOpen(_) | Stop::ArgumentsClosed(_) => {}
                Stop::Closed(end) | Stop::Marker(end) => {
                    break (end, State::Inside(Inside::open()));
                }
                Stop::TooDeep(end) => break (end, State::Line),
                Stop::More | Stop::End => break (here.text.len(), State::Line),
            }
        };
        here.markup(here.head(end));
        self.take(end, next)
    }

    #[inline(never)]
    pub(super) fn tags(&mut self, here: &mut Cursor<'_>, mut open: Open) -> Step {
        let progress = if here.text.len() > MAX_CALL {
            Progress::Done {
                end: longest(here.text),
                repaired: false,
                complete: false,
            }
        } else {
            self.parameters.run(here.text, here.finished)
        };
        match progress {
            Progress::More => {
                open.show(here, self.parameters.decided().min(here.text.len()));
                self.wait(State::Tags(open))
            }
            Progress::Done {
                end,
                repaired,
                complete,
            } => {
                open.show(here, end);
                let list = self.parameters.list().to_vec().into();
                let arguments = Written::Tags(Cow::Borrowed(here.head(end)), list);
                let call = RawCall {
                    cut: !complete,
                    repaired,
                    ..self.begun_call(&open, arguments)
                };
                self.end_call(here, call, end);
                self.take(end, State::Inside(Inside::open()))
            }
        }
    }
}

/// The end of the longest call that `text` may hold.
fn longest(text: &str) -> usize {
    text.floor_char_boundary(MAX_CALL)
}

/// What stands between the parentheses.
fn inner(text: &str) -> &str {
    let text = text.strip_prefix('(').unwrap_or(text);
    text.strip_suffix(')').unwrap_or(text)
}

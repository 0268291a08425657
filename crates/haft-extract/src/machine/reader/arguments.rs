//! The arguments of a call, told of as they come.
//!
//! Its name, and the scan of its brackets or tags, are kept in the [`Reader`], so that one call
//! after the other uses the same memory.

use std::borrow::Cow;

use haft_schema::Repair;

use super::inside::{Inside, Kind, behind_blanks};
use super::{Coast, Reader, State, Step, Turn};
use crate::Format;
use crate::arguments::parameters::Progress;
use crate::machine::reading::{Found, Reading, Written};
use crate::scan::balance::Stop;

/// The longest call that is read, in bytes. A longer one is answered with an error.
pub(super) const MAX_CALL: usize = 64 * 1024 * 1024;

/// How many bytes before a quote are looked at: two letters of Python, and what stands before.
const LOOK_BACK: usize = 3;

/// A call whose name is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    kind: Kind,
    /// The arguments stand in an object, the rest of which follows.
    in_object: bool,
    /// The name is that of a bound tool, so that the call was announced.
    is_bound: bool,
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
            is_bound: false,
            format,
            shown: 0,
        }
    }

    /// What is to be told of the raw text up to `end`.
    pub(super) fn coast(&mut self, end: usize) -> Coast {
        let shown = self.shown;
        self.shown = shown.max(end);
        match self.is_bound {
            true => Coast::Arguments(shown..end),
            false => Coast::Hold,
        }
    }

    /// Tells of the raw text up to `end`.
    pub(super) fn show(&mut self, turn: &mut Turn<'_, '_>, end: usize) {
        let text = turn.text.get(self.shown..end).unwrap_or_default();
        if self.is_bound && !text.is_empty() {
            turn.tell(Reading::Fragment(Cow::Borrowed(text)));
        }
        self.shown = self.shown.max(end);
    }
}

impl Reader {
    /// A call begins: `start` bytes of markup stand before its arguments. Its name is in
    /// `self.name`.
    pub(super) fn begin_call(
        &mut self,
        turn: &mut Turn<'_, '_>,
        start: usize,
        mut open: Open,
    ) -> Step {
        self.wrapper_opened();
        turn.syntax(turn.head(start));
        open.is_bound = turn.tools.binds(&self.name);
        if open.is_bound {
            turn.tell(Reading::Start(Cow::Borrowed(&self.name)));
        }
        let state = match open.kind {
            Kind::Tags => State::Tags(open),
            Kind::Object | Kind::Call => State::Arguments(open),
        };
        self.take(start, state)
    }

    pub(super) fn arguments(&mut self, turn: &mut Turn<'_, '_>, mut open: Open) -> Step {
        let stop = self.balance.run(turn.text, turn.finished);
        let (end, why) = match stop {
            Stop::More if turn.text.len() > MAX_CALL => (longest(turn.text), "is too long"),
            Stop::More => {
                open.show(turn, self.balance.at().min(turn.text.len()));
                return self.wait(State::Arguments(open));
            }
            Stop::ArgumentsOpen(_) => {
                self.state = State::Arguments(open);
                return Step::Take(0);
            }
            Stop::ArgumentsClosed(end) | Stop::Closed(end) | Stop::Marker(end) => (end, ""),
            Stop::TooDeep(at) => (at, "is nested too deeply"),
            Stop::End => (turn.text.len(), ""),
        };
        open.show(turn, end);
        if open.in_object && stop == Stop::ArgumentsClosed(end) && open.kind == Kind::Object {
            return self.take(0, State::Behind(open, end));
        }
        let text = Cow::Borrowed(turn.head(end));
        let arguments = match open.kind {
            _ if !why.is_empty() => Written::Unreadable(text, why),
            Kind::Call => Written::Call(Cow::Borrowed(inner(turn.head(end)))),
            Kind::Object | Kind::Tags => Written::Object(text),
        };
        let cut = stop == Stop::End;
        self.end_call(turn, &open, (arguments, cut, Vec::new()));
        if !open.in_object {
            return self.take(end, State::Inside(Inside::open()));
        }
        self.balance.unwatch();
        self.balance.shift(end);
        self.take(end, State::Rest(true))
    }

    /// A call whose name was told of is complete: its arguments, whether the reply ended in them, and
    /// what was mended to put them together.
    pub(super) fn end_call(
        &mut self,
        turn: &mut Turn<'_, '_>,
        open: &Open,
        (arguments, cut, repairs): (Written<'_>, bool, Vec<Repair>),
    ) {
        turn.tell(Reading::Call(Found {
            name: Cow::Borrowed(&self.name),
            tool: None,
            arguments,
            format: open.format,
            cut,
            mended: false,
            repairs,
        }));
        self.call_ended();
    }

    /// The rest of an object after the arguments is markup, but for words in a line of their own:
    /// the brace before them is missing.
    pub(super) fn rest(&mut self, turn: &mut Turn<'_, '_>, is_new: bool) -> Step {
        if is_new {
            let body = behind_blanks(turn.text);
            let blanks = turn.head(turn.text.len() - body.len());
            match body.chars().next() {
                None if !turn.finished => return self.wait(State::Rest(true)),
                Some(c) if c.is_alphabetic() && blanks.contains('\n') => {
                    return self.take(0, State::Inside(Inside::open()));
                }
                _ => {}
            }
        }
        match self.balance.run(turn.text, turn.finished) {
            Stop::More => {
                // What stands right before a quote tells whether it opens a string.
                let at = self.balance.at().min(turn.text.len());
                let taken = turn.text.floor_char_boundary(at.saturating_sub(LOOK_BACK));
                if taken == 0 {
                    return self.wait(State::Rest(false));
                }
                turn.syntax(turn.head(taken));
                self.balance.shift(taken);
                self.take(taken, State::Rest(false))
            }
            Stop::Closed(end) | Stop::Marker(end) => {
                turn.syntax(turn.head(end));
                self.take(end, State::Inside(Inside::open()))
            }
            Stop::ArgumentsOpen(_) | Stop::ArgumentsClosed(_) => {
                self.state = State::Rest(false);
                Step::Take(0)
            }
            Stop::TooDeep(end) => {
                turn.syntax(turn.head(end));
                self.take(end, State::Line)
            }
            Stop::End => {
                turn.syntax(turn.text);
                self.take(turn.text.len(), State::Line)
            }
        }
    }

    #[inline(never)]
    pub(super) fn tags(&mut self, turn: &mut Turn<'_, '_>, mut open: Open) -> Step {
        let progress = if turn.text.len() > MAX_CALL {
            Progress::Done {
                end: longest(turn.text),
                mended: false,
                complete: false,
            }
        } else {
            self.parameters.run(turn.text, turn.finished)
        };
        match progress {
            Progress::More => {
                open.show(turn, self.parameters.decided().min(turn.text.len()));
                self.wait(State::Tags(open))
            }
            Progress::Done {
                end,
                mended,
                complete,
            } => {
                open.show(turn, end);
                turn.tell(Reading::Call(Found {
                    name: Cow::Borrowed(&self.name),
                    tool: None,
                    arguments: Written::Tags(
                        Cow::Borrowed(turn.head(end)),
                        Cow::Borrowed(self.parameters.list()),
                    ),
                    format: open.format,
                    cut: !complete,
                    mended,
                    repairs: Vec::new(),
                }));
                self.call_ended();
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

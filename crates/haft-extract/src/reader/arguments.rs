//! The arguments of a call, told of as they come.

use std::borrow::Cow;

use super::inside::{Inside, Kind};
use super::{Reader, State, Step, Turn};
use crate::balance::{Balance, Stop};
use crate::parameters::{Parameters, Progress};
use crate::reading::{Found, Reading, Written};

/// The longest call that is read, in bytes. A longer one is answered with an error.
pub(super) const MAX_CALL: usize = 64 * 1024 * 1024;

/// A call whose name is known.
#[derive(Debug)]
pub(super) struct Open {
    name: String,
    format: &'static str,
    /// So much of the text was told of.
    shown: usize,
}

impl Open {
    pub(super) fn new(name: String, format: &'static str) -> Self {
        Self {
            name,
            format,
            shown: 0,
        }
    }

    /// Tells of the raw text up to `end`.
    fn show(&mut self, turn: &mut Turn<'_, '_>, end: usize) {
        if let Some(text) = turn
            .text
            .get(self.shown..end)
            .filter(|text| !text.is_empty())
        {
            self.shown = end;
            if turn.tools.binds(&self.name) {
                turn.tell(Reading::Fragment(Cow::Borrowed(text)));
            }
        }
    }
}

/// Arguments in brackets.
#[derive(Debug)]
pub(super) struct Arguments {
    open: Open,
    kind: Kind,
    balance: Box<Balance>,
    /// They stand in an object, the rest of which follows.
    in_object: bool,
}

impl Arguments {
    /// Arguments in an object whose scan goes on; they begin at the beginning of the text.
    pub(super) fn in_object(name: String, balance: Box<Balance>, format: &'static str) -> Self {
        Self {
            open: Open::new(name, format),
            kind: Kind::Object,
            balance,
            in_object: true,
        }
    }

    /// Arguments that begin at the beginning of the text.
    pub(super) fn after_name(name: String, kind: Kind, format: &'static str) -> Self {
        Self {
            open: Open::new(name, format),
            kind,
            balance: Box::new(Balance::new()),
            in_object: false,
        }
    }
}

impl Reader {
    pub(super) fn arguments(&mut self, turn: &mut Turn<'_, '_>, mut arguments: Arguments) -> Step {
        let stop = arguments.balance.run(turn.text, turn.finished);
        let (end, cut) = match stop {
            Stop::More if turn.text.len() > MAX_CALL => {
                return self.end_arguments(turn, arguments, turn.text.len(), Some("too long"));
            }
            Stop::More => {
                let at = arguments.balance.at().min(turn.text.len());
                arguments.open.show(turn, at);
                return self.wait(State::Arguments(arguments));
            }
            Stop::ArgumentsOpen(_) => {
                self.state = State::Arguments(arguments);
                return Step::Take(0);
            }
            Stop::ArgumentsClosed(end) | Stop::Closed(end) => (end, None),
            Stop::Marker(at) => (at, None),
            Stop::TooDeep(_) => (turn.text.len(), Some("nested too deeply")),
            Stop::End => {
                let end = turn.text.len();
                return self.told(turn, arguments, end, true);
            }
        };
        match cut {
            None => self.told(turn, arguments, end, false),
            Some(why) => self.end_arguments(turn, arguments, end, Some(why)),
        }
    }

    fn told(
        &mut self,
        turn: &mut Turn<'_, '_>,
        mut arguments: Arguments,
        end: usize,
        cut: bool,
    ) -> Step {
        arguments.open.show(turn, end);
        let text = turn.head(end);
        let written = match arguments.kind {
            Kind::Object => Written::Object(Cow::Borrowed(text)),
            Kind::Call => Written::Call(Cow::Borrowed(inner(text))),
        };
        turn.tell(Reading::Call(Found {
            name: Cow::Borrowed(&arguments.open.name),
            arguments: written,
            format: arguments.open.format,
            cut,
            mended: false,
            repairs: Vec::new(),
        }));
        self.after(arguments, end)
    }

    fn end_arguments(
        &mut self,
        turn: &mut Turn<'_, '_>,
        arguments: Arguments,
        end: usize,
        why: Option<&'static str>,
    ) -> Step {
        turn.tell(Reading::Call(Found {
            name: Cow::Borrowed(&arguments.open.name),
            arguments: Written::Unreadable(Cow::Borrowed(turn.head(end)), why.unwrap_or_default()),
            format: arguments.open.format,
            cut: false,
            mended: false,
            repairs: Vec::new(),
        }));
        self.after(arguments, end)
    }

    /// Goes on behind the arguments.
    fn after(&mut self, arguments: Arguments, end: usize) -> Step {
        self.call_ended();
        if !arguments.in_object {
            return self.take(end, State::Inside(Inside::open()));
        }
        let mut balance = arguments.balance;
        balance.unwatch();
        balance.shift(end);
        self.take(end, State::Rest(balance))
    }

    /// The rest of an object after the arguments is markup.
    pub(super) fn rest(&mut self, turn: &mut Turn<'_, '_>, mut balance: Box<Balance>) -> Step {
        match balance.run(turn.text, turn.finished) {
            Stop::More => {
                let at = balance.at().min(turn.text.len());
                if at == 0 || balance.is_in_string() {
                    return self.wait(State::Rest(balance));
                }
                turn.syntax(turn.head(at));
                balance.shift(at);
                self.take(at, State::Rest(balance))
            }
            Stop::Closed(end) | Stop::Marker(end) => {
                turn.syntax(turn.head(end));
                self.take(end, State::Inside(Inside::open()))
            }
            Stop::ArgumentsOpen(_) | Stop::ArgumentsClosed(_) => self.wait_or_take(balance),
            Stop::TooDeep(_) | Stop::End => {
                let end = turn.text.len();
                turn.syntax(turn.text);
                self.take(end, State::Line)
            }
        }
    }

    fn wait_or_take(&mut self, balance: Box<Balance>) -> Step {
        self.state = State::Rest(balance);
        Step::Take(0)
    }

    pub(super) fn tags(
        &mut self,
        turn: &mut Turn<'_, '_>,
        mut parameters: Box<Parameters>,
        mut open: Open,
    ) -> Step {
        let progress = if turn.text.len() > MAX_CALL {
            Progress::Done {
                end: turn.text.len(),
                mended: false,
                complete: false,
            }
        } else {
            parameters.run(turn.text, turn.finished)
        };
        match progress {
            Progress::More => {
                open.show(turn, parameters.decided().min(turn.text.len()));
                self.wait(State::Tags(parameters, open))
            }
            Progress::Done {
                end,
                mended,
                complete,
            } => {
                open.show(turn, end);
                turn.tell(Reading::Call(Found {
                    name: Cow::Borrowed(&open.name),
                    arguments: Written::Tags(
                        Cow::Borrowed(turn.head(end)),
                        Cow::Borrowed(parameters.list()),
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

/// What stands between the parentheses.
fn inner(text: &str) -> &str {
    let text = text.strip_prefix('(').unwrap_or(text);
    text.strip_suffix(')').unwrap_or(text)
}

//! The arguments of a call, reported as they come, and the rest of the object around them. Where a
//! model closed them too early, more of them follow: `"arguments": {"a": 1}, "b": 2}`.
//!
//! Its name, and the scan of its brackets or tags, are kept in the [`Reader`], so that one call
//! after the other uses the same memory.

use std::borrow::Cow;

use super::cursor::behind_blanks;
use super::object::member;
use super::{Cursor, Inside, Reader, State, Step};
use crate::arguments::parameters::{Parameters, Style};
use crate::machine::{FoundCall, ParseEvent, Written};
use crate::scan::balance::{Balance, Stop};
use crate::scan::{More, Seen};
use crate::{Format, interpret, limits};

/// How arguments are written, and where they begin.
#[derive(Clone, Copy, Debug)]
pub(super) enum Body {
    /// As an object.
    Object(usize),
    /// Between parentheses.
    Call(usize),
    /// As tags.
    Tags(usize, Style),
}

/// What brackets stand around arguments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Brackets {
    #[default]
    Braces,
    Parentheses,
    /// Their own, and those of an object, the rest of which follows.
    InObject,
}

/// A call whose name is known.
#[derive(Debug, Default)]
pub(super) struct Open {
    brackets: Brackets,
    format: Format,
    /// So much of the text was reported.
    pub(super) shown: usize,
}

impl Open {
    /// Tells of the raw text up to `end`.
    fn show(&mut self, here: &mut Cursor<'_>, end: usize) {
        let text = here.part(self.shown, end);
        if !text.is_empty() {
            here.tell(ParseEvent::Arguments(text));
        }
        self.shown = self.shown.max(end);
    }
}

impl Reader {
    /// Tells that a call begins whose arguments stand in `body`.
    pub(super) fn open_call(&mut self, here: &mut Cursor<'_>, name: &str, body: Body) -> Step {
        name.clone_into(&mut self.name);
        let (start, brackets) = match body {
            Body::Object(start) => (start, Brackets::Braces),
            Body::Call(start) => (start, Brackets::Parentheses),
            Body::Tags(start, style) => {
                self.begin_call(here, start, Brackets::Braces);
                let names = here.tools.parameters(name);
                let names = (!names.is_empty()).then(|| names.to_vec());
                self.parameters = Parameters::new(style, names);
                return self.advance(start, State::Tags);
            }
        };
        self.balance.restart(Balance::default());
        self.begin_call(here, start, brackets);
        self.advance(start, State::Arguments)
    }

    /// The call of `self.name` begins: `start` bytes of markup stand before its arguments.
    pub(super) fn begin_call(&mut self, here: &mut Cursor<'_>, start: usize, brackets: Brackets) {
        self.wrapped = true;
        here.markup(here.head(start));
        here.tell(ParseEvent::CallBegins(&self.name));
        self.open = Open {
            brackets,
            format: self.format,
            shown: 0,
        };
    }

    /// A call without arguments. One at the very end of the reply may have been cut off before them.
    pub(super) fn empty_call(&mut self, here: &mut Cursor<'_>, name: &str, taken: usize) -> Step {
        let cut = here.finished && self.nesting == 0 && here.tail(taken).trim_ascii().is_empty();
        here.markup(here.head(taken));
        let call = FoundCall::whole(name, Written::Nothing, self.format).cut(cut);
        here.tell(ParseEvent::Call(call, ""));
        self.call_ended();
        self.advance(taken, State::Inside(Inside::between_calls()))
    }

    pub(super) fn arguments(&mut self, here: &mut Cursor<'_>) -> Step {
        let stop = self.balance.run(here.text, here.finished);
        let (end, fault) = match stop {
            Stop::More if here.text.len() > limits::CALL => (
                here.text.floor_char_boundary(limits::CALL),
                Some("is too long"),
            ),
            Stop::More => {
                self.open.show(here, self.balance.at().min(here.text.len()));
                return Err(More);
            }
            Stop::ArgumentsClosed(end) | Stop::Closed(end) | Stop::Marker(end) => (end, None),
            Stop::TooDeep(at) => (at, Some("is nested too deeply")),
            // The scan reports no arguments within arguments.
            Stop::ArgumentsOpen(_) | Stop::End => (here.text.len(), None),
        };
        self.open.show(here, end);
        let is_call = self.open.brackets == Brackets::Parentheses;
        let is_closed = matches!(stop, Stop::ArgumentsClosed(_) | Stop::Closed(_));
        if is_closed && !is_call && !here.options.raw {
            return self.advance(0, State::Behind(end));
        }
        let text = here.head(end);
        let arguments = match fault {
            Some(fault) => Written::Unreadable(text.into(), fault),
            None if is_call => Written::Call(inner(text).into()),
            None => Written::Object(text.into()),
        };
        let call = self.begun_call(arguments).cut(stop == Stop::End);
        here.tell(ParseEvent::Call(call, text));
        self.call_ended();
        self.rest_after(end)
    }

    /// The call that was begun, with its arguments.
    pub(super) fn begun_call<'t>(&'t self, arguments: Written<'t>) -> FoundCall<'t> {
        FoundCall::whole(self.name.as_str(), arguments, self.open.format)
    }

    /// Right behind the arguments, which end at `end` and are reported as they came.
    #[inline(never)]
    pub(super) fn behind_arguments(&mut self, here: &mut Cursor<'_>, end: usize) -> Step {
        let object = here.head(end);
        if !argument_follows(here, &self.name, end)? {
            let call = self.begun_call(Written::Object(object.into()));
            here.tell(ParseEvent::Call(call, object));
            self.call_ended();
            return self.rest_after(end);
        }
        if self.open.brackets == Brackets::Braces && self.balance.at() == end {
            self.balance.restart(Balance::of_members().starting_at(end));
        }
        self.balance.unwatch();
        let (close, next) = self.object_end(here)?;
        let members = here.part(end, close);
        let read = interpret::arguments_with(object, members, &self.name, here.tools);
        let (arguments, repairs) = match read {
            Some((value, repairs)) => (Written::Value(value, here.head(close).into()), repairs),
            None => (Written::Object(object.into()), Vec::new()),
        };
        let call = self.begun_call(arguments);
        here.tell(ParseEvent::Call(FoundCall { repairs, ..call }, object));
        self.call_ended();
        here.markup(members);
        self.advance(close, next)
    }

    /// Goes on behind the arguments of a call, which end at `end`: to the rest of its object, if they
    /// stand in one.
    fn rest_after(&mut self, end: usize) -> Step {
        if self.open.brackets != Brackets::InObject {
            return self.advance(end, State::Inside(Inside::between_calls()));
        }
        self.balance.unwatch();
        self.balance.cut_front(end);
        self.advance(end, State::RestOfObject)
    }

    /// The rest of an object after the arguments is markup, but for words in a line of their own and
    /// for another object: the brace before them is missing.
    #[inline(never)]
    pub(super) fn rest_of_object(&mut self, here: &mut Cursor<'_>) -> Step {
        let (body, start) = here.body(0)?;
        let next = behind_blanks(body.strip_prefix([',', ';']).unwrap_or(body));
        here.wait_if(next.is_empty())?;
        let is_text = body.starts_with(char::is_alphabetic) && here.head(start).contains('\n');
        if is_text || next.starts_with('{') {
            return self.advance(0, State::Inside(Inside::between_calls()));
        }
        let (end, next) = self.object_end(here)?;
        self.take_markup(here, end, next)
    }

    /// Where the object at hand ends, and what comes behind it.
    fn object_end(&mut self, here: &Cursor<'_>) -> Seen<(usize, State)> {
        Ok(match self.balance.run(here.text, here.finished) {
            Stop::More if here.text.len() <= limits::CALL => return Err(More),
            Stop::Closed(end) | Stop::Marker(end) => (end, State::Inside(Inside::between_calls())),
            Stop::TooDeep(end) => (end, State::Line),
            // Its arguments are not watched any more.
            Stop::ArgumentsOpen(_) | Stop::ArgumentsClosed(_) | Stop::More | Stop::End => {
                (here.text.len(), State::Line)
            }
        })
    }

    #[inline(never)]
    pub(super) fn tags(&mut self, here: &mut Cursor<'_>) -> Step {
        let parameters = &mut self.parameters;
        let (end, complete) = match parameters.run(here.text, here.finished) {
            _ if here.text.len() > limits::CALL => {
                (here.text.floor_char_boundary(limits::CALL), false)
            }
            Err(More) => {
                let decided = parameters.decided.min(here.text.len());
                self.open.show(here, decided);
                return Err(More);
            }
            Ok(done) => (done.end, done.complete),
        };
        self.open.show(here, end);
        let repaired = parameters.repaired;
        let list = std::mem::take(&mut parameters.list).into();
        let text = here.head(end);
        let arguments = Written::Tags(Cow::Borrowed(text), list);
        let call = self.begun_call(arguments).cut(!complete);
        here.tell(ParseEvent::Call(FoundCall { repaired, ..call }, text));
        self.call_ended();
        self.advance(end, State::Inside(Inside::between_calls()))
    }
}

/// Whether another argument of the tool `name` follows behind `end`.
fn argument_follows(here: &Cursor<'_>, name: &str, end: usize) -> Seen<bool> {
    let next = match here.body(end)?.0.strip_prefix(',') {
        Some(next) => member(here, next)?,
        None => None,
    };
    Ok(next.is_some_and(|(key, _)| interpret::is_argument(key, name, here.tools)))
}

/// What stands between the parentheses.
fn inner(text: &str) -> &str {
    let text = text.strip_prefix('(').unwrap_or(text);
    text.strip_suffix(')').unwrap_or(text)
}

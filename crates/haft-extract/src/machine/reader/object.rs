//! A call whose name and arguments stand in one object: `{"name": "get_weather", "arguments": {"city": "Oslo"}}`.
//!
//! As soon as its name is known the arguments are reported as they come. Where a model closed them too
//! early, more of them follow: `"arguments": {"a": 1}, "b": 2}`. Arguments behind a name that stands by
//! itself are read here too.

use super::cursor::{beginning, behind_blanks};
use super::whole_object::member;
use super::{Attempt, Cursor, Inside, Preview, Reader, State, Step};
use crate::machine::{FoundCall, ParseEvent, Written};
use crate::scan::balance::{Balance, Stop, is_arguments_key};
use crate::scan::{More, Seen};
use crate::{interpret, limits};

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
    /// So much of the text was reported.
    pub(super) shown: usize,
}

impl Open {
    /// Tells of the raw text up to `end`.
    pub(super) fn show(&mut self, here: &mut Cursor<'_>, end: usize) {
        let text = here.part(self.shown, end);
        if !text.is_empty() {
            here.tell(ParseEvent::Arguments(text));
        }
        self.shown = self.shown.max(end);
    }
}

impl Reader {
    pub(super) fn open_object(&mut self, here: &mut Cursor<'_>, at: usize) -> Attempt {
        let rest = here.tail(at + 1);
        let near = beginning(rest);
        let inner = near.trim_start_matches([' ', '\t', '\n', '\r', '{']);
        // `{tool => "f", args => {...}}`
        if inner.starts_with('t')
            && let Some(taken) = self.call_with_arrows(here, at)?
        {
            return Ok(Some(taken));
        }
        let is_sign = inner.starts_with(['"', '\'', '_', '}', '“', '‘', '\\']);
        here.wait_if(inner.is_empty() && near.len() == rest.len())?;
        if !is_sign && !inner.starts_with(char::is_alphabetic) {
            return Ok(None);
        }
        self.balance.restart(Balance::of_call().starting_at(at));
        self.preview = Preview::starting_at(at);
        self.advance(0, State::Object).map(Some)
    }

    /// In an object that holds a call: as soon as its name is known its arguments are reported as
    /// they come; in any other order it is read when it is whole.
    #[inline(never)]
    pub(super) fn object(&mut self, here: &mut Cursor<'_>) -> Step {
        let step = loop {
            let stop = self.balance.run(here.text, here.finished);
            match stop {
                Stop::ArgumentsOpen(at) if is_arguments_key(self.balance.key(here.text)) => {
                    let Some(name) = self.called_tool(here) else {
                        self.balance.ignore_members();
                        continue;
                    };
                    name.clone_into(&mut self.name);
                    self.balance.enter_arguments();
                    self.balance.cut_front(at);
                    self.begin_call(here, at, Brackets::InObject);
                    return self.advance(at, State::Arguments);
                }
                Stop::More if here.text.len() > limits::CALL => return self.leave(here),
                // What opened as arguments before a name came is shown ahead.
                Stop::More => {
                    self.preview.show_ahead(here, &mut self.balance, &stop);
                    return Err(More);
                }
                Stop::ArgumentsOpen(_) | Stop::ArgumentsClosed(_) => {
                    self.preview.show_ahead(here, &mut self.balance, &stop);
                }
                Stop::Closed(at) | Stop::Marker(at) | Stop::TooDeep(at) => {
                    break self.whole_object(here, at, false);
                }
                Stop::End => break self.whole_object(here, here.text.len(), true),
            }
        };
        if step.is_err() {
            // What a whole object means depends on what follows: it is read once more then.
            self.balance
                .restart(Balance::of_call().starting_at(self.inside.lead));
            self.preview = Preview::default();
        }
        step
    }

    /// The tool that the object has named so far, whose arguments open here.
    fn called_tool<'t>(&self, here: &Cursor<'t>) -> Option<&'t str> {
        let name = here.text.get(self.balance.name()?)?;
        // `{"name": "f", "params": [1]}` of a tool with a parameter `params`.
        let is_own = here.tools.has_exactly(name, self.balance.key(here.text));
        (here.tools.binds(name) && !is_own).then_some(name)
    }

    /// The call of `self.name` begins: `start` bytes of markup stand before its arguments.
    pub(super) fn begin_call(&mut self, here: &mut Cursor<'_>, start: usize, brackets: Brackets) {
        self.wrapped = true;
        here.markup(here.head(start));
        here.tell(ParseEvent::CallBegins(&self.name));
        self.open = Open { brackets, shown: 0 };
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
        let in_parentheses = self.open.brackets == Brackets::Parentheses;
        let is_closed = matches!(stop, Stop::ArgumentsClosed(_) | Stop::Closed(_));
        if is_closed && !in_parentheses && !here.options.raw {
            return self.advance(0, State::BehindArguments(end));
        }
        let text = here.head(end);
        let arguments = match fault {
            Some(fault) => Written::Unreadable(text.into(), fault),
            None if in_parentheses => Written::Call(inner(text).into()),
            None => Written::Object(text.into()),
        };
        let call = self.begun_call(arguments).cut(stop == Stop::End);
        here.tell(ParseEvent::Call(call, text));
        self.rest_after(end)
    }

    /// Right behind the arguments, which end at `end` and are reported as they came.
    #[inline(never)]
    pub(super) fn behind_arguments(&mut self, here: &mut Cursor<'_>, end: usize) -> Step {
        let object = here.head(end);
        if !argument_follows(here, &self.name, end)? {
            let call = self.begun_call(Written::Object(object.into()));
            here.tell(ParseEvent::Call(call, object));
            return self.rest_after(end);
        }
        if self.open.brackets == Brackets::Braces && self.balance.at() == end {
            self.balance.restart(Balance::of_members().starting_at(end));
        }
        self.balance.ignore_members();
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

    /// The call that was begun, with its arguments.
    pub(super) fn begun_call<'t>(&'t self, arguments: Written<'t>) -> FoundCall<'t> {
        FoundCall::whole(self.name.as_str(), arguments, self.format)
    }

    /// Goes on behind the arguments of a call, which end at `end`: to the rest of its object, if they
    /// stand in one.
    fn rest_after(&mut self, end: usize) -> Step {
        self.call_ended();
        if self.open.brackets != Brackets::InObject {
            return self.advance(end, State::Inside(Inside::between_calls()));
        }
        self.balance.ignore_members();
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

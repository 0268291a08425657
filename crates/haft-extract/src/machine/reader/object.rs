//! Calls whose name and arguments stand in one object.

use haft_schema::{Repair, RepairKind};

use super::arguments::{MAX_CALL, Open};
use super::block::Shape;
use super::inside::{Coming, Inside, Kind, Next};
use super::line::beginning;
use super::preview::Preview;
use super::unescaped::without_quotes;
use super::{Cursor, Reader, State, Step};
use crate::interpret;
use crate::machine::event::ParseEvent;
use crate::machine::raw_call::{RawCall, Written};
use crate::scan::More;
use crate::scan::balance::{Balance, Stop, is_arguments_key, is_name_key};

impl Reader {
    /// The members of an object without its brace.
    pub(super) fn inside_members(
        &mut self,
        here: &Cursor<'_>,
        inside: &Inside,
        at: usize,
    ) -> Coming {
        let inner = here.tail(at + 1);
        let end = inner.find(|c: char| !c.is_alphanumeric() && c != '_');
        let key = inner.get(..end.unwrap_or(inner.len())).unwrap_or_default();
        if end.is_none() && !here.finished {
            return Err(More);
        }
        if !is_name_key(key) && !is_arguments_key(key) {
            return Ok(Next::Text);
        }
        self.balance = Balance::of_members().starting_at(at);
        self.keyed = Preview::default();
        Ok(Next::Done(self.take(0, State::Object(inside.clone()))))
    }

    pub(super) fn open_object(&mut self, here: &mut Cursor<'_>, inside: Inside, at: usize) -> Step {
        if let Some(step) = self.arrows(here, &inside, at) {
            return step;
        }
        let rest = beginning(here.tail(at + 1));
        let inner = rest.trim_start_matches([' ', '\t', '\n', '\r', '{']);
        let is_long = rest.len() < here.tail(at + 1).len();
        let begins = |c: char| c.is_alphabetic() || "\"'_}“‘\\".contains(c);
        match inner.chars().next() {
            None if !here.finished && !is_long => return self.wait(State::Inside(inside)),
            Some(c) if begins(c) => {}
            _ => return self.leave(here, &inside),
        }
        self.balance = Balance::of_call().starting_at(at);
        self.keyed = Preview::starting_at(at);
        self.take(0, State::Object(inside))
    }

    /// In an object that holds a call: as soon as its name is known its arguments are told of as
    /// they come; in any other order it is read when it is whole.
    #[inline(never)]
    pub(super) fn object(&mut self, here: &mut Cursor<'_>, inside: Inside) -> Step {
        loop {
            match self.balance.run(here.text, here.finished) {
                Stop::More if here.text.len() > MAX_CALL => {
                    return self.leave(here, &inside);
                }
                Stop::More => {
                    self.keyed.advance(here, Shape::Object);
                    return self.wait(State::Object(inside));
                }
                Stop::ArgumentsOpen(at) if is_arguments_key(self.balance.key(here.text)) => {
                    let name = self.balance.name().and_then(|name| here.text.get(name));
                    let Some(name) = name.filter(|name| here.tools.binds(name)) else {
                        self.balance.unwatch();
                        continue;
                    };
                    name.clone_into(&mut self.name);
                    self.balance.enter_arguments();
                    self.balance.shift(at);
                    let open = Open::new(Kind::Object, true, self.format);
                    return self.begin_call(here, at, open);
                }
                Stop::ArgumentsOpen(_) | Stop::ArgumentsClosed(_) => {}
                Stop::Closed(end) => return self.closed_object(here, inside, end),
                Stop::Marker(at) | Stop::TooDeep(at) => {
                    return self.whole_object(here, &inside, (at, false));
                }
                Stop::End => {
                    let end = here.text.len();
                    return self.whole_object(here, &inside, (end, true));
                }
            }
        }
    }

    /// An object whose brackets are closed, if not too early.
    fn closed_object(&mut self, here: &mut Cursor<'_>, inside: Inside, end: usize) -> Step {
        let text = here.part(inside.lead, end);
        let quoted = match text.starts_with('{') {
            true => without_quotes(text, here.tail(end), here.finished),
            false => Ok(None),
        };
        let Ok(quoted) = quoted else {
            // Once more from the beginning, as soon as there is more.
            self.balance = Balance::of_call().starting_at(inside.lead);
            self.keyed = Preview::default();
            return self.wait(State::Object(inside));
        };
        let calls = quoted.and_then(|(repaired, rest)| {
            let calls = interpret::object(&repaired, false, here.tools);
            Some((calls.or_else(|| interpret::meant(&repaired, false))?, rest))
        });
        let Some((mut calls, rest)) = calls else {
            return self.whole_object(here, &inside, (end, false));
        };
        if let Some(call) = calls.first_mut() {
            let repair = Repair::new("", RepairKind::QuotesRepaired, "\"{", "{");
            call.repairs.push(repair);
        }
        self.told_object(here, &inside, (end + rest, calls))
    }

    /// An object that is whole, or as whole as it will get.
    fn whole_object(
        &mut self,
        here: &mut Cursor<'_>,
        inside: &Inside,
        (end, cut): (usize, bool),
    ) -> Step {
        let text = here.text.get(inside.lead..end).unwrap_or_default();
        if !cut && let Some(step) = self.name_before_arguments(here, (inside, text), end) {
            return step;
        }
        let readings = interpret::object(text, cut, here.tools)
            .or_else(|| self.addressed(here, text, cut))
            .or_else(|| {
                let is_meant = !inside.is_worded;
                is_meant.then(|| interpret::meant(text, cut)).flatten()
            });
        match readings {
            Some(readings) => self.told_object(here, inside, (end, readings)),
            None => {
                if std::mem::take(&mut self.keyed).has_shown() {
                    here.tell(ParseEvent::Decided);
                }
                self.leave(here, inside)
            }
        }
    }

    /// Tells of the calls in an object that ends at `end`.
    fn told_object(
        &mut self,
        here: &mut Cursor<'_>,
        inside: &Inside,
        (end, mut readings): (usize, Vec<RawCall<'static>>),
    ) -> Step {
        let has_shown = std::mem::take(&mut self.keyed).has_shown();
        let format = self.format;
        for reading in &mut readings {
            reading.format = format;
        }
        self.wrapper_opened();
        self.take_calls(here, readings, (inside.lead, end));
        if has_shown {
            here.tell(ParseEvent::Decided);
        }
        self.take(end, State::Inside(Inside::open()))
    }

    /// The call of the tool that the message is addressed to, with `text` as its arguments.
    fn addressed(&self, here: &Cursor<'_>, text: &str, cut: bool) -> Option<Vec<RawCall<'static>>> {
        let is_bound = !self.addressee.is_empty() && here.tools.binds(&self.addressee);
        is_bound.then(|| {
            let arguments = Written::Object(text.to_owned().into());
            let call = RawCall::new(self.addressee.clone(), arguments, self.format);
            vec![RawCall { cut, ..call }]
        })
    }
}

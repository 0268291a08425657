//! Calls whose name and arguments stand in one object.

use haft_schema::{Repair, RepairKind};

use super::arguments::{MAX_CALL, Open};
use super::inside::{Inside, Kind, Next};
use super::line::beginning;
use super::preview::Preview;
use super::unescaped::Quoted;
use super::{Reader, State, Step, Turn};
use crate::interpret;
use crate::machine::reading::{Found as FoundCall, Reading, Written};
use crate::scan::balance::{Balance, Stop, is_arguments_key, is_name_key};
use crate::scan::lexis::Ends;

impl Reader {
    /// The members of an object without its brace.
    pub(super) fn inside_members(
        &mut self,
        turn: &mut Turn<'_, '_>,
        inside: &Inside,
        at: usize,
    ) -> Next {
        let inner = turn.tail(at + 1);
        let key: String = inner
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect();
        let is_key = is_name_key(&key) || is_arguments_key(&key);
        if inner.len() == key.len() && !turn.finished {
            return Next::More;
        }
        if !is_key {
            return Next::Text;
        }
        self.balance = Balance::of_members().starting_at(at);
        self.keyed = Preview::default();
        Next::Done(self.take(0, State::Object(inside.clone())))
    }

    pub(super) fn open_object(
        &mut self,
        turn: &mut Turn<'_, '_>,
        inside: Inside,
        at: usize,
    ) -> Step {
        if let Some(step) = self.arrows(turn, &inside, at) {
            return step;
        }
        let rest = beginning(turn.tail(at + 1));
        let inner = rest.trim_start_matches([' ', '\t', '\n', '\r', '{']);
        let is_long = rest.len() < turn.tail(at + 1).len();
        let begins = match inner.chars().next() {
            None if !turn.finished && !is_long => return self.wait(State::Inside(inside)),
            None => false,
            Some(c) => c.is_alphabetic() || matches!(c, '"' | '\'' | '_' | '}' | '“' | '‘' | '\\'),
        };
        if !begins {
            return self.leave(turn, &inside);
        }
        self.balance = Balance::of_call().starting_at(at);
        self.keyed = Preview::default();
        self.keyed.begin(at);
        self.take(0, State::Object(inside))
    }

    /// In an object that holds a call: as soon as its name is known its arguments are told of as
    /// they come; in any other order it is read when it is whole.
    #[inline(never)]
    pub(super) fn object(&mut self, turn: &mut Turn<'_, '_>, inside: Inside) -> Step {
        loop {
            match self.balance.run(turn.text, turn.finished) {
                Stop::More if turn.text.len() > MAX_CALL => {
                    return self.leave(turn, &inside);
                }
                Stop::More => {
                    self.keyed.follow(turn, &mut self.balance, &Stop::More);
                    return self.wait(State::Object(inside));
                }
                Stop::ArgumentsOpen(at) if is_arguments_key(self.balance.key(turn.text)) => {
                    let name = self.balance.name().and_then(|name| turn.text.get(name));
                    let Some(name) = name.filter(|name| turn.tools.binds(name)) else {
                        self.balance.unwatch();
                        continue;
                    };
                    name.clone_into(&mut self.name);
                    self.balance.enter_arguments();
                    self.balance.shift(at);
                    let open = Open::new(Kind::Object, true, self.format);
                    return self.begin_call(turn, at, open);
                }
                stop @ (Stop::ArgumentsOpen(_) | Stop::ArgumentsClosed(_)) => {
                    self.keyed.follow(turn, &mut self.balance, &stop);
                }
                Stop::Closed(end) => return self.closed_object(turn, inside, end),
                Stop::Marker(at) | Stop::TooDeep(at) => {
                    return self.whole_object(turn, &inside, (at, false));
                }
                Stop::End => {
                    let end = turn.text.len();
                    return self.whole_object(turn, &inside, (end, true));
                }
            }
        }
    }

    /// An object whose brackets are closed, if not too early.
    fn closed_object(&mut self, turn: &mut Turn<'_, '_>, inside: Inside, end: usize) -> Step {
        let text = turn.text.get(inside.lead..end).unwrap_or_default();
        if !text.starts_with('{') {
            return self.whole_object(turn, &inside, (end, false));
        }
        match Quoted::find(text, turn.tail(end), turn.finished) {
            Ok(quoted) => {
                let mended = quoted.mended(text).unwrap_or_default();
                let readings = interpret::object(&mended, false, turn.tools)
                    .or_else(|| interpret::meant(&mended, false));
                match readings {
                    Some(mut readings) => {
                        if let Some(Reading::Call(found)) = readings.first_mut() {
                            let repair = RepairKind::QuotesRepaired;
                            found.repairs.push(Repair::new("", repair, "\"{", "{"));
                        }
                        self.told_object(turn, &inside, (end + quoted.rest, readings))
                    }
                    None => self.whole_object(turn, &inside, (end, false)),
                }
            }
            Err(Ends::Unclear) => {
                // Once more from the beginning, as soon as there is more.
                self.balance = Balance::of_call().starting_at(inside.lead);
                self.keyed = Preview::default();
                self.wait(State::Object(inside))
            }
            Err(_) => self.whole_object(turn, &inside, (end, false)),
        }
    }

    /// An object that is whole, or as whole as it will get.
    fn whole_object(
        &mut self,
        turn: &mut Turn<'_, '_>,
        inside: &Inside,
        (end, cut): (usize, bool),
    ) -> Step {
        let text = turn.text.get(inside.lead..end).unwrap_or_default();
        if !cut && let Some(step) = self.name_before_arguments(turn, (inside, text), end) {
            return step;
        }
        let readings = interpret::object(text, cut, turn.tools)
            .or_else(|| self.addressed(turn, text, cut))
            .or_else(|| {
                let is_meant = !inside.is_worded;
                is_meant.then(|| interpret::meant(text, cut)).flatten()
            });
        match readings {
            Some(readings) => self.told_object(turn, inside, (end, readings)),
            None => {
                if std::mem::take(&mut self.keyed).has_shown() {
                    turn.tell(Reading::Decided);
                }
                self.leave(turn, inside)
            }
        }
    }

    /// Tells of the calls in an object that ends at `end`.
    fn told_object(
        &mut self,
        turn: &mut Turn<'_, '_>,
        inside: &Inside,
        (end, mut readings): (usize, Vec<Reading<'static>>),
    ) -> Step {
        let has_shown = std::mem::take(&mut self.keyed).has_shown();
        let format = self.format;
        for reading in &mut readings {
            if let Reading::Call(found) = reading {
                found.format = format;
            }
        }
        self.wrapper_opened();
        turn.syntax(turn.head(inside.lead));
        Self::tell_readings(turn, readings);
        if has_shown {
            turn.tell(Reading::Decided);
        }
        self.call_ended();
        self.take(end, State::Inside(Inside::open()))
    }

    /// The call of the tool that the message is addressed to, with `text` as its arguments.
    fn addressed(
        &self,
        turn: &Turn<'_, '_>,
        text: &str,
        cut: bool,
    ) -> Option<Vec<Reading<'static>>> {
        let is_bound = !self.addressee.is_empty() && turn.tools.binds(&self.addressee);
        is_bound.then(|| {
            vec![Reading::Call(FoundCall {
                name: self.addressee.clone().into(),
                tool: None,
                arguments: Written::Object(text.to_owned().into()),
                format: self.format,
                cut,
                mended: false,
                repairs: Vec::new(),
            })]
        })
    }
}

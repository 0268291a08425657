//! What stands behind the arguments in the object of a call: most often its brace. Where a model
//! closed the arguments too early, more of them follow: `"arguments": {"a": 1}, "b": 2}`.

use std::borrow::Cow;

use super::arguments::{MAX_CALL, Open};
use super::cursor::behind_blanks;
use super::inside::Inside;
use super::{Cursor, Reader, State, Step};
use crate::interpret;
use crate::machine::raw_call::{RawCall, Written};
use crate::scan::More;
use crate::scan::balance::Stop;

/// The longest name of a parameter.
const MAX_KEY: usize = 128;

impl Reader {
    /// Right behind the arguments, which end at `end` and are told of as they came.
    pub(super) fn behind_arguments(
        &mut self,
        here: &mut Cursor<'_>,
        (open, end): (Open, usize),
    ) -> Step {
        let follows = match here.options.raw {
            true => Ok(false),
            false => argument_follows(here, &self.name, end),
        };
        match follows {
            Err(More) => return self.wait(State::Behind(open, end)),
            Ok(false) => {
                let arguments = Written::Object(Cow::Borrowed(here.head(end)));
                let call = self.begun_call(&open, arguments);
                self.end_call(here, call, end);
                self.balance.unwatch();
                self.balance.shift(end);
                return self.take(end, State::Rest);
            }
            Ok(true) => {}
        }
        self.balance.unwatch();
        let (close, next) = loop {
            match self.balance.run(here.text, here.finished) {
                Stop::More if here.text.len() <= MAX_CALL => {
                    return self.wait(State::Behind(open, end));
                }
                Stop::ArgumentsOpen(_) | Stop::ArgumentsClosed(_) => {}
                Stop::Closed(close) | Stop::Marker(close) => {
                    break (close, State::Inside(Inside::open()));
                }
                Stop::TooDeep(close) => break (close, State::Line),
                Stop::End | Stop::More => break (here.text.len(), State::Line),
            }
        };
        let object = here.head(end);
        let members = here.text.get(end..close).unwrap_or_default();
        let read = interpret::arguments_with((object, members), (&self.name, here.tools));
        let (arguments, repairs) = match read {
            Some((value, repairs)) => {
                let text = Cow::Borrowed(here.head(close));
                (Written::Value(value, text), repairs)
            }
            None => (Written::Object(Cow::Borrowed(object)), Vec::new()),
        };
        let call = self.begun_call(&open, arguments);
        self.end_call(here, RawCall { repairs, ..call }, end);
        here.markup(members);
        self.take(close, next)
    }
}

/// Whether another argument of the tool `name` follows behind `end`.
fn argument_follows(here: &Cursor<'_>, name: &str, end: usize) -> Result<bool, More> {
    let mut body = here.body(end)?.0;
    for sign in [",", "\""] {
        let Some(rest) = body.strip_prefix(sign) else {
            return Ok(false);
        };
        body = behind_blanks(rest);
        if body.is_empty() {
            return here.at_end(false);
        }
    }
    let near = body
        .get(..body.floor_char_boundary(MAX_KEY))
        .unwrap_or(body);
    match near.split_once('"') {
        Some((key, _)) => Ok(interpret::is_argument(key, name, here.tools)),
        None if near.len() < MAX_KEY => here.at_end(false),
        None => Ok(false),
    }
}

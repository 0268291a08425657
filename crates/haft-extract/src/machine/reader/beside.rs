//! What stands behind the arguments in the object of a call: most often its brace. Where a model
//! closed the arguments too early, more of them follow: `"arguments": {"a": 1}, "b": 2}`.

use std::borrow::Cow;

use super::arguments::{MAX_CALL, Open};
use super::inside::{Inside, behind_blanks};
use super::{Reader, State, Step, Turn};
use crate::interpret;
use crate::machine::reading::Written;
use crate::scan::balance::Stop;
use crate::scan::lexis::Ends;

/// The longest name of a parameter.
const MAX_KEY: usize = 128;

impl Reader {
    /// Right behind the arguments, which end at `end` and are told of as they came.
    pub(super) fn behind_arguments(
        &mut self,
        turn: &mut Turn<'_, '_>,
        (open, end): (Open, usize),
    ) -> Step {
        let follows = match turn.options.raw {
            true => Ends::No,
            false => argument_follows(turn, &self.name, end),
        };
        match follows {
            Ends::Unclear => return self.wait(State::Behind(open, end)),
            Ends::No => {
                let arguments = Written::Object(Cow::Borrowed(turn.head(end)));
                self.end_call(turn, &open, (arguments, false, Vec::new()));
                self.balance.unwatch();
                self.balance.shift(end);
                return self.take(end, State::Rest(true));
            }
            Ends::Yes => {}
        }
        self.balance.unwatch();
        let (close, next) = loop {
            match self.balance.run(turn.text, turn.finished) {
                Stop::More if turn.text.len() <= MAX_CALL => {
                    return self.wait(State::Behind(open, end));
                }
                Stop::ArgumentsOpen(_) | Stop::ArgumentsClosed(_) => {}
                Stop::Closed(close) | Stop::Marker(close) => {
                    break (close, State::Inside(Inside::open()));
                }
                Stop::TooDeep(close) => break (close, State::Line),
                Stop::End | Stop::More => break (turn.text.len(), State::Line),
            }
        };
        let object = turn.head(end);
        let members = turn.text.get(end..close).unwrap_or_default();
        let read = interpret::arguments_with((object, members), (&self.name, turn.tools));
        let (arguments, repairs) = match read {
            Some((value, repairs)) => {
                let text = Cow::Borrowed(turn.head(close));
                (Written::Value(value, text), repairs)
            }
            None => (Written::Object(Cow::Borrowed(object)), Vec::new()),
        };
        self.end_call(turn, &open, (arguments, false, repairs));
        turn.syntax(members);
        self.take(close, next)
    }
}

/// Whether another argument of the tool `name` follows behind `end`.
fn argument_follows(turn: &Turn<'_, '_>, name: &str, end: usize) -> Ends {
    let unclear = match turn.finished {
        true => Ends::No,
        false => Ends::Unclear,
    };
    let body = behind_blanks(turn.tail(end));
    let Some(rest) = body.strip_prefix(',') else {
        return if body.is_empty() { unclear } else { Ends::No };
    };
    let key = behind_blanks(rest);
    let Some(key) = key.strip_prefix('"') else {
        return if key.is_empty() { unclear } else { Ends::No };
    };
    let near = key.get(..key.floor_char_boundary(MAX_KEY)).unwrap_or(key);
    let Some((key, _)) = near.split_once('"') else {
        let may_come = near.len() < MAX_KEY;
        return if may_come { unclear } else { Ends::No };
    };
    match interpret::is_argument(key, name, turn.tools) {
        true => Ends::Yes,
        false => Ends::No,
    }
}

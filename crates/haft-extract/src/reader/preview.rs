//! What a candidate without markers shows of itself before it is whole: the names of its calls,
//! and their arguments as they come.
//!
//! It decides nothing. A candidate that turns out to be text was announced in vain, which is why
//! callers are told that these pieces are provisional.

use std::borrow::Cow;

use super::Turn;
use super::line::{is_name_whole, name_length};
use crate::balance::{Balance, Stop, is_arguments_key};
use crate::reading::Reading;

/// How far a candidate was looked at, and in what.
#[derive(Debug, Default)]
pub(super) struct Preview {
    at: usize,
    within: Within,
    has_shown: bool,
}

#[derive(Debug, Default)]
enum Within {
    /// Before a call, or between two.
    #[default]
    Between,
    /// In an object that may be one.
    Object(Box<Balance>),
    /// In the arguments of one; told of up to `at`. The last byte is a parenthesis: the flag.
    Arguments(Box<Balance>, bool),
    /// Behind the arguments in an object.
    Rest(Box<Balance>),
    /// What follows is not shown.
    Over,
}

impl Preview {
    /// For a candidate that begins at `at`.
    pub(super) fn new(at: usize) -> Self {
        Self {
            at,
            within: Within::Between,
            has_shown: false,
        }
    }

    /// Shows what is missing of a candidate that holds calls and ends at `end`.
    pub(super) fn finish(&mut self, turn: &mut Turn<'_, '_>, end: usize) {
        if self.has_shown {
            let mut turn = Turn {
                text: turn.head(end),
                finished: true,
                sink: &mut *turn.sink,
                ..*turn
            };
            self.advance(&mut turn);
        }
    }

    /// Shows what came after the first `known` bytes, which decides nothing about the candidate.
    pub(super) fn coast(&mut self, turn: &mut Turn<'_, '_>, known: usize) {
        let fresh = turn.text.as_bytes().get(known..).unwrap_or_default();
        let coasts = match &mut self.within {
            Within::Arguments(balance, _) => balance.coast(fresh, known),
            _ => false,
        };
        if coasts {
            self.show(turn, turn.text.len());
        } else {
            self.advance(turn);
        }
    }

    /// Shows what came since the last time.
    pub(super) fn advance(&mut self, turn: &mut Turn<'_, '_>) {
        let mut within = std::mem::take(&mut self.within);
        loop {
            within = match within {
                Within::Between => match self.next_call(turn) {
                    Some(within) => within,
                    None => break,
                },
                Within::Object(mut balance) => match balance.run(turn.text, turn.finished) {
                    Stop::More => {
                        within = Within::Object(balance);
                        break;
                    }
                    Stop::ArgumentsOpen(at) => self.arguments_open(turn, balance, at),
                    Stop::Closed(end) => self.go_on(end),
                    _ => Within::Over,
                },
                Within::Arguments(mut balance, is_call) => {
                    match balance.run(turn.text, turn.finished) {
                        Stop::More => {
                            self.show(turn, balance.at());
                            within = Within::Arguments(balance, is_call);
                            break;
                        }
                        Stop::ArgumentsOpen(_) => Within::Arguments(balance, is_call),
                        Stop::ArgumentsClosed(end) => {
                            self.show(turn, end);
                            Within::Rest(balance)
                        }
                        Stop::Closed(end) => {
                            self.show(turn, end - usize::from(is_call));
                            self.go_on(end)
                        }
                        _ => Within::Over,
                    }
                }
                Within::Rest(mut balance) => match balance.run(turn.text, turn.finished) {
                    Stop::More => {
                        within = Within::Rest(balance);
                        break;
                    }
                    Stop::ArgumentsOpen(_) | Stop::ArgumentsClosed(_) => Within::Rest(balance),
                    Stop::Closed(end) => self.go_on(end),
                    _ => Within::Over,
                },
                Within::Over => {
                    within = Within::Over;
                    break;
                }
            };
        }
        self.within = within;
    }

    fn go_on(&mut self, at: usize) -> Within {
        self.at = at;
        Within::Between
    }

    /// Where the next call of the candidate begins; none before that can be told.
    fn next_call(&mut self, turn: &mut Turn<'_, '_>) -> Option<Within> {
        let rest = turn.tail(self.at);
        let call = rest.trim_start_matches([' ', '\n', '\r', '\t', '[', ',', ';']);
        self.at = turn.text.len() - call.len();
        match call.chars().next()? {
            '{' => {
                let balance = Balance::of_call().starting_at(self.at);
                return Some(Within::Object(Box::new(balance)));
            }
            '`' => {
                let line = call.find('\n')?;
                return Some(self.go_on(self.at + line));
            }
            c if !c.is_alphabetic() && c != '_' => return Some(Within::Over),
            _ => {}
        }
        if !is_name_whole(call, turn.finished) {
            return None;
        }
        let len = name_length(call);
        let name = call.get(..len).filter(|name| turn.tools.binds(name));
        let after = call.get(len..).unwrap_or_default();
        let space = after.len() - after.trim_start_matches(' ').len();
        let bracket = *after.as_bytes().get(space)?;
        let (Some(name), b'(' | b'{') = (name, bracket) else {
            return Some(Within::Over);
        };
        let open = self.at + len + space;
        let is_call = bracket == b'(';
        self.announce(turn, name);
        self.at = open + usize::from(is_call);
        let balance = Balance::new().starting_at(open);
        Some(Within::Arguments(Box::new(balance), is_call))
    }

    fn arguments_open(
        &mut self,
        turn: &mut Turn<'_, '_>,
        mut balance: Box<Balance>,
        at: usize,
    ) -> Within {
        if !is_arguments_key(balance.key(turn.text)) {
            return Within::Object(balance);
        }
        let name = balance.name().and_then(|name| turn.text.get(name));
        let Some(name) = name.filter(|name| turn.tools.binds(name)) else {
            balance.unwatch();
            return Within::Object(balance);
        };
        self.announce(turn, name);
        balance.enter_arguments();
        self.at = at;
        Within::Arguments(balance, false)
    }

    fn announce(&mut self, turn: &mut Turn<'_, '_>, name: &str) {
        turn.tell(Reading::Ahead(Cow::Borrowed(name)));
        self.has_shown = true;
    }

    fn show(&mut self, turn: &mut Turn<'_, '_>, end: usize) {
        if let Some(text) = turn.text.get(self.at..end).filter(|text| !text.is_empty()) {
            turn.tell(Reading::AheadArguments(Cow::Borrowed(text)));
            self.at = end;
        }
    }
}

#[cfg(test)]
mod tests;

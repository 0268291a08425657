//! What a candidate without markers shows of itself before it is whole: the names of its calls,
//! and their arguments as they come.
//!
//! It decides nothing. A candidate that turns out to be text was announced in vain, which is why
//! callers are told that these pieces are provisional. It has a scan of its own, as where the
//! candidate ends may be told by something else than its brackets.

use super::Cursor;
use super::block::{INPUT, Shape, is_sentence};
use super::line::{ACTION, behind, is_name, is_name_whole, name_length};
use crate::scan::{Balance, Stop, is_arguments_key, near};
use crate::{limits, machine::ParseEvent};

/// How far a candidate was looked at, and in what.
#[derive(Debug, Default)]
pub(super) struct Preview {
    /// Where the search for the next call goes on, or so much of the arguments was reported.
    at: usize,
    within: Within,
    /// The scan of the call at hand.
    scan: Option<Balance>,
    has_shown: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Within {
    /// Nobody is shown anything.
    #[default]
    Nothing,
    /// Outside of arguments.
    Between,
    /// In the arguments of a call, in brackets. The last byte is a parenthesis: the flag.
    Arguments(bool),
}

impl Preview {
    /// Of a candidate that begins at `at`.
    pub(super) fn starting_at(at: usize) -> Self {
        Self {
            at,
            within: Within::Between,
            ..Self::default()
        }
    }

    /// True when something was shown.
    pub(super) fn has_shown(&self) -> bool {
        self.has_shown
    }

    /// Shows what came since the last time.
    #[inline(never)]
    pub(super) fn advance(&mut self, here: &mut Cursor<'_>, shape: Shape) {
        while self.within != Within::Nothing {
            let scan = self.scan.take();
            let Some(mut scan) = scan.or_else(|| self.next_call(here, shape)) else {
                return;
            };
            let stop = scan.run(here.text, here.finished);
            self.show_ahead(here, &mut scan, &stop);
            match stop {
                Stop::More => return self.scan = Some(scan),
                Stop::ArgumentsOpen(_) | Stop::ArgumentsClosed(_) => self.scan = Some(scan),
                Stop::Closed(_) => {}
                _ => self.within = Within::Nothing,
            }
        }
    }

    /// Shows what came up to where the `scan` of the candidate stopped.
    pub(super) fn show_ahead(&mut self, here: &mut Cursor<'_>, scan: &mut Balance, stop: &Stop) {
        match (stop, self.within) {
            (_, Within::Nothing) => {}
            (Stop::More, Within::Arguments(_)) => self.show(here, scan.at()),
            (Stop::ArgumentsOpen(at), Within::Between) => self.arguments_open(here, scan, *at),
            (Stop::ArgumentsClosed(end) | Stop::Closed(end), within) => {
                if let Within::Arguments(is_call) = within {
                    self.show(here, end - usize::from(is_call));
                }
                self.at = *end;
                self.within = Within::Between;
            }
            _ => {}
        }
    }

    /// The arguments of the call `name` begin at `open`, with this bracket.
    fn open(&mut self, here: &mut Cursor<'_>, name: &str, open: usize) {
        // A call of an unknown tool is not shown; the calls behind it are counted with it.
        here.tell(ParseEvent::CallMayBegin(name));
        self.has_shown = true;
        if !here.tools.binds(name) {
            return;
        }
        let is_call = here.byte(open) == Some(b'(');
        self.at = open + usize::from(is_call);
        self.within = Within::Arguments(is_call);
    }

    fn arguments_open(&mut self, here: &mut Cursor<'_>, balance: &mut Balance, at: usize) {
        let key = balance.key(here.text);
        let name = if here.byte(at) == Some(b'(') {
            let before = here.head(at).trim_end_matches(' ');
            let start = before.trim_end_matches(is_name).len();
            before.get(start..)
        } else if is_arguments_key(key) {
            balance.name().and_then(|name| here.text.get(name))
        } else {
            // `{"search": {...}}`
            let is_tool = balance.name().is_none() && here.tools.binds_exactly(key);
            is_tool.then_some(key)
        };
        if let Some(name) = name {
            self.open(here, name, at);
        }
        if let Within::Arguments(_) = self.within {
            balance.watch_arguments();
        }
    }

    /// The scan of the next call of the candidate; none before it can be told where that is.
    fn next_call(&mut self, here: &mut Cursor<'_>, shape: Shape) -> Option<Balance> {
        let rest = here.tail(self.at);
        let call = rest.trim_start_matches([' ', '\n', '\r', '\t', ',', ';', ')']);
        let call = match call.strip_prefix("print(") {
            Some(printed) if !here.tools.binds_exactly("print") => printed,
            _ => call,
        };
        if let Some(action) = call.strip_prefix(ACTION).filter(|_| shape == Shape::Action) {
            return self.action(here, action);
        }
        self.at = here.text.len() - call.len();
        match call.chars().next()? {
            '{' => Some(Balance::of_call().starting_at(self.at)),
            '[' => Some(Balance::of_calls().starting_at(self.at)),
            // Behind the line that opens a fence.
            '`' => match near(call, limits::NEAR).find('\n') {
                Some(end) => {
                    self.at += end;
                    self.next_call(here, shape)
                }
                None if call.len() > limits::NEAR => self.nothing(),
                None => None,
            },
            _ => self.named_call(here, call),
        }
    }

    /// `name(...)` or `name {...}`.
    fn named_call(&mut self, here: &mut Cursor<'_>, call: &str) -> Option<Balance> {
        let (name, after) = behind_name(here, call)?;
        let body = behind(after, &[' ', '\t', '\r', '\n', ':']);
        match body.as_bytes().first() {
            None => None,
            Some(b'(' | b'{') => self.arguments_at(here, name, here.text.len() - body.len()),
            _ => self.nothing(),
        }
    }

    /// What stands behind `Action:`. Nothing is shown of one whose arguments are far away: they
    /// would be looked for again with each chunk.
    fn action(&mut self, here: &mut Cursor<'_>, action: &str) -> Option<Balance> {
        let near = near(action, limits::NEAR);
        let end = here.text.len() - action.len() + near.len();
        let found = self.near_action(here, near, end);
        if found.is_none() && near.len() < action.len() && self.within == Within::Between {
            return self.nothing();
        }
        found
    }

    /// What stands behind `Action:`, in the text before `end`.
    fn near_action(&mut self, here: &mut Cursor<'_>, action: &str, end: usize) -> Option<Balance> {
        let body = action.trim_start_matches([' ', '\t', '\n', '\r', '*']);
        let start = end - body.len();
        if body.starts_with(['[', '{']) || body.starts_with("```") {
            self.at = start;
            return self.next_call(here, Shape::Fence);
        }
        let call = body.trim_start_matches(['`', '*', '"']);
        let (name, after) = behind_name(here, call)?;
        if after.trim_start().starts_with('(') {
            return self.named_call(here, here.tail(end - call.len()));
        }
        // In plain words: which tool is meant is told at its end.
        if is_sentence(after) {
            return self.nothing();
        }
        let (_, input) = after.split_once(INPUT)?;
        let input = input.trim_start_matches([':', ' ', '*']).trim_start();
        let input = match input.strip_prefix("```") {
            Some(fence) => fence.get(fence.find('\n')?..)?.trim_start(),
            None => input,
        };
        let first = input.chars().next()?;
        let open = end - input.len();
        if first == '{' {
            return self.arguments_at(here, name, open);
        }
        if first != '`' {
            // Where words end is told by what stands behind them: they come with the call.
            self.open(here, name, open);
            return self.nothing();
        }
        None
    }

    /// The scan of the arguments of the call `name`, which begin at `open`.
    fn arguments_at(&mut self, here: &mut Cursor<'_>, name: &str, open: usize) -> Option<Balance> {
        self.open(here, name, open);
        match self.within {
            Within::Arguments(_) => Some(Balance::default().starting_at(open)),
            _ => self.nothing(),
        }
    }

    fn nothing(&mut self) -> Option<Balance> {
        self.within = Within::Nothing;
        None
    }

    fn show(&mut self, here: &mut Cursor<'_>, end: usize) {
        if let Some(text) = here.text.get(self.at..end).filter(|text| !text.is_empty()) {
            here.tell(ParseEvent::ArgumentsAhead(text));
            self.at = end;
        }
    }
}

/// The name that `call` begins with, and what stands behind it, if the name cannot go on.
fn behind_name<'t>(here: &Cursor<'_>, call: &'t str) -> Option<(&'t str, &'t str)> {
    is_name_whole(call, here.finished).then(|| call.split_at(name_length(call)))
}

#[cfg(test)]
mod tests;

//! What a candidate without markers shows of itself before it is whole: the names of its calls,
//! and their arguments as they come.
//!
//! It decides nothing. A candidate that turns out to be text was announced in vain, which is why
//! callers are told that these pieces are provisional. Where the end of the candidate is found by
//! its brackets, the preview learns from that scan; in fences and actions it has its own.

use std::borrow::Cow;

use memchr::{memchr, memrchr};

use super::block::{INPUT, Shape, is_sentence};
use super::line::{ACTION, beginning, is_name, is_name_whole, name_length};
use super::{Coast, Turn};
use crate::machine::reading::Reading;
use crate::scan::balance::{Balance, Stop, is_arguments_key};

/// How far a candidate was looked at, and in what.
#[derive(Debug, Default)]
pub(super) struct Preview {
    /// Where the search for the next call goes on, or so much of the arguments was told of.
    at: usize,
    /// Where the search for the end of a line goes on.
    searched: usize,
    /// Behind the last words before that.
    words: usize,
    within: Within,
    has_shown: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Within {
    /// Nobody is shown anything.
    #[default]
    Nothing,
    /// Outside of arguments.
    Between,
    /// In the line that opens a fence.
    Opening,
    /// In the arguments of a call, in brackets. The last byte is a parenthesis: the flag.
    Arguments(bool),
    /// In the arguments of an action, without brackets.
    Text,
}

impl Preview {
    /// For a candidate that begins at `at`.
    pub(super) fn begin(&mut self, at: usize) {
        self.at = at;
        self.within = Within::Between;
    }

    /// True when something was shown.
    pub(super) fn has_shown(&self) -> bool {
        self.has_shown
    }

    /// Shows more of a candidate, whose scan was stopped.
    pub(super) fn follow(&mut self, turn: &mut Turn<'_, '_>, balance: &mut Balance, stop: &Stop) {
        match (self.within, stop) {
            (Within::Nothing, _) => {}
            (Within::Between, Stop::ArgumentsOpen(at)) => self.arguments_open(turn, balance, *at),
            (Within::Arguments(_), Stop::More) => self.show(turn, balance.at()),
            (Within::Arguments(is_call), Stop::ArgumentsClosed(end) | Stop::Closed(end)) => {
                self.show(turn, end - usize::from(is_call));
                self.begin(*end);
            }
            _ => {}
        }
    }

    /// What is to be told of a candidate that goes on up to `end`.
    pub(super) fn coast(&mut self, end: usize) -> Coast {
        match self.within {
            Within::Arguments(_) => {
                let shown = self.at;
                self.at = shown.max(end);
                Coast::Ahead(shown..end)
            }
            _ => Coast::Hold,
        }
    }

    /// The arguments of the call `name` begin at `open`, with this bracket.
    pub(super) fn open(&mut self, turn: &mut Turn<'_, '_>, name: &str, open: usize) {
        if self.within == Within::Nothing || !turn.tools.binds(name) {
            return;
        }
        turn.tell(Reading::Ahead(Cow::Borrowed(name)));
        self.has_shown = true;
        let is_call = turn.byte(open) == Some(b'(');
        self.at = open + usize::from(is_call);
        self.within = Within::Arguments(is_call);
    }

    fn arguments_open(&mut self, turn: &mut Turn<'_, '_>, balance: &mut Balance, at: usize) {
        let key = balance.key(turn.text);
        let name = if turn.byte(at) == Some(b'(') {
            let before = turn.head(at).trim_end_matches(' ');
            let start = before.trim_end_matches(is_name).len();
            before.get(start..)
        } else if is_arguments_key(key) {
            balance.name().and_then(|name| turn.text.get(name))
        } else {
            // `{"search": {...}}`
            let is_tool = balance.name().is_none() && turn.tools.binds_exactly(key);
            is_tool.then_some(key)
        };
        if let Some(name) = name {
            self.open(turn, name, at);
        }
        if let Within::Arguments(_) = self.within {
            balance.watch_arguments();
        }
    }

    /// Shows what came since the last time of a candidate that ends elsewhere than its brackets.
    pub(super) fn advance(
        &mut self,
        turn: &mut Turn<'_, '_>,
        shape: Shape,
        balance: &mut Option<Balance>,
    ) {
        while self.within != Within::Nothing {
            if self.within == Within::Text {
                return self.show_lines(turn);
            }
            if self.within == Within::Opening && !self.skip_line(turn) {
                return;
            }
            let Some(scan) = balance else {
                match self.next_call(turn, shape) {
                    Some(scan) => *balance = Some(scan),
                    None => return,
                }
                continue;
            };
            let stop = scan.run(turn.text, turn.finished);
            self.follow(turn, scan, &stop);
            match stop {
                Stop::More => return,
                Stop::ArgumentsOpen(_) | Stop::ArgumentsClosed(_) => {}
                Stop::Closed(end) => {
                    self.begin(end);
                    *balance = None;
                }
                _ => self.within = Within::Nothing,
            }
        }
    }

    /// The scan of the next call of the candidate; none before it can be told where that is.
    fn next_call(&mut self, turn: &mut Turn<'_, '_>, shape: Shape) -> Option<Balance> {
        let rest = turn.tail(self.at);
        let call = rest.trim_start_matches([' ', '\n', '\r', '\t', ',', ';', ')']);
        let call = match call.strip_prefix("print(") {
            Some(printed) if !turn.tools.binds_exactly("print") => printed,
            _ => call,
        };
        if let Some(action) = call.strip_prefix(ACTION).filter(|_| shape == Shape::Action) {
            return self.action(turn, action);
        }
        self.at = turn.text.len() - call.len();
        match call.chars().next()? {
            '{' => Some(Balance::of_call().starting_at(self.at)),
            '[' => Some(Balance::of_calls().starting_at(self.at)),
            '`' => {
                self.within = Within::Opening;
                self.skip_line(turn).then(|| self.next_call(turn, shape))?
            }
            _ => self.named_call(turn, call),
        }
    }

    /// Goes to the end of the line; false when that has not come.
    fn skip_line(&mut self, turn: &Turn<'_, '_>) -> bool {
        let rest = turn.tail(self.at);
        let end = memchr(b'\n', rest.as_bytes());
        self.at += end.unwrap_or(rest.len());
        if end.is_some() {
            self.within = Within::Between;
        }
        end.is_some()
    }

    /// `name(...)` or `name {...}`.
    fn named_call(&mut self, turn: &mut Turn<'_, '_>, call: &str) -> Option<Balance> {
        if !is_name_whole(call, turn.finished) {
            return None;
        }
        let (name, after) = call.split_at(name_length(call));
        let near = beginning(after);
        let body = near.trim_start_matches(' ');
        let open = turn.text.len() - after.len() + (near.len() - body.len());
        match body.as_bytes().first() {
            None if near.len() == after.len() => None,
            Some(b'(' | b'{') => self.arguments_at(turn, name, open),
            _ => self.nothing(),
        }
    }

    /// What stands behind `Action:`. Nothing is shown of one whose arguments are far away: they
    /// would be looked for again with each chunk.
    fn action(&mut self, turn: &mut Turn<'_, '_>, action: &str) -> Option<Balance> {
        const NEAR: usize = 1024;
        let near = action.floor_char_boundary(NEAR);
        let end = turn.text.len() - action.len() + near;
        let found = self.near_action(turn, action.get(..near)?, end);
        if found.is_none() && near < action.len() && self.within == Within::Between {
            return self.nothing();
        }
        found
    }

    /// The same in the text before `end`.
    fn near_action(
        &mut self,
        turn: &mut Turn<'_, '_>,
        action: &str,
        end: usize,
    ) -> Option<Balance> {
        let body = action.trim_start_matches([' ', '\t', '\n', '\r', '*']);
        let start = end - body.len();
        if body.starts_with(['[', '{']) || body.starts_with("```") {
            self.at = start;
            return self.next_call(turn, Shape::Fence);
        }
        let call = body.trim_start_matches(['`', '*', '"']);
        if !is_name_whole(call, turn.finished) {
            return None;
        }
        let (name, after) = call.split_at(name_length(call));
        if after.trim_start().starts_with('(') {
            return self.named_call(turn, turn.tail(end - call.len()));
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
            return self.arguments_at(turn, name, open);
        }
        if first != '`' {
            self.open(turn, name, open);
            self.within = Within::Text;
        }
        None
    }

    /// The scan of the arguments of the call `name`, which begin at `open`.
    fn arguments_at(
        &mut self,
        turn: &mut Turn<'_, '_>,
        name: &str,
        open: usize,
    ) -> Option<Balance> {
        self.open(turn, name, open);
        match self.within {
            Within::Arguments(_) => Some(Balance::new().starting_at(open)),
            _ => self.nothing(),
        }
    }

    fn nothing(&mut self) -> Option<Balance> {
        self.within = Within::Nothing;
        None
    }

    /// Shows all lines but the last, behind which something else may begin.
    fn show_lines(&mut self, turn: &mut Turn<'_, '_>) {
        if turn.finished {
            return self.show(turn, turn.text.trim_end().len());
        }
        let fresh = turn.tail(self.searched);
        let last = memrchr(b'\n', fresh.as_bytes()).unwrap_or(0);
        let (lines, line) = fresh.split_at(last);
        if last > 0 || fresh.starts_with('\n') {
            self.note_words(lines);
            self.show(turn, self.words);
        }
        self.searched += last;
        self.note_words(line);
        self.searched = turn.text.len();
    }

    /// Takes in what stands behind the part that was searched.
    fn note_words(&mut self, text: &str) {
        let text = text.trim_end();
        if !text.is_empty() {
            self.words = self.searched + text.len();
        }
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

//! Finds where a bracketed value ends, in text that arrives in pieces, without reading it.
//!
//! One pass over the bytes, resumable anywhere: brackets are counted, strings are skipped by the
//! rule that the value reader uses too ([`lexis`](crate::scan::lexis)). On the way it notes the members
//! of the outermost object that make it a call: its name and its arguments. `strings` skips strings
//! and comments and notes the key and the name, `keys` lists the names of members.
//!
//! In `{"name": "f", "arguments": {"a": 1}}` a scan [of a call](Balance::of_call) first stops at the
//! second brace, [`Stop::ArgumentsOpen`], with `f` as the name and `arguments` as the key. Told that
//! these are [the arguments](Balance::enter_arguments), it stops behind their brace,
//! [`Stop::ArgumentsClosed`], and then behind the last one, [`Stop::Closed`].

mod keys;
mod strings;

use std::ops::Range;

use crate::scan::bytes::{closer_of, is_bare};
use crate::scan::lexis::{Place, QuoteKind, Stray, stray_closer};
use crate::scan::tag::tag_at;
use crate::scan::{More, Seen, Text};
use crate::{formats::Role, limits};
pub(crate) use keys::{is_arguments_key, is_name_key};
use strings::Skip;

/// What stopped a scan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The end of the text at hand.
    More,
    /// The arguments of a call may begin here, with a bracket.
    ArgumentsOpen(usize),
    /// The arguments that were reported end before here.
    ArgumentsClosed(usize),
    /// The outermost bracket is closed; the value ends before here.
    Closed(usize),
    /// A marker stands here, outside of any string, and the value is still open.
    Marker(usize),
    /// The text ended in the value.
    End,
    /// Brackets are nested too deeply.
    TooDeep(usize),
}

/// The scan of one value, by default of one that begins with a bracket at the beginning of the text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Balance {
    /// Where to go on; everything before is decided.
    at: usize,
    /// The closers of the open brackets, outermost first.
    open: Vec<u8>,
    /// How many of them stand around the arguments that are being read.
    around: usize,
    skip: Option<Skip>,
    /// Where the string that is being read, or was read last, begins and ends inside its quotes.
    string: Range<usize>,
    /// Where it stands.
    place: Place,
    /// The last byte outside of strings that is not blank; a quote for a string, 0 at first.
    last: u8,
    /// The last string that was the name of a member of the outermost object.
    key: Range<usize>,
    /// The depth of the objects whose members are reported: 1 for the outermost; 0 for none.
    level: usize,
    name: Option<Range<usize>>,
    /// So many brackets are open around the arguments that were reported.
    around_arguments: Option<usize>,
}

impl Balance {
    /// One that tells of the name and the arguments of a call.
    pub(crate) fn of_call() -> Self {
        Self {
            level: 1,
            ..Self::default()
        }
    }

    /// One that tells of the calls in a list, as objects or as names with parentheses.
    pub(crate) fn of_calls() -> Self {
        Self {
            level: 2,
            ..Self::default()
        }
    }

    /// A scan of the members of an object that lacks its opening brace.
    pub(crate) fn of_members() -> Self {
        Self {
            open: vec![b'}'],
            last: b'{',
            ..Self::of_call()
        }
    }

    /// The scan that goes on at `at` instead of the beginning.
    pub(crate) fn starting_at(mut self, at: usize) -> Self {
        self.at = at;
        self
    }

    /// Begins the scan `next`, in the memory of this one.
    pub(crate) fn restart(&mut self, next: Self) {
        let mut open = std::mem::take(&mut self.open);
        next.open.clone_into(&mut open);
        *self = Self { open, ..next };
    }

    /// Where the scan has come to.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// Where the name of the call stands, as far as it was found.
    pub(crate) fn name(&self) -> Option<Range<usize>> {
        self.name.clone()
    }

    /// The name of the member whose value began last.
    pub(crate) fn key<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.key.clone()).unwrap_or_default()
    }

    /// Stops telling of members.
    pub(crate) fn ignore_members(&mut self) {
        self.level = 0;
        self.around_arguments = None;
        self.around = 0;
    }

    /// Says that the bracket that was just reported opens the arguments, which are read without
    /// what stands around them.
    pub(crate) fn enter_arguments(&mut self) {
        self.watch_arguments();
        self.around = 1;
    }

    /// Says that the bracket that was just reported opens the arguments.
    pub(crate) fn watch_arguments(&mut self) {
        self.around_arguments = self.open.len().checked_sub(1);
    }

    /// Says that `taken` bytes were cut off the beginning of the text.
    pub(crate) fn cut_front(&mut self, taken: usize) {
        let shifted = |range: &Range<usize>| {
            range.start.saturating_sub(taken)..range.end.saturating_sub(taken)
        };
        self.at = self.at.saturating_sub(taken);
        self.string = shifted(&self.string);
        self.key = shifted(&self.key);
        self.name = None;
    }

    /// Goes on until something is to be told. `text` is the same as before, or longer.
    pub(crate) fn run(&mut self, text: &str, finished: bool) -> Stop {
        match self.next_stop(Text { text, finished }) {
            Ok(stop) => stop,
            Err(More) if finished && self.at >= text.len() => Stop::End,
            Err(More) => Stop::More,
        }
    }

    /// Reads up to the next stop: bytes one by one; strings, comments and tags as a whole.
    fn next_stop(&mut self, text: Text<'_>) -> Seen<Stop> {
        if self.skip.is_some() {
            self.go_on_skipping(text)?;
        }
        loop {
            let byte = text.byte(self.at).ok_or(More)?;
            let mut stop = None;
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' => self.at += 1,
                b'{' | b'[' | b'(' => stop = self.open(byte),
                b'}' | b']' | b')' => stop = self.close(text, byte)?,
                b'"' if self.strict_string(text)? => {}
                b'"' | b'\'' | b'`' | b'\\' => self.open_quote(text, byte)?,
                b'<' => stop = self.angle(text)?,
                b'#' | b'/' => self.open_comment(text, byte)?,
                0xC2 | 0xE2 | 0xEF => self.wide(text, byte)?,
                b';' => self.pass(b','),
                // `"a" => 1`
                b'>' if self.last == b'=' => self.pass(b'='),
                byte => self.pass(byte),
            }
            if let Some(stop) = stop {
                return Ok(stop);
            }
        }
    }

    /// Steps over a byte that means this.
    fn pass(&mut self, byte: u8) {
        self.last = byte;
        self.at += 1;
    }

    /// Full-width signs and the blank that does not break are as their twins.
    fn wide(&mut self, text: Text<'_>, byte: u8) -> Seen<()> {
        let (sign, len) = match text.bytes(self.at) {
            [0xE2, 0x80, 0x9C..=0x9E | 0x98 | 0x99, ..] => return self.open_quote(text, byte),
            [0xEF, 0xBC, 0x9A, ..] => (b':', 3),
            [0xEF, 0xBC, 0x8C, ..] => (b',', 3),
            [0xC2, 0xA0, ..] => (self.last, 2),
            _ => (byte, 1),
        };
        self.last = sign;
        self.at += len;
        Ok(())
    }

    /// True when the innermost bracket is closed by this.
    fn is_in(&self, closer: u8) -> bool {
        self.open.last() == Some(&closer)
    }

    fn open(&mut self, byte: u8) -> Option<Stop> {
        let (at, depth) = (self.at, self.open.len());
        let follows_key = matches!(self.last, b':' | b'=')
            // The colon is missing.
            || (self.last == b'"' && self.place == Place::Key);
        let is_watched = depth <= self.level && self.around_arguments.is_none();
        let is_arguments = match byte {
            _ if !is_watched || self.level == 0 => false,
            b'{' => depth == self.level && follows_key && !self.key.is_empty(),
            b'(' => depth < self.level && self.is_in(b']'),
            _ => false,
        };
        if depth >= limits::DEPTH {
            return Some(Stop::TooDeep(at));
        }
        self.open.push(closer_of(byte));
        if depth + 1 == self.level {
            self.key = 0..0;
            self.name = None;
        }
        self.pass(byte);
        is_arguments.then_some(Stop::ArgumentsOpen(at))
    }

    fn close(&mut self, text: Text<'_>, byte: u8) -> Seen<Option<Stop>> {
        let mut left = self.open.len();
        loop {
            let open = self.open.get(..left).unwrap_or_default();
            if open.last().is_none_or(|innermost| *innermost == byte) {
                break;
            }
            let rest = text.rest(self.at + 1);
            let after = Text { text: rest, ..text };
            match stray_closer(byte, open, self.around, after)? {
                Stray::Nothing => {
                    left += 1;
                    break;
                }
                Stray::Instead => break,
                Stray::Outer => left -= 1,
            }
        }
        self.open.truncate(left.saturating_sub(1));
        self.pass(byte);
        Ok(match self.open.len() {
            0 => Some(Stop::Closed(self.at)),
            depth if self.around_arguments == Some(depth) => {
                self.around_arguments = None;
                self.around = 0;
                Some(Stop::ArgumentsClosed(self.at))
            }
            _ => None,
        })
    }

    fn angle(&mut self, text: Text<'_>) -> Seen<Option<Stop>> {
        let rest = text.rest(self.at);
        let marked = tag_at(text, self.at)?.and_then(|tag| Some((tag.len, tag.marker?.role)));
        match marked {
            // It ends a text that nothing opened.
            Some((len, Role::Quote)) if is_bare(self.last) || self.last == b')' => {
                self.at += len;
                self.last = b'"';
            }
            Some((len, Role::Quote)) => {
                let kind = match rest.starts_with("<|") {
                    true => QuoteKind::GemmaBar,
                    false => QuoteKind::GemmaEscape,
                };
                let place = self.place(text).unwrap_or(Place::Member);
                self.begin_string(kind, len, place);
                self.go_on_skipping(text)?;
            }
            Some(_) => return Ok(Some(Stop::Marker(self.at))),
            None => self.pass(b'<'),
        }
        Ok(None)
    }
}

/// Where the value in brackets that `text` begins with ends, if it does.
pub(crate) fn closed(text: &str) -> Option<usize> {
    match Balance::default().run(text, true) {
        Stop::Closed(end) => Some(end),
        _ => None,
    }
}

#[cfg(test)]
mod tests;

//! Finds where a bracketed value ends, in text that arrives in pieces, without reading it.
//!
//! One pass over the bytes, resumable anywhere: brackets are counted, strings are skipped by the
//! rule that the value reader uses too ([`lexis`](crate::scan::lexis)). On the way it notes the members
//! of the outermost object that make it a call: its name and its arguments. `brackets` keeps the
//! open brackets, `strings` skips strings and comments, `keys` lists the names of members, `quick`
//! takes the bytes of well-formed JSON in one loop.

mod brackets;
mod keys;
mod quick;
mod strings;

use std::ops::Range;

use crate::formats::Role;
use crate::scan::lexis::{Place, QuoteKind};
use crate::scan::tag::{Found, read_tag};
use brackets::Brackets;
pub(crate) use keys::{is_arguments_key, is_name_key};

/// What stopped a scan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The end of the text at hand.
    More,
    /// The arguments of a call may begin here, with a bracket.
    ArgumentsOpen(usize),
    /// The arguments that were told of end before here.
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

/// What is being skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Skip {
    /// A string in these quotes.
    String(QuoteKind),
    /// A key in this quote, of nothing but letters so far: it may lack its last quote.
    Key(u8),
    /// A comment, by the end of the line.
    Line,
    /// A comment, by `*/`.
    Block,
}

/// The scan of one value.
#[derive(Clone, Debug)]
pub(crate) struct Balance {
    /// Where to go on; everything before is decided.
    at: usize,
    brackets: Brackets,
    skip: Option<Skip>,
    /// Where the string that is being read, or was read last, begins and ends inside its quotes.
    string: Range<usize>,
    /// Where it stands.
    place: Place,
    /// The last byte outside of strings that is not blank; a quote for a string, 0 at first.
    last: u8,
    /// The last string that was the name of a member of the outermost object.
    key: Range<usize>,
    /// How deep the objects stand whose members are told of; 0 for none.
    level: u32,
    name: Option<Range<usize>>,
    /// So many brackets are open around the arguments that were told of.
    around_arguments: Option<u32>,
    /// What stopped the scan and was not told yet.
    stop: Option<Stop>,
}

/// What a byte outside of strings may begin.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Blank,
    Word,
    Quote,
    Open,
    Close,
    Mark,
    Angle,
    /// The first byte of a typographic quote, a full-width sign or a blank that does not break.
    HighBit,
    Comment,
}

const fn class_of(byte: u8) -> Class {
    match byte {
        b' ' | b'\t' | b'\n' | b'\r' => Class::Blank,
        b'"' | b'\'' | b'`' | b'\\' => Class::Quote,
        b'{' | b'[' | b'(' => Class::Open,
        b'}' | b']' | b')' => Class::Close,
        b',' | b':' | b'=' | b';' | b'>' => Class::Mark,
        b'<' => Class::Angle,
        b'#' | b'/' => Class::Comment,
        0xC2 | 0xE2 | 0xEF => Class::HighBit,
        _ => Class::Word,
    }
}

/// True for a byte of a value without quotes.
fn is_word(byte: u8) -> bool {
    byte != 0 && (byte == b'\\' || matches!(class_of(byte), Class::Word | Class::HighBit))
}

impl Balance {
    /// A scan of a value that begins with a bracket at the beginning of the text.
    pub(crate) fn new() -> Self {
        Self {
            at: 0,
            brackets: Brackets::default(),
            skip: None,
            string: 0..0,
            place: Place::Alone,
            last: 0,
            key: 0..0,
            level: 0,
            name: None,
            around_arguments: None,
            stop: None,
        }
    }

    /// The same, telling of the name and the arguments of a call.
    pub(crate) fn of_call() -> Self {
        Self {
            level: 1,
            ..Self::new()
        }
    }

    /// The same for the calls in a list, as objects or as names with parentheses.
    pub(crate) fn of_calls() -> Self {
        Self {
            level: 2,
            ..Self::new()
        }
    }

    /// A scan of the members of an object that lacks its opening brace.
    pub(crate) fn of_members() -> Self {
        Self {
            brackets: Brackets::of_object(),
            last: b'{',
            ..Self::of_call()
        }
    }

    /// The scan that goes on at `at` instead of the beginning.
    pub(crate) fn starting_at(mut self, at: usize) -> Self {
        self.at = at;
        self
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
    pub(crate) fn unwatch(&mut self) {
        self.level = 0;
        self.around_arguments = None;
        self.brackets.set_around(0);
    }

    /// Says that the bracket that was just told of opens the arguments, which are read without
    /// what stands around them.
    pub(crate) fn enter_arguments(&mut self) {
        self.watch_arguments();
        self.brackets.set_around(1);
    }

    /// Says that the bracket that was just told of opens the arguments.
    pub(crate) fn watch_arguments(&mut self) {
        self.around_arguments = self.brackets.depth().checked_sub(1);
    }

    /// Says that `taken` bytes were cut off the beginning of the text.
    pub(crate) fn shift(&mut self, taken: usize) {
        self.at = self.at.saturating_sub(taken);
        self.string = shifted(&self.string, taken);
        self.key = shifted(&self.key, taken);
        self.name = None;
    }

    /// Goes on until something is to be told. `text` is the same as before, or longer.
    pub(crate) fn run(&mut self, text: &str, finished: bool) -> Stop {
        if let Some(stop) = self.stop.take() {
            return stop;
        }
        let bytes = text.as_bytes();
        loop {
            if self.skip.is_some() && !self.skip(text, finished) {
                let is_end = finished && self.at >= bytes.len();
                return if is_end { Stop::End } else { Stop::More };
            }
            self.pass_plain(bytes, finished);
            if self.skip.is_some() {
                if self.at >= bytes.len() && !finished {
                    return Stop::More;
                }
                continue;
            }
            let Some(&byte) = bytes.get(self.at) else {
                return if finished { Stop::End } else { Stop::More };
            };
            let goes_on = match class_of(byte) {
                Class::Blank => {
                    self.at += 1;
                    true
                }
                Class::Word => self.pass(byte),
                Class::Mark => self.mark(byte),
                Class::Open => match self.open(byte) {
                    Some(stop) => return stop,
                    None => true,
                },
                Class::Close => match self.close(bytes, byte, finished) {
                    Some(stop) => return stop,
                    None => true,
                },
                Class::Quote => self.open_quote(text, byte, finished),
                Class::HighBit => self.high_bit(text, byte, finished),
                Class::Comment => self.open_comment(bytes, byte, finished),
                Class::Angle => match self.angle(text, finished) {
                    Some(stop) => return stop,
                    None => true,
                },
            };
            if !goes_on {
                return Stop::More;
            }
        }
    }

    /// Steps over a byte without a meaning of its own.
    fn pass(&mut self, byte: u8) -> bool {
        self.last = byte;
        self.at += 1;
        true
    }

    fn mark(&mut self, byte: u8) -> bool {
        let mark = match byte {
            b';' => b',',
            // `"a" => 1`
            b'>' if self.last == b'=' => b'=',
            byte => byte,
        };
        self.pass(mark)
    }

    /// Full-width signs and the blank that does not break are as their twins.
    fn high_bit(&mut self, text: &str, byte: u8, finished: bool) -> bool {
        let rest = text.as_bytes().get(self.at..).unwrap_or_default();
        let (sign, len) = match rest {
            [0xE2, 0x80, 0x9C..=0x9E | 0x98 | 0x99, ..] => {
                return self.open_quote(text, byte, finished);
            }
            [0xEF, 0xBC, 0x9A, ..] => (b':', 3),
            [0xEF, 0xBC, 0x8C, ..] => (b',', 3),
            [0xC2, 0xA0, ..] => (self.last, 2),
            _ => (byte, 1),
        };
        self.last = sign;
        self.at += len;
        true
    }

    fn open(&mut self, byte: u8) -> Option<Stop> {
        let at = self.at;
        let follows_key = matches!(self.last, b':' | b'=')
            // The colon is missing.
            || (self.last == b'"' && self.place == Place::Key);
        let depth = self.brackets.depth();
        let is_arguments = self.is_watched()
            && match byte {
                b'{' => depth == self.level && follows_key && !self.key.is_empty(),
                b'(' => depth < self.level && self.brackets.is_in_list(),
                _ => false,
            };
        if !self.brackets.open(byte) {
            return Some(Stop::TooDeep(at));
        }
        if depth + 1 == self.level {
            self.key = 0..0;
            self.name = None;
        }
        self.pass(byte);
        is_arguments.then_some(Stop::ArgumentsOpen(at))
    }

    fn close(&mut self, bytes: &[u8], byte: u8, finished: bool) -> Option<Stop> {
        let after = bytes.get(self.at + 1..).unwrap_or_default();
        if !self.brackets.close(byte, after, finished) {
            return Some(Stop::More);
        }
        self.pass(byte);
        match self.brackets.depth() {
            0 => Some(Stop::Closed(self.at)),
            depth if self.around_arguments == Some(depth) => {
                self.around_arguments = None;
                self.brackets.set_around(0);
                Some(Stop::ArgumentsClosed(self.at))
            }
            _ => None,
        }
    }

    fn angle(&mut self, text: &str, finished: bool) -> Option<Stop> {
        let rest = text.get(self.at..).unwrap_or_default();
        let tag = match read_tag(rest, finished) {
            Found::More => return Some(Stop::More),
            Found::Yes(tag) => tag,
            Found::No => {
                self.pass(b'<');
                return None;
            }
        };
        match tag.marker.map(|marker| marker.role) {
            // It ends a text that nothing opened.
            Some(Role::Quote) if is_word(self.last) || self.last == b')' => {
                self.at += tag.len;
                self.last = b'"';
                None
            }
            Some(Role::Quote) => {
                let kind = match rest.starts_with("<|") {
                    true => QuoteKind::GemmaBar,
                    false => QuoteKind::GemmaEscape,
                };
                let place = self.place(rest.as_bytes(), finished);
                self.begin_string(Skip::String(kind), tag.len, place.unwrap_or(Place::Member));
                None
            }
            Some(_) => Some(Stop::Marker(self.at)),
            None => {
                self.pass(b'<');
                None
            }
        }
    }
}

fn shifted(range: &Range<usize>, by: usize) -> Range<usize> {
    range.start.saturating_sub(by)..range.end.saturating_sub(by)
}

#[cfg(test)]
mod tests;

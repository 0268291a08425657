//! Finds where a bracketed value ends, in text that arrives in pieces, without reading it.
//!
//! One pass over the bytes, resumable anywhere: brackets are counted, strings are skipped by the
//! rule that the value reader uses too ([`lexis`](crate::lexis)). On the way it notes the members
//! of the outermost object that make it a call: its name and its arguments.

use std::ops::Range;

use memchr::{memchr, memchr2};

use crate::lexis::{Ends, Place, quote_ends};
use crate::markers::Role;
use crate::tag::{Found, read_tag};

/// How deep brackets may be nested; one level takes two bits.
const MAX_DEPTH: u32 = 64;

/// What stopped a scan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The end of the text at hand.
    More,
    /// At depth 1 the arguments of the call begin here, with a bracket.
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

/// How the string that is being read ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quote {
    /// By this ASCII character.
    Ascii(u8),
    /// By three of this ASCII character.
    Triple(u8),
    /// By a closing typographic quote.
    Typographic,
    /// By a token: `<escape>` or `<|"|>`.
    Token(&'static str),
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
    /// Kinds of the open brackets, innermost in the lowest two bits.
    open: u128,
    depth: u32,
    quote: Option<Quote>,
    /// Where the string that is being read, or was read last, begins and ends inside its quotes.
    string: Range<usize>,
    /// The last byte outside of strings that is not blank; a quote for a string, 0 at first.
    last: u8,
    /// The last string was the name of a member of the outermost object.
    key: Range<usize>,
    watch: bool,
    name: Option<Range<usize>>,
    in_arguments: bool,
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
    HighBit,
    Hash,
}

const fn class(byte: u8) -> Class {
    match byte {
        b' ' | b'\t' | b'\n' | b'\r' => Class::Blank,
        b'"' | b'\'' | b'`' => Class::Quote,
        b'{' | b'[' | b'(' => Class::Open,
        b'}' | b']' | b')' => Class::Close,
        b',' | b':' | b'=' | b';' => Class::Mark,
        b'<' => Class::Angle,
        b'#' | b'/' => Class::Hash,
        0xE2 => Class::HighBit,
        _ => Class::Word,
    }
}

static CLASSES: [Class; 256] = {
    let mut table = [Class::Word; 256];
    let mut byte = 0_usize;
    while byte < 256 {
        #[expect(clippy::indexing_slicing, reason = "evaluated while compiling")]
        {
            table[byte] = class(byte as u8);
        }
        byte += 1;
    }
    table
};

const ROUND: u128 = 1;
const SQUARE: u128 = 2;
const CURLY: u128 = 3;

impl Balance {
    /// A scan of a value that begins with a bracket at the beginning of the text.
    pub(crate) fn new() -> Self {
        Self {
            at: 0,
            open: 0,
            depth: 0,
            quote: None,
            string: 0..0,
            last: 0,
            key: 0..0,
            watch: false,
            name: None,
            in_arguments: false,
        }
    }

    /// The same, telling of the name and the arguments of a call.
    pub(crate) fn of_call() -> Self {
        Self {
            watch: true,
            ..Self::new()
        }
    }

    /// A scan of the members of an object that lacks its opening brace.
    pub(crate) fn of_members() -> Self {
        Self {
            open: CURLY,
            depth: 1,
            last: b'{',
            watch: true,
            ..Self::new()
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

    /// True between a quote and the one that ends it.
    pub(crate) fn is_in_string(&self) -> bool {
        !matches!(self.quote, None | Some(Quote::Line | Quote::Block))
    }

    /// Where the name of the call stands, as far as it was found.
    pub(crate) fn name(&self) -> Option<Range<usize>> {
        self.name.clone()
    }

    /// Stops telling of members.
    pub(crate) fn unwatch(&mut self) {
        self.watch = false;
        self.in_arguments = false;
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
        let bytes = text.as_bytes();
        loop {
            if self.quote.is_some() {
                if !self.skip_string(text, finished) {
                    return if finished && self.at >= bytes.len() {
                        Stop::End
                    } else {
                        Stop::More
                    };
                }
                continue;
            }
            let Some(&byte) = bytes.get(self.at) else {
                return if finished { Stop::End } else { Stop::More };
            };
            let Some(class) = CLASSES.get(usize::from(byte)) else {
                return Stop::More;
            };
            match class {
                Class::Blank => self.at += 1,
                Class::Word => {
                    self.last = byte;
                    self.at += 1;
                }
                Class::Mark => {
                    self.last = if byte == b';' { b',' } else { byte };
                    self.at += 1;
                }
                Class::Open => {
                    if let Some(stop) = self.open(byte) {
                        return stop;
                    }
                }
                Class::Close => {
                    if let Some(stop) = self.close(byte) {
                        return stop;
                    }
                }
                Class::Quote => {
                    if !self.open_quote(bytes, byte, finished) {
                        return Stop::More;
                    }
                }
                Class::HighBit => {
                    if !self.open_typographic(bytes, finished) {
                        return Stop::More;
                    }
                }
                Class::Hash => {
                    if !self.open_comment(bytes, byte, finished) {
                        return Stop::More;
                    }
                }
                Class::Angle => {
                    if let Some(stop) = self.angle(text, finished) {
                        return stop;
                    }
                }
            }
        }
    }

    fn open(&mut self, byte: u8) -> Option<Stop> {
        if self.depth >= MAX_DEPTH {
            return Some(Stop::TooDeep(self.at));
        }
        let at = self.at;
        let is_arguments = self.watch && self.depth == 1 && byte == b'{' && self.last == b':';
        let kind = match byte {
            b'(' => ROUND,
            b'[' => SQUARE,
            _ => CURLY,
        };
        self.open = (self.open << 2) | kind;
        self.depth += 1;
        self.last = byte;
        self.at += 1;
        (is_arguments && !self.in_arguments && !self.key.is_empty())
            .then_some(Stop::ArgumentsOpen(at))
    }

    /// Says that the bracket that was just told of opens the arguments.
    pub(crate) fn enter_arguments(&mut self) {
        self.in_arguments = true;
    }

    fn close(&mut self, byte: u8) -> Option<Stop> {
        let kind = match byte {
            b')' => ROUND,
            b']' => SQUARE,
            _ => CURLY,
        };
        self.at += 1;
        self.last = byte;
        // A wrong bracket closes what it belongs to, if that is open at all.
        let mut open = self.open;
        let mut depth = self.depth;
        while depth > 0 && open & 3 != kind {
            open >>= 2;
            depth -= 1;
        }
        if depth == 0 {
            return None;
        }
        self.open = open >> 2;
        self.depth = depth - 1;
        if self.depth == 0 {
            return Some(Stop::Closed(self.at));
        }
        if self.depth == 1 && self.in_arguments {
            self.in_arguments = false;
            return Some(Stop::ArgumentsClosed(self.at));
        }
        None
    }

    /// A quote opens a string where a string may stand, not inside a word.
    fn open_quote(&mut self, bytes: &[u8], byte: u8, finished: bool) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| bytes.get(at)).copied();
        let is_prefix =
            |letter: u8| matches!(letter.to_ascii_lowercase(), b'r' | b'b' | b'f' | b'u');
        let in_word = before.is_some_and(|before| {
            let adjacent = self.last == before && self.is_word(before);
            let two = self.at.checked_sub(2).and_then(|at| bytes.get(at)).copied();
            adjacent && !(is_prefix(before) && !two.is_some_and(|two| self.is_word(two)))
        });
        let blank_word = byte != b'"' && self.is_word(self.last);
        if in_word || blank_word {
            self.at += 1;
            return true;
        }
        let rest = bytes.get(self.at..).unwrap_or_default();
        let is_triple = match rest {
            [_, second, ..] if *second != byte => false,
            [_, _, third, ..] => *third == byte,
            _ if finished => false,
            _ => return false,
        };
        let len = if is_triple { 3 } else { 1 };
        self.quote = Some(if is_triple {
            Quote::Triple(byte)
        } else {
            Quote::Ascii(byte)
        });
        self.at += len;
        self.string = self.at..self.at;
        true
    }

    fn is_word(&self, byte: u8) -> bool {
        CLASSES
            .get(usize::from(byte))
            .is_some_and(|class| matches!(class, Class::Word | Class::HighBit))
            && byte != 0
    }

    /// U+201C, U+201D, U+201E and the single ones U+2018, U+2019 open a string.
    fn open_typographic(&mut self, bytes: &[u8], finished: bool) -> bool {
        match bytes.get(self.at..self.at + 3) {
            Some([0xE2, 0x80, 0x9C..=0x9E | 0x98 | 0x99]) if !self.is_word(self.last) => {
                self.quote = Some(Quote::Typographic);
                self.at += 3;
                self.string = self.at..self.at;
            }
            None if !finished => return false,
            _ => {
                self.last = 0xE2;
                self.at += 1;
            }
        }
        true
    }

    /// Comments stand where a value or a name may begin.
    fn open_comment(&mut self, bytes: &[u8], byte: u8, finished: bool) -> bool {
        let may = matches!(self.last, b',' | b'{' | b'[' | b'(');
        let next = bytes.get(self.at + 1).copied();
        if byte == b'/' && may && next.is_none() && !finished {
            return false;
        }
        self.quote = match (byte, next) {
            (b'#', _) if may => Some(Quote::Line),
            (b'/', Some(b'/')) if may => Some(Quote::Line),
            (b'/', Some(b'*')) if may => Some(Quote::Block),
            _ => {
                self.last = byte;
                None
            }
        };
        self.at += 1;
        true
    }

    fn angle(&mut self, text: &str, finished: bool) -> Option<Stop> {
        let rest = text.get(self.at..).unwrap_or_default();
        match read_tag(rest, finished) {
            Found::More => Some(Stop::More),
            Found::Yes(tag) => {
                let role = tag.marker.map(|marker| marker.role);
                match role {
                    Some(Role::Quote) => {
                        let token = if rest.starts_with("<|") {
                            "<|\"|>"
                        } else {
                            "<escape>"
                        };
                        self.quote = Some(Quote::Token(token));
                        self.at += tag.len;
                        self.string = self.at..self.at;
                        None
                    }
                    Some(_) => Some(Stop::Marker(self.at)),
                    None => {
                        self.last = b'<';
                        self.at += 1;
                        None
                    }
                }
            }
            Found::No => {
                self.last = b'<';
                self.at += 1;
                None
            }
        }
    }

    /// Skips to the end of the string; false when that has not come yet.
    fn skip_string(&mut self, text: &str, finished: bool) -> bool {
        let bytes = text.as_bytes();
        let Some(quote) = self.quote else { return true };
        loop {
            let rest = bytes.get(self.at..).unwrap_or_default();
            let found = match quote {
                Quote::Ascii(byte) | Quote::Triple(byte) => memchr2(byte, b'\\', rest),
                Quote::Typographic => memchr2(0xE2, b'\\', rest),
                Quote::Token(_) => memchr(b'<', rest),
                Quote::Line => memchr(b'\n', rest),
                Quote::Block => memchr(b'*', rest),
            };
            let Some(found) = found else {
                self.at = bytes.len();
                return false;
            };
            self.at += found;
            let rest = rest.get(found..).unwrap_or_default();
            if rest.first() == Some(&b'\\') && !matches!(quote, Quote::Token(_)) {
                if rest.len() < 2 {
                    if finished {
                        self.at += 1;
                    }
                    return false;
                }
                self.at += 2;
                continue;
            }
            match self.closes(quote, rest, finished) {
                (Ends::Yes, len) => {
                    self.string.end = self.at;
                    self.at += len;
                    self.quote = None;
                    if !matches!(quote, Quote::Line | Quote::Block) {
                        self.close_string(text);
                    }
                    return true;
                }
                (Ends::No, len) => self.at += len,
                (Ends::Unclear, _) => return false,
            }
        }
    }

    /// Whether `rest` begins with the end of the string, and how many bytes that concerns.
    fn closes(&self, quote: Quote, rest: &[u8], finished: bool) -> (Ends, usize) {
        let partial = |pattern: &[u8]| {
            if rest.starts_with(pattern) {
                (Ends::Yes, pattern.len())
            } else if !finished && pattern.starts_with(rest) {
                (Ends::Unclear, 0)
            } else {
                (Ends::No, 1)
            }
        };
        match quote {
            Quote::Ascii(_) => {
                let after = rest.get(1..).unwrap_or_default();
                (quote_ends(after, self.place(), finished), 1)
            }
            Quote::Triple(byte) => partial(&[byte; 3]),
            Quote::Token(token) => partial(token.as_bytes()),
            Quote::Line => (Ends::Yes, 1),
            Quote::Block => partial(b"*/"),
            Quote::Typographic => match rest {
                [0xE2, 0x80, 0x9C..=0x9E | 0x98 | 0x99, after @ ..] => {
                    (quote_ends(after, self.place(), finished), 3)
                }
                [_, _, _, ..] => (Ends::No, 1),
                _ if finished => (Ends::No, 1),
                _ => (Ends::Unclear, 0),
            },
        }
    }

    fn place(&self) -> Place {
        match self.open & 3 {
            _ if self.depth == 0 => Place::Alone,
            CURLY if matches!(self.last, b'{' | b',') => Place::Key,
            CURLY => Place::Member,
            SQUARE => Place::Item,
            _ => Place::Argument,
        }
    }

    /// Notes names of members and the name of the call.
    fn close_string(&mut self, text: &str) {
        if self.watch && self.depth == 1 && self.open == CURLY {
            match self.place() {
                Place::Key => self.key = self.string.clone(),
                _ if text.get(self.key.clone()).is_some_and(is_name_key) => {
                    self.name.get_or_insert(self.string.clone());
                }
                _ => {}
            }
        }
        self.last = b'"';
    }

    /// The name of the member whose value began last.
    pub(crate) fn key<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.key.clone()).unwrap_or_default()
    }
}

fn shifted(range: &Range<usize>, by: usize) -> Range<usize> {
    range.start.saturating_sub(by)..range.end.saturating_sub(by)
}

/// Under which names models put the name of a tool.
pub(crate) fn is_name_key(key: &str) -> bool {
    matches!(
        key,
        "name"
            | "tool"
            | "tool_name"
            | "toolName"
            | "function"
            | "function_name"
            | "action"
            | "recipient_name"
            | "func"
    )
}

/// Under which names models put the arguments.
pub(crate) fn is_arguments_key(key: &str) -> bool {
    matches!(
        key,
        "arguments"
            | "args"
            | "parameters"
            | "params"
            | "input"
            | "tool_input"
            | "action_input"
            | "argument"
            | "parameter"
            | "kwargs"
            | "tool_args"
            | "function_args"
            | "tool_parameters"
    )
}

#[cfg(test)]
mod tests;

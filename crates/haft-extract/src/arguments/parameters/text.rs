//! The text that a scan reads, and questions about it: small ones, and bounded looks ahead for what
//! follows a tag.

use std::cell::Cell;
use std::ops::{Deref, Range};

use super::{Mark, MarkKind, ValueKind};
use crate::scan::{More, Seen, Text, bytes::first_of, is_word_of, tag_at};
use crate::{formats::Role, limits};

/// What MiniMax M3 writes before each tag.
pub(super) const PREFIX: &str = "]<]minimax[>[";

/// That prefix from its bracket on, which is what a scan for tags comes upon.
const PREFIX_TAIL: &str = "<]minimax[>[";

/// A run of blanks and prefixes.
pub(super) struct Blanks {
    pub(super) end: usize,
    /// The last thing but blanks was a prefix.
    pub(super) prefixed: bool,
}

impl<'t> Text<'t> {
    pub(in crate::arguments) fn len(&self) -> usize {
        self.text.len()
    }

    pub(in crate::arguments) fn slice(&self, range: &Range<usize>) -> &'t str {
        self.text.get(range.clone()).unwrap_or("")
    }
}

/// The text of one call.
pub(super) struct Source<'t> {
    /// As much of it as is there.
    pub(super) given: Text<'t>,
    /// The tag behind a value: it is looked at to see where the value ends, and then read.
    next: Cell<Option<Mark<'t>>>,
}

impl<'t> Deref for Source<'t> {
    type Target = Text<'t>;

    fn deref(&self) -> &Text<'t> {
        &self.given
    }
}

impl<'t> Source<'t> {
    pub(super) fn new(given: Text<'t>) -> Self {
        let next = Cell::default();
        Self { given, next }
    }

    /// The tag at `at`: the one that [`Source::keep`] kept, or as [`Source::mark`] reads it.
    pub(super) fn kept_or_mark(&self, at: usize, prefixed: bool) -> Seen<Option<Mark<'t>>> {
        match self.next.take().filter(|mark| mark.at == at && !prefixed) {
            Some(mark) => Ok(Some(mark)),
            None => self.mark(at, prefixed),
        }
    }

    /// Keeps a tag without a prefix, which [`Source::kept_or_mark`] hands out once.
    pub(super) fn keep(&self, mark: &Mark<'t>) {
        self.next.set(Some(mark.clone()));
    }

    /// Nothing follows the text.
    pub(super) fn ended(&self) -> Seen<()> {
        self.finished.then_some(()).ok_or(More)
    }

    /// The next `<`.
    pub(super) fn find(&self, from: usize) -> Option<usize> {
        let find = |text: &[u8]| memchr::memchr(b'<', text);
        first_of([b'<'], self.bytes(from), find).map(|at| from + at)
    }

    /// The next `<`, if it is no further than `most` bytes away.
    pub(super) fn find_near(&self, from: usize, most: usize) -> Seen<Option<usize>> {
        let found = self.find(from).filter(|at| at - from <= most);
        if found.is_none() && self.len() - from <= most {
            self.ended()?;
        }
        Ok(found)
    }

    /// Blanks and prefixes from here on.
    pub(super) fn blanks(&self, from: usize) -> Seen<Blanks> {
        let mut end = from;
        let mut prefixed = false;
        loop {
            match self.byte(end) {
                Some(byte) if byte.is_ascii_whitespace() => end += 1,
                // A line break that was escaped once too often.
                Some(b'\\') if self.begins(end, "\\n")? => end += 2,
                Some(b']') if self.begins(end, PREFIX)? => {
                    prefixed = true;
                    end += PREFIX.len();
                }
                _ => return Ok(Blanks { end, prefixed }),
            }
        }
    }

    /// The offset behind the prefix that stands around the bracket at `at`, if one does.
    pub(super) fn prefix(&self, at: usize) -> Seen<Option<usize>> {
        let is_prefix =
            self.byte(at.wrapping_sub(1)) == Some(b']') && self.begins(at, PREFIX_TAIL)?;
        Ok(is_prefix.then_some(at + PREFIX_TAIL.len()))
    }

    /// Where a piece of the text stands.
    pub(super) fn range_of(&self, piece: &str) -> Range<usize> {
        let start = self.text.as_ptr().addr();
        let start = piece.as_ptr().addr().saturating_sub(start);
        start..start + piece.len()
    }

    /// True for a name in the attribute of a tag: `name="city"`, but not `=city`.
    pub(super) fn is_attribute(&self, name: &Range<usize>) -> bool {
        let before = self.slice(&(0..name.start));
        before.trim_end_matches(['"', '\'']).ends_with("name=")
    }

    /// The range without the blanks around it.
    pub(super) fn trimmed(&self, range: Range<usize>) -> Range<usize> {
        self.range_of(self.slice(&range).trim())
    }

    /// True for at most `limit` bytes of blanks.
    pub(super) fn is_blank(&self, range: Range<usize>, limit: usize) -> bool {
        range.len() <= limit && self.slice(&range).trim().is_empty()
    }

    /// True when the text before runs into this without a blank, a bracket or a quote.
    pub(super) fn is_glued(&self, at: usize) -> bool {
        let before = self.slice(&(0..at)).chars().next_back();
        before.is_some_and(|before| before.is_alphanumeric() || matches!(before, '.' | '}' | ']'))
    }

    /// True when a line begins here.
    pub(super) fn begins_line(&self, at: usize) -> bool {
        self.byte(at.wrapping_sub(1)) == Some(b'\n')
    }

    /// True when the line ends here.
    pub(super) fn is_line_end(&self, at: usize) -> bool {
        matches!(self.byte(at), Some(b'\r' | b'\n'))
    }

    /// The name of a parameter in stray text, if it is nothing but one.
    pub(super) fn stray_key(&self, stray: Range<usize>) -> Option<Range<usize>> {
        let key = self.slice(&stray).trim();
        let is_name = !key.is_empty() && !key.contains(char::is_whitespace);
        is_name.then(|| self.range_of(key))
    }

    /// The first line and the rest, if there is more than one.
    pub(super) fn first_line(&self, range: &Range<usize>) -> Option<(Range<usize>, Range<usize>)> {
        let (first, rest) = self.slice(range).split_once('\n')?;
        Some((self.range_of(first.trim_end()), self.range_of(rest)))
    }

    /// Whether MiniMax's tag that ends at `end` opens a parameter which is named like the wrapper of
    /// calls: no call follows in it.
    pub(super) fn is_parameter(&self, end: usize) -> Seen<bool> {
        let next = self.blanks(end)?.end;
        match self.byte(next) {
            _ if next - end > limits::BLANKS => Ok(false),
            None => self.ended().map(|()| false),
            Some(b'<') => {
                let role = tag_at(self.given, next)?.and_then(|tag| Some(tag.marker?.role));
                Ok(role != Some(Role::Invoke))
            }
            Some(_) => Ok(true),
        }
    }

    /// The kind that `<arg_type>` names, from behind that tag, and the offset behind its closing
    /// tag.
    pub(super) fn value_type(&self, from: usize) -> Seen<Option<(ValueKind, usize)>> {
        let Some(at) = self.find_near(from, limits::WORD)? else {
            return Ok(None);
        };
        let kind = kind_of_type(self.slice(&(from..at)).trim()).unwrap_or(ValueKind::Schema);
        let close = self.mark(at, false)?;
        let close = close.filter(|mark| mark.kind == MarkKind::Type && mark.close);
        Ok(Some((kind, close.map_or(at, |mark| mark.end))))
    }

    /// True when the element holds the parameters of the call: `<parameters><city>...`.
    pub(super) fn is_container(&self, mark: &Mark<'_>) -> Seen<bool> {
        if !is_container_name(mark.name) {
            return Ok(false);
        }
        let next = self.blanks(mark.end)?.end;
        match (self.byte(next), self.byte(next + 1)) {
            _ if next - mark.end > limits::BLANKS => Ok(false),
            (None, _) | (Some(b'<'), None) => self.ended().map(|()| false),
            (first, second) => Ok(first == Some(b'<') && second != Some(b'/')),
        }
    }

    /// Whether a name and the tags that stand around it and its value follow `<arg_key>`.
    pub(super) fn is_whole_key(&self, from: usize) -> Seen<bool> {
        let close = self.name_and_mark(from)?;
        let Some(close) = close.filter(|mark| mark.kind == MarkKind::Key && mark.close) else {
            return Ok(false);
        };
        let value = self.name_and_mark(close.end)?;
        Ok(value.is_some_and(|mark| mark.kind == MarkKind::Value && !mark.close))
    }

    /// The tag behind blanks and at most one name.
    pub(super) fn name_and_mark(&self, from: usize) -> Seen<Option<Mark<'t>>> {
        let Some(at) = self.find_near(from, limits::KEY)? else {
            return Ok(None);
        };
        match self.slice(&(from..at)).trim().contains(char::is_whitespace) {
            true => Ok(None),
            false => self.mark(at, false),
        }
    }

    /// True when the reply ends inside a tag that begins at `at`.
    pub(super) fn is_cut_tag(&self, at: usize) -> bool {
        let unfinished = Self::new(Text {
            finished: false,
            ..self.given
        });
        self.finished && self.len() - at <= limits::KEY && unfinished.mark(at, false).is_err()
    }

    /// Whether a name stands at `at` whose opening tag was lost: `city</arg_key>`.
    pub(super) fn is_unopened_key(&self, at: usize) -> Seen<bool> {
        let mark = self.name_and_mark(at)?;
        Ok(mark.is_some_and(|mark| mark.kind == MarkKind::Key && mark.close))
    }
}

pub(super) fn kind_of_type(name: &str) -> Option<ValueKind> {
    const JSON: &str = "number integer boolean object array null int float bool list dict json";
    let text = is_word_of("string str text", name).then_some(ValueKind::Text);
    text.or_else(|| is_word_of(JSON, name).then_some(ValueKind::Json))
}

/// True for an element that holds the parameters of a call.
pub(super) fn is_container_name(name: &str) -> bool {
    is_word_of("parameters params arguments args", name)
}

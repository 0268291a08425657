//! The text that a scan reads, and small questions about it.

use std::ops::Range;

use crate::scan::{More, Seen, Text};

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
    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    pub(super) fn slice(&self, range: &Range<usize>) -> &'t str {
        self.text.get(range.clone()).unwrap_or("")
    }

    /// Nothing follows the text.
    pub(super) fn ended(&self) -> Seen<()> {
        self.finished.then_some(()).ok_or(More)
    }

    /// The next `<`.
    pub(super) fn find(&self, from: usize) -> Option<usize> {
        memchr::memchr(b'<', self.bytes(from)).map(|at| from + at)
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

    /// The length of the name at `at`, as far as `most` bytes of it.
    pub(super) fn word_length(&self, at: usize, most: usize) -> usize {
        let is_letter = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(**byte, b'_' | b'-');
        let bytes = self.bytes(at).iter().take(most);
        bytes.take_while(is_letter).count()
    }

    /// The first line and the rest, if there is more than one.
    pub(super) fn first_line(&self, range: &Range<usize>) -> Option<(Range<usize>, Range<usize>)> {
        let (first, rest) = self.slice(range).split_once('\n')?;
        Some((self.range_of(first.trim_end()), self.range_of(rest)))
    }
}

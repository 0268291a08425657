//! The text that a scan reads, and small questions about it.

use std::ops::Range;

use crate::arguments::parameters::Style;
use crate::arguments::parameters::mark::MarkKind;
use crate::scan::tag::Found;

/// What MiniMax M3 writes before each tag.
pub(super) const PREFIX: &str = "]<]minimax[>[";

/// The same from its bracket on, which is what a scan for tags comes upon.
const PREFIX_TAIL: &str = "<]minimax[>[";

/// The most blanks between the end of CDATA and a closing tag.
const MAX_BLANKS: usize = 64;

/// The text that is read.
#[derive(Clone, Copy)]
pub(super) struct Reader<'t> {
    pub(super) text: &'t str,
    pub(super) finished: bool,
    pub(super) style: Style,
}

/// A run of blanks and prefixes.
pub(super) struct Blanks {
    pub(super) end: usize,
    /// The last thing but blanks was a prefix.
    pub(super) prefixed: bool,
    /// The text ends in what may become a prefix.
    pub(super) undecided: bool,
}

impl<'t> Reader<'t> {
    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    pub(super) fn rest(&self, at: usize) -> &'t str {
        self.text.get(at..).unwrap_or("")
    }

    pub(super) fn slice(&self, range: &Range<usize>) -> &'t str {
        self.text.get(range.clone()).unwrap_or("")
    }

    /// The next `<`.
    pub(super) fn find(&self, from: usize) -> Option<usize> {
        let bytes = self.text.as_bytes().get(from..)?;
        memchr::memchr(b'<', bytes).map(|at| from + at)
    }

    /// Blanks and prefixes from here on.
    pub(super) fn blanks(&self, from: usize) -> Blanks {
        let mut blanks = Blanks {
            end: from,
            prefixed: false,
            undecided: false,
        };
        loop {
            match self.byte(blanks.end) {
                Some(byte) if byte.is_ascii_whitespace() => blanks.end += 1,
                // A line break that was escaped once too often.
                Some(b'\\') => {
                    let rest = self.rest(blanks.end);
                    if rest.starts_with("\\n") {
                        blanks.end += 2;
                        continue;
                    }
                    blanks.undecided = !self.finished && rest == "\\";
                    return blanks;
                }
                Some(b']') => {
                    let rest = self.rest(blanks.end);
                    if rest.starts_with(PREFIX) {
                        blanks.prefixed = true;
                        blanks.end += PREFIX.len();
                        continue;
                    }
                    blanks.undecided = !self.finished && PREFIX.starts_with(rest);
                    return blanks;
                }
                _ => return blanks,
            }
        }
    }

    /// Whether a prefix stands around the bracket at `at`; the offset behind it.
    pub(super) fn prefix(&self, at: usize) -> Found<usize> {
        let rest = self.rest(at);
        if self.byte(at.wrapping_sub(1)) != Some(b']') {
            return Found::No;
        }
        if rest.starts_with(PREFIX_TAIL) {
            return Found::Yes(at + PREFIX_TAIL.len());
        }
        match !self.finished && PREFIX_TAIL.starts_with(rest) {
            true => Found::More,
            false => Found::No,
        }
    }

    /// Where a piece of the text stands.
    pub(super) fn range_of(&self, piece: &str) -> Range<usize> {
        let start = piece
            .as_ptr()
            .addr()
            .saturating_sub(self.text.as_ptr().addr());
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
        let before = self
            .text
            .get(..at)
            .and_then(|text| text.chars().next_back());
        before.is_some_and(|before| before.is_alphanumeric() || matches!(before, '.' | '}' | ']'))
    }

    /// True when a line begins here.
    pub(super) fn begins_line(&self, at: usize) -> bool {
        self.byte(at.wrapping_sub(1)) == Some(b'\n')
    }

    /// True when the line ends here.
    pub(super) fn is_line_end(&self, at: usize) -> bool {
        self.rest(at).starts_with(['\r', '\n'])
    }

    /// True when `ending` stands before `at`, but for a few blanks.
    pub(super) fn ends_with(&self, at: usize, ending: &str) -> bool {
        let bytes = self.text.as_bytes().get(at.saturating_sub(MAX_BLANKS)..at);
        bytes.is_some_and(|bytes| bytes.trim_ascii_end().ends_with(ending.as_bytes()))
    }

    /// The length of the line break at the beginning of a range.
    pub(super) fn leading_break(&self, range: &Range<usize>) -> usize {
        let text = self.slice(range);
        match text.strip_prefix("\r\n") {
            Some(_) => 2,
            None => usize::from(text.starts_with('\n')),
        }
    }

    /// The length of the line break at the end of a range.
    pub(super) fn trailing_break(&self, range: &Range<usize>) -> usize {
        let text = self.slice(range);
        match text.strip_suffix("\r\n") {
            Some(_) => 2,
            None => usize::from(text.ends_with('\n')),
        }
    }

    /// The range without the blanks around a value in one line, where nothing closed it and one
    /// stands between its tag and itself: `<parameter=city> Oslo`.
    pub(super) fn without_blank(&self, range: Range<usize>) -> Range<usize> {
        let text = self.slice(&range);
        match text.starts_with(' ') && !text.trim().contains('\n') {
            true => self.trimmed(range),
            false => range,
        }
    }

    /// True for a name that stands in quotes, as the value of an attribute.
    pub(super) fn is_quoted_name(&self, key: &Range<usize>) -> bool {
        let before = self.text.get(..key.start).unwrap_or_default();
        before.ends_with("name=\"")
    }

    /// The name of a parameter in stray text, if it is nothing but one.
    pub(super) fn stray_key(&self, stray: Range<usize>) -> Option<Range<usize>> {
        let key = self.slice(&stray).trim();
        let is_name = !key.is_empty() && !key.contains(char::is_whitespace);
        is_name.then(|| self.range_of(key))
    }

    /// Whether a name stands at `at` whose opening tag was lost: `city</arg_key>`.
    pub(super) fn is_unopened_key(&self, at: usize) -> Found<()> {
        const LONGEST: usize = 64;
        let rest = self.rest(at);
        let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(*byte, b'_' | b'-');
        let len = rest.bytes().take(LONGEST).take_while(is_letter).count();
        if len == rest.len() && !self.finished {
            return Found::More;
        }
        if len == 0 || self.byte(at + len) != Some(b'<') {
            return Found::No;
        }
        match self.mark(at + len, false) {
            Found::More => Found::More,
            Found::Yes(mark) if matches!(mark.kind, MarkKind::KeyClose) => Found::Yes(()),
            _ => Found::No,
        }
    }

    /// The first line and the rest, if there is more than one.
    pub(super) fn first_line(&self, range: &Range<usize>) -> Option<(Range<usize>, Range<usize>)> {
        let (first, rest) = self.slice(range).split_once('\n')?;
        Some((self.range_of(first.trim_end()), self.range_of(rest)))
    }
}

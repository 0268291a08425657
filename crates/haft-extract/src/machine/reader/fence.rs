//! What opens a fence, and the line that closes it.

use memchr::memchr_iter;

use crate::{limits, scan::split_run};

/// What opened a fence: `` ``` ``, `~~~`, or more of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FenceMark {
    byte: u8,
    pub(super) len: usize,
}

/// What a line is to an open fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Closing {
    /// More text may make it one that closes.
    More,
    No,
    /// It closes the fence. The line ends after so many bytes, without its break.
    Line(usize),
    /// It closes the fence with its first bytes, so many; text follows them.
    Mark(usize),
}

impl FenceMark {
    /// What opens the fence at the beginning of `text`.
    pub(super) fn at_start(text: &str) -> Option<Self> {
        let byte = *text.as_bytes().first()?;
        let len = text.bytes().take_while(|next| *next == byte).count();
        (matches!(byte, b'`' | b'~') && len >= 3).then_some(Self { byte, len })
    }

    /// True for marks that close the fence which this opened.
    pub(super) fn is_closed_by(self, other: Self) -> bool {
        other.byte == self.byte && other.len >= self.len
    }

    /// What the line at the beginning of `line` is to a fence that this opened. An indented line
    /// closes it too, if nothing else stands in it.
    pub(super) fn closing(self, line: &str, finished: bool) -> Closing {
        let is_indent = |byte: &u8| matches!(byte, b' ' | b'\t');
        let (indent, rest) = split_run(line, limits::DECORATION, is_indent);
        let (marks, rest) = split_run(rest, limits::AHEAD, |byte| *byte == self.byte);
        let is_short = marks.len() < self.len;
        if marks.len() == limits::AHEAD || (is_short && (finished || !rest.is_empty())) {
            return Closing::No;
        }
        let is_blank = |byte: &u8| is_indent(byte) || *byte == b'\r';
        let (_, rest) = split_run(rest, limits::DECORATION, is_blank);
        match rest.as_bytes().first() {
            _ if is_short => Closing::More,
            Some(b'\n') => Closing::Line(line.len() - rest.len()),
            None if finished => Closing::Line(line.len()),
            None => Closing::More,
            Some(_) if indent.is_empty() => Closing::Mark(self.len),
            Some(_) => Closing::No,
        }
    }

    /// The first line of `text` behind the break at `from` or a later one that closes the fence:
    /// where the break before it stands, and what it is. [`Closing::More`] where the search goes on.
    pub(super) fn find_closing(self, text: &str, from: usize, finished: bool) -> (usize, Closing) {
        let rest = text.as_bytes().get(from..).unwrap_or_default();
        for at in memchr_iter(b'\n', rest).map(|len| from + len) {
            match self.closing(text.get(at + 1..).unwrap_or_default(), finished) {
                Closing::No => {}
                closing => return (at, closing),
            }
        }
        (text.len(), Closing::More)
    }
}

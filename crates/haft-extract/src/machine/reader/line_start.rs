//! Whether a line is a quotation: one that begins with `>`.

use crate::scan::bytes::last_line_break;

/// What stands in a line so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum LineStart {
    /// Nothing but blanks.
    #[default]
    Blank,
    /// It begins with `>`.
    Quoted,
    Other,
}

impl LineStart {
    /// The line at the end of `text`, which begins in this one.
    pub(super) fn after(self, text: &str) -> Self {
        let (begun, line) = match last_line_break(text) {
            Some(at) => (Self::Blank, text.get(at + 1..).unwrap_or_default()),
            None => (self, text),
        };
        if begun != Self::Blank {
            return begun;
        }
        match line.trim_ascii_start().as_bytes().first() {
            Some(b'>') => Self::Quoted,
            Some(_) => Self::Other,
            None => begun,
        }
    }
}

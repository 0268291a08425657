//! Whether the line that is being read is a quotation: one that begins with `>`.
//!
//! It is told by the text of the reply alone, so every call of such a line is quoted, and a call in
//! a later line is not, however the reply is cut and however many calls are read in one step.

use memchr::memrchr;

use super::Placement;
use crate::machine::reading::Reading;

/// What stands in a line so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Line {
    /// Nothing but blanks.
    #[default]
    Blank,
    /// It begins with `>`.
    Quoted,
    Other,
}

impl Line {
    /// The line at the end of `text`, which begins in this one.
    fn after(self, text: &str) -> Self {
        let (begun, line) = match memrchr(b'\n', text.as_bytes()) {
            Some(at) => (Self::Blank, text.get(at + 1..).unwrap_or_default()),
            None => (self, text),
        };
        match line.trim_ascii_start().as_bytes().first() {
            Some(b'>') if begun == Self::Blank => Self::Quoted,
            Some(_) if begun == Self::Blank => Self::Other,
            _ => begun,
        }
    }

    /// The line at the end of markup, which quotes nothing: Functionary's begins with `>>>`.
    fn behind_markup(self, markup: &str) -> Self {
        match self.after(markup) {
            Self::Quoted if self != Self::Quoted || markup.contains('\n') => Self::Other,
            line => line,
        }
    }
}

/// The line that is being read.
#[derive(Debug, Default)]
pub(super) struct Lines {
    /// At the end of the last source.
    decided: Line,
    /// With the text that was handed out since.
    here: Line,
    /// A thought was handed out since, whose lines are none of the reply.
    is_thought: bool,
}

impl Lines {
    /// Takes in the next reading. True for markup that begins in a quotation; it may have line
    /// breaks before it.
    pub(super) fn take(&mut self, reading: &Reading<'_>) -> bool {
        match reading {
            Reading::Text(text) => self.here = self.here.after(text),
            Reading::Syntax(text) => {
                let blanks = text.get(..text.len() - text.trim_ascii_start().len());
                let start = self.here.after(blanks.unwrap_or_default());
                self.here = self.here.behind_markup(text);
                return start == Line::Quoted;
            }
            Reading::Candidate(Placement::Quoted) => self.here = Line::Quoted,
            Reading::Source(source) => {
                self.decided = match self.decided.after(source) {
                    _ if std::mem::take(&mut self.is_thought) => Line::Blank,
                    Line::Quoted if self.here == Line::Other => Line::Other,
                    line => line,
                };
                self.here = self.decided;
            }
            Reading::Reasoning(_) | Reading::ThinkingEnded => self.is_thought = true,
            _ => {}
        }
        self.is_quoted()
    }

    /// Takes in text with its source.
    pub(super) fn pass(&mut self, text: &str) {
        self.decided = self.decided.after(text);
        self.here = self.decided;
    }

    pub(super) fn is_quoted(&self) -> bool {
        self.here == Line::Quoted
    }
}

//! The answer on a terminal, as it comes.
//!
//! Whether a text is the answer or only announces a call is known when the reply is complete.
//! So the beginning of a reply is held back and shown beside the spinner; a text that goes on
//! is an answer in all likelihood and is printed from then on. A pipe gets the answer at the
//! end, unchanged.

use haft::{Answer, ChatChunk, Event};

use crate::failure::Failure;
use crate::output::{print_text, write_raw};
use crate::text::PlainPieces;
use crate::trace::Trace;

/// In characters: announcements of calls are seldom longer.
const HELD_BACK: usize = 160;

/// What of the current reply was printed.
#[derive(Debug, Default)]
pub(crate) struct Live {
    enabled: bool,
    plain: PlainPieces,
    held_back: String,
    printing: bool,
}

impl Live {
    pub(crate) fn new(enabled: bool) -> Self {
        Self {
            enabled,
            ..Self::default()
        }
    }

    /// Prints what can be printed already.
    pub(crate) fn event(&mut self, event: &Event, trace: &Trace) -> Result<(), Failure> {
        match event {
            Event::Chunk(ChatChunk::Text(piece)) if self.enabled => self.text(piece, trace),
            // The text before a call was no answer after all.
            Event::ToolStarted { .. } | Event::RoundStarted { .. } if self.printing => {
                *self = Self::new(self.enabled);
                write_raw("\n")
            }
            Event::RoundStarted { .. } => {
                *self = Self::new(self.enabled);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Prints the answer, or what is missing of it.
    pub(crate) fn finish(self, answer: &Answer) -> Result<(), Failure> {
        if self.printing {
            write_raw("\n")
        } else {
            print_text(&answer.text)
        }
    }

    fn text(&mut self, piece: &str, trace: &Trace) -> Result<(), Failure> {
        let piece = self.plain.next(piece);
        if self.printing {
            return write_raw(&piece);
        }
        self.held_back.push_str(&piece);
        let begin = self.held_back.trim_start();
        if begin.chars().count() <= HELD_BACK {
            trace.wait(begin);
            return Ok(());
        }
        trace.clear();
        self.printing = true;
        write_raw(begin)
    }
}

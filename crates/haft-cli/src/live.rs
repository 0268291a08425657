//! Streams the answer to a terminal.
//!
//! Only when a reply is complete is it known whether its text is the answer or announces a call. So
//! the beginning of a reply is held back and shown next to the spinner; a longer text is most
//! likely the answer and is printed from then on. A pipe gets the unchanged answer at the end.

use haft::{Answer, ChatChunk, Event, Message};

use crate::failure::Failure;
use crate::output::{print_text, write_raw};
use crate::text::PlainPieces;
use crate::trace::Trace;

/// The number of characters that are held back; announcements of calls are rarely longer.
const HELD_BACK: usize = 160;

/// The number of characters shown next to the spinner.
const SHOWN: usize = 50;

/// How much of the current reply was printed.
#[derive(Debug, Default)]
pub(crate) struct Live {
    enabled: bool,
    plain: PlainPieces,
    held_back: String,
    state: State,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// Nothing was printed.
    #[default]
    Waiting,
    /// A part was printed; the cursor is after it.
    Printing,
    /// All of it was printed.
    Printed,
}

impl Live {
    pub(crate) fn new(enabled: bool) -> Self {
        let mut live = Self::default();
        live.enabled = enabled;
        live
    }

    /// Prints the text that is certain to be part of the answer.
    pub(crate) fn event(&mut self, event: &Event, trace: &Trace) -> Result<(), Failure> {
        match event {
            // A text without further output may still be the answer.
            Event::RoundStarted { .. } if self.state != State::Printing => {
                *self = Self::new(self.enabled);
            }
            // What stands there already was no answer; the next text may be.
            Event::WebSearchStarted { .. } | Event::TextWithdrawn { .. }
                if self.state == State::Printing =>
            {
                write_raw("\n")?;
                *self = Self::new(self.enabled);
            }
            Event::TextWithdrawn { .. } => *self = Self::new(self.enabled),
            Event::Chunk(ChatChunk::Text(piece)) if self.enabled => self.text(piece, trace)?,
            Event::Message(Message::Ai(_)) if self.state == State::Printing => {
                self.state = State::Printed;
                write_raw("\n")?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Prints the answer if it was not streamed.
    pub(crate) fn finish(&self, answer: &Answer) -> Result<(), Failure> {
        match self.state {
            State::Printed => Ok(()),
            _ => print_text(&answer.text),
        }
    }

    fn text(&mut self, piece: &str, trace: &Trace) -> Result<(), Failure> {
        let piece = self.plain.next(piece);
        if self.state == State::Printing {
            return write_raw(&piece);
        }
        self.held_back.push_str(&piece);
        let begin = self.held_back.trim_start();
        let length = begin.chars().count();
        if length <= HELD_BACK {
            let end: String = begin.chars().skip(length.saturating_sub(SHOWN)).collect();
            trace.wait(&end);
            return Ok(());
        }
        trace.clear();
        self.state = State::Printing;
        write_raw(begin)
    }
}

/// After an aborted reply the cursor is at the beginning of a line.
impl Drop for Live {
    fn drop(&mut self) {
        if self.state == State::Printing {
            // The cause of the abort reports its own error.
            let _ = write_raw("\n");
        }
    }
}

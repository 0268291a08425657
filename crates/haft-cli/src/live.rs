//! Streams the answer to a terminal.
//!
//! Whether a text is the answer or only announces a call is known when the reply is complete.
//! So the beginning of a reply is held back and shown beside the spinner; a text that goes on
//! is an answer in all likelihood and is printed from then on. A pipe gets the answer at the
//! end, unchanged.

use haft::{Answer, ChatChunk, Event, Message};

use crate::failure::Failure;
use crate::output::{print_text, write_raw};
use crate::text::PlainPieces;
use crate::trace::Trace;

/// In characters: announcements of calls are seldom longer.
const HELD_BACK: usize = 160;

/// In characters: how much of the end of it stands beside the spinner.
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
    /// Nothing yet.
    #[default]
    Waiting,
    /// The cursor stands behind what came so far.
    Printing,
    /// All of it.
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
            // A text that nothing was appended of yet may still be the answer.
            Event::RoundStarted { .. } if self.state != State::Printing => {
                *self = Self::new(self.enabled);
            }
            // What stands there already was no answer; the next reply may be.
            Event::WebSearchStarted { .. } if self.state == State::Printing => {
                write_raw("\n")?;
                *self = Self::new(self.enabled);
            }
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

/// What cuts a reply short leaves the cursor at the beginning of a line.
impl Drop for Live {
    fn drop(&mut self) {
        if self.state == State::Printing {
            // Whoever cut it short has an error of its own to tell.
            let _ = write_raw("\n");
        }
    }
}

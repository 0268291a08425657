//! Streams the answer to a terminal.
//!
//! Only when a reply is complete is it known whether its text is the answer or announces a call. So
//! the beginning of a reply is held back and shown next to the spinner; a longer text is most
//! likely the answer and is printed from then on. A pipe gets the unchanged answer at the end. The
//! chat shows Markdown.

use haft::{Answer, ChatChunk, Event, Message};

use crate::failure::Failure;
use crate::markdown::{Colours, Markdown};
use crate::output::{print_text, write_raw};
use crate::terminal;
use crate::text::{PlainPieces, plain};
use crate::trace::Trace;

/// The number of characters that are held back; announcements of calls are rarely longer.
const HELD_BACK: usize = 160;

/// The number of characters shown next to the spinner.
const SHOWN: usize = 50;

/// How much of the current reply was printed.
#[derive(Debug, Default)]
pub(crate) struct Live {
    display: Display,
    /// The renderer of the current reply, where Markdown is shown.
    markdown: Option<Markdown>,
    plain: PlainPieces,
    held_back: String,
    state: State,
}

/// How replies are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Display {
    /// Only the answer, at the end.
    #[default]
    Answer,
    /// Text as it comes.
    Text,
    /// Markdown as it comes.
    Markdown,
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
    pub(crate) fn new(display: Display) -> Self {
        let mut live = Self::default();
        live.display = display;
        live.markdown = (display == Display::Markdown).then(markdown);
        live
    }

    /// Prints the text that is certain to be part of the answer.
    pub(crate) fn event(&mut self, event: &Event, trace: &Trace) -> Result<(), Failure> {
        match event {
            // A text without further output may still be the answer.
            Event::RoundStarted { .. } if self.state != State::Printing => {
                *self = Self::new(self.display);
            }
            // What stands there already was no answer; the next text may be.
            Event::WebSearchStarted { .. } | Event::TextWithdrawn { .. }
                if self.state == State::Printing =>
            {
                write_raw("\n")?;
                *self = Self::new(self.display);
            }
            Event::TextWithdrawn { .. } => *self = Self::new(self.display),
            Event::Chunk(ChatChunk::Text(piece)) if self.display != Display::Answer => {
                self.text(piece, trace)?;
            }
            Event::Message(Message::Ai(_)) if self.state == State::Printing => {
                self.state = State::Printed;
                let rest = self.markdown.as_mut().map(Markdown::finish);
                write(&rest.unwrap_or_default())?;
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
            _ if self.display == Display::Markdown => {
                let mut markdown = markdown();
                let text = markdown.push(&plain(&answer.text)) + &markdown.finish();
                write(&(text + "\n"))
            }
            _ => print_text(&answer.text),
        }
    }

    fn text(&mut self, piece: &str, trace: &Trace) -> Result<(), Failure> {
        let piece = self.plain.next(piece);
        if self.state == State::Printing {
            return self.print(&piece);
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
        let begin = begin.to_owned();
        self.print(&begin)
    }

    fn print(&mut self, piece: &str) -> Result<(), Failure> {
        match &mut self.markdown {
            Some(markdown) => write(&markdown.push(piece)),
            None => write_raw(piece),
        }
    }
}

/// A renderer for this terminal.
fn markdown() -> Markdown {
    let colours = match anstream::AutoStream::choice(&std::io::stdout()) {
        anstream::ColorChoice::Never => Colours::Missing,
        _ => Colours::Shown,
    };
    // The last column stays free, because some terminals begin a line after it.
    Markdown::new(terminal::width().saturating_sub(1), colours)
}

/// Writes text with styles, which a stdout without colours does not get.
fn write(text: &str) -> Result<(), Failure> {
    match anstream::AutoStream::choice(&std::io::stdout()) {
        anstream::ColorChoice::Never => write_raw(&anstream::adapter::strip_str(text).to_string()),
        _ => write_raw(text),
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

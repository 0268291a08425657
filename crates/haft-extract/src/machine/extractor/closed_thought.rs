//! Calls at the end of a thought that is closed and that nothing follows: a model that thinks its
//! call and then says nothing has made it, as far as anyone can tell.
//!
//! That is a guess, so it is made on request alone
//! ([`ExtractOptions::thought_calls`]), and only for tools that change nothing.

use crate::{ExtractOptions, Extractor, Piece, machine::About, machine::output::PieceSink};

/// What a reply thought, as long as it says nothing else.
#[derive(Debug, Default)]
pub(super) struct ClosedThought {
    thought: String,
    /// The text, which may turn out to be thinking.
    text: String,
    /// Something is known to be a call, or to be none.
    is_decided: bool,
}

impl ClosedThought {
    /// Takes note of what was handed out.
    pub(super) fn note(&mut self, piece: &Piece<'_>, options: &ExtractOptions) {
        let room = options.hold_limit;
        match piece {
            Piece::Reasoning(more) => add(&mut self.thought, more, room),
            Piece::Text(more) => add(&mut self.text, more, room),
            Piece::ThinkingEnded => {
                let text = std::mem::take(&mut self.text);
                add(&mut self.thought, &text, room);
                self.is_decided = false;
            }
            Piece::CallEnd { .. }
            | Piece::Invalid { .. }
            | Piece::NotACall { .. }
            | Piece::RawCall(_) => self.is_decided = true,
            _ => {}
        }
    }

    /// Hands out the calls that end the thought, if the reply holds nothing else.
    pub(super) fn finish(self, about: About<'_>, sink: PieceSink<'_>) {
        let About { tools, options } = about;
        let is_silent = self.text.trim().is_empty() && !self.is_decided;
        if !is_silent || self.thought.len() > options.hold_limit {
            return;
        }
        // Read as a thought that does not end: its last call is made.
        let inside = ExtractOptions {
            starts_thinking: true,
            thought_calls: false,
            ..*options
        };
        let read = |take: PieceSink<'_>| {
            let mut extractor = Extractor::new(tools, inside);
            // A call without a marker begins a line.
            extractor.push_text("\n", take);
            extractor.finish_with(&self.thought, take);
        };
        let mut only_reads = true;
        read(&mut |piece| match piece {
            Piece::CallEnd { call, .. } => {
                let tool = tools.definition(&call.name);
                only_reads &= tool.is_some_and(|tool| tool.read_only);
            }
            Piece::Invalid { .. } => only_reads = false,
            _ => {}
        });
        if only_reads {
            read(&mut |piece| {
                if let Piece::CallEnd { index, call, .. } = &piece {
                    let (index, name) = (*index, &call.name);
                    sink(Piece::CallStart { index, name });
                    sink(piece);
                }
            });
        }
    }
}

/// Adds to a text, of which more than fits is as good as any more.
fn add(text: &mut String, more: &str, room: usize) {
    if text.len() <= room {
        text.push_str(more);
    }
}

#[cfg(test)]
mod tests;

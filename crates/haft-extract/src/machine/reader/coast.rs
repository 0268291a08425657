//! Chunks that decide nothing, as most of a stream do: more of a string in a call's arguments,
//! more of a line of text, more of a tag. The states of [`reader`](super) would do the same with
//! them, and take longer.
//!
//! To hold a chunk back is as if it came together with the next one, which changes nothing of what
//! is read. So only what the states would hold back too, or tell of, is taken in here.

mod tags;
mod words;

use std::ops::Range;

use super::arguments::MAX_CALL;
use super::{Reader, State};
use crate::machine::reading::Reading;
use crate::{ExtractOptions, ToolSet};
pub(super) use tags::Beginning;
use words::{Words, words_in};

/// Tokens between a name and its arguments: only what follows them tells more.
const SEPARATORS: [&str; 2] = ["<｜tool▁sep｜>", "<|tool_call_argument_begin|>"];

/// What is to be told of a chunk that decides nothing.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Coast {
    /// Nothing; it is held back.
    Hold,
    /// All of it is text.
    Words,
    /// This part of what is held back, if any, is more of a call's arguments.
    Arguments(Range<usize>),
    /// The same of what may be a call.
    Ahead(Range<usize>),
}

impl Coast {
    /// What it tells of the arguments in `text`, if anything.
    pub(crate) fn reading(self, text: &str) -> Option<Reading<'_>> {
        let (part, is_ahead) = match self {
            Self::Arguments(part) => (part, false),
            Self::Ahead(part) => (part, true),
            Self::Hold | Self::Words => return None,
        };
        let more = text.get(part).filter(|more| !more.is_empty())?;
        Some(match is_ahead {
            true => Reading::AheadArguments(more.into()),
            false => Reading::Fragment(more.into()),
        })
    }
}

impl Reader {
    /// Takes in what came after the first `known` bytes of the text that is not decided, if it
    /// decides nothing.
    pub(crate) fn coast(
        &mut self,
        (text, known): (&str, usize),
        (tools, options): (&ToolSet, &ExtractOptions),
    ) -> Option<Coast> {
        let len = text.len();
        if self.tag.is_open(known) {
            let more = self.tag.more(text, known);
            let ends_separated = || SEPARATORS.iter().any(|token| text.ends_with(token));
            let is_separated = || matches!(self.state, State::Inside(_)) && ends_separated();
            return more.or_else(|| is_separated().then_some(Coast::Hold));
        }
        match &mut self.state {
            State::Arguments(open) if len <= MAX_CALL => {
                let balance = &mut self.balance;
                let goes_on = balance.coast(text);
                goes_on.then(|| open.coast(balance.at().min(len)))
            }
            State::Prose if known == 0 && !options.text_mode => {
                match words_in(text.as_bytes(), self.last) {
                    Words::Plain => {}
                    Words::Name if self.glued_name(text, tools).is_none() => {}
                    Words::Name => return None,
                    Words::Sign => return self.tag.goes_on((text, 0)),
                }
                self.note_words(text);
                self.quiet = self.quiet.saturating_sub(len);
                self.scan = 0;
                Some(Coast::Words)
            }
            State::Line | State::Prose => self.tag.goes_on((text, 0)),
            State::Inside(inside) => self.tag.follows_name((text, inside.lead), known),
            State::Object(_) if len <= MAX_CALL => {
                let goes_on = self.balance.coast(text);
                goes_on.then(|| self.keyed.coast(self.balance.at().min(len)))
            }
            State::Tags(open) if len <= MAX_CALL => {
                let parameters = &mut self.parameters;
                let at = parameters.at();
                if at < known
                    && let Some(coast) = self.tag.last_goes_on((text, at))
                {
                    return Some(coast);
                }
                let fresh = text.as_bytes().get(known..)?;
                let goes_on = parameters.coast(fresh, known);
                goes_on.then(|| open.coast(len))
            }
            State::Block(block) if len <= options.hold_limit => block.coast(text),
            _ => None,
        }
    }
}

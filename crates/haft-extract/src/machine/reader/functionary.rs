//! Functionary 2's messages, as llama-cpp-python and its own server have them:
//! `<|from|>assistant⏎<|recipient|>N⏎<|content|>{...}`. The tokens before the first recipient are
//! part of the prompt.

use super::inside::Kind;
use super::{Cursor, Reader, State, Step};
use crate::Format;
use crate::scan::More;
use crate::scan::tag::Tag;

/// Ends the header of a message.
const CONTENT: &str = "<|content|>";

/// More bytes than any header has.
const LONGEST: usize = 160;

/// A message to the user at the very beginning.
const ALL: &str = "all\n<|content|>";

impl Reader {
    /// At the very beginning of a reply: a step, if it is a message to the user.
    pub(super) fn message_to_all(&mut self, here: &mut Cursor<'_>) -> Result<Option<Step>, More> {
        if !here.begins(here.text, ALL)? {
            return Ok(None);
        }
        here.markup(ALL);
        Ok(Some(self.take(ALL.len(), State::Line)))
    }

    /// `<|from|>assistant⏎`: markup.
    pub(super) fn sender(&mut self, here: &mut Cursor<'_>, tag: &Tag) -> Step {
        const ROLE: &str = "assistant\n";
        let rest = here.tail(tag.len);
        let word = rest.strip_prefix(' ').unwrap_or(rest);
        if here.begins(word, ROLE).is_err() {
            return self.wait(State::Prose);
        }
        let end = match word.starts_with(ROLE.trim_end()) {
            true => (tag.len + rest.len() - word.len() + ROLE.len()).min(here.text.len()),
            false => tag.len,
        };
        self.content_begins(here, end)
    }

    /// What follows the markup up to `end` is for the user.
    fn content_begins(&mut self, here: &mut Cursor<'_>, end: usize) -> Step {
        here.markup(here.head(end));
        self.line_is_blank = true;
        self.take(end, State::Line)
    }

    /// `<|recipient|>N⏎<|content|>`: a call, or the text for the user.
    pub(super) fn message_to(&mut self, here: &mut Cursor<'_>, tag: &Tag) -> Step {
        let text = here.tail(tag.len);
        let near = text
            .get(..text.floor_char_boundary(LONGEST))
            .unwrap_or(text);
        let token = memchr::memchr(b'<', near.as_bytes());
        let (header, rest) = near.split_at(token.unwrap_or(near.len()));
        let name = header.trim();
        if !rest.starts_with(CONTENT) || name.contains(char::is_whitespace) {
            let may_come = CONTENT.starts_with(rest) && text.len() < LONGEST && !here.finished;
            return match may_come {
                true => self.wait(State::Prose),
                false => self.mention(here),
            };
        }
        let start = tag.len + header.len() + CONTENT.len();
        match here.body(start) {
            _ if name == "all" => self.content_begins(here, start),
            Err(More) => self.wait(State::Prose),
            Ok((body, at)) if body.starts_with('{') => {
                self.format = Format::FunctionaryV32;
                self.open_arguments(here, (name, Kind::Object), at)
            }
            Ok(_) => self.content_begins(here, start),
        }
    }
}

//! Functionary 2's messages, as llama-cpp-python and its own server have them:
//! `<|from|>assistant⏎<|recipient|>N⏎<|content|>{...}`. The tokens before the first recipient are
//! part of the prompt.

use super::arguments::Body;
use super::{Cursor, Reader, Step};
use crate::Format;
use crate::scan::near;
use crate::scan::tag::Tag;

/// Ends the header of a message.
const CONTENT: &str = "<|content|>";

/// More bytes than any header has.
const LONGEST: usize = 160;

/// A message to the user at the very beginning.
pub(super) const ALL: &str = "all\n<|content|>";

impl Reader {
    /// `<|from|>assistant⏎`: markup.
    pub(super) fn sender(&mut self, here: &mut Cursor<'_>, tag: &Tag<'_>) -> Step {
        const ROLE: &str = "assistant\n";
        let rest = here.tail(tag.len);
        let word = rest.strip_prefix(' ').unwrap_or(rest);
        here.begins(word, ROLE)?;
        let end = match word.starts_with(ROLE.trim_end()) {
            true => (tag.len + rest.len() - word.len() + ROLE.len()).min(here.text.len()),
            false => tag.len,
        };
        self.line_after(here, end)
    }

    /// `<|recipient|>N⏎<|content|>`: a call, or the text for the user.
    pub(super) fn message_to(&mut self, here: &mut Cursor<'_>, tag: &Tag<'_>) -> Step {
        let text = here.tail(tag.len);
        let near = near(text, LONGEST);
        let (header, rest) = near.split_at(near.find('<').unwrap_or(near.len()));
        let name = header.trim();
        if text.len() < LONGEST {
            here.begins(rest, CONTENT)?;
        }
        if !rest.starts_with(CONTENT) || name.contains(char::is_whitespace) {
            return self.mention(here);
        }
        let start = tag.len + header.len() + CONTENT.len();
        if name == "all" {
            return self.line_after(here, start);
        }
        let (body, at) = here.body(start)?;
        if !body.starts_with('{') {
            return self.line_after(here, start);
        }
        self.format = Format::FunctionaryV32;
        self.open_call(here, name, Body::Object(at))
    }
}

//! Functionary 2's messages, as llama-cpp-python and its own server have them:
//! `<|from|>assistant⏎<|recipient|>N⏎<|content|>{...}`. The tokens before the first recipient are
//! part of the prompt.

use super::inside::{Kind, behind_blanks};
use super::{Reader, State, Step, Turn};
use crate::Format;
use crate::scan::tag::Tag;

/// Ends the header of a message.
const CONTENT: &str = "<|content|>";

/// More bytes than any header has.
const LONGEST: usize = 160;

/// A message to the user at the very beginning.
const ALL: &str = "all\n<|content|>";

impl Reader {
    /// At the very beginning of a reply: a step, if it is a message to the user or may be one.
    pub(super) fn message_to_all(&mut self, turn: &mut Turn<'_, '_>) -> Option<Step> {
        if turn.text.starts_with(ALL) {
            turn.syntax(ALL);
            return Some(self.take(ALL.len(), State::Line));
        }
        let may_come = ALL.starts_with(turn.text) && !turn.finished;
        may_come.then(|| self.wait(State::Start))
    }

    /// `<|from|>assistant⏎`: markup.
    pub(super) fn sender(&mut self, turn: &mut Turn<'_, '_>, tag: &Tag) -> Step {
        const ROLE: &str = "assistant\n";
        let rest = turn.tail(tag.len);
        let word = rest.strip_prefix(' ').unwrap_or(rest);
        let blank = rest.len() - word.len();
        if ROLE.starts_with(word) && word.len() < ROLE.len() && !turn.finished {
            return self.wait(State::Prose);
        }
        let end = match word.starts_with(ROLE.trim_end()) {
            true => (tag.len + blank + ROLE.len()).min(turn.text.len()),
            false => tag.len,
        };
        turn.syntax(turn.head(end));
        self.line_is_blank = true;
        self.take(end, State::Line)
    }

    /// `<|recipient|>N⏎<|content|>`: a call, or the text for the user.
    pub(super) fn message_to(&mut self, turn: &mut Turn<'_, '_>, tag: &Tag) -> Step {
        let text = turn.tail(tag.len);
        let near = text
            .get(..text.floor_char_boundary(LONGEST))
            .unwrap_or(text);
        let token = memchr::memchr(b'<', near.as_bytes());
        let (header, rest) = near.split_at(token.unwrap_or(near.len()));
        let name = header.trim();
        if !rest.starts_with(CONTENT) || name.contains(char::is_whitespace) {
            let may_come = CONTENT.starts_with(rest) && text.len() < LONGEST && !turn.finished;
            return match may_come {
                true => self.wait(State::Prose),
                false => self.mention(turn),
            };
        }
        let start = tag.len + header.len() + CONTENT.len();
        if name == "all" {
            self.line_is_blank = true;
            turn.syntax(turn.head(start));
            return self.take(start, State::Line);
        }
        let rest = turn.tail(start);
        let body = behind_blanks(rest);
        let at = start + (rest.len() - body.len());
        let name = name.to_owned();
        match body.as_bytes().first() {
            None if !turn.finished => self.wait(State::Prose),
            Some(b'{') => {
                self.format = Format::FunctionaryV32;
                self.open_arguments(turn, (&name, Kind::Object), at)
            }
            _ => {
                self.line_is_blank = true;
                turn.syntax(turn.head(start));
                self.take(start, State::Line)
            }
        }
    }
}

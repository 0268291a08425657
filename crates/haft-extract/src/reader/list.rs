//! A list of calls behind a sentence: `I look it up: [get_weather(city="Oslo")]`.
//!
//! It counts only where it ends the reply: in the middle of a text, calls in brackets are spoken
//! of.

use super::block::{Block, Shape};
use super::line::{is_name_whole, name_length};
use super::{Reader, State, Step, Turn};

/// The longest name of an argument that is looked for.
const MAX_ARGUMENT: usize = 64;

/// More blanks than anyone puts between a sentence and a list.
const MAX_BLANKS: usize = 8;

/// What a look at the beginning of a list came to.
enum Look {
    More,
    No,
    Yes,
}

impl Reader {
    /// The bracket at `at` may open such a list: goes there, or waits to see more of it.
    pub(super) fn list_in_line(&mut self, turn: &mut Turn<'_, '_>, at: usize) -> Option<Step> {
        if turn.byte(at) != Some(b'[') || self.fence > 0 || self.in_fence || self.quiet > 0 {
            return None;
        }
        if turn.tools.is_any() || !self.is_behind_sentence(turn.head(at)) {
            return None;
        }
        match look(turn, turn.tail(at + 1)) {
            Look::No => None,
            Look::More => {
                self.tell_text(turn, turn.head(at));
                self.go(State::Prose);
                Some(match at {
                    0 => Step::More,
                    at => Step::Take(at),
                })
            }
            Look::Yes => {
                self.tell_text(turn, turn.head(at));
                let block = Block::new(0, Shape::List).in_sentence();
                Some(self.take(at, State::Block(Box::new(block))))
            }
        }
    }

    /// True when `head`, or what was told of before it, ends a sentence or announces something.
    fn is_behind_sentence(&self, head: &str) -> bool {
        let is_apart = match head.as_bytes().last() {
            Some(last) => matches!(last, b' ' | 0x80..),
            None => matches!(self.last, b' ' | 0x80..) && !self.line_is_blank,
        };
        let before = head.bytes().rev().take(MAX_BLANKS);
        let sign = before.clone().find(|byte| *byte != b' ');
        let is_all = head.len() < MAX_BLANKS;
        let sign = sign.or(is_all.then_some(self.sign));
        is_apart && sign.is_some_and(|sign| matches!(sign, b'.' | b':' | b'!' | b'?' | 0x80..))
    }
}

/// Whether the name of a bound tool and that of an argument stand at the beginning of `text`:
/// `get_weather(city=`.
fn look(turn: &Turn<'_, '_>, text: &str) -> Look {
    let name = text.get(..name_length(text)).unwrap_or_default();
    if !is_name_whole(text, turn.finished) {
        return match turn.tools.may_bind(text) {
            true => Look::More,
            false => Look::No,
        };
    }
    let Some(inner) = text
        .get(name.len()..)
        .and_then(|rest| rest.strip_prefix('('))
    else {
        return Look::No;
    };
    if !turn.tools.binds(name) {
        return Look::No;
    }
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let argument = inner
        .bytes()
        .take(MAX_ARGUMENT)
        .take_while(is_letter)
        .count();
    match inner.as_bytes().get(argument) {
        None if !turn.finished => Look::More,
        Some(b'=') if argument > 0 => Look::Yes,
        _ => Look::No,
    }
}

//! Calls within a line, which count in text mode.

use super::{Block, Shape};
use crate::calls::name_before;
use crate::machine::reader::line::MAX_NAME;
use crate::machine::reader::{Cursor, Reader, State, Step};

impl Reader {
    /// In text mode a call counts anywhere in a line: one ends at the parenthesis at `at`.
    pub(crate) fn call_in_line(&mut self, here: &mut Cursor<'_>, at: usize) -> Option<Step> {
        let start = self.name_begins(here.head(at), here);
        let name = here.text.get(start..at)?;
        if name.is_empty() || !here.tools.binds(name) || self.quiet > 0 {
            return None;
        }
        self.tell_text(here, here.head(start));
        let block = Block::new(0, Shape::Call).in_sentence(!self.line_is_blank);
        Some(self.take(start, State::Block(Box::new(block))))
    }

    /// Where the name at the end of `text` begins; the end if there is none.
    pub(crate) fn name_begins(&self, text: &str, here: &Cursor<'_>) -> usize {
        // The end of a longer word is no name.
        let near = text.ceil_char_boundary(text.len().saturating_sub(MAX_NAME + 4));
        let name = name_before(text.get(near..).unwrap_or_default());
        if name.len() > MAX_NAME {
            return text.len();
        }
        let start = text.len() - name.len();
        let before = match self.last.is_ascii() {
            true => char::from(self.last),
            false => self.last_char,
        };
        let is_inside =
            start == 0 && (before.is_alphanumeric() || matches!(before, '_' | '.' | '-'));
        let first = name.chars().next().filter(|_| !is_inside);
        let begins = first.is_some_and(|c| c.is_alphabetic() || c == '_');
        match begins && here.tools.may_bind(name) {
            true => start,
            false => text.len(),
        }
    }
}

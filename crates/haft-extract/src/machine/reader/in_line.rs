//! Calls within a line of text: anywhere in text mode, and else behind a sentence whose end the name
//! sticks to, with the object in the next line: `Let me look it up.get_weather⏎{"city": "Oslo"}`.
//!
//! Models whose turn has two channels write so when the mark between them is lost. It counts only
//! where the sentence ends right before the name, the name ends its line, and the object holds
//! nothing but parameters of the tool.

use super::block::{Block, Shape};
use super::{Cursor, Reader, State, Step};
use crate::{ToolSet, calls::name_before, limits, scan::bytes::is_plain};

impl Reader {
    /// The line break at `at` ends a line of text: goes to the call that it stands in, if it does.
    pub(super) fn glued_call(&mut self, here: &mut Cursor<'_>, at: usize) -> Option<Step> {
        let next = here.byte(at + 1);
        let may_be = next == Some(b'{') || (next.is_none() && !here.finished);
        if !may_be || self.quiet > 0 {
            return None;
        }
        let start = self.glued_name(here.head(at), here.tools);
        let start = start.filter(|start| here.tools.binds(here.part(*start, at)))?;
        if next.is_none() {
            return Some(self.take_text(here, start));
        }
        Some(self.candidate_in_line(here, start, Shape::Named))
    }

    /// Where the name of a tool begins that `text` ends with or in, right behind a sentence.
    pub(super) fn glued_name(&self, text: &str, tools: &ToolSet) -> Option<usize> {
        if self.fence.is_some() || tools.is_any() {
            return None;
        }
        let bytes = text.as_bytes();
        let near = bytes.get(bytes.len().saturating_sub(limits::NAME)..)?;
        let is_name = |byte: &&u8| is_plain(**byte) || **byte == b'_';
        let len = near.iter().rev().take_while(is_name).count();
        let start = bytes.len() - len;
        // Of a character beyond ASCII the last byte is none either.
        let before = start.checked_sub(1).and_then(|at| bytes.get(at));
        let before = before.map_or(self.last, |byte| char::from(*byte));
        let is_end = matches!(before, '.' | '!' | '?' | ':' | ')') || !before.is_ascii();
        (len > 0 && is_end && tools.may_bind(text.get(start..)?)).then_some(start)
    }

    /// In text mode a call counts anywhere in a line: one ends at the parenthesis at `at`.
    pub(super) fn call_in_line(&mut self, here: &mut Cursor<'_>, at: usize) -> Option<Step> {
        let start = self.name_begins(here.head(at), here);
        let name = here.text.get(start..at)?;
        if name.is_empty() || !here.tools.binds(name) || self.quiet > 0 {
            return None;
        }
        Some(self.candidate_in_line(here, start, Shape::Call))
    }

    /// What may be a call begins at `start`: one with its object always in a sentence, others there
    /// or alone.
    fn candidate_in_line(&mut self, here: &mut Cursor<'_>, start: usize, shape: Shape) -> Step {
        self.tell_text(here, here.head(start));
        let mut block = Block::new(0, shape);
        block.in_sentence = shape == Shape::Named || !self.line_is_blank;
        self.advance(start, State::Block(Box::new(block)))
    }

    /// Where the name at the end of `text` begins; the end if there is none.
    pub(super) fn name_begins(&self, text: &str, here: &Cursor<'_>) -> usize {
        // The end of a longer word is no name.
        let near = text.ceil_char_boundary(text.len().saturating_sub(limits::NAME + 4));
        let name = name_before(text.get(near..).unwrap_or_default());
        let start = text.len() - name.len();
        let before = self.last;
        let is_inside =
            start == 0 && (before.is_alphanumeric() || matches!(before, '_' | '.' | '-'));
        let begins = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let may_be = begins && !is_inside && name.len() <= limits::NAME;
        let is_begun = may_be && here.tools.may_bind(name);
        if is_begun { start } else { text.len() }
    }
}

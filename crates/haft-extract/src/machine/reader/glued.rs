//! A name that sticks to the end of a sentence, and its object in the next line:
//! `Let me look it up.get_weather⏎{"city": "Oslo"}`.
//!
//! Models whose turn has two channels write so when the mark between them is lost. It counts only
//! where the sentence ends right before the name, the name ends its line, and the object holds
//! nothing but parameters of the tool.

use haft_core::Arguments;

use super::block::{Block, Shape};
use super::line::MAX_NAME;
use super::{Cursor, Reader, State, Step};
use crate::ToolSet;
use crate::arguments::value;
use crate::machine::raw_call::{RawCall, Written};

impl Reader {
    /// The line break at `at` ends a line of text: goes to the call that it stands in, if it does.
    pub(super) fn glued_call(&mut self, here: &mut Cursor<'_>, at: usize) -> Option<Step> {
        let next = here.byte(at + 1);
        let may_be = next == Some(b'{') || (next.is_none() && !here.finished);
        if !may_be || self.quiet > 0 {
            return None;
        }
        let start = self.glued_name(here.head(at), here.tools)?;
        if !here.tools.binds(here.text.get(start..at)?) {
            return None;
        }
        if next.is_none() {
            return Some(self.take_text(here, start));
        }
        self.tell_text(here, here.head(start));
        let block = Block::new(0, Shape::Named).in_sentence(true);
        Some(self.take(start, State::Block(Box::new(block))))
    }

    /// Where the name of a tool begins that `text` ends with or in, right behind a sentence.
    pub(super) fn glued_name(&self, text: &str, tools: &ToolSet) -> Option<usize> {
        let bytes = text.as_bytes();
        let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
        let near = bytes.iter().rev().take(MAX_NAME);
        let len = near.take_while(is_name).count();
        let start = bytes.len() - len;
        let before = match start.checked_sub(1) {
            Some(before) => bytes.get(before).copied()?,
            None => self.last,
        };
        let is_behind =
            len > 0 && (matches!(before, b'.' | b'!' | b'?' | b':' | b')') || before >= 0x80);
        let may_be = is_behind
            && self.fence.is_none()
            && !tools.is_any()
            && tools.may_bind(text.get(start..)?);
        may_be.then_some(start)
    }
}

/// True when all calls have arguments, and none but parameters of their tools.
pub(super) fn have_only_parameters(readings: &[RawCall<'_>], tools: &ToolSet) -> bool {
    readings.iter().all(|found| {
        let are_known = |members: &Arguments| {
            let is_known = |key: &String| tools.has_parameter(&found.name, key);
            !members.is_empty() && members.keys().all(is_known)
        };
        match &found.arguments {
            Written::Object(text) => value::read_value(text, false)
                .is_ok_and(|read| read.value.as_object().is_some_and(are_known)),
            _ => false,
        }
    })
}

//! Kimi's tags, which are made of three tokens: `<|open|>argument key="k"<|sep|>`.

use super::mark::{Mark, MarkKind};
use super::text::Source;
use crate::limits;
use crate::scan::Seen;

/// Ends a tag of Kimi.
const XTML_END: &str = "<|sep|>";

impl<'t> Source<'t> {
    /// `word attributes<|sep|>`, from behind `<|open|>` or `<|close|>`.
    pub(super) fn xtml(&self, start: usize, close: bool) -> Seen<Option<Mark<'t>>> {
        let found = self.find_xtml_end(start);
        let body_end = found.unwrap_or(self.len());
        if body_end - start > limits::HEADER {
            return Ok(None);
        }
        let is_ended = self.begins(body_end, XTML_END)?;
        let body = self.slice(&(start..body_end));
        let (body_end, end) = match body.find('>').filter(|_| found.is_some() && !close) {
            _ if is_ended => (body_end, body_end + XTML_END.len()),
            // Of the token only the bracket may be left.
            Some(bracket) => (start + bracket, start + bracket + 1),
            None => (body_end, body_end),
        };
        let body = self.slice(&(start..body_end)).trim_ascii_start();
        let word = body.bytes().take_while(u8::is_ascii_alphabetic).count();
        let (name, attributes) = body.split_at(word);
        let kind = match (name, close) {
            ("argument", _) => MarkKind::Parameter,
            ("call", _) | ("toolscall", false) => MarkKind::Call,
            ("tools", _) => MarkKind::Wrapper,
            _ => MarkKind::Frame,
        };
        Ok(Some(Mark {
            kind,
            close,
            end,
            damaged: body_end == end,
            barred: true,
            name,
            attributes,
            ..Mark::default()
        }))
    }

    /// The bracket that ends or cuts off the tag of Kimi whose word stands at `start`: one within
    /// quotes does so only if it begins the token that ends such tags.
    pub(super) fn find_xtml_end(&self, start: usize) -> Option<usize> {
        let brackets = memchr::memchr_iter(b'<', self.bytes(start));
        brackets.map(|at| start + at).find(|found| {
            let rest = self.rest(*found);
            let may_end = rest.starts_with(XTML_END) || XTML_END.starts_with(rest);
            let is_far = found - start > limits::HEADER;
            let is_quoted = || self.slice(&(start..*found)).matches('"').count() % 2 == 1;
            may_end || is_far || !is_quoted()
        })
    }
}

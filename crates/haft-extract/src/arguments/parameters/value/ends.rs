//! Where a value may have ended that nothing closed.

use super::{End, Form, OpenValue};
use crate::arguments::parameters::mark::Mark;
use crate::arguments::parameters::text::{PREFIX, Reader};

/// The longest text behind the end of a call that is given up as part of a value when the reply
/// ends: a few closing sentences.
const MAX_AFTERWORD: usize = 16 * 1024;

impl OpenValue {
    /// The one tag that may have ended the value of a reply that ends at `len`.
    pub(super) fn only_end(&self, len: usize) -> Option<End> {
        let end = self.candidate.filter(|_| self.rejected == 1)?;
        (len.saturating_sub(end.resume) <= MAX_AFTERWORD).then_some(end)
    }

    /// True for a special token of another form behind a tag that may have ended the value: it
    /// says no more about that.
    pub(super) fn is_foreign(&self, mark: &Mark) -> bool {
        mark.barred && !self.barred && self.candidate.is_some()
    }

    /// Where the first letters of the closing tag stand at the end of the text.
    pub(super) fn cut_closing_tag(&self, reader: &Reader<'_>) -> Option<usize> {
        let at =
            memchr::memrchr(b'<', reader.text.text.as_bytes()).filter(|at| *at >= self.start)?;
        if !reader.is_cut_tag(at) {
            return None;
        }
        let letters = reader.rest(at).strip_prefix("</")?;
        let letters = letters.trim_start_matches(['|', '\u{FF5C}']);
        let name = match self.form {
            Form::Pair => "arg_value",
            Form::Tag | Form::Element => reader.slice(&self.name),
        };
        // The prefix of the tag is no part of the value either.
        let value = reader.slice(&(self.start..at));
        let end = match value.strip_suffix(PREFIX) {
            Some(value) if self.prefixed => self.start + value.len(),
            _ => at,
        };
        (!letters.is_empty() && name.starts_with(letters)).then_some(end)
    }
}

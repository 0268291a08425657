//! Elements whose content somebody else said: a file, a page or the result of a tool that the model
//! repeats. No call in one is meant, however long the element is.

use std::sync::LazyLock;

use memchr::{memchr3, memmem};

use super::sentence::each;
use super::words::QUOTING;

/// What opens such an element, and what closes it.
static ELEMENTS: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    let elements = each(QUOTING).filter_map(|element| element.split_once(' '));
    elements.collect()
});

/// What is known of the text so far, which is not kept: whether it ends in such an element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Quoted {
    /// What closes the element that is open.
    close: Option<&'static str>,
    /// The text ends within a line.
    is_in_line: bool,
}

impl Quoted {
    /// Takes in the first `len` bytes of the text that follows. An element that counts begins a line,
    /// or all of the text; others may only be spoken of.
    pub(crate) fn take(&mut self, text: &str, len: usize) {
        let mut at = 0;
        while at < len {
            let (before, rest) = text.split_at_checked(at).unwrap_or_default();
            at += match (self.close, memchr3(b'<', b'[', b'\\', rest.as_bytes())) {
                (Some(close), _) => match memmem::find(rest.as_bytes(), close.as_bytes()) {
                    Some(found) if at + found < len => {
                        self.close = None;
                        found + close.len()
                    }
                    _ => break,
                },
                (None, Some(0)) => {
                    let is_it = |open: &str| rest.starts_with(open) && self.begins_line(before);
                    let element = ELEMENTS.iter().find(|element| is_it(element.0));
                    self.close = element.map(|element| element.1);
                    1
                }
                (None, Some(found)) => found,
                (None, None) => break,
            };
        }
        self.is_in_line = !self.begins_line(text.get(..len).unwrap_or_default());
    }

    /// Takes in all of a text behind which a call stands, and says whether the call is in such an
    /// element. One that opens right before the call counts wherever it stands.
    pub(crate) fn holds_call_behind(&mut self, text: &str) -> bool {
        self.take(text, text.len());
        self.is_in_line = false;
        let end = text.trim_end();
        if self.close.is_none() && end.ends_with(['>', ']', '}', '-']) {
            let end = end.trim_end_matches('>');
            let opens = |element: &&(&str, _)| end.ends_with(element.0.trim_end_matches('>'));
            self.close = ELEMENTS.iter().find(opens).map(|element| element.1);
        }
        self.close.is_some()
    }

    fn begins_line(self, before: &str) -> bool {
        match before.trim_end_matches([' ', '\t']) {
            "" => !self.is_in_line,
            before => before.ends_with(['\n', '>']),
        }
    }
}

#[cfg(test)]
mod tests;

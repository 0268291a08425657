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

/// The element that is open where the text so far ends. The text itself is not kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct QuotingElement {
    /// What closes it; nothing where none is open.
    close: Option<&'static str>,
    /// The text ends within a line.
    is_in_line: bool,
}

impl QuotingElement {
    /// Takes in the first `len` bytes of the text that follows. An element that counts begins a line,
    /// or all of the text; others may only be spoken of.
    pub(crate) fn take(&mut self, text: &str, len: usize) {
        let mut at = 0;
        while at < len {
            let rest = text.as_bytes().get(at..).unwrap_or_default();
            let found = match self.close {
                Some(close) => memmem::find(rest, close.as_bytes()),
                None => memchr3(b'<', b'[', b'\\', rest),
            };
            let Some(found) = found.filter(|found| at + found < len) else {
                break;
            };
            let (before, tag) = text.split_at_checked(at + found).unwrap_or_default();
            let opens = |open: &str| tag.starts_with(open) && self.begins_line(before);
            let element = ELEMENTS.iter().find(|element| opens(element.0));
            let opened = element.map(|element| element.1);
            self.close = opened.filter(|_| self.close.is_none());
            at += found + 1;
        }
        self.is_in_line = !self.begins_line(text.get(..len).unwrap_or_default());
    }

    /// The element in which a call right behind `text` stands. One that opens right before the call
    /// counts wherever it stands.
    pub(crate) fn before_call(mut self, text: &str) -> Self {
        self.take(text, text.len());
        self.is_in_line = false;
        let end = text.trim_end();
        if self.close.is_none() && end.ends_with(['>', ']', '}', '-']) {
            let end = end.trim_end_matches('>');
            let opens = |element: &&(&str, _)| end.ends_with(element.0.trim_end_matches('>'));
            self.close = ELEMENTS.iter().find(opens).map(|element| element.1);
        }
        self
    }

    pub(crate) fn is_open(self) -> bool {
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

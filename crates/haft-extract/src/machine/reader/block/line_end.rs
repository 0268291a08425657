//! Where a line ends in text that grows.

use memchr::memchr;

/// The search for the end of one line, that looks at no byte twice.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LineEnd {
    /// The line does not end before here.
    searched: usize,
    end: Option<usize>,
}

impl LineEnd {
    /// The line break that ends the line which `at` stands in; nothing while it has not come.
    /// `text` is the same as before, or longer, and `at` never lies further ahead.
    pub(super) fn find(&mut self, text: &str, at: usize) -> Option<usize> {
        if self.end.is_none_or(|end| end < at) {
            let from = self.searched.max(at);
            let rest = text.as_bytes().get(from..).unwrap_or_default();
            self.end = memchr(b'\n', rest).map(|len| from + len);
            self.searched = self.end.unwrap_or(text.len());
        }
        self.end
    }
}

#[cfg(test)]
mod tests;

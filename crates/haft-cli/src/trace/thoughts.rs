//! Splits streamed reasoning into lines.

/// The maximum length of a line in bytes; reasoning without line ends is split at about this
/// length.
const LONG: usize = 400;

/// The current incomplete line.
#[derive(Debug, Default)]
pub(super) struct Thoughts(String);

impl Thoughts {
    /// Adds a piece and returns the lines that are complete now.
    pub(super) fn push(&mut self, piece: &str) -> Vec<String> {
        self.0.push_str(piece);
        let mut lines: Vec<_> = self.0.split('\n').map(str::to_owned).collect();
        self.0 = lines.pop().unwrap_or_default();
        if self.0.len() > LONG {
            lines.extend(self.finish());
        }
        lines
    }

    /// Returns the rest, if any.
    pub(super) fn finish(&mut self) -> Option<String> {
        Some(std::mem::take(&mut self.0)).filter(|rest| !rest.is_empty())
    }
}

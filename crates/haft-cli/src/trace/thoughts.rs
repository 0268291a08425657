//! A model's thoughts, which come in pieces, as lines.

/// In bytes: a thought without a line end is shown in parts of about this length.
const LONG: usize = 400;

/// What has come of the current line.
#[derive(Debug, Default)]
pub(super) struct Thoughts(String);

impl Thoughts {
    /// Takes a piece and gives the lines that are complete now.
    pub(super) fn push(&mut self, piece: &str) -> Vec<String> {
        self.0.push_str(piece);
        let mut lines: Vec<_> = self.0.split('\n').map(str::to_owned).collect();
        self.0 = lines.pop().unwrap_or_default();
        if self.0.len() > LONG {
            lines.extend(self.finish());
        }
        lines
    }

    /// What is left, if anything.
    pub(super) fn finish(&mut self) -> Option<String> {
        Some(std::mem::take(&mut self.0)).filter(|rest| !rest.is_empty())
    }
}

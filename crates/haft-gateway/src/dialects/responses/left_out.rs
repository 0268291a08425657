//! The parts of a request that are left out, which the client is told.

/// The maximum number of parts that a reply names as left out; a request with more is a mistake.
const MOST_LEFT_OUT: usize = 32;

/// The names of parts that are left out, each once.
#[derive(Debug, Default)]
pub(super) struct LeftOut(Vec<String>);

impl LeftOut {
    /// Notes a part, such as `web_search` of the `tools`.
    pub(super) fn note(&mut self, of: &str, part: &str) {
        let is_plain = |letter: &char| letter.is_ascii_alphanumeric() || "_.-".contains(*letter);
        let part: String = part.chars().filter(is_plain).take(64).collect();
        let name = if of.is_empty() {
            part
        } else {
            format!("{of}.{part}")
        };
        if self.0.len() < MOST_LEFT_OUT && !self.0.contains(&name) {
            self.0.push(name);
        }
    }

    /// All of them, in order.
    pub(super) fn into_names(self) -> Vec<String> {
        self.0
    }
}

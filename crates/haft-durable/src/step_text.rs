//! What came of a step in words.

use crate::recorded_model::{REPLY, reply_text};
use crate::recorded_tool::end_text;
use crate::run::RecordedStep;

impl RecordedStep {
    /// What came of the step in words: the reply or the result of a call. Empty for other steps.
    /// It is untrusted text.
    #[must_use]
    pub fn text(&self) -> String {
        let text = match self.name.as_str() {
            REPLY => reply_text(self),
            name if name.ends_with(" ended") => end_text(self),
            _ => None,
        };
        text.unwrap_or_default()
    }
}

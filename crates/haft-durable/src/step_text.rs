//! What came of a step: in words, and in tokens.

use haft_core::Usage;

use crate::recorded_call::end_text;
use crate::recorded_reply::{REPLY, reply_message, reply_text};
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

    /// The tokens of a reply; `None` for other steps, and where the model server does not count.
    #[must_use]
    pub fn usage(&self) -> Option<Usage> {
        reply_message(self)?.usage
    }
}

//! Replies that may begin inside reasoning, because the model's chat template ends with its start.
//!
//! That is a guess: some servers send reasoning apart, and some models leave it out. A wrong guess
//! must not hide the answer from the user.

use haft_core::ContentBlock;
use haft_extract::{ExtractOptions, Extractor, extract};

use super::{ReplyBuilder, Written};

impl ReplyBuilder {
    /// Corrects the guess when the server sends reasoning apart: its text is text.
    pub(super) fn start_outside(&mut self) {
        let Some(text) = self.guessed.take() else {
            return;
        };
        self.reading.hint.doubt();
        self.blocks.clear();
        self.written.clear();
        let options = self.outside();
        self.extractor = Some(Extractor::new(&self.reading.tools, options));
        self.text(&text);
    }

    /// Corrects the guess at the end of the reply: if all of the text is reasoning that was never
    /// closed, the text is extracted again as if it had begun outside of reasoning.
    pub(super) fn check_guess(&mut self) {
        let Some(text) = self.guessed.take() else {
            return;
        };
        let is_said = |block: &ContentBlock| match block {
            ContentBlock::Text { text } => !text.trim().is_empty(),
            _ => false,
        };
        if !self.written.is_empty() || self.blocks.iter().any(is_said) {
            return;
        }
        let mut found = extract(&self.reading.tools, self.outside(), &text);
        let has_calls = !found.calls.is_empty() || !found.invalid.is_empty();
        if !has_calls && found.content.trim().is_empty() {
            return;
        }
        self.reading.hint.doubt();
        self.blocks.clear();
        if !found.reasoning.is_empty() {
            self.blocks.push(ContentBlock::Thinking {
                thinking: found.reasoning,
                signature: None,
            });
        }
        self.say(&found.content);
        if self.reading.allows_calls && !self.has_native_calls() {
            let quotations = self.reading.quotations.clone();
            found.calls.retain(|call| match quotations.quoted(call) {
                Some(quoted) => {
                    self.quote(quoted);
                    false
                }
                None => true,
            });
            self.announce_all(&found.calls);
        }
        let calls = found.calls.into_iter().map(Ok);
        let invalid = found.invalid.into_iter().map(Err);
        self.written.extend(calls.chain(invalid).map(Written::from));
    }

    fn outside(&self) -> ExtractOptions {
        let mut options = self.reading.text.unwrap_or_default();
        options.starts_thinking = false;
        options
    }
}

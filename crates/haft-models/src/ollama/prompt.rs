//! Detects a prompt that the server truncated.
//!
//! Ollama truncates a prompt that does not fit, oldest messages first, with status 200 and no
//! notice. `truncate: false` disables this, but older servers ignore it. The prompt's token count
//! in the reply reveals it approximately: this check prefers to miss a truncation over a false
//! alarm.

use haft_core::{ModelError, ModelErrorKind};

use super::wire::ChatRequest;

/// More characters per token than text ever has. English has about four; the most regular texts,
/// with repeated characters and white space counted once, stay below this.
pub(crate) const MAX_CHARACTERS_PER_TOKEN: u64 = 8;

/// More characters per token than text usually has; used only with a second indication.
pub(crate) const LIKELY_CHARACTERS_PER_TOKEN: u64 = 6;

/// Shorter prompts fit everywhere: the smallest usual context is 2,048 tokens.
const MIN_CHARACTERS: u64 = 2000;

/// The default context sizes of older and current servers.
const DEFAULTS: [u64; 2] = [2048, 4096];

/// The size of a sent prompt, for comparison with the server's token count.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Prompt {
    /// The characters of the messages as [`characters`] counts them; zero for short prompts.
    characters: u64,
    /// The requested context in tokens.
    context: Option<u32>,
}

impl Prompt {
    /// Measures the prompt of `request`.
    ///
    /// Only content that every chat template includes is counted: no tools, reasoning, images or
    /// earlier calls.
    pub(super) fn of(request: &ChatRequest) -> Self {
        let messages = request.messages.iter();
        Self {
            context: request.options.num_ctx,
            ..Self::of_texts(messages.map(|message| message.content.as_str()))
        }
    }

    /// Measures a prompt of these texts without a requested context.
    pub(super) fn of_texts<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let characters: u64 = texts.map(characters).sum();
        Self {
            characters: if characters < MIN_CHARACTERS {
                0
            } else {
                characters
            },
            context: None,
        }
    }

    /// Fails if the server counted fewer tokens than the prompt can have, or exactly a full
    /// context, which is what a truncated prompt has.
    pub(crate) fn check(self, counted: Option<u64>) -> Result<(), ModelError> {
        // Servers that do not count tokens send nothing or zero.
        let Some(counted) = counted.filter(|counted| *counted > 0 && self.is_cut(*counted)) else {
            return Ok(());
        };
        let likely = self.characters / LIKELY_CHARACTERS_PER_TOKEN;
        Err(ModelError::new(
            ModelErrorKind::ContextOverflow,
            format!(
                "The model server cut the conversation: it read {counted} tokens of about {likely} \
                 or more"
            ),
        )
        .with_hint(
            "give the model a larger context (`num_ctx`, or OLLAMA_CONTEXT_LENGTH for the \
             server), start a new conversation, or bind fewer tools",
        ))
    }

    fn is_cut(self, counted: u64) -> bool {
        if counted < self.characters / MAX_CHARACTERS_PER_TOKEN {
            return true;
        }
        let fills = |context: u64| counted == context || counted + 1 == context;
        let is_full = match self.context {
            Some(context) => fills(context.into()),
            None => DEFAULTS.into_iter().any(fills),
        };
        is_full && counted < self.characters / LIKELY_CHARACTERS_PER_TOKEN
    }
}

/// The number of characters, where a run of white space or of one character counts as one:
/// tokenizers have long tokens for these.
pub(crate) fn characters(text: &str) -> u64 {
    let mut count = 0;
    let mut previous = None;
    for character in text.chars() {
        let character = if character.is_whitespace() {
            ' '
        } else {
            character
        };
        if previous != Some(character) {
            count += 1;
        }
        previous = Some(character);
    }
    count
}

#[cfg(test)]
mod tests;

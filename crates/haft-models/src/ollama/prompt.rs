//! Whether the server read the whole prompt.
//!
//! Ollama cuts a prompt that does not fit, with status 200 and without a word: the oldest
//! messages go first. `truncate: false` asks it not to, but older servers do not know that. The
//! count of prompt tokens in the reply shows it afterwards, if only roughly: this check rather
//! misses a cut than to see one where there is none.

use haft_core::{ModelError, ModelErrorKind};

use super::wire::ChatRequest;

/// More characters than this per token do not occur in text. English has about four; the most
/// regular texts, with blanks and repeated characters counted once, stay below this.
const MAX_CHARACTERS_PER_TOKEN: u64 = 8;

/// Hardly any text has more characters per token than this. It takes a second sign to go by it.
const LIKELY_CHARACTERS_PER_TOKEN: u64 = 6;

/// Shorter prompts fit everywhere: the smallest usual context has 2,048 tokens.
const MIN_CHARACTERS: u64 = 2000;

/// The contexts that servers had by default, before and today.
const DEFAULTS: [u64; 2] = [2048, 4096];

/// What was sent, as far as it can be compared with what was read.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Prompt {
    /// Of the messages, as [`characters`] counts them; none where they are few.
    characters: u64,
    /// The context that was asked for, in tokens.
    context: Option<u32>,
}

impl Prompt {
    /// What `request` sends.
    ///
    /// Only what every chat template passes on is counted: neither tools nor thinking, pictures
    /// or earlier calls.
    pub(super) fn of(request: &ChatRequest) -> Self {
        let messages = request.messages.iter();
        Self {
            context: request.options.num_ctx,
            ..Self::of_texts(messages.map(|message| message.content.as_str()))
        }
    }

    /// What messages with these texts send, where no context is asked for.
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

    /// The error where the server read fewer tokens than the prompt can have, or exactly as many
    /// as a context holds, as it does when it cuts.
    pub(crate) fn check(self, counted: Option<u64>) -> Result<(), ModelError> {
        // Servers that do not count say nothing, or zero.
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

/// Characters, where a run of one character or of blanks counts as one: tokenizers have long
/// tokens for these.
fn characters(text: &str) -> u64 {
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

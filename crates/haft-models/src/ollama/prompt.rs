//! Whether the server read the whole prompt.
//!
//! Ollama cuts a prompt that does not fit, with status 200 and without a word: the oldest
//! messages go first. `truncate: false` asks it not to, but older servers do not know that. The
//! count of prompt tokens in the reply shows it afterwards, if only roughly: this check rather
//! misses a cut than to see one where there is none.

use haft_core::{ModelError, ModelErrorKind};

use super::wire::ChatMessage;

/// More characters than this per token do not occur in text. English has about four; the most
/// regular texts, with blanks and repeated characters counted once, stay below eight.
const MAX_CHARACTERS_PER_TOKEN: u64 = 12;

/// Shorter prompts fit everywhere: the smallest usual context has 2,048 tokens.
const MIN_CHARACTERS: u64 = 2000;

/// The fewest tokens that the messages can have; none where they are short.
///
/// Only what every chat template passes on is counted: neither tools nor thinking, pictures or
/// earlier calls.
pub(super) fn fewest_tokens(messages: &[ChatMessage]) -> u64 {
    let characters: u64 = messages
        .iter()
        .map(|message| characters(&message.content))
        .sum();
    if characters < MIN_CHARACTERS {
        return 0;
    }
    characters / MAX_CHARACTERS_PER_TOKEN
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

/// The error where the server counted fewer tokens than the prompt can have.
pub(super) fn check(fewest: u64, counted: Option<u64>) -> Result<(), ModelError> {
    // Servers that do not count say nothing, or zero.
    let Some(counted) = counted.filter(|counted| *counted > 0 && *counted < fewest) else {
        return Ok(());
    };
    Err(ModelError::new(
        ModelErrorKind::ContextOverflow,
        format!(
            "The model server cut the conversation: it read {counted} tokens of at least {fewest}"
        ),
    )
    .with_hint(
        "give the model a larger context (`num_ctx`, or OLLAMA_CONTEXT_LENGTH for the server), \
         start a new conversation, or bind fewer tools",
    ))
}

#[cfg(test)]
mod tests;

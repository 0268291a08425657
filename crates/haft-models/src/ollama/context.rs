//! How large a context the server is asked for, where nobody has fixed it.
//!
//! The server's own default is often 4,096 tokens, and a prompt beyond it is refused or cut. So
//! the prompt is estimated, and where the default may not do, a context that holds it is asked
//! for. Every change makes the server load the model again: the sizes are few, and they only
//! grow. What the server has loaded already is taken where it is large enough.

use std::future::Future;
use std::sync::atomic::{AtomicU32, Ordering};

use haft_core::estimated_tokens;

use super::wire::ChatRequest;

/// What every server of today has without being asked (`ollama/ollama: docs/context-length.mdx`).
pub(super) const DEFAULT: u32 = 4096;

/// The sizes that are asked for, in tokens. The last one is as far as a home machine is taken
/// unasked: the memory for the context of a model of eight billion parameters is some 4 GB there.
const STEPS: [u32; 3] = [8192, 16_384, 32_768];

/// The smallest context that servers ever had by default. A prompt that fits it with its reply is
/// not helped by more.
const SMALLEST: u64 = 2048;

/// As far as any model of today goes. A client's slip of the pen must not ask for more.
const MOST_WISHED: u32 = 10_000_000;

/// Tokens for a reply whose length is not limited.
pub(super) const REPLY: u64 = 1024;

/// Tokens for what a chat template puts around a message.
pub(super) const AROUND_MESSAGE: u64 = 8;

/// Tokens for a picture; models that look closely take about as many.
const PICTURE: u64 = 1024;

/// The size that is asked for now; nothing at first. Clones of a model share it.
#[derive(Debug, Default)]
pub(super) struct ContextSize(AtomicU32);

impl ContextSize {
    /// The largest context that is asked for, or more where the server has more.
    pub(super) fn most(&self) -> u32 {
        let [.., largest] = STEPS;
        largest.max(self.0.load(Ordering::Relaxed))
    }

    /// Whether the server's own default does so far.
    pub(super) fn is_default(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }

    /// The size to ask for, if any, so that `needed` tokens fit. `loaded` tells how large the
    /// context is that the server has loaded; it is asked only where that matters.
    pub(super) async fn holding<F>(&self, needed: u64, loaded: F) -> Option<u32>
    where
        F: Future<Output = Option<u32>>,
    {
        let asked = self.0.load(Ordering::Relaxed);
        if needed > u64::from(asked.max(DEFAULT)) {
            let there = match asked {
                0 => loaded.await.filter(|there| u64::from(*there) >= needed),
                _ => None,
            };
            self.raise(there.unwrap_or_else(|| step(needed)));
        }
        Some(self.0.load(Ordering::Relaxed)).filter(|size| *size > 0)
    }

    /// Asks for no less than a client wishes from now on. A client that wishes for little gets
    /// what the prompt needs all the same.
    pub(super) fn wish(&self, size: Option<u32>) {
        if let Some(size) = size {
            self.raise(size.min(MOST_WISHED));
        }
    }

    /// Asks for more from now on; false where there is no more, or it would not do either.
    pub(super) fn grow(&self, needed: u64) -> bool {
        let [.., largest] = STEPS;
        let asked = self.0.load(Ordering::Relaxed).max(DEFAULT);
        if asked >= largest || needed > u64::from(largest) || needed < SMALLEST {
            return false;
        }
        self.raise(step(u64::from(asked) + 1));
        true
    }

    fn raise(&self, size: u32) {
        self.0.fetch_max(size, Ordering::Relaxed);
    }
}

/// The smallest step that holds this many tokens, or the largest one.
fn step(needed: u64) -> u32 {
    let [.., largest] = STEPS;
    let fits = |size: &u32| u64::from(*size) >= needed;
    STEPS.into_iter().find(fits).unwrap_or(largest)
}

/// About how many tokens the prompt of `body` and the reply to it have together, where the reply
/// gets `room` times the usual.
pub(super) fn needed(body: &ChatRequest, room: u32) -> u64 {
    let json = |value: Option<String>| value.as_deref().map_or(0, estimated_tokens);
    let messages: u64 = body
        .messages
        .iter()
        .map(|message| {
            let thinking = message.thinking.as_deref().map_or(0, estimated_tokens);
            let calls = serde_json::to_string(&message.tool_calls).ok();
            let calls = calls.filter(|_| !message.tool_calls.is_empty());
            let pictures = u64::try_from(message.images.len()).unwrap_or(u64::MAX);
            estimated_tokens(&message.content)
                .saturating_add(thinking)
                .saturating_add(json(calls))
                .saturating_add(pictures.saturating_mul(PICTURE))
                .saturating_add(AROUND_MESSAGE)
        })
        .fold(0, u64::saturating_add);
    let tools = serde_json::to_string(&body.tools).ok();
    let tools = tools.filter(|_| !body.tools.is_empty());
    let reply = body
        .options
        .num_predict
        .and_then(|most| most.try_into().ok());
    messages
        .saturating_add(json(tools))
        .saturating_add(reply.unwrap_or(REPLY.saturating_mul(room.into())))
}

#[cfg(test)]
mod tests;

//! Chooses the context size to request from the server, if the user has not set one.
//!
//! The server's default is often 4,096 tokens, and longer prompts are refused or truncated. So the
//! prompt's size is estimated, and if the default may be too small, a larger context is requested.
//! Every change makes the server reload the model, so there are few sizes, and they only grow. The
//! size with which the model is loaded is kept if it is large enough.

use std::future::Future;
use std::sync::atomic::{AtomicU32, Ordering};

use haft_core::estimated_tokens;

use super::wire::ChatRequest;

/// The default context of current servers in tokens (`ollama/ollama: docs/context-length.mdx`).
pub(super) const DEFAULT: u32 = 4096;

/// The sizes that are requested, in tokens. The last one is the most that a home machine gets
/// automatically: the context of a model with eight billion parameters takes about 4 GB there.
const STEPS: [u32; 3] = [8192, 16_384, 32_768];

/// The smallest default context of any server version. A prompt and reply that fit into it need no
/// larger one.
const SMALLEST: u64 = 2048;

/// The maximum size that a client may request; larger than any current model supports.
const MOST_WISHED: u32 = 10_000_000;

/// Tokens reserved for a reply without a limit.
pub(super) const REPLY: u64 = 1024;

/// Tokens that a chat template adds to each message.
pub(super) const AROUND_MESSAGE: u64 = 8;

/// Tokens of an image, as high-resolution models need.
const PICTURE: u64 = 1024;

/// The size requested now; zero at first. Clones of a model share it.
#[derive(Debug, Default)]
pub(super) struct ContextSize(AtomicU32);

impl ContextSize {
    /// The largest size that is requested, or the server's if it is larger.
    pub(super) fn most(&self) -> u32 {
        let [.., largest] = STEPS;
        largest.max(self.0.load(Ordering::Relaxed))
    }

    /// Whether the server's default was enough so far.
    pub(super) fn is_default(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }

    /// The size to request so that `needed` tokens fit, if any. `loaded` queries the size with
    /// which the server has loaded the model; it is called only if needed.
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

    /// Raises the size to at least what a client requests. A prompt that needs more still gets
    /// more.
    pub(super) fn wish(&self, size: Option<u32>) {
        if let Some(size) = size {
            self.raise(size.min(MOST_WISHED));
        }
    }

    /// Raises the size for later requests; false if the maximum is reached or too small.
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

/// The smallest size for this many tokens, or the largest one.
fn step(needed: u64) -> u32 {
    let [.., largest] = STEPS;
    let fits = |size: &u32| u64::from(*size) >= needed;
    STEPS.into_iter().find(fits).unwrap_or(largest)
}

/// The approximate number of tokens of the prompt in `body` and its reply, where the reply gets
/// `room` times the usual.
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

//! Raises the token limit after a reply that was truncated.

use haft_core::CallOptions;

/// The factor of the raised limit: a model that used its tokens for reasoning needs several times
/// as many.
const RAISED_MAX_TOKENS_FACTOR: u32 = 4;

/// The limit in tokens to raise if none was set: some servers then stop after a few hundred.
pub(crate) const DEFAULT_MAX_TOKENS: u32 = 4096;

/// By how much these options multiply the usual token limit. A limit of the gateway's client is never
/// exceeded.
pub(crate) fn max_tokens_factor(options: &CallOptions) -> u32 {
    if options.raise_max_tokens && client_limit(options).is_none() {
        RAISED_MAX_TOKENS_FACTOR
    } else {
        1
    }
}

/// The limit on the reply's tokens that the client of a gateway set.
pub(crate) fn client_limit(options: &CallOptions) -> Option<u32> {
    let document = options.client_document.as_ref();
    document.and_then(|document| document.generation.max_tokens)
}

//! Raises the token limit after a reply that was truncated.

use haft_core::CallOptions;

/// The factor of the raised limit: a model that used its tokens for reasoning needs several times
/// as many.
const RAISED_MAX_TOKENS_FACTOR: u32 = 4;

/// The limit in tokens to raise if none was set: some servers then stop after a few hundred.
pub(crate) const DEFAULT_MAX_TOKENS: u32 = 4096;

/// By how much these options multiply the usual token limit.
pub(crate) fn max_tokens_factor(options: &CallOptions) -> u32 {
    if options.raise_max_tokens {
        RAISED_MAX_TOKENS_FACTOR
    } else {
        1
    }
}

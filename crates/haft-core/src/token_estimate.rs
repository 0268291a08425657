//! An estimate of the tokens of a text, without a tokenizer.

/// English has about four bytes to a token, JSON about three, and other scripts have three bytes
/// to a character that is often a token of its own.
const BYTES_PER_TOKEN: u64 = 3;

/// Estimates the number of tokens of `text`, too many rather than too few.
///
/// ```
/// assert_eq!(haft_core::estimated_tokens("Turn on the light"), 6);
/// ```
#[must_use]
pub fn estimated_tokens(text: &str) -> u64 {
    u64::try_from(text.len())
        .unwrap_or(u64::MAX)
        .div_ceil(BYTES_PER_TOKEN)
}

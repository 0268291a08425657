//! How many of the ranked tools are bound.

use std::io::{self, Write};

use super::fields::ToolText;
use super::ranking::{RankedTool, best};

/// Sets of at most so many tools are bound whole: leaving some out saves little and may cost
/// the answer.
const SMALL_SET: usize = 8;

/// A prompt of at most so many tokens is small: all tools are offered.
const SMALL_PROMPT: usize = 1500;

/// Bytes of a definition to a token, for an estimate: JSON with English words.
const BYTES_PER_TOKEN: usize = 4;

/// In bytes: the name and the marks around a definition in a request.
const AROUND: usize = 40;

/// The gap: a tool is bound when it is at least so likely as the best one, times this. A query
/// that says little leaves all tools about as likely, and binds many. Measured in
/// `docs/selection.md`, where larger gaps begin to lose tools that are needed.
const GAP: f32 = 0.0003;

/// At least so many are bound, since a query may need several.
const AT_LEAST: usize = 5;

/// How large a set of tools is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Size {
    /// In tokens, about.
    tokens: Vec<usize>,
}

impl Size {
    pub(crate) fn add(&mut self, tool: &ToolText<'_>) {
        let mut counter = Counter(tool.name.len() + tool.description.len() + AROUND);
        // Counting cannot fail.
        let _ = serde_json::to_writer(&mut counter, tool.parameters);
        self.tokens.push(counter.0.div_ceil(BYTES_PER_TOKEN));
    }

    /// True for a set that is bound whole.
    pub(crate) fn is_small(&self) -> bool {
        self.tokens.len() <= SMALL_SET || self.tokens.iter().sum::<usize>() <= SMALL_PROMPT
    }

    pub(crate) fn tokens(&self, tool: usize) -> usize {
        self.tokens.get(tool).copied().unwrap_or_default()
    }
}

/// Those that are bound, in the order of the set, out of the shares of all.
pub(crate) fn cut(shares: Vec<RankedTool>) -> Vec<RankedTool> {
    let largest = shares
        .iter()
        .fold(0.0f32, |largest, tool| largest.max(tool.share));
    let is_likely = |tool: &&RankedTool| tool.share >= GAP * largest;
    let likely: Vec<_> = shares.iter().filter(is_likely).copied().collect();
    if likely.len() >= AT_LEAST {
        return likely;
    }
    let mut few = best(shares, AT_LEAST);
    few.sort_unstable_by_key(|tool| tool.index);
    few
}

/// Counts bytes.
struct Counter(usize);

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests;

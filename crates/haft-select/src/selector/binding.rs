//! Decides how many of the ranked tools are bound.

use std::io::{self, Write};

use super::fields::ToolText;
use super::ranking::{RankedTool, best};

/// Sets of at most this many tools are always bound completely: withholding saves little and may
/// cost the answer.
const SMALL_SET: usize = 8;

/// Sets whose definitions have at most this many tokens are always bound completely.
const SMALL_PROMPT: usize = 1500;

/// The estimated number of bytes per token of a definition: JSON with English words.
const BYTES_PER_TOKEN: usize = 4;

/// The overhead of a definition in a request in bytes: its name and the JSON around it.
const AROUND: usize = 40;

/// The minimum share of a bound tool, relative to the best one. A query with little information
/// gives all tools similar shares, and so binds many. Measured in `docs/selection.md`, where larger
/// values start to lose needed tools.
const GAP: f32 = 0.0003;

/// The minimum number of bound tools, because a query may need several.
const AT_LEAST: usize = 5;

/// The number of tools for a small model: with more, it takes the first or the last.
const FEW: usize = 4;

#[derive(Clone, Debug, Default)]
pub(crate) struct Size {
    /// The estimated number of tokens of each tool.
    tokens: Vec<usize>,
}

impl Size {
    pub(crate) fn add(&mut self, tool: &ToolText<'_>) {
        let mut counter = Counter(tool.name.len() + tool.description.len() + AROUND);
        // Counting cannot fail.
        let _ = serde_json::to_writer(&mut counter, tool.parameters);
        self.tokens.push(counter.0.div_ceil(BYTES_PER_TOKEN));
    }

    /// True for a set that is always bound completely.
    pub(crate) fn is_small(&self) -> bool {
        self.tokens.len() <= SMALL_SET || self.tokens.iter().sum::<usize>() <= SMALL_PROMPT
    }

    pub(crate) fn tokens(&self, tool: usize) -> usize {
        self.tokens.get(tool).copied().unwrap_or_default()
    }
}

/// The tools to bind, in the order of the set.
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

/// The few best tools for a small model, in the order of the set.
pub(crate) fn nearest(shares: Vec<RankedTool>) -> Vec<usize> {
    let mut few: Vec<usize> = best(shares, FEW).iter().map(|tool| tool.index).collect();
    few.sort_unstable();
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

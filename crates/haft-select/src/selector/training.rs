//! What `examples/selector` and `examples/tool_need` need to learn and to measure. No part of the library for others.

use super::ToolSelector;
use super::fields::{Fields, ToolText};
pub use super::learned::{DIMENSIONS, Learned, Vector};
pub use super::score::SIGNS;
use super::terms::{self, QueryTerms};
use super::tool_need::Asked;
pub use super::tool_need::SIGNS as CALL_SIGNS;

/// What a word in lower case goes by.
#[must_use]
pub fn word_hash(word: &str) -> u32 {
    terms::word_hash(word)
}

/// The words of a query.
#[must_use]
pub fn query_words(query: &str) -> Vec<u32> {
    QueryTerms::of(query).words
}

/// The words of a tool with their weights.
#[must_use]
pub fn tool_words(tool: ToolText<'_>) -> Vec<(u32, f32)> {
    terms::weighted(&Fields::of(&tool))
}

/// A selector that goes by something else than what comes with the program.
#[must_use]
pub fn selector<'a>(
    tools: impl IntoIterator<Item = ToolText<'a>>,
    learned: Learned,
) -> ToolSelector {
    ToolSelector::with(tools, learned)
}

/// Every sign of every tool for a query.
#[must_use]
pub fn signs(selector: &ToolSelector, query: &str) -> [Vec<f32>; SIGNS] {
    selector.shared.scorer.signs(query).0
}

/// What speaks for a call of a tool; `None` for a query that is too long to be judged.
#[must_use]
pub fn call_signs(query: &str, tool: ToolText<'_>) -> Option<[f32; CALL_SIGNS]> {
    Asked::of(query).map(|asked| asked.signs(&tool))
}

/// About how many tokens the definition of a tool takes.
#[must_use]
pub fn tokens(selector: &ToolSelector, tool: usize) -> usize {
    selector.shared.size.tokens(tool)
}

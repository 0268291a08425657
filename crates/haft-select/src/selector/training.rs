//! Functions for `examples/selector` and `examples/tool_need`, which train and measure. Not a part
//! of the public library.

use super::ToolSelector;
use super::fields::{Fields, ToolText};
pub use super::learned::{DIMENSIONS, Learned, Vector};
pub use super::score::SIGNS;
use super::terms::{self, QueryTerms};
use super::tool_need::Asked;
pub use super::tool_need::SIGNS as CALL_SIGNS;

/// The hash of a word in lower case.
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

/// A selector with another model than the embedded one.
#[must_use]
pub fn selector<'a>(
    tools: impl IntoIterator<Item = ToolText<'a>>,
    learned: Learned,
) -> ToolSelector {
    ToolSelector::with(tools, learned)
}

/// The features of every tool for a query.
#[must_use]
pub fn signs(selector: &ToolSelector, query: &str) -> [Vec<f32>; SIGNS] {
    selector.shared.scorer.signs(query).values
}

/// The features for the need of a tool; `None` if the query is too long.
#[must_use]
pub fn call_signs(query: &str, tool: ToolText<'_>) -> Option<[f32; CALL_SIGNS]> {
    Asked::of(query).map(|asked| asked.signs(&tool))
}

/// The estimated number of tokens of a tool's definition.
#[must_use]
pub fn tokens(selector: &ToolSelector, tool: usize) -> usize {
    selector.shared.size.tokens(tool)
}

//! Ranks any set of tools by how well they fit a query, and decides how many to bind.
//!
//! When tools are added: `fields` extracts the texts of a tool, `index` is an inverted index of its
//! words and fragments of words. For a query: `terms` splits it, `kinds` detects the kinds of
//! values in it, `foreign` translates some non-English words, `learned` has vectors of related
//! words, `score` combines all features, and `ranking` turns scores into shares. `binding` decides
//! how many tools are bound, `session` only ever adds tools in a conversation, `search_tools` lets
//! a model search the other tools, and `tool_need` detects whether a query surely needs a tool.

mod binding;
mod fields;
mod foreign;
mod index;
mod kinds;
mod learned;
mod names;
mod ranking;
mod score;
mod search_tools;
mod session;
mod terms;
mod tool_need;
#[doc(hidden)]
pub mod training;

use std::sync::Arc;

pub use self::fields::ToolText;
pub use self::ranking::RankedTool;
pub use self::search_tools::{FoundTool, SearchTools};
pub use self::session::ToolSession;
pub(crate) use self::tool_need::Asked;

use self::binding::Size;
use self::learned::Learned;
use self::ranking::{best, shares};
use self::score::{PerTool, Scorer};

/// Ranks a set of tools by how well they fit a query, and decides which to bind.
///
/// It needs only the tools' definitions and no language model: it compares words and fragments of
/// words, and uses a small table of learned vectors in which "rain" is close to "weather". Created
/// once for a set of tools; clones are cheap and share the index. English; if nothing in a query is
/// understood, no tools are withheld.
///
/// ```
/// use haft_select::{ToolSelector, ToolText};
/// use serde_json::json;
///
/// let (weather, mail) = (
///     json!({"properties": {"city": {"type": "string"}}}),
///     json!({"properties": {"recipient": {"type": "string"}, "text": {"type": "string"}}}),
/// );
/// let selector = ToolSelector::new([
///     ToolText::new("get_weather", "Current weather and forecast", &weather),
///     ToolText::new("send_mail", "Send a message to somebody", &mail),
/// ]);
/// let ranked = selector.rank("Will it rain in Oslo?");
/// assert_eq!(ranked[0].index, 0);
/// ```
#[derive(Clone, Debug)]
pub struct ToolSelector {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    scorer: Scorer,
    size: Size,
    found: Vec<FoundTool>,
}

impl ToolSelector {
    /// Creates a selector. At most the first 4 KiB of each text are read.
    #[must_use]
    pub fn new<'a>(tools: impl IntoIterator<Item = ToolText<'a>>) -> Self {
        Self::with(tools, Learned::embedded().clone())
    }

    fn with<'a>(tools: impl IntoIterator<Item = ToolText<'a>>, learned: Learned) -> Self {
        let (mut size, mut found) = (Size::default(), Vec::new());
        let tools = tools.into_iter().inspect(|tool| {
            size.add(tool);
            found.push(FoundTool::of(tool));
        });
        let scorer = Scorer::new(tools, learned);
        Self {
            shared: Arc::new(Shared {
                scorer,
                size,
                found,
            }),
        }
    }

    /// The number of tools.
    #[must_use]
    pub fn len(&self) -> usize {
        self.shared.scorer.len()
    }

    /// True if there are no tools.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All tools, best first; tools with equal scores in the order of the set.
    #[must_use]
    pub fn rank(&self, query: &str) -> Vec<RankedTool> {
        self.best(query, self.len())
    }

    /// The `count` best tools, best first, or all if there are fewer.
    #[must_use]
    pub fn best(&self, query: &str, count: usize) -> Vec<RankedTool> {
        best(self.shares(query).values, count)
    }

    /// The tools to bind for a single query, best first: enough that the right one is nearly always
    /// among them. All tools of a small set (8 tools, or 1,500 tokens), and all if nothing in the
    /// query is understood.
    #[must_use]
    pub fn fitting(&self, query: &str) -> Vec<RankedTool> {
        best(self.fitting_of(self.shares(query)), usize::MAX)
    }

    /// The indexes of the chosen tools in the order of the set, which is their order in requests.
    #[must_use]
    pub fn bind(&self, query: &str) -> Vec<usize> {
        let fitting = self.fitting_of(self.shares(query));
        fitting.iter().map(|tool| tool.index).collect()
    }

    /// The indexes of the few tools that a query's words have to do with, in the order of the set,
    /// or of all if nothing in the query is understood.
    #[must_use]
    pub fn nearest(&self, query: &str) -> Vec<usize> {
        let shares = self.shares(query);
        if !shares.is_known {
            return (0..self.len()).collect();
        }
        binding::nearest(shares.values)
    }

    /// Starts a conversation, in which tools are only added.
    #[must_use]
    pub fn session(&self) -> ToolSession {
        ToolSession::new(self.clone())
    }

    fn scores(&self, query: &str) -> PerTool<Vec<f32>> {
        self.shared.scorer.scores(query)
    }

    fn shares(&self, query: &str) -> PerTool<Vec<RankedTool>> {
        self.scores(query).map(|scores| shares(&scores))
    }

    /// The tools to bind from these shares, in the order of the set.
    fn fitting_of(&self, shares: PerTool<Vec<RankedTool>>) -> Vec<RankedTool> {
        if !shares.is_known || self.shared.size.is_small() {
            return shares.values;
        }
        binding::cut(shares.values)
    }
}

#[cfg(test)]
mod tests;

//! Which tools a query needs, out of any set of tools.
//!
//! `fields` reads a tool, `index` finds words and fragments of words, `kinds` tells what values a
//! query holds, `foreign` knows a few words that are not English, `learned` knows which words mean
//! the same, `score` adds it all up, `ranking` makes shares of the scores; `binding` decides how many are taken, `session` that tools are
//! only added, `search_tools` lets a model look for the rest, and `tool_need` tells whether a query
//! surely calls for a tool.

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
use self::score::Scorer;

/// Ranks a set of tools by how well they fit a query, and says which to bind.
///
/// Nothing about a tool is needed but its definition, and no model: words and fragments of words
/// are compared, and a small table of learned vectors knows that "rain" has to do with the
/// weather. Made once for a set of tools; cheap to clone, since clones share the index. English;
/// a query of which nothing is understood withholds nothing.
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
    /// Reads the tools. Of a text only the first 4 KiB are read.
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

    /// How many tools there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.shared.scorer.len()
    }

    /// True without any tool.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All tools, best first; those that fit equally well in the order of the set.
    #[must_use]
    pub fn rank(&self, query: &str) -> Vec<RankedTool> {
        self.best(query, self.len())
    }

    /// The `count` best tools, best first, or all when there are fewer.
    #[must_use]
    pub fn best(&self, query: &str, count: usize) -> Vec<RankedTool> {
        best(shares(&self.scores(query).0), count)
    }

    /// The tools to bind for a single query, best first: as many as it takes to have the right
    /// one among them nearly always. All of a small set (8 tools, or 1,500 tokens), and all when
    /// nothing of the query is understood.
    #[must_use]
    pub fn fitting(&self, query: &str) -> Vec<RankedTool> {
        let (scores, is_known) = self.scores(query);
        best(self.fitting_of(shares(&scores), is_known), usize::MAX)
    }

    /// The chosen tools in the order of the set, which is their order in requests.
    #[must_use]
    pub fn bind(&self, query: &str) -> Vec<usize> {
        let (scores, is_known) = self.scores(query);
        let fitting = self.fitting_of(shares(&scores), is_known);
        fitting.iter().map(|tool| tool.index).collect()
    }

    /// Begins a conversation, in which tools are only added.
    #[must_use]
    pub fn session(&self) -> ToolSession {
        ToolSession::new(self.clone())
    }

    /// The score of each tool in the order of the set, and whether the query says anything.
    fn scores(&self, query: &str) -> (Vec<f32>, bool) {
        self.shared.scorer.scores(query)
    }

    /// What fits of these tools, in the order of the set.
    fn fitting_of(&self, shares: Vec<RankedTool>, is_known: bool) -> Vec<RankedTool> {
        if !is_known || self.shared.size.is_small() {
            return shares;
        }
        binding::cut(shares)
    }
}

#[cfg(test)]
mod tests;

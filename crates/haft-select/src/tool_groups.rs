//! Tool groups: which tools an intent needs.
//!
//! A [`ToolGroup`] is a named predicate over tools, with the intents that need it. [`ToolGroups`]
//! selects the groups for a query and decides for each tool whether it is bound, and why. A tool
//! without a group is never withheld here; ranking decides about it. `presets` has the groups for
//! Z-Wave, Home Assistant and Playwright, `pattern` is the predicate.

mod pattern;
mod presets;
mod selection;

pub use pattern::ToolPattern;
pub use presets::Preset;
pub use selection::{Selection, Verdict};

use haft_core::Tool;

use crate::intent::{Classification, Intent, IntentSet, OpenReason};

/// The name that stands for the tools without a group.
pub const REST: &str = "action";

/// The probability from which on an intent is certain.
const SURE: f32 = 0.9;

/// Sets of at most this many tools are bound completely: the accuracy of small models drops beyond
/// ten (Tool-DC, arXiv 2603.11495).
const FEW: usize = 8;

/// The maximum number of tokens of the definitions of such a set.
const FEW_TOKENS: usize = 1500;

/// The estimated number of bytes per token of a definition.
const BYTES_OF_TOKEN: usize = 4;

/// A group of tools, and the queries that need it.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolGroup {
    /// The name, such as `device`.
    pub name: String,
    /// The intents of queries that need the tools.
    pub intents: IntentSet,
    /// If not empty, the query must also contain one of these words, in lower case.
    pub words: Vec<String>,
    /// A tool belongs to the group if one of these patterns matches.
    pub tools: Vec<ToolPattern>,
}

impl ToolGroup {
    /// True if the tool belongs to this group.
    #[must_use]
    pub fn has(&self, tool: &dyn Tool) -> bool {
        self.tools.iter().any(|pattern| pattern.fits(tool))
    }

    fn is_needed(&self, query: &str, intents: IntentSet) -> bool {
        intents.iter().any(|intent| self.intents.contains(intent))
            && (self.words.is_empty() || self.is_mentioned(query))
    }

    fn is_mentioned(&self, query: &str) -> bool {
        // A classified text is short; for a longer one no tools are withheld.
        let query = query.to_lowercase();
        let mut words = query.split(|c: char| !c.is_alphanumeric());
        words.any(|word| self.words.iter().any(|known| known == word))
    }
}

/// All tool groups in use.
///
/// ```
/// use haft_select::{IntentClassifier, ToolGroups};
///
/// let (classifier, tool_groups) = (IntentClassifier::default(), ToolGroups::default());
/// let query = "Turn on the kitchen light";
/// let choice = tool_groups.choose(query, &classifier.classify(query));
/// assert_eq!(choice, Ok(vec!["device"]));
/// let query = "What is the capital of France?";
/// assert_eq!(tool_groups.choose(query, &classifier.classify(query)), Ok(vec![]));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ToolGroups {
    tool_groups: Vec<ToolGroup>,
}

impl Default for ToolGroups {
    /// The groups of every preset.
    fn default() -> Self {
        Self::of(&Preset::ALL)
    }
}

impl ToolGroups {
    /// These groups; a tool in several groups belongs to the first one.
    #[must_use]
    pub const fn new(tool_groups: Vec<ToolGroup>) -> Self {
        Self { tool_groups }
    }

    /// The groups of some presets.
    #[must_use]
    pub fn of(presets: &[Preset]) -> Self {
        Self::new(presets::tool_groups(presets))
    }

    /// The groups, in their order.
    #[must_use]
    pub fn as_slice(&self) -> &[ToolGroup] {
        &self.tool_groups
    }

    /// The group of a tool.
    #[must_use]
    pub fn tool_group_of(&self, tool: &dyn Tool) -> Option<&ToolGroup> {
        self.tool_groups
            .iter()
            .find(|tool_group| tool_group.has(tool))
    }

    /// The names of the groups that a query needs, in their order and with [`REST`] last.
    ///
    /// # Errors
    ///
    /// Not a failure: the reason why no tools are withheld for this query.
    pub fn choose(&self, query: &str, found: &Classification) -> Result<Vec<&str>, OpenReason> {
        if let Some(reason) = found.open() {
            return Err(reason);
        }
        let intents = found.intents();
        let needed = self
            .tool_groups
            .iter()
            .filter(|tool_group| tool_group.is_needed(query, intents));
        let mut names: Vec<&str> = needed.map(|tool_group| tool_group.name.as_str()).collect();
        let is_rest = |intent| matches!(intent, Intent::Action | Intent::Web);
        if intents.iter().any(is_rest) {
            names.push(REST);
        }
        Ok(names)
    }

    /// Decides which of these tools are bound for a query, which are withheld, and which are left
    /// to ranking.
    #[must_use]
    pub fn select<'a>(
        &'a self,
        query: &str,
        found: &Classification,
        tools: &[&'a dyn Tool],
    ) -> Selection<'a> {
        let chosen = if are_few(tools) {
            Err(OpenReason::FewTools)
        } else {
            self.choose(query, found)
        };
        let chosen = match chosen {
            Ok(names) if self.is_lost(&names, found, tools) => Err(OpenReason::NoSuchTool),
            chosen => chosen,
        };
        let verdict = |tool: &dyn Tool| match (self.tool_group_of(tool), &chosen) {
            (None, Ok(_)) => Verdict::Ranked,
            (_, Err(_)) => Verdict::Open,
            (Some(tool_group), Ok(names)) if names.contains(&tool_group.name.as_str()) => {
                Verdict::Bound {
                    tool_group: &tool_group.name,
                }
            }
            (Some(tool_group), Ok(_)) => Verdict::Withheld {
                tool_group: &tool_group.name,
            },
        };
        let verdicts = tools
            .iter()
            .map(|tool| (tool.name(), verdict(*tool)))
            .collect();
        Selection {
            label: found.label(),
            confidence: found.confidence(),
            rule: found.rule(),
            open: chosen.as_ref().err().copied(),
            tool_groups: chosen.unwrap_or_default(),
            verdicts,
        }
    }

    /// True if the query surely needs one of these tools: a rule or the model is certain of its
    /// intent, and a tool belongs to a group for it.
    #[must_use]
    pub fn is_call_due(&self, query: &str, found: &Classification, tools: &[&dyn Tool]) -> bool {
        if found.rule().is_none() && found.confidence() < SURE {
            return false;
        }
        let Ok(names) = self.choose(query, found) else {
            return false;
        };
        let is_due = |tool_group: &ToolGroup| {
            names.contains(&tool_group.name.as_str()) && tool_group.intents.contains(found.label())
        };
        let mut tool_groups = tools.iter().filter_map(|tool| self.tool_group_of(*tool));
        tool_groups.any(is_due)
    }

    /// True if the query needs tools, and none of those that would stay is for it.
    fn is_lost(&self, names: &[&str], found: &Classification, tools: &[&dyn Tool]) -> bool {
        let needs_none = matches!(found.label(), Intent::General | Intent::Chitchat);
        let stays = |tool: &&dyn Tool| match self.tool_group_of(*tool) {
            None => true,
            Some(tool_group) => names.contains(&tool_group.name.as_str()),
        };
        !needs_none && !tools.iter().any(stays)
    }
}

/// True if the set is small in number and in tokens.
pub(crate) fn are_few(tools: &[&dyn Tool]) -> bool {
    if tools.len() > FEW {
        return false;
    }
    let bytes = tools
        .iter()
        .map(|tool| tool.name().len() + tool.description().len() + tool.schema().to_string().len());
    bytes.sum::<usize>() <= FEW_TOKENS * BYTES_OF_TOKEN
}

#[cfg(test)]
mod tests;

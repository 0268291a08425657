//! Tiers: which tools an intent needs.
//!
//! A [`Tier`] is a named predicate over tools, with the intents that need it. [`Tiers`] chooses
//! the tiers of a query and says of each tool whether it is bound, and why. A tool of no tier is
//! never withheld here: ranking decides about it. `presets` knows the tools of Z-Wave, Home
//! Assistant and Playwright, `pattern` the predicate.

mod pattern;
mod presets;
mod selection;

pub use pattern::ToolPattern;
pub use presets::Preset;
pub use selection::{Selection, Verdict};

use haft_core::Tool;

use crate::intent::{Classification, Intent, IntentSet, OpenReason};

/// The name that stands for the tools of no tier.
pub const REST: &str = "action";

/// An intent is certain from this probability on.
const SURE: f32 = 0.9;

/// Sets of at most so many tools are bound whole: small models lose accuracy beyond ten
/// (Tool-DC, arXiv 2603.11495).
const FEW: usize = 8;

/// The definitions of a small set have at most so many tokens.
const FEW_TOKENS: usize = 1500;

/// Bytes of a definition in one token, about.
const BYTES_OF_TOKEN: usize = 4;

/// Some tools, by what they have in common, and the queries that need them.
#[derive(Clone, Debug, PartialEq)]
pub struct Tier {
    /// The name, such as `device`.
    pub name: String,
    /// Queries about one of these need the tools.
    pub intents: IntentSet,
    /// Where there are any, the query must have one of these words too, in lower case.
    pub words: Vec<String>,
    /// A tool is of the tier when one of these fits it.
    pub tools: Vec<ToolPattern>,
}

impl Tier {
    /// True when the tool is one of this tier.
    #[must_use]
    pub fn has(&self, tool: &dyn Tool) -> bool {
        self.tools.iter().any(|pattern| pattern.fits(tool))
    }

    fn is_needed(&self, query: &str, intents: IntentSet) -> bool {
        intents.iter().any(|intent| self.intents.contains(intent))
            && (self.words.is_empty() || self.is_mentioned(query))
    }

    fn is_mentioned(&self, query: &str) -> bool {
        // A classified text is short, or open.
        let query = query.to_lowercase();
        let mut words = query.split(|c: char| !c.is_alphanumeric());
        words.any(|word| self.words.iter().any(|known| known == word))
    }
}

/// All tiers there are.
///
/// ```
/// use haft_select::{IntentClassifier, Tiers};
///
/// let (classifier, tiers) = (IntentClassifier::default(), Tiers::default());
/// let query = "Turn on the kitchen light";
/// let choice = tiers.choose(query, &classifier.classify(query));
/// assert_eq!(choice, Ok(vec!["device"]));
/// let query = "What is the capital of France?";
/// assert_eq!(tiers.choose(query, &classifier.classify(query)), Ok(vec![]));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Tiers {
    tiers: Vec<Tier>,
}

impl Default for Tiers {
    /// Those of every preset.
    fn default() -> Self {
        Self::of(&Preset::ALL)
    }
}

impl Tiers {
    /// These tiers; where a tool is of several, the first one counts.
    #[must_use]
    pub const fn new(tiers: Vec<Tier>) -> Self {
        Self { tiers }
    }

    /// The tiers of some presets.
    #[must_use]
    pub fn of(presets: &[Preset]) -> Self {
        Self::new(presets::tiers(presets))
    }

    /// The tiers, in their order.
    #[must_use]
    pub fn as_slice(&self) -> &[Tier] {
        &self.tiers
    }

    /// The tier of a tool.
    #[must_use]
    pub fn tier_of(&self, tool: &dyn Tool) -> Option<&Tier> {
        self.tiers.iter().find(|tier| tier.has(tool))
    }

    /// The names of the tiers that a query needs, in their order and [`REST`] last.
    ///
    /// # Errors
    ///
    /// Not a failure: why nothing is withheld from this query.
    pub fn choose(&self, query: &str, found: &Classification) -> Result<Vec<&str>, OpenReason> {
        if let Some(reason) = found.open() {
            return Err(reason);
        }
        let intents = found.intents();
        let needed = self
            .tiers
            .iter()
            .filter(|tier| tier.is_needed(query, intents));
        let mut names: Vec<&str> = needed.map(|tier| tier.name.as_str()).collect();
        let is_rest = |intent| matches!(intent, Intent::Action | Intent::Web);
        if intents.iter().any(is_rest) {
            names.push(REST);
        }
        Ok(names)
    }

    /// Which of these tools are bound to a query, which are withheld, and which are left to
    /// ranking.
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
        let verdict = |tool: &dyn Tool| match (self.tier_of(tool), &chosen) {
            (None, Ok(_)) => Verdict::Ranked,
            (_, Err(_)) => Verdict::Open,
            (Some(tier), Ok(names)) if names.contains(&tier.name.as_str()) => {
                Verdict::Bound { tier: &tier.name }
            }
            (Some(tier), Ok(_)) => Verdict::Withheld { tier: &tier.name },
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
            tiers: chosen.unwrap_or_default(),
            verdicts,
        }
    }

    /// True when the query surely needs one of these tools: a rule or the numbers are certain of its
    /// intent, and they have one of the tier for it.
    #[must_use]
    pub fn is_call_due(&self, query: &str, found: &Classification, tools: &[&dyn Tool]) -> bool {
        if found.rule().is_none() && found.confidence() < SURE {
            return false;
        }
        let Ok(names) = self.choose(query, found) else {
            return false;
        };
        let is_due = |tier: &Tier| {
            names.contains(&tier.name.as_str()) && tier.intents.contains(found.label())
        };
        let mut tiers = tools.iter().filter_map(|tool| self.tier_of(*tool));
        tiers.any(is_due)
    }

    /// True when the query needs tools, and there is none for it among those that would stay.
    fn is_lost(&self, names: &[&str], found: &Classification, tools: &[&dyn Tool]) -> bool {
        let needs_none = matches!(found.label(), Intent::General | Intent::Chitchat);
        let stays = |tool: &&dyn Tool| match self.tier_of(*tool) {
            None => true,
            Some(tier) => names.contains(&tier.name.as_str()),
        };
        !needs_none && !tools.iter().any(stays)
    }
}

/// Few in number and in what they cost.
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

//! The tools of one conversation. They are only ever added, so that each request begins like the
//! last one and the server's prompt cache can be used.

use super::ToolSelector;
use super::ranking::{RankedTool, shares};
use super::score::PerTool;
use crate::intent::Intent;
use crate::tool_groups::{REST, Selection, Verdict};

/// The weight of earlier queries in the score of the next one: "and tomorrow?" continues the same
/// subject. Chosen so that a complete question outweighs it.
const CARRIED: f32 = 0.3;

/// A tool without a group is added to those of the query's groups if its share is at least this
/// fraction of the best tool's.
const ASKED_FOR: f32 = 0.3;

/// The tools of a conversation.
///
/// ```
/// use haft_select::{ToolSelector, ToolText};
/// use serde_json::json;
///
/// let none = json!({});
/// let names: Vec<_> = (0..40).map(|n| format!("tool_{n}")).collect();
/// let text = "does one of very many things ".repeat(20);
/// let tools = names.iter().map(|name| ToolText::new(name, &text, &none));
/// let mut session = ToolSelector::new(tools).session();
/// let first = session.bind("do one thing").to_vec();
/// assert!(session.bind("and another").starts_with(&first));
/// ```
#[derive(Clone, Debug)]
pub struct ToolSession {
    selector: ToolSelector,
    /// The bound tools in their order in requests.
    bound: Vec<usize>,
    /// Whether each tool of the set is bound.
    is_bound: Vec<bool>,
    /// The decaying scores of earlier queries.
    before: Vec<f32>,
}

impl ToolSession {
    pub(super) fn new(selector: ToolSelector) -> Self {
        Self {
            is_bound: vec![false; selector.len()],
            selector,
            bound: Vec::new(),
            before: Vec::new(),
        }
    }

    /// Adds the tools that the next query needs, in the order of the set, and returns all bound
    /// tools.
    pub fn bind(&mut self, query: &str) -> &[usize] {
        if self.bound.len() == self.selector.len() {
            return &self.bound;
        }
        let shares = self.shares(query);
        let fitting = self.selector.fitting_of(shares);
        self.add(fitting.iter().map(|tool| tool.index).collect())
    }

    /// Binds tools for a query whose tool groups were selected before: tools in groups are bound or
    /// withheld, and ranking decides about the others.
    pub(crate) fn bind_selected(&mut self, query: &str, selection: &Selection<'_>) {
        if self.bound.len() == self.selector.len() {
            return;
        }
        let PerTool {
            values: mut shares,
            is_known,
        } = self.shares(query);
        let largest = shares.iter().map(|tool| tool.share).fold(0.0, f32::max);
        let verdict = |tool: usize| selection.verdicts.get(tool).map(|(_, verdict)| *verdict);
        let is_bound = |tool: &usize| matches!(verdict(*tool), Some(Verdict::Bound { .. }));
        let mut tools: Vec<usize> = (0..self.selector.len()).filter(is_bound).collect();
        let is_ranked = |tool: &RankedTool| {
            let verdict = verdict(tool.index);
            matches!(verdict, Some(Verdict::Ranked | Verdict::Open))
        };
        shares.retain(is_ranked);
        if !tools.is_empty() && !selection.tool_groups.contains(&REST) {
            // Queries for timers and calendars look like questions for the time, whose tool cannot
            // answer them.
            let is_plain = selection.label == Intent::Datetime && selection.rule.is_some();
            shares.retain(|tool| !is_plain && tool.share >= ASKED_FOR * largest);
        } else {
            shares = self.selector.fitting_of(PerTool {
                values: shares,
                is_known,
            });
        }
        tools.extend(shares.iter().map(|tool| tool.index));
        tools.sort_unstable();
        self.add(tools);
    }

    /// The shares of all tools, given all queries so far.
    fn shares(&mut self, query: &str) -> PerTool<Vec<RankedTool>> {
        let mut scores = self.selector.scores(query);
        for (score, before) in scores.values.iter_mut().zip(&self.before) {
            *score += CARRIED * before;
            scores.is_known = true;
        }
        self.before.clone_from(&scores.values);
        scores.map(|scores| shares(&scores))
    }

    /// Binds a tool regardless of queries: a model has found it, or it is always needed.
    pub fn pin(&mut self, tool: usize) {
        if tool < self.selector.len() {
            self.add(vec![tool]);
        }
    }

    /// The bound tools, in the order in which they were added.
    #[must_use]
    pub fn bound(&self) -> &[usize] {
        &self.bound
    }

    /// The estimated number of tokens of definitions that a request saves.
    #[must_use]
    pub fn tokens_saved(&self) -> usize {
        let size = &self.selector.shared.size;
        let tokens = |tools: &mut dyn Iterator<Item = usize>| -> usize {
            tools.map(|tool| size.tokens(tool)).sum()
        };
        tokens(&mut (0..self.selector.len())) - tokens(&mut self.bound.iter().copied())
    }

    /// Adds tools in their order, unless they are bound already.
    fn add(&mut self, mut tools: Vec<usize>) -> &[usize] {
        tools.retain(|tool| !self.is_bound.get(*tool).copied().unwrap_or(true));
        for tool in &tools {
            if let Some(is_bound) = self.is_bound.get_mut(*tool) {
                *is_bound = true;
            }
        }
        self.bound.append(&mut tools);
        &self.bound
    }
}

#[cfg(test)]
mod tests;

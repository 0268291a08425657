//! The tools of one conversation: only ever added to, so that each request begins like the last
//! and the server's prompt cache holds.

use super::ToolSelector;
use super::ranking::{RankedTool, shares};
use crate::intent::Intent;
use crate::tool_groups::{REST, Selection, Verdict};

/// How much of what was asked before counts with the next query: "and tomorrow?" goes on about
/// the same. Chosen so that what a full question says outweighs it.
const CARRIED: f32 = 0.3;

/// A tool of no tool_group joins those of the tool_groups of a query when it is at least so likely as the
/// best tool of all, times this.
const ASKED_FOR: f32 = 0.3;

/// Which tools a conversation has.
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
    /// In the order in which they stand in requests.
    bound: Vec<usize>,
    /// For each tool of the set.
    is_bound: Vec<bool>,
    /// Scores of what was asked before, fading.
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

    /// Adds the tools that the next query needs, those of one query in the order of the set, and
    /// returns all that are bound now.
    pub fn bind(&mut self, query: &str) -> &[usize] {
        if self.bound.len() == self.selector.len() {
            return &self.bound;
        }
        let (shares, is_known) = self.shares(query);
        let fitting = self.selector.fitting_of(shares, is_known);
        self.add(fitting.iter().map(|tool| tool.index).collect())
    }

    /// Binds tools for a query whose tool groups were selected first: the tools of groups are bound
    /// or left out, and ranking decides about the others.
    pub(crate) fn bind_selected(&mut self, query: &str, selection: &Selection<'_>) {
        if self.bound.len() == self.selector.len() {
            return;
        }
        let (mut shares, is_known) = self.shares(query);
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
            // Timers and calendars sound like a question for the time, and cannot answer it.
            let is_plain = selection.label == Intent::Datetime && selection.rule.is_some();
            shares.retain(|tool| !is_plain && tool.share >= ASKED_FOR * largest);
        } else {
            shares = self.selector.fitting_of(shares, is_known);
        }
        tools.extend(shares.iter().map(|tool| tool.index));
        tools.sort_unstable();
        self.add(tools);
    }

    /// How likely each tool is, after all that was asked, and whether that says anything.
    fn shares(&mut self, query: &str) -> (Vec<RankedTool>, bool) {
        let (mut scores, mut is_known) = self.selector.scores(query);
        for (score, before) in scores.iter_mut().zip(&self.before) {
            *score += CARRIED * before;
            is_known = true;
        }
        let shares = shares(&scores);
        self.before = scores;
        (shares, is_known)
    }

    /// Binds a tool whatever is asked: a model has found it, or it is always wanted.
    pub fn pin(&mut self, tool: usize) {
        if tool < self.selector.len() {
            self.add(vec![tool]);
        }
    }

    /// What is bound, in the order in which it was added.
    #[must_use]
    pub fn bound(&self) -> &[usize] {
        &self.bound
    }

    /// About how many tokens of definitions a request is spared.
    #[must_use]
    pub fn tokens_saved(&self) -> usize {
        let size = &self.selector.shared.size;
        let tokens = |tools: &mut dyn Iterator<Item = usize>| -> usize {
            tools.map(|tool| size.tokens(tool)).sum()
        };
        tokens(&mut (0..self.selector.len())) - tokens(&mut self.bound.iter().copied())
    }

    /// In their order, without those that are bound already.
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

//! Computes the share of a tool's name that a query contains.

use std::collections::HashMap;

/// Tools by the words of their names.
#[derive(Debug, Default)]
pub(crate) struct Names(HashMap<u32, Vec<(usize, f32)>>);

impl Names {
    pub(crate) fn add(&mut self, tool: usize, words: impl Iterator<Item = u32>) {
        let mut words: Vec<_> = words.collect();
        words.sort_unstable();
        words.dedup();
        let share = (words.len() as f32).recip();
        for word in words {
            self.0.entry(word).or_default().push((tool, share));
        }
    }

    /// Adds to the score of each tool the share of its name that is among the words.
    pub(crate) fn score(&self, words: &[u32], scores: &mut [f32]) {
        for (tool, share) in words.iter().filter_map(|word| self.0.get(word)).flatten() {
            if let Some(score) = scores.get_mut(*tool) {
                *score += share;
            }
        }
    }
}

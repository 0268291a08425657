//! Turns scores into shares, and finds the best tools.

/// A tool with its share.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RankedTool {
    /// Its index in the set.
    pub index: usize,
    /// The estimated probability that it is the needed tool; the sum over a set is 1.
    pub share: f32,
}

/// The shares for these scores, in the order of the set (softmax).
pub(super) fn shares(scores: &[f32]) -> Vec<RankedTool> {
    let largest = scores
        .iter()
        .fold(f32::MIN, |largest, score| largest.max(*score));
    let chances = scores.iter().map(|score| (score - largest).exp());
    let mut shares: Vec<_> = chances
        .enumerate()
        .map(|(index, share)| RankedTool { index, share })
        .collect();
    let sum: f32 = shares.iter().map(|tool| tool.share).sum();
    for tool in &mut shares {
        tool.share /= sum;
    }
    shares
}

/// The best tools, best first. Sorts only as much as necessary.
pub(super) fn best(mut shares: Vec<RankedTool>, count: usize) -> Vec<RankedTool> {
    let order =
        |a: &RankedTool, b: &RankedTool| b.share.total_cmp(&a.share).then(a.index.cmp(&b.index));
    if count < shares.len() {
        shares.select_nth_unstable_by(count, order);
        shares.truncate(count);
    }
    shares.sort_unstable_by(order);
    shares
}

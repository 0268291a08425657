//! From scores to shares, and the best of them.

/// A tool and how well it fits.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RankedTool {
    /// Its place in the set.
    pub index: usize,
    /// About how likely it is the one that is needed; all of a set add up to 1.
    pub share: f32,
}

/// Scores as shares, in the order of the set.
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

/// The best of them, best first. Sorts no more than it must.
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

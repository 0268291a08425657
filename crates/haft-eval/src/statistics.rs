//! Confidence intervals and percentiles.

use serde::Serialize;

/// The quantile of the normal distribution for 95 %.
const Z: f64 = 1.959_963_985;

/// The number of bootstrap resamples: the bounds are stable to about a tenth of the interval's
/// width, and a thousand cases take a few milliseconds.
const RESAMPLES: usize = 2000;

/// A 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// Wilson's score interval for `hits` successes out of `of`, which is also valid for small
/// samples and shares near 0 and 1 (E. B. Wilson, 1927).
///
/// ```
/// let interval = haft_eval::wilson(28, 50);
/// assert!((interval.low - 0.423).abs() < 0.001 && (interval.high - 0.688).abs() < 0.001);
/// ```
#[must_use]
pub fn wilson(hits: usize, of: usize) -> Interval {
    if of == 0 {
        return Interval {
            low: 0.0,
            high: 1.0,
        };
    }
    let (n, share) = (of as f64, hits as f64 / of as f64);
    let centre = share + Z * Z / (2.0 * n);
    let margin = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z * Z / n;
    Interval {
        low: ((centre - margin) / scale).max(0.0),
        high: ((centre + margin) / scale).min(1.0),
    }
}

/// The bootstrap percentile interval of the mean of paired differences. Deterministic.
pub(crate) fn bootstrap(differences: &[f64]) -> Interval {
    if differences.is_empty() {
        return Interval {
            low: 0.0,
            high: 0.0,
        };
    }
    let mut random = Random::new(0);
    let mut means: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            let drawn = (0..differences.len())
                .filter_map(|_| differences.get(random.below(differences.len())));
            drawn.sum::<f64>() / differences.len() as f64
        })
        .collect();
    means.sort_by(f64::total_cmp);
    let at = |share: f64| percentile(&means, share).unwrap_or(0.0);
    Interval {
        low: at(0.025),
        high: at(0.975),
    }
}

/// The nearest-rank percentile of sorted values, with `share` from 0 to 1; `None` if empty.
///
/// ```
/// assert_eq!(haft_eval::percentile(&[1, 2, 3, 4], 0.5), Some(2));
/// assert_eq!(haft_eval::percentile(&[1, 2, 3, 4], 0.95), Some(4));
/// ```
#[must_use]
pub fn percentile<T: Copy>(sorted: &[T], share: f64) -> Option<T> {
    let rank = (share.clamp(0.0, 1.0) * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied()
}

/// A pseudo-random number generator with a seed (SplitMix64, G. L. Steele and others, 2014).
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// From 0 up to, but not including, 1.
    pub(crate) fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// From 0 up to, but not including, `limit`; 0 for 0.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        ((self.share() * limit as f64) as usize).min(limit.saturating_sub(1))
    }
}

#[cfg(test)]
mod tests;

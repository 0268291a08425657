//! Quantises a model: each weight becomes the nearest of sixteen levels.

use haft_select::intent::training::Training;

use crate::fit::{CLASSES, Model};

const LEVELS: usize = 16;
const ROUNDS: usize = 40;

/// The file of the classifier. The levels are fitted to the weights (Lloyd's algorithm); large
/// weights have more influence because they matter more.
pub(crate) fn pack(model: &Model, known: Vec<String>) -> Vec<u8> {
    // A part that is common to all classes has no effect.
    let rows: Vec<[f32; CLASSES]> = model
        .rows
        .iter()
        .map(|row| {
            let mean = row.iter().sum::<f32>() / CLASSES as f32;
            row.map(|weight| weight - mean)
        })
        .collect();
    let levels = levels(&rows);
    let nearest = |weight: f32| {
        let distance = |level: &usize| (levels[*level] - weight).abs();
        let level = (0..LEVELS).min_by(|a, b| distance(a).total_cmp(&distance(b)));
        level.unwrap_or(0) as u8
    };
    Training {
        rows: rows.iter().map(|row| row.map(nearest)).collect(),
        bias: model.bias,
        known,
        levels,
    }
    .to_bytes()
}

fn levels(rows: &[[f32; CLASSES]]) -> Vec<f32> {
    let mut weights: Vec<f32> = rows.iter().flatten().copied().collect();
    weights.sort_by(f32::total_cmp);
    let middle = |level: usize| weights[(2 * level + 1) * weights.len() / (2 * LEVELS)];
    let mut levels: Vec<f32> = (0..LEVELS).map(middle).collect();
    for _ in 0..ROUNDS {
        let (mut sums, mut masses) = ([0.0_f64; LEVELS], [0.0_f64; LEVELS]);
        let mut level = 0;
        for weight in &weights {
            // Both are sorted, so the nearest level only moves forward.
            while level + 1 < LEVELS
                && (levels[level + 1] - weight).abs() <= (levels[level] - weight).abs()
            {
                level += 1;
            }
            let mass = f64::from(weight.abs());
            sums[level] += mass * f64::from(*weight);
            masses[level] += mass;
        }
        for (level, value) in levels.iter_mut().enumerate() {
            if masses[level] > 0.0 {
                *value = (sums[level] / masses[level]) as f32;
            }
        }
    }
    levels
}

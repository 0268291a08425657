//! Learns the weight of each feature: minimises the cross entropy of the shares over all tools of a
//! pool.

use haft_select::ToolSelector;
use haft_select::selector::training::{SIGNS, signs};

use crate::data::Case;

const STEPS: usize = 400;
const RATE: f32 = 0.05;
/// The number of wrong tools with the largest features that are used.
const WRONG: usize = 200;

/// The features of the right tools of a question, and of the likeliest wrong ones.
pub(crate) struct Lesson {
    right: Vec<[f32; SIGNS]>,
    wrong: Vec<[f32; SIGNS]>,
}

impl Lesson {
    pub(crate) fn of(selector: &ToolSelector, case: &Case) -> Self {
        let signs = signs(selector, &case.query);
        let row = |tool: usize| std::array::from_fn(|sign| signs[sign][tool]);
        let rough = |tool: &usize| signs[0][*tool] + 0.6 * signs[1][*tool] + signs[7][*tool];
        let mut wrong: Vec<usize> = (0..selector.len())
            .filter(|tool| !case.gold.contains(tool))
            .collect();
        wrong.sort_by(|a, b| rough(b).total_cmp(&rough(a)));
        wrong.truncate(WRONG);
        Self {
            right: case.gold.iter().map(|tool| row(*tool)).collect(),
            wrong: wrong.into_iter().map(row).collect(),
        }
    }
}

/// The weights that maximise the shares of the right tools.
pub(crate) fn weigh(lessons: &[&Lesson]) -> [f32; SIGNS] {
    let scale = deviations(lessons);
    let mut weights = [0.3f32; SIGNS];
    let (mut mean, mut square) = ([0.0f32; SIGNS], [0.0f32; SIGNS]);
    for step in 1..=STEPS {
        let mut slope = [0.0f32; SIGNS];
        for lesson in lessons {
            add_slope(lesson, &weights, &scale, &mut slope);
        }
        let step = i32::try_from(step).unwrap_or(i32::MAX);
        for at in 0..SIGNS {
            let slope = slope[at] / lessons.len() as f32 + 0.001 * weights[at];
            mean[at] = 0.9 * mean[at] + 0.1 * slope;
            square[at] = 0.999 * square[at] + 0.001 * slope * slope;
            let (first, second) = (1.0 - 0.9f32.powi(step), 1.0 - 0.999f32.powi(step));
            weights[at] -= RATE * (mean[at] / first) / ((square[at] / second).sqrt() + 1e-8);
        }
    }
    std::array::from_fn(|at| weights[at] / scale[at])
}

fn add_slope(
    lesson: &Lesson,
    weights: &[f32; SIGNS],
    scale: &[f32; SIGNS],
    slope: &mut [f32; SIGNS],
) {
    let score = |row: &[f32; SIGNS]| -> f32 {
        (0..SIGNS).map(|at| weights[at] * row[at] / scale[at]).sum()
    };
    let rows: Vec<_> = lesson.right.iter().chain(&lesson.wrong).collect();
    let mut shares: Vec<f32> = rows.iter().map(|row| score(row)).collect();
    let largest = shares
        .iter()
        .fold(f32::MIN, |largest, share| largest.max(*share));
    let sum: f32 = shares
        .iter_mut()
        .map(|share| {
            *share = (*share - largest).exp();
            *share
        })
        .sum();
    for (at, (row, share)) in rows.iter().zip(&shares).enumerate() {
        let wanted = if at < lesson.right.len() {
            1.0 / lesson.right.len() as f32
        } else {
            0.0
        };
        for sign in 0..SIGNS {
            slope[sign] += (share / sum - wanted) * row[sign] / scale[sign];
        }
    }
}

/// The standard deviation of each feature.
fn deviations(lessons: &[&Lesson]) -> [f32; SIGNS] {
    let rows = || {
        lessons
            .iter()
            .flat_map(|lesson| lesson.right.iter().chain(&lesson.wrong))
    };
    let count = rows().count() as f32;
    std::array::from_fn(|at| {
        let mean = rows().map(|row| row[at]).sum::<f32>() / count;
        let square = rows().map(|row| (row[at] - mean).powi(2)).sum::<f32>() / count;
        square.sqrt().max(1e-6)
    })
}

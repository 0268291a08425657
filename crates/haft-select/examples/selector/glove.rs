//! The initial vectors: GloVe's (Pennington, Socher and Manning 2014; `glove.6B.50d.txt`, public
//! domain under PDDL 1.0), rotated to their principal components and truncated.

use std::collections::HashMap;
use std::path::Path;

use haft_select::selector::training::{DIMENSIONS, Vector, query_words};

use crate::data::Fallible;

/// The number of dimensions in the file.
const GIVEN: usize = 50;

/// The number of words that are used; they are sorted by frequency.
const FREQUENT: usize = 60_000;

/// The vector of each word in the file, most frequent first.
pub(crate) fn read(file: &Path) -> Fallible<Vec<(u32, Vector)>> {
    let mut sums: HashMap<u32, ([f64; GIVEN], f64)> = HashMap::new();
    let mut order = Vec::new();
    let text = std::fs::read_to_string(file)?;
    for (rank, line) in text.lines().take(FREQUENT).enumerate() {
        let mut parts = line.split(' ');
        let word = parts.next().unwrap_or_default();
        if word.len() < 2 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
            continue;
        }
        let &[hash] = query_words(word).as_slice() else {
            continue;
        };
        // Frequencies are roughly proportional to the inverse rank.
        let weight = 1.0 / (rank as f64 + 10.0);
        let (sum, weights) = sums.entry(hash).or_insert_with(|| {
            order.push(hash);
            ([0.0; GIVEN], 0.0)
        });
        for (sum, number) in sum.iter_mut().zip(parts) {
            *sum += weight * number.parse::<f64>()?;
        }
        *weights += weight;
    }
    let rows: Vec<[f64; GIVEN]> = order
        .iter()
        .map(|hash| {
            let (sum, weights) = sums[hash];
            sum.map(|number| number / weights)
        })
        .collect();
    Ok(order.into_iter().zip(turned(rows)).collect())
}

/// Centres the vectors, rotates them to their principal components without the first one, which
/// only separates frequent from rare words, truncates them, and scales them to length 1.
fn turned(mut rows: Vec<[f64; GIVEN]>) -> Vec<Vector> {
    let count = rows.len() as f64;
    let mut mean = [0.0; GIVEN];
    for row in &rows {
        for (mean, number) in mean.iter_mut().zip(row) {
            *mean += number / count;
        }
    }
    let mut spread = [[0.0; GIVEN]; GIVEN];
    for row in &mut rows {
        for (number, mean) in row.iter_mut().zip(mean) {
            *number -= mean;
        }
        for (line, a) in spread.iter_mut().zip(*row) {
            for (cell, b) in line.iter_mut().zip(*row) {
                *cell += a * b / count;
            }
        }
    }
    let directions = directions(spread);
    rows.iter()
        .map(|row| {
            let mut vector = [0.0f32; DIMENSIONS];
            for (number, direction) in vector.iter_mut().zip(directions.iter().skip(1)) {
                *number = row.iter().zip(direction).map(|(a, b)| a * b).sum::<f64>() as f32;
            }
            let length = vector
                .iter()
                .map(|number| number * number)
                .sum::<f32>()
                .sqrt();
            vector.map(|number| number / length)
        })
        .collect()
}

/// The principal components, by power iteration.
fn directions(mut spread: [[f64; GIVEN]; GIVEN]) -> Vec<[f64; GIVEN]> {
    let mut found = Vec::new();
    for start in 0..=DIMENSIONS {
        let mut direction = [0.1; GIVEN];
        direction[start] = 1.0;
        let mut length = 0.0;
        for _ in 0..300 {
            let next =
                spread.map(|line| line.iter().zip(direction).map(|(a, b)| a * b).sum::<f64>());
            length = next
                .iter()
                .map(|number| number * number)
                .sum::<f64>()
                .sqrt();
            direction = next.map(|number| number / length);
        }
        for (line, a) in spread.iter_mut().zip(direction) {
            for (cell, b) in line.iter_mut().zip(direction) {
                *cell -= length * a * b;
            }
        }
        found.push(direction);
    }
    found
}

//! Multinomial logistic regression from features to intents.
//!
//! Adagrad with a falling step, the second half of the passes averaged. The settings were chosen
//! on parts of the training texts, three of ten, and never on `dev`.

use haft_select::Intent;
use haft_select::intent::training;

use crate::data::Example;
use crate::random::Random;

pub(crate) const CLASSES: usize = Intent::ALL.len();

const PASSES: usize = 12;
const STEP: f32 = 0.5;
/// The learning rate of the bias, relative to that of the features.
const BIAS_STEP: f32 = 0.01;
/// Label smoothing: labels contain errors, and a probability of exactly one is never right.
const SMOOTHING: f32 = 0.05;
/// The strength of the regularization, applied when a feature occurs.
const DECAY: f32 = 0.0003;
/// The exponent by which rare classes get a larger weight.
const BALANCE: f32 = 0.3;

/// The trained model in full precision.
#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) rows: Vec<[f32; CLASSES]>,
    pub(crate) bias: [f32; CLASSES],
}

impl Model {
    fn probabilities(&self, features: &[u16]) -> [f32; CLASSES] {
        let mut sums = [0.0; CLASSES];
        for feature in features {
            for (sum, weight) in sums.iter_mut().zip(self.rows[usize::from(*feature)]) {
                *sum += weight;
            }
        }
        for (sum, bias) in sums.iter_mut().zip(self.bias) {
            *sum = *sum * scale(features) + bias;
        }
        softmax(sums)
    }
}

/// Trains on examples; those from templates have the weight `template_weight`.
pub(crate) fn fit(examples: &[&Example], template_weight: f32, seed: u64) -> Model {
    let examples: Vec<&Example> = examples
        .iter()
        .copied()
        .filter(|example| template_weight > 0.0 || !example.is_template())
        .collect();
    let weight = |example: &Example| {
        if example.is_template() {
            template_weight
        } else {
            1.0
        }
    };
    let mut counts = [0.0_f32; CLASSES];
    for example in &examples {
        counts[class(example)] += weight(example);
    }
    let total: f32 = counts.iter().sum();
    let worth = counts.map(|count| (total / (CLASSES as f32 * count.max(1.0))).powf(BALANCE));
    let mean = worth
        .iter()
        .zip(counts)
        .map(|(worth, count)| worth * count)
        .sum::<f32>()
        / total;
    let mut learner = Learner::new();
    let mut order: Vec<usize> = (0..examples.len()).collect();
    let mut random = Random::new(seed);
    for pass in 0..PASSES {
        random.shuffle(&mut order);
        learner.step = STEP * (1.0 - pass as f32 / PASSES as f32);
        for index in &order {
            let example = examples[*index];
            let class = class(example);
            learner.learn(
                &example.features,
                class,
                weight(example) * worth[class] / mean,
            );
        }
        if pass >= PASSES / 2 {
            learner.remember();
        }
    }
    learner.average()
}

struct Learner {
    model: Model,
    step: f32,
    /// The sums of squared gradients so far.
    squares: Vec<[f32; CLASSES]>,
    sums: Vec<[f64; CLASSES]>,
    remembered: f64,
}

impl Learner {
    fn new() -> Self {
        Self {
            model: Model {
                rows: vec![[0.0; CLASSES]; training::FEATURES],
                bias: [0.0; CLASSES],
            },
            step: STEP,
            squares: vec![[1e-8; CLASSES]; training::FEATURES],
            sums: vec![[0.0; CLASSES]; training::FEATURES],
            remembered: 0.0,
        }
    }

    fn learn(&mut self, features: &[u16], class: usize, worth: f32) {
        let mut errors = self.model.probabilities(features);
        for (index, error) in errors.iter_mut().enumerate() {
            let truth = if index == class {
                1.0 - SMOOTHING
            } else {
                SMOOTHING / (CLASSES as f32 - 1.0)
            };
            *error = (*error - truth) * worth;
        }
        let scale = scale(features);
        for feature in features {
            let row = &mut self.model.rows[usize::from(*feature)];
            let squares = &mut self.squares[usize::from(*feature)];
            for ((weight, square), error) in row.iter_mut().zip(squares).zip(errors) {
                let gradient = error * scale + DECAY * *weight;
                *square += gradient * gradient;
                *weight -= self.step * gradient / square.sqrt();
            }
        }
        for (bias, error) in self.model.bias.iter_mut().zip(errors) {
            *bias -= BIAS_STEP * self.step * error;
        }
    }

    fn remember(&mut self) {
        self.remembered += 1.0;
        for (sums, row) in self.sums.iter_mut().zip(&self.model.rows) {
            for (sum, weight) in sums.iter_mut().zip(row) {
                *sum += f64::from(*weight);
            }
        }
    }

    fn average(mut self) -> Model {
        for (row, sums) in self.model.rows.iter_mut().zip(&self.sums) {
            *row = sums.map(|sum| (sum / self.remembered) as f32);
        }
        self.model
    }
}

fn class(example: &Example) -> usize {
    example.intent.expect("what is learned from has a class") as usize
}

/// Features of a long query get a smaller weight.
fn scale(features: &[u16]) -> f32 {
    1.0 / (features.len().max(1) as f32).sqrt()
}

fn softmax(mut values: [f32; CLASSES]) -> [f32; CLASSES] {
    let largest = values.iter().copied().fold(f32::MIN, f32::max);
    for value in &mut values {
        *value = (*value - largest).exp();
    }
    let sum: f32 = values.iter().sum();
    values.map(|value| value / sum)
}

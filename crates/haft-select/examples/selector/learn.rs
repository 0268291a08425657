//! Learns the vectors: the sum of the vectors of a question's words should have the direction of
//! its tool's.
//!
//! Three kinds of pairs: questions and their tools; descriptions of tools and the rest of the
//! same tools; what people say and the name of the intent. The loss is the cross entropy over
//! all tools, or intents, of a batch; Adam; a pull towards where the vectors began.

use std::collections::HashMap;

use haft_select::ToolText;
use haft_select::selector::training::{
    DIMENSIONS, Learned, SIGNS, Vector, query_words, tool_words,
};
use serde_json::Value;

use crate::data::{Data, Definition};

/// The number of words in the table: 288 KB.
const WORDS: usize = 8000;
const BATCH: usize = 128;
const STEPS: usize = 140;
const RATE: f32 = 0.01;
/// The inverse temperature of the softmax over cosines.
const SHARPNESS: f32 = 12.0;
/// The regularization towards the initial vectors, per step.
const PULL: f32 = 0.002;
/// The maximum number of example queries per intent.
const SAYINGS: usize = 100;

/// The words of a text by their index in the table, with weights.
type Bag = Vec<(usize, f32)>;

/// The training texts as bags of words.
pub(crate) struct Lessons {
    hashes: Vec<u32>,
    places: HashMap<u32, usize>,
    start: Vec<Vector>,
    questions: Vec<(Bag, Vec<usize>)>,
    /// The tools of several pools.
    pools: Vec<Vec<Bag>>,
    descriptions: Vec<Bag>,
    rest: Vec<Bag>,
    sayings: Vec<(Bag, Vec<usize>)>,
    intents: Vec<Bag>,
}

impl Lessons {
    pub(crate) fn new(data: &Data, glove: &[(u32, Vector)]) -> Self {
        let (seen, rarity) = frequencies(data);
        let often = |word: &u32| seen.get(word).is_some_and(|count| *count >= 3);
        let mut chosen: Vec<_> = glove.iter().collect();
        chosen.sort_by_key(|(word, _)| !often(word));
        chosen.truncate(WORDS);
        let usual = rarity(0);
        let start = chosen.iter().map(|(word, vector)| {
            let rarity = seen.get(word).map_or(usual, |_| rarity(*word));
            vector.map(|number| number * rarity)
        });
        let mut lessons = Self {
            hashes: chosen.iter().map(|(word, _)| *word).collect(),
            places: chosen
                .iter()
                .enumerate()
                .map(|(at, (word, _))| (*word, at))
                .collect(),
            start: start.collect(),
            questions: Vec::new(),
            pools: Vec::new(),
            descriptions: Vec::new(),
            rest: Vec::new(),
            sayings: Vec::new(),
            intents: Vec::new(),
        };
        lessons.fill(data);
        lessons
    }

    fn fill(&mut self, data: &Data) {
        self.questions = data
            .cases
            .iter()
            .map(|case| (self.question(&case.query), case.gold.clone()))
            .collect();
        self.pools = (0..4)
            .map(|seed| {
                data.pool(seed)
                    .iter()
                    .map(|tool| self.tool(tool.text()))
                    .collect()
            })
            .collect();
        for tool in data.pool(0) {
            let Definition {
                name,
                description,
                parameters,
                ..
            } = tool;
            self.descriptions
                .push(self.tool(ToolText::new("", description, &Value::Null)));
            self.rest
                .push(self.tool(ToolText::new(name, "", parameters)));
        }
        for (name, sayings) in &data.intents {
            let name = name.split_once(':').map_or(name.as_str(), |(_, name)| name);
            let intent = self.intents.len();
            self.intents
                .push(self.tool(ToolText::new(name, "", &Value::Null)));
            let mut lot = fastrand::Rng::with_seed(intent as u64);
            let chosen = lot.choose_multiple(sayings, SAYINGS);
            for said in chosen {
                let bag = self.question(said);
                self.sayings.push((bag, vec![intent]));
            }
        }
    }

    /// Trains on these questions.
    pub(crate) fn learn(&self, questions: &[usize], weights: [f32; SIGNS]) -> Learned {
        let mut vectors = self.start.clone();
        let mut adam = Adam::new(vectors.len());
        let mut lot = fastrand::Rng::with_seed(1);
        for step in 0..STEPS {
            let mut slope = vec![[0.0; DIMENSIONS]; vectors.len()];
            let pool = &self.pools[step % self.pools.len()];
            let chosen = lot.choose_multiple(questions, BATCH);
            let batch: Vec<_> = chosen
                .into_iter()
                .map(|at| {
                    let (bag, gold) = &self.questions[*at];
                    (bag, gold.as_slice())
                })
                .collect();
            add_slope(&vectors, &batch, pool, &mut slope);
            let places: Vec<usize> = (0..self.rest.len()).collect();
            let chosen = lot.choose_multiple(&places, BATCH);
            let batch: Vec<_> = chosen
                .into_iter()
                .map(|at| (&self.descriptions[*at], std::slice::from_ref(at)))
                .collect();
            add_slope(&vectors, &batch, &self.rest, &mut slope);
            let chosen = lot.choose_multiple(&self.sayings, BATCH);
            let batch: Vec<_> = chosen
                .into_iter()
                .map(|(bag, gold)| (bag, gold.as_slice()))
                .collect();
            add_slope(&vectors, &batch, &self.intents, &mut slope);
            adam.step(&mut vectors, &slope);
            for (vector, start) in vectors.iter_mut().zip(&self.start) {
                for (number, start) in vector.iter_mut().zip(start) {
                    *number -= PULL * (*number - start);
                }
            }
        }
        Learned::new(self.hashes.iter().copied().zip(vectors), weights)
    }

    fn question(&self, query: &str) -> Bag {
        let places = query_words(query)
            .into_iter()
            .filter_map(|word| self.places.get(&word));
        places.map(|place| (*place, 1.0)).collect()
    }

    fn tool(&self, tool: ToolText<'_>) -> Bag {
        let words = tool_words(tool).into_iter();
        words
            .filter_map(|(word, weight)| Some((*self.places.get(&word)?, weight)))
            .collect()
    }
}

/// The number of texts with each word, and the rarity of each word among tools.
fn frequencies(data: &Data) -> (HashMap<u32, usize>, impl Fn(u32) -> f32) {
    let mut seen: HashMap<u32, usize> = HashMap::new();
    let mut having: HashMap<u32, usize> = HashMap::new();
    let pool = data.pool(0);
    for tool in &pool {
        for (word, _) in tool_words(tool.text()) {
            *seen.entry(word).or_default() += 1;
            *having.entry(word).or_default() += 1;
        }
    }
    let said = data
        .intents
        .values()
        .flatten()
        .chain(data.cases.iter().map(|case| &case.query));
    for word in said.flat_map(|text| query_words(text)) {
        *seen.entry(word).or_default() += 1;
    }
    let count = pool.len() as f32;
    let rarity = move |word| {
        let having = having.get(&word).copied().unwrap_or_default() as f32;
        (1.0 + (count + 0.5) / (having + 0.5)).ln()
    };
    (seen, rarity)
}

/// The direction of a bag.
struct Direction {
    /// The sum, scaled to length 1.
    vector: Vector,
    /// The length before scaling.
    length: f32,
}

/// The sum of a bag, scaled to length 1, and its length before.
fn direction(vectors: &[Vector], bag: &Bag) -> Direction {
    let mut sum = [0.0; DIMENSIONS];
    for (place, weight) in bag {
        for (sum, number) in sum.iter_mut().zip(vectors[*place]) {
            *sum += weight * number;
        }
    }
    let length = sum.iter().map(|number| number * number).sum::<f32>().sqrt() + 1e-9;
    Direction {
        vector: sum.map(|number| number / length),
        length,
    }
}

/// Adds the gradient of the loss of a batch.
fn add_slope(vectors: &[Vector], batch: &[(&Bag, &[usize])], tools: &[Bag], slope: &mut [Vector]) {
    let directions: Vec<_> = tools.iter().map(|bag| direction(vectors, bag)).collect();
    let mut tool_slopes = vec![[0.0f32; DIMENSIONS]; tools.len()];
    let scale = SHARPNESS / batch.len() as f32;
    for (bag, gold) in batch {
        let query = direction(vectors, bag);
        let mut shares = shares(&query, &directions);
        for tool in *gold {
            shares[*tool] -= 1.0 / gold.len() as f32;
        }
        let mut query_slope = [0.0f32; DIMENSIONS];
        for ((share, tool), tool_slope) in shares.iter().zip(&directions).zip(&mut tool_slopes) {
            for at in 0..DIMENSIONS {
                query_slope[at] += scale * share * tool.vector[at];
                tool_slope[at] += scale * share * query.vector[at];
            }
        }
        query.spread(&query_slope, bag, slope);
    }
    for ((bag, direction), tool_slope) in tools.iter().zip(&directions).zip(&tool_slopes) {
        direction.spread(tool_slope, bag, slope);
    }
}

/// The softmax over all tools.
fn shares(query: &Direction, tools: &[Direction]) -> Vec<f32> {
    let likeness = tools
        .iter()
        .map(|tool| SHARPNESS * dot(&query.vector, &tool.vector));
    // Cosines are at most 1, so the exponentials are bounded.
    let mut shares: Vec<f32> = likeness
        .map(|likeness| (likeness - SHARPNESS).exp())
        .collect();
    let sum: f32 = shares.iter().sum();
    for share in &mut shares {
        *share /= sum;
    }
    shares
}

impl Direction {
    /// Distributes the gradient of a direction to the words in its sum.
    fn spread(&self, of_direction: &Vector, bag: &Bag, slope: &mut [Vector]) {
        let along = dot(&self.vector, of_direction);
        for (place, weight) in bag {
            for at in 0..DIMENSIONS {
                let across = of_direction[at] - self.vector[at] * along;
                slope[*place][at] += weight * across / self.length;
            }
        }
    }
}

fn dot(a: &Vector, b: &Vector) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The optimiser of Kingma and Ba 2015.
struct Adam {
    mean: Vec<Vector>,
    square: Vec<Vector>,
    steps: i32,
}

impl Adam {
    fn new(rows: usize) -> Self {
        Self {
            mean: vec![[0.0; DIMENSIONS]; rows],
            square: vec![[0.0; DIMENSIONS]; rows],
            steps: 0,
        }
    }

    fn step(&mut self, vectors: &mut [Vector], slope: &[Vector]) {
        self.steps += 1;
        let (first, second) = (
            1.0 - 0.9f32.powi(self.steps),
            1.0 - 0.999f32.powi(self.steps),
        );
        for (row, vector) in vectors.iter_mut().enumerate() {
            for at in 0..DIMENSIONS {
                let slope = slope[row][at];
                let mean = &mut self.mean[row][at];
                *mean = 0.9 * *mean + 0.1 * slope;
                let square = &mut self.square[row][at];
                *square = 0.999 * *square + 0.001 * slope * slope;
                vector[at] -= RATE * (*mean / first) / ((*square / second).sqrt() + 1e-6);
            }
        }
    }
}

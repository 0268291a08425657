//! Fits the numbers in `src/selector/tool_need.rs`, and prints how often they are right.
//!
//! ```sh
//! HAFT_DATA=~/haft-data cargo run --release -p haft-select --example tool_need
//! ```
//!
//! `HAFT_DATA` is the folder that holds `bfcl/`. Questions that share their tools are in the same
//! of five folds, and each fold is measured with the numbers fitted on the others.
#![expect(
    clippy::print_stdout,
    clippy::indexing_slicing,
    reason = "a program for developers of the crate, over data that it knows"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::PathBuf;

use haft_select::ToolText;
use haft_select::selector::training::{CALL_SIGNS, call_signs};
use serde_json::Value;

const PARTS: usize = 5;
/// The tool with the highest score represents its question; which one that is changes with the
/// weights.
const ROUNDS: usize = 5;
const STEPS: usize = 1500;
const RATE: f64 = 0.5;
/// The strength of the regularization.
const DECAY: f64 = 0.002;

type Row = [f32; CALL_SIGNS];

struct Case {
    category: String,
    due: bool,
    part: usize,
    tools: Vec<Row>,
}

struct Model {
    weights: Row,
    bias: f32,
}

impl Model {
    fn of(&self, row: &Row) -> f32 {
        self.bias
            + row
                .iter()
                .zip(self.weights)
                .map(|(a, b)| a * b)
                .sum::<f32>()
    }

    fn best<'a>(&self, case: &'a Case) -> &'a Row {
        let tools = case.tools.iter();
        tools
            .max_by(|a, b| self.of(a).total_cmp(&self.of(b)))
            .unwrap_or(&case.tools[0])
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::var_os("HAFT_DATA").ok_or("HAFT_DATA names no folder")?);
    let cases = read(&folder)?;
    let mut scores = Vec::new();
    for part in 0..PARTS {
        let others: Vec<&Case> = cases.iter().filter(|case| case.part != part).collect();
        let model = fit(&others);
        let own = cases.iter().filter(|case| case.part == part);
        scores.extend(own.map(|case| (case, model.of(model.best(case)))));
    }
    table(&scores);
    let model = fit(&cases.iter().collect::<Vec<_>>());
    println!("\nweights {:?}\nbias {}", model.weights, model.bias);
    Ok(())
}

fn read(folder: &std::path::Path) -> Result<Vec<Case>, Box<dyn Error>> {
    let text = std::fs::read_to_string(folder.join("bfcl/tools.jsonl"))?;
    let mut tools: BTreeMap<String, Value> = BTreeMap::new();
    for line in text.lines() {
        let tool: Value = serde_json::from_str(line)?;
        tools.insert(tool["key"].as_str().unwrap_or_default().to_owned(), tool);
    }
    let mut parts: BTreeMap<BTreeSet<String>, usize> = BTreeMap::new();
    let mut cases = Vec::new();
    for line in std::fs::read_to_string(folder.join("bfcl/cases.jsonl"))?.lines() {
        let case: Value = serde_json::from_str(line)?;
        let keys = case["tools"].as_array().cloned().unwrap_or_default();
        let keys: Vec<&str> = keys.iter().filter_map(Value::as_str).collect();
        let names = keys.iter().filter_map(|key| key.split('#').next());
        let count = parts.len();
        let part = *parts
            .entry(names.map(str::to_owned).collect())
            .or_insert(count % PARTS);
        let last = case["messages"]
            .as_array()
            .and_then(|messages| messages.last());
        let said = last.map_or(&case["query"], |message| &message["content"]);
        let query = said.as_str().unwrap_or_default();
        let rows: Option<Vec<Row>> = keys
            .iter()
            .filter_map(|key| tools.get(*key))
            .map(|tool| {
                let part = |name: &str| tool[name].as_str().unwrap_or_default();
                let text = ToolText::new(part("name"), part("description"), &tool["parameters"]);
                call_signs(query, text)
            })
            .collect();
        if let Some(tools) = rows.filter(|rows| !rows.is_empty()) {
            cases.push(Case {
                category: case["category"].as_str().unwrap_or_default().to_owned(),
                due: case["expect"] != "no_call",
                part,
                tools,
            });
        }
    }
    Ok(cases)
}

/// Logistic regression on the best tool of each question.
fn fit(cases: &[&Case]) -> Model {
    let mut model = Model {
        weights: [0.0; CALL_SIGNS],
        bias: 0.0,
    };
    // The share of the name and of the query that agree.
    model.weights[0] = 2.0;
    model.weights[2] = 1.0;
    for _ in 0..ROUNDS {
        let chosen: Vec<(&Row, bool)> = cases
            .iter()
            .map(|case| (model.best(case), case.due))
            .collect();
        model = regress(&chosen);
    }
    model
}

fn regress(rows: &[(&Row, bool)]) -> Model {
    let count = rows.len() as f64;
    let mean: [f64; CALL_SIGNS] = std::array::from_fn(|at| {
        rows.iter().map(|(row, _)| f64::from(row[at])).sum::<f64>() / count
    });
    let spread: [f64; CALL_SIGNS] = std::array::from_fn(|at| {
        let squares = rows
            .iter()
            .map(|(row, _)| (f64::from(row[at]) - mean[at]).powi(2));
        (squares.sum::<f64>() / count).sqrt().max(1e-6)
    });
    let (mut weights, mut bias) = ([0.0f64; CALL_SIGNS], 0.0f64);
    for _ in 0..STEPS {
        let (mut slope, mut of_bias) = ([0.0f64; CALL_SIGNS], 0.0f64);
        for (row, due) in rows {
            let at = |at: usize| (f64::from(row[at]) - mean[at]) / spread[at];
            let score = bias
                + (0..CALL_SIGNS)
                    .map(|sign| weights[sign] * at(sign))
                    .sum::<f64>();
            let error = 1.0 / (1.0 + (-score).exp()) - f64::from(u8::from(*due));
            for (sign, slope) in slope.iter_mut().enumerate() {
                *slope += error * at(sign) / count;
            }
            of_bias += error / count;
        }
        for (weight, slope) in weights.iter_mut().zip(slope) {
            *weight -= RATE * (slope + DECAY * *weight);
        }
        bias -= RATE * of_bias;
    }
    let plain: [f64; CALL_SIGNS] = std::array::from_fn(|sign| weights[sign] / spread[sign]);
    let shift: f64 = (0..CALL_SIGNS).map(|sign| plain[sign] * mean[sign]).sum();
    Model {
        weights: plain.map(|weight| weight as f32),
        bias: (bias - shift) as f32,
    }
}

/// For each threshold, how often a call is considered needed, for questions that need one and for
/// those that need none.
fn table(scores: &[(&Case, f32)]) {
    let share = |threshold: f32, wanted: &dyn Fn(&Case) -> bool| {
        let chosen = scores.iter().filter(|(case, _)| wanted(case));
        let (said, all) = chosen.fold((0, 0), |(said, all), (_, score)| {
            (said + usize::from(*score >= threshold), all + 1)
        });
        100.0 * said as f64 / f64::from(all.max(1))
    };
    println!("| from | due | live | made up | not due | live | made up |");
    println!("|---|---|---|---|---|---|---|");
    for step in 0..16 {
        let threshold = 2.0 + 0.2 * step as f32;
        print!("| {threshold:.1} |");
        for due in [true, false] {
            let live = |case: &Case| case.category.starts_with("live");
            print!(
                " {:.1} % | {:.1} % | {:.1} % |",
                share(threshold, &|case| case.due == due),
                share(threshold, &|case| case.due == due && live(case)),
                share(threshold, &|case| case.due == due && !live(case)),
            );
        }
        println!();
    }
}

//! Trains and measures the model of the `ToolSelector`.
//!
//! ```text
//! HAFT_DATA=... HAFT_GLOVE=.../glove.6B.50d.txt cargo run --release -p haft-select --example selector -- train
//! HAFT_DATA=... HAFT_GLOVE=.../glove.6B.50d.txt cargo run --release -p haft-select --example selector -- report
//! ```
//!
//! `train` writes `data/selector.bin`; `embedded` (which needs no `HAFT_GLOVE`) measures what comes
//! with the program, over questions that it was learned from; `report` learns anew from four fifths of
//! the questions at a time, measures on the fifth, and prints what `docs/selection.md` shows.
#![expect(
    clippy::print_stdout,
    clippy::indexing_slicing,
    reason = "a program for developers of the crate, over data that it knows"
)]

mod data;
mod folds;
mod glove;
mod learn;
mod measure;
mod weigh;

use std::path::PathBuf;

use haft_select::selector::training::{Learned, SIGNS, selector};

use self::data::{Data, Fallible};
use self::folds::Folds;
use self::learn::Lessons;
use self::weigh::weigh;

fn main() -> Fallible<()> {
    let folder = std::env::var_os("HAFT_DATA").ok_or("HAFT_DATA names no folder")?;
    let data = Data::read(&PathBuf::from(folder))?;
    println!(
        "{} tools, {} questions, {} unseen ones, {} intents",
        data.tools.len(),
        data.cases.len(),
        data.unseen.len(),
        data.intents.len()
    );
    let task = std::env::args().nth(1);
    if task.as_deref() == Some("embedded") {
        measure::embedded(&data);
        return Ok(());
    }
    let glove = std::env::var_os("HAFT_GLOVE").ok_or("HAFT_GLOVE names no file")?;
    let lessons = Lessons::new(&data, &glove::read(&PathBuf::from(glove))?);
    match task.as_deref() {
        Some("train") => train(&data, &lessons),
        Some("report") => measure::report(&data, &lessons),
        _ => Err("say `train`, `report` or `embedded`".into()),
    }
}

/// The weights are fitted with vectors that were trained on neither the question nor its tools,
/// because most users' tools are new.
fn learned_weights(data: &Data, lessons: &Lessons) -> [f32; SIGNS] {
    let weighed = Folds::by_tool(data).weighed(data, lessons);
    let weights = weigh(&weighed.iter().collect::<Vec<_>>());
    println!("weights {weights:.3?}");
    weights
}

fn train(data: &Data, lessons: &Lessons) -> Fallible<()> {
    let weights = learned_weights(data, lessons);
    let all: Vec<usize> = (0..data.cases.len()).collect();
    let learned = lessons.learn(&all, weights);
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/data/selector.bin");
    let bytes = learned.to_bytes();
    std::fs::write(file, &bytes)?;
    println!("{file}: {} bytes", bytes.len());
    Ok(())
}

/// Initial weights before fitting.
pub(crate) fn unweighed() -> [f32; SIGNS] {
    *Learned::default().weights()
}

use selector as selector_of;

//! Trains the intent classifier, measures it, and writes `data/intents.bin`.
//!
//! ```sh
//! HAFT_DATA=~/haft-data cargo run --release -p haft-select --example train_intents > docs/intents-report.md
//! ```
//!
//! `HAFT_DATA` is the folder that holds `intents/`. With `--evaluate FILE` nothing is trained: the
//! weights that are part of the program are measured on a file of JSON lines with `text` and
//! `label`. `data` reads, `templates` makes sentences of our own, `fit` learns, `pack` makes it
//! small, `measure` and `report` tell how well it works.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for developers may die, and prints"
)]

mod data;
mod fit;
mod measure;
mod pack;
mod random;
mod report;
mod templates;

use std::path::{Path, PathBuf};

use haft_select::IntentClassifier;

use crate::data::{Collection, Example};

/// Another seed gives other template sentences and another order, with about the same result.
const SEED: u64 = 7;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [flag, files @ ..] = &arguments[..]
        && flag == "--evaluate"
    {
        for file in files {
            let examples = data::read(Path::new(file));
            report::evaluation(file, &IntentClassifier::default(), &examples);
        }
        return;
    }
    let folder = std::env::var_os("HAFT_DATA").expect("HAFT_DATA names the folder with intents/");
    let collection = Collection::read(&PathBuf::from(folder).join("intents"), SEED);
    let weights = report::whole(&collection);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/intents.bin");
    std::fs::write(&path, &weights).expect("data/intents.bin can be written");
    eprintln!("{} bytes written to {}", weights.len(), path.display());
}

/// The examples for which `wanted` is true.
fn only(examples: &[Example], wanted: impl Fn(&Example) -> bool) -> Vec<Example> {
    examples
        .iter()
        .filter(|example| wanted(example))
        .cloned()
        .collect()
}

//! Benchmark: the cost of classifying a query.
//!
//! Run with `cargo bench -p haft-select --bench intents`.

use divan::{Bencher, black_box};
use haft_select::IntentClassifier;

const QUERIES: [&str; 5] = [
    "lights off",
    "turn on the kitchen light",
    "what is the capital of France",
    "what time is it and show me devices",
    "as of the current date, what is the price of silver in euros per ounce, and has it gone up since last week",
];

fn main() {
    // Unpacks the weights before measuring.
    black_box(IntentClassifier::default().classify("hello"));
    divan::main();
}

#[divan::bench(args = QUERIES)]
fn query(bencher: Bencher<'_, '_>, text: &str) {
    let classifier = IntentClassifier::default();
    bencher.bench(|| classifier.classify(black_box(text)));
}

#[divan::bench]
fn a_megabyte(bencher: Bencher<'_, '_>) {
    let text = "turn on the light ".repeat(60_000);
    let classifier = IntentClassifier::default();
    bencher.bench(|| classifier.classify(black_box(&text)));
}

//! Benchmark: the duration of a query over 2,000 tools, and of reading their definitions.

use haft_select::{ToolSelector, ToolText};
use serde_json::{Value, json};

const TOOLS: usize = 2000;

const QUERY: &str = "Could you find me a hotel in Lima for three nights from April 5th, and tell \
                     me what the weather will be like?";

fn main() {
    divan::main();
}

/// Synthetic definitions with as many words as real ones: 60 in descriptions and parameters.
fn definitions() -> Vec<(String, String, Value)> {
    let words = "account address alarm amount artist booking calendar city currency date delete \
        device door email event file find flight forecast genre get hotel invoice item light list \
        location lock message movie music name number order password payment person play price \
        query rating recipe reminder restaurant room route schedule search send set shop song \
        start status stock stop temperature ticket time title track transfer update user value \
        weather";
    let words: Vec<_> = words.split_whitespace().collect();
    let mut lot = fastrand::Rng::with_seed(1);
    let mut some = |count: usize, between: &str| {
        let chosen: Vec<_> = (0..count)
            .map(|_| *lot.choice(&words).unwrap_or(&"word"))
            .collect();
        chosen.join(between)
    };
    (0..TOOLS)
        .map(|_| {
            let properties: serde_json::Map<_, _> = (0..4)
                .map(|_| {
                    (
                        some(2, "_"),
                        json!({"type": "string", "description": some(8, " ")}),
                    )
                })
                .collect();
            (
                some(3, "_"),
                some(20, " "),
                json!({"type": "object", "properties": properties}),
            )
        })
        .collect()
}

fn selector(definitions: &[(String, String, Value)]) -> ToolSelector {
    let texts = definitions.iter();
    ToolSelector::new(
        texts.map(|(name, description, parameters)| ToolText::new(name, description, parameters)),
    )
}

#[divan::bench]
fn ten_best_of_2000(bencher: divan::Bencher<'_, '_>) {
    let selector = selector(&definitions());
    bencher.bench_local(|| selector.best(QUERY, 10));
}

#[divan::bench]
fn bind_of_2000(bencher: divan::Bencher<'_, '_>) {
    let selector = selector(&definitions());
    bencher.bench_local(|| selector.bind(QUERY));
}

#[divan::bench]
fn read_2000(bencher: divan::Bencher<'_, '_>) {
    let definitions = definitions();
    bencher.bench_local(|| selector(&definitions));
}

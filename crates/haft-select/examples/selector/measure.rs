//! Prints how often the right tools are among the best, and what binding costs.

use haft_select::ToolSelector;
use haft_select::selector::training::{Learned, SIGNS, tokens};

use crate::data::{Case, Data, Definition, Fallible};
use crate::folds::Folds;
use crate::learn::Lessons;
use crate::{learned_weights, selector_of};

/// The number of bootstrap samples for an interval.
const SAMPLES: usize = 1000;

/// The minimum shares relative to the best tool that are compared.
const LEVELS: [f32; 5] = [0.01, 0.003, 0.001, 0.0003, 0.0001];

/// Sizes of realistic sets of tools.
const SIZES: [usize; 4] = [30, 100, 250, 500];

pub(crate) fn report(data: &Data, lessons: &Lessons) -> Fallible<()> {
    let (by_question, by_tool) = (Folds::by_question(data), Folds::by_tool(data));
    let weights = learned_weights(data, lessons);
    let mut kinds = Vec::new();
    for (name, folds) in [("questions", by_question), ("questions and tools", by_tool)] {
        let learned: Vec<_> = folds
            .learned(lessons)
            .into_iter()
            .map(|learned| learned.with_weights(weights))
            .collect();
        kinds.push((name, folds, learned));
    }
    println!("\nAll tools, recall at 1/5/10/20 with 95 % intervals");
    for live in [true, false] {
        let cases: Vec<_> = data
            .cases
            .iter()
            .enumerate()
            .filter(|(_, case)| case.live == live)
            .collect();
        let kind = if live { "live" } else { "synthetic" };
        for (name, weights) in rivals() {
            row(data, kind, name, &Learned::default().with_weights(weights));
        }
        for (name, folds, learned) in &kinds {
            let places = (0..3).flat_map(|seed| {
                let selectors: Vec<_> = learned
                    .iter()
                    .map(|learned| of_pool(data, seed, learned.clone()))
                    .collect();
                cases
                    .iter()
                    .map(|(at, case)| place(&selectors[folds.part(*at)], case))
                    .collect::<Vec<_>>()
            });
            println!(
                "| {kind} | haft, unseen {name} | {} |",
                recall(&places.collect::<Vec<_>>(), cases.len())
            );
        }
    }
    let all: Vec<usize> = (0..data.cases.len()).collect();
    let selector = of_pool(data, 0, lessons.learn(&all, weights));
    let places: Vec<_> = data
        .unseen
        .iter()
        .map(|case| place(&selector, case))
        .collect();
    println!(
        "| other synthetic | haft, learned from all | {} |",
        recall(&places, places.len())
    );
    for (name, weights) in rivals() {
        let selector = of_pool(data, 0, Learned::default().with_weights(weights));
        let places: Vec<_> = data
            .unseen
            .iter()
            .map(|case| place(&selector, case))
            .collect();
        println!(
            "| other synthetic | {name} | {} |",
            recall(&places, places.len())
        );
    }
    let (_, folds, learned) = &kinds[1];
    small_sets(data, folds, learned);
    Ok(())
}

/// Measures the embedded model. It was trained on these questions, so the result is only good for
/// comparing two versions of it.
pub(crate) fn embedded(data: &Data) {
    let known = Learned::from_bytes(include_bytes!("../../data/selector.bin"));
    for kind in ["live", "synthetic"] {
        for (name, weights) in rivals() {
            row(data, kind, name, &Learned::default().with_weights(weights));
        }
        if let Some(known) = &known {
            row(data, kind, "haft, known questions", known);
        }
    }
}

/// One line about the questions of a kind, averaged over three pools.
fn row(data: &Data, kind: &str, name: &str, learned: &Learned) {
    let is_live = kind == "live";
    let cases: Vec<_> = data
        .cases
        .iter()
        .filter(|case| case.live == is_live)
        .collect();
    let places = (0..3).flat_map(|seed| {
        let selector = of_pool(data, seed, learned.clone());
        cases
            .iter()
            .map(|case| place(&selector, case))
            .collect::<Vec<_>>()
    });
    let recall = recall(&places.collect::<Vec<_>>(), cases.len());
    println!("| {kind} | {name} | {recall} |");
}

/// The index without the learned model.
fn rivals() -> [(&'static str, [f32; SIGNS]); 2] {
    let mut words = [0.0; SIGNS];
    words[0] = 1.0;
    let mut fragments = words;
    fragments[1] = 0.6;
    [("words", words), ("words and fragments", fragments)]
}

/// Realistic sets: the tools offered with a question, and random others.
fn small_sets(data: &Data, folds: &Folds, learned: &[Learned]) {
    println!("\nSets of 30 to 500 tools, unseen questions and tools");
    let pool = data.pool(0);
    for size in SIZES {
        let mut places = Vec::new();
        let mut bindings = Vec::new();
        for (at, case) in data.cases.iter().enumerate() {
            let set = set(data, case, size, at as u64);
            let tools = set.iter().map(|tool| pool[*tool].text());
            let selector = selector_of(tools, learned[folds.part(at)].clone());
            let gold: Vec<usize> = (0..set.len())
                .filter(|tool| case.gold.contains(&set[*tool]))
                .collect();
            let case = Case {
                live: case.live,
                query: case.query.clone(),
                gold,
                shown: Vec::new(),
            };
            places.push(place(&selector, &case));
            bindings.push(Binding::of(&selector, &case));
        }
        let count = bindings.len() as f32;
        let mean = |of: &dyn Fn(&Binding) -> f32| bindings.iter().map(of).sum::<f32>() / count;
        println!(
            "| {size} | {} | {:.1} | {:.2} % | {:.0} | {:.0} % |",
            recall(&places, places.len()),
            mean(&|binding| binding.bound as f32),
            100.0 * mean(&|binding| f32::from(u8::from(binding.lost))),
            mean(&|binding| binding.saved as f32),
            100.0 * mean(&|binding| binding.saved as f32) / mean(&|binding| binding.all as f32),
        );
        for gap in LEVELS {
            let lost = bindings
                .iter()
                .filter(|binding| binding.needed < gap)
                .count() as f32;
            let bound = mean(&|binding| {
                binding
                    .counts
                    .iter()
                    .find(|(level, _)| *level == gap)
                    .map_or(0.0, |(_, count)| *count as f32)
            });
            println!(
                "|   | gap {gap} | {bound:.1} bound | {:.2} % lost |",
                100.0 * lost / count
            );
        }
    }
}

fn set(data: &Data, case: &Case, size: usize, seed: u64) -> Vec<usize> {
    let mut set = case.gold.clone();
    let shown = case
        .shown
        .iter()
        .map(|key| key.split('#').next().unwrap_or_default());
    for name in shown {
        set.extend(data.tools.iter().position(|tools| tools[0].name == name));
    }
    let mut lot = fastrand::Rng::with_seed(seed);
    set.sort_unstable();
    set.dedup();
    while set.len() < size {
        let tool = lot.usize(..data.tools.len());
        if !set.contains(&tool) {
            set.push(tool);
        }
    }
    lot.shuffle(&mut set);
    set
}

/// The result of binding tools for one question.
struct Binding {
    bound: usize,
    lost: bool,
    /// The saved tokens.
    saved: usize,
    all: usize,
    /// The largest minimum share with which all right tools are bound.
    needed: f32,
    counts: Vec<(f32, usize)>,
}

impl Binding {
    fn of(selector: &ToolSelector, case: &Case) -> Self {
        let bound = selector.bind(&case.query);
        let all = (0..selector.len()).map(|tool| tokens(selector, tool)).sum();
        let kept: usize = bound.iter().map(|tool| tokens(selector, *tool)).sum();
        let ranked = selector.rank(&case.query);
        let last = ranked
            .iter()
            .rposition(|tool| case.gold.contains(&tool.index))
            .unwrap_or_default();
        let needed = match last {
            0..5 => 1.0,
            _ => ranked[last].share / ranked[0].share,
        };
        let counts = LEVELS.map(|level| {
            let count =
                (5..ranked.len()).find(|count| ranked[*count].share < level * ranked[0].share);
            (level, count.unwrap_or(ranked.len()))
        });
        Self {
            lost: case.gold.iter().any(|gold| !bound.contains(gold)),
            saved: all - kept,
            bound: bound.len(),
            all,
            needed,
            counts: counts.to_vec(),
        }
    }
}

fn of_pool(data: &Data, seed: u64, learned: Learned) -> ToolSelector {
    selector_of(data.pool(seed).into_iter().map(Definition::text), learned)
}

/// The rank of the last right tool of a question.
fn place(selector: &ToolSelector, case: &Case) -> usize {
    let ranked = selector.rank(&case.query);
    let last = ranked
        .iter()
        .rposition(|tool| case.gold.contains(&tool.index));
    last.map_or(usize::MAX, |last| last + 1)
}

/// The share of questions with all right tools among the first, for several counts. The intervals
/// are for `questions` independent questions; further entries belong to the same questions.
fn recall(places: &[usize], questions: usize) -> String {
    let mut lot = fastrand::Rng::with_seed(7);
    let cells = [1, 5, 10, 20].map(|k| {
        let of = |question: usize| {
            places
                .iter()
                .skip(question)
                .step_by(questions)
                .filter(|place| **place <= k)
                .count()
        };
        let hits: Vec<usize> = (0..questions).map(of).collect();
        let percent = |hits: usize| 100.0 * hits as f32 / places.len() as f32;
        let mut samples: Vec<usize> = (0..SAMPLES)
            .map(|_| (0..questions).map(|_| hits[lot.usize(..questions)]).sum())
            .collect();
        samples.sort_unstable();
        let (low, high) = (samples[SAMPLES / 40], samples[SAMPLES - 1 - SAMPLES / 40]);
        format!(
            "{:.1} ({:.1} to {:.1})",
            percent(hits.iter().sum()),
            percent(low),
            percent(high)
        )
    });
    cells.join(" | ")
}

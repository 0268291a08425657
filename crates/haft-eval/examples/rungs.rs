//! What each rung of the recovery ladder is worth, with how models take to being asked again
//! varied: the table in `docs/guide/eval.md`. A simulation; no model is asked.
//!
//! ```sh
//! cargo run --release -p haft-eval --example rungs -- home-50 small 20
//! cargo run --release -p haft-eval --example rungs -- ~/bfcl small 3
//! ```

use std::error::Error;
use std::io::Write;

use haft_agent::Rungs;
use haft_core::Rung;
use haft_eval::{CaseResult, Dataset, EvalOptions, Flaky, Subject, Summary, evaluate};

const BEHAVIOURS: [&str; 3] = ["pessimistic", "reported", "optimistic"];

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let dataset = Dataset::open(&arguments.next().unwrap_or_else(|| "home-50".to_owned()))?;
    let profile = arguments.next().unwrap_or_else(|| "small".to_owned());
    let seeds: u64 = arguments.next().map_or(Ok(20), |seeds| seeds.parse())?;
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "Simulation: `flaky:{profile}` on {}, {} cases, {seeds} seeds.\n",
        dataset.name,
        dataset.cases.len()
    )?;
    writeln!(
        out,
        "| ladder | {} |\n|---|---|---|---|",
        BEHAVIOURS.join(" | ")
    )?;
    let mut whole = Vec::new();
    for behaviour in BEHAVIOURS {
        let name = format!("{profile}+{behaviour}");
        whole.push(Measured::of(&dataset, &name, seeds, Rungs::all()).await?);
    }
    let first = whole
        .iter()
        .map(|measured| format!("{:.1} % / {:.1} %", measured.first, measured.of_use));
    writeln!(
        out,
        "| first reply: right / of use | {} |",
        first.collect::<Vec<_>>().join(" | ")
    )?;
    for (name, rungs) in [("no rung", Rungs::none()), ("all rungs", Rungs::all())] {
        let mut cells = Vec::new();
        for behaviour in BEHAVIOURS {
            let model = format!("{profile}+{behaviour}");
            cells.push(Measured::of(&dataset, &model, seeds, rungs).await?.cell());
        }
        writeln!(
            out,
            "| {name}: right / answered / spoilt | {} |",
            cells.join(" | ")
        )?;
    }
    writeln!(
        out,
        "\n| rung adds: right / answered / spoilt / tokens | {} |\n|---|---|---|---|",
        BEHAVIOURS.join(" | ")
    )?;
    for rung in Rung::ALL {
        let mut cells = Vec::new();
        for (behaviour, all) in BEHAVIOURS.iter().zip(&whole) {
            let name = format!("{profile}+{behaviour}");
            let without = Measured::of(&dataset, &name, seeds, Rungs::all().without(rung)).await?;
            cells.push(all.beside(&without));
        }
        writeln!(out, "| `{rung}` | {} |", cells.join(" | "))?;
    }
    Ok(())
}

/// In percent of the cases, and tokens per case.
struct Measured {
    first: f64,
    of_use: f64,
    right: f64,
    answered: f64,
    spoilt: f64,
    tokens: f64,
}

impl Measured {
    async fn of(
        dataset: &Dataset,
        model: &str,
        seeds: u64,
        rungs: Rungs,
    ) -> Result<Self, Box<dyn Error>> {
        let mut results: Vec<CaseResult> = Vec::new();
        let cases: Vec<_> = dataset.cases.iter().collect();
        let mut options = EvalOptions::default();
        options.agent.recovery = rungs;
        for seed in 1..=seeds {
            let flaky: Flaky = format!("flaky:{model}@{seed}").parse()?;
            let keep = |result| {
                results.push(result);
                Ok(())
            };
            evaluate(&cases, &Subject::Flaky(flaky), &options, keep).await?;
        }
        let all = Summary::of(&results).all;
        Ok(Self {
            first: all.first.share() * 100.0,
            of_use: all.first_of_use.share() * 100.0,
            right: all.recovered.share() * 100.0,
            answered: all.answered.share() * 100.0,
            spoilt: all.false_recoveries.share() * 100.0,
            tokens: all.prompt_tokens + all.completion_tokens,
        })
    }

    fn cell(&self) -> String {
        format!(
            "{:.1} % / {:.1} % / {:.1} %",
            self.right, self.answered, self.spoilt
        )
    }

    /// What this has more than the one without a rung.
    fn beside(&self, without: &Self) -> String {
        format!(
            "{:+.1} / {:+.1} / {:+.1} / {:+.0}",
            self.right - without.right,
            self.answered - without.answered,
            self.spoilt - without.spoilt,
            self.tokens - without.tokens
        )
    }
}

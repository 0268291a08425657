//! The gain of each recovery step, for several assumptions about how a model reacts to
//! being asked again: the table in `docs/guide/eval.md`. A simulation; no model is asked.
//!
//! ```sh
//! cargo run --release -p haft-eval --example recovery_steps -- home-50 small 10
//! cargo run --release -p haft-eval --example recovery_steps -- ~/bfcl small 1
//! ```

use std::error::Error;
use std::io::Write;

use haft_agent::RecoverySteps;
use haft_core::RecoveryStep;
use haft_eval::{CaseResult, Dataset, EvalOptions, Flaky, Subject, Summary, evaluate};

const BEHAVIOURS: [&str; 3] = ["pessimistic", "reported", "optimistic"];

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let dataset = Dataset::open(&arguments.next().unwrap_or_else(|| "home-50".to_owned()))?;
    let profile = arguments.next().unwrap_or_else(|| "small".to_owned());
    let seeds: u64 = arguments.next().map_or(Ok(10), |seeds| seeds.parse())?;
    let mut columns = Vec::new();
    for behaviour in BEHAVIOURS {
        columns.push(Column::measure(&dataset, &format!("{profile}+{behaviour}"), seeds).await?);
    }
    let cases = dataset.cases.len();
    let mut page = format!(
        "Simulation: `flaky:{profile}` on {}, {cases} cases, {seeds} seeds.\n",
        dataset.name
    );
    let row = |name: &str, cell: &dyn Fn(&Column) -> String| {
        let cells: Vec<String> = columns.iter().map(cell).collect();
        format!("| {name} | {} |\n", cells.join(" | "))
    };
    let heading = |name: &str| {
        let names = row(name, &|column| column.behaviour.clone());
        format!("\n{names}|---|---|---|---|\n")
    };
    page += &heading("recovery");
    page += &row("first reply: right / of use", &|column| {
        column.all.first_cell()
    });
    page += &row("no step: right / answered / made wrong", &|column| {
        column.none.cell()
    });
    page += &row("all steps: right / answered / made wrong", &|column| {
        column.all.cell()
    });
    page += &heading("step adds to the others: right / answered / made wrong / tokens");
    for (at, step) in RecoveryStep::ALL.iter().enumerate() {
        let cell = |column: &Column| {
            column
                .without
                .get(at)
                .map(|without| column.all.difference_to(without))
        };
        page += &row(&format!("`{step}`"), &|column| {
            cell(column).unwrap_or_default()
        });
    }
    page += &heading("step adds alone: right / answered / made wrong / tokens");
    for (at, step) in RecoveryStep::ALL.iter().enumerate() {
        let cell = |column: &Column| {
            column
                .only
                .get(at)
                .map(|only| only.difference_to(&column.none))
        };
        page += &row(&format!("`{step}`"), &|column| {
            cell(column).unwrap_or_default()
        });
    }
    std::io::stdout().lock().write_all(page.as_bytes())?;
    Ok(())
}

/// The measurements of one simulated behaviour.
struct Column {
    behaviour: String,
    all: Measured,
    none: Measured,
    /// All steps but one, in the order of `RecoveryStep::ALL`.
    without: Vec<Measured>,
    only: Vec<Measured>,
}

impl Column {
    async fn measure(dataset: &Dataset, model: &str, seeds: u64) -> Result<Self, Box<dyn Error>> {
        let (mut without, mut alone) = (Vec::new(), Vec::new());
        for step in RecoveryStep::ALL {
            without.push(
                Measured::of(dataset, model, seeds, RecoverySteps::all().without(step)).await?,
            );
            alone.push(Measured::of(dataset, model, seeds, only(step)).await?);
        }
        let behaviour = model
            .split_once('+')
            .map_or(model, |(_, behaviour)| behaviour);
        Ok(Self {
            behaviour: behaviour.to_owned(),
            all: Measured::of(dataset, model, seeds, RecoverySteps::all()).await?,
            none: Measured::of(dataset, model, seeds, RecoverySteps::none()).await?,
            without,
            only: alone,
        })
    }
}

fn only(step: RecoveryStep) -> RecoverySteps {
    let others = RecoveryStep::ALL.into_iter().filter(|other| *other != step);
    others.fold(RecoverySteps::all(), RecoverySteps::without)
}

/// Shares in percent of the cases, and tokens per case.
struct Measured {
    first: f64,
    of_use: f64,
    right: f64,
    answered: f64,
    made_wrong: f64,
    tokens: f64,
}

impl Measured {
    async fn of(
        dataset: &Dataset,
        model: &str,
        seeds: u64,
        steps: RecoverySteps,
    ) -> Result<Self, Box<dyn Error>> {
        let mut results: Vec<CaseResult> = Vec::new();
        let cases: Vec<_> = dataset.cases.iter().collect();
        let mut options = EvalOptions::default();
        options.agent.recovery = steps;
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
            made_wrong: all.false_recoveries.share() * 100.0,
            tokens: all.prompt_tokens + all.completion_tokens,
        })
    }

    fn first_cell(&self) -> String {
        format!("{:.1} % / {:.1} %", self.first, self.of_use)
    }

    fn cell(&self) -> String {
        format!(
            "{:.1} % / {:.1} % / {:.1} %",
            self.right, self.answered, self.made_wrong
        )
    }

    /// The difference between this measurement and `without`.
    fn difference_to(&self, without: &Self) -> String {
        // Adding nothing turns a rounded -0 into 0.
        let points = |with: f64, without: f64| ((with - without) * 10.0).round() / 10.0 + 0.0;
        format!(
            "{:+.1} / {:+.1} / {:+.1} / {:+}",
            points(self.right, without.right),
            points(self.answered, without.answered),
            points(self.made_wrong, without.made_wrong),
            (self.tokens - without.tokens).round() + 0.0
        )
    }
}

//! What each rung of the recovery ladder is worth, with how models take to being asked again
//! varied: the table in `docs/guide/eval.md`. A simulation; no model is asked.
//!
//! ```sh
//! cargo run --release -p haft-eval --example rungs -- home-50 small 10
//! cargo run --release -p haft-eval --example rungs -- ~/bfcl small 1
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
    page += &heading("ladder");
    page += &row("first reply: right / of use", &|column| {
        column.all.first_cell()
    });
    page += &row("no rung: right / answered / spoilt", &|column| {
        column.none.cell()
    });
    page += &row("all rungs: right / answered / spoilt", &|column| {
        column.all.cell()
    });
    page += &heading("rung adds to the others: right / answered / spoilt / tokens");
    for (at, rung) in Rung::ALL.iter().enumerate() {
        let cell = |column: &Column| {
            column
                .without
                .get(at)
                .map(|without| column.all.beside(without))
        };
        page += &row(&format!("`{rung}`"), &|column| {
            cell(column).unwrap_or_default()
        });
    }
    page += &heading("rung adds alone: right / answered / spoilt / tokens");
    for (at, rung) in Rung::ALL.iter().enumerate() {
        let cell = |column: &Column| column.only.get(at).map(|only| only.beside(&column.none));
        page += &row(&format!("`{rung}`"), &|column| {
            cell(column).unwrap_or_default()
        });
    }
    std::io::stdout().lock().write_all(page.as_bytes())?;
    Ok(())
}

/// One way to take to being asked again.
struct Column {
    behaviour: String,
    all: Measured,
    none: Measured,
    /// By rung.
    without: Vec<Measured>,
    only: Vec<Measured>,
}

impl Column {
    async fn measure(dataset: &Dataset, model: &str, seeds: u64) -> Result<Self, Box<dyn Error>> {
        let (mut without, mut alone) = (Vec::new(), Vec::new());
        for rung in Rung::ALL {
            without.push(Measured::of(dataset, model, seeds, Rungs::all().without(rung)).await?);
            alone.push(Measured::of(dataset, model, seeds, only(rung)).await?);
        }
        let behaviour = model
            .split_once('+')
            .map_or(model, |(_, behaviour)| behaviour);
        Ok(Self {
            behaviour: behaviour.to_owned(),
            all: Measured::of(dataset, model, seeds, Rungs::all()).await?,
            none: Measured::of(dataset, model, seeds, Rungs::none()).await?,
            without,
            only: alone,
        })
    }
}

fn only(rung: Rung) -> Rungs {
    let others = Rung::ALL.into_iter().filter(|other| *other != rung);
    others.fold(Rungs::all(), Rungs::without)
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

    fn first_cell(&self) -> String {
        format!("{:.1} % / {:.1} %", self.first, self.of_use)
    }

    fn cell(&self) -> String {
        format!(
            "{:.1} % / {:.1} % / {:.1} %",
            self.right, self.answered, self.spoilt
        )
    }

    /// What this has more than the one without a rung.
    fn beside(&self, without: &Self) -> String {
        // Adding nothing turns a rounded -0 into 0.
        let points = |with: f64, without: f64| ((with - without) * 10.0).round() / 10.0 + 0.0;
        format!(
            "{:+.1} / {:+.1} / {:+.1} / {:+}",
            points(self.right, without.right),
            points(self.answered, without.answered),
            points(self.spoilt, without.spoilt),
            (self.tokens - without.tokens).round() + 0.0
        )
    }
}

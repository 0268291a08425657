//! Measures haft-extract and the tool-call parsers of others on the same replies, in one run, and
//! prints tables. `README.md` says what each row compares; the parsers stand in [`contestants`],
//! the replies in [`corpus`], the measurements in [`race`] and [`alone`].

#![cfg_attr(
    not(feature = "haft"),
    expect(dead_code, unused_imports, reason = "some of it is for haft alone")
)]

mod allocations;
#[cfg(feature = "haft")]
mod alone;
mod clock;
mod contestants;
mod corpus;
mod race;
mod report;

use std::error::Error;

use serde_json::{Value, json};

use clock::Clock;
use corpus::{FORMATS, Format};

#[global_allocator]
static ALLOCATOR: allocations::Counting = allocations::Counting;

const USAGE: &str = "usage: haft-rivals [--json FILE] [--format NAME]...";

/// What was asked for.
#[derive(Default)]
struct Arguments {
    json: Option<String>,
    formats: Vec<&'static Format>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = arguments()?;
    // Some parsers panic on some replies; that is counted, not shown.
    std::panic::set_hook(Box::new(|_| {}));
    let formats = arguments.formats.as_slice();
    let contestants = contestants::all();
    let mut clock = Clock::new();

    println!("{} on {}", versions(), processor());
    let mut tables = Vec::new();
    for measure in [race::whole, race::chunks, race::growth] {
        let table = measure(formats, &contestants, &mut clock);
        table.print();
        tables.push(table);
    }
    let noises: Vec<f64> = tables.iter().flat_map(report::Table::noises).collect();
    let most = noises.iter().copied().fold(0.0, f64::max);
    let noise = clock::median(noises);
    println!(
        "\nNoise: the median pass took {noise:.0} % longer than the best (worst row {most:.0} %)."
    );
    let figures = own_figures(formats, &mut clock);

    if let Some(file) = arguments.json {
        let tables: Vec<Value> = tables.iter().map(report::Table::json).collect();
        let report = json!({"versions": versions(), "processor": processor(),
            "noise_percent": noise, "tables": tables, "haft": figures});
        std::fs::write(&file, format!("{report:#}\n"))
            .map_err(|error| format!("cannot write {file}: {error}"))?;
    }
    Ok(())
}

fn arguments() -> Result<Arguments, String> {
    let mut found = Arguments::default();
    let mut given = std::env::args().skip(1);
    while let Some(option) = given.next() {
        let value = given.next().ok_or(USAGE)?;
        match option.as_str() {
            "--json" => found.json = Some(value),
            "--format" => {
                let format = FORMATS.iter().find(|format| format.name == value);
                found.formats.push(format.ok_or_else(|| unknown(&value))?);
            }
            _ => return Err(USAGE.to_owned()),
        }
    }
    if found.formats.is_empty() {
        found.formats = FORMATS.iter().collect();
    }
    Ok(found)
}

fn unknown(format: &str) -> String {
    let names: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
    format!(
        "no format '{format}' is measured; there are {}",
        names.join(", ")
    )
}

#[cfg(feature = "haft")]
fn own_figures(formats: &[&Format], clock: &mut Clock) -> Vec<Value> {
    println!("\nhaft alone");
    let figures = alone::figures(formats, clock);
    figures.iter().for_each(report::Figure::print);
    figures.iter().map(report::Figure::json).collect()
}

#[cfg(not(feature = "haft"))]
fn own_figures(_formats: &[&Format], _clock: &mut Clock) -> Vec<Value> {
    Vec::new()
}

fn versions() -> &'static str {
    if cfg!(feature = "haft") {
        "haft, vllm 0.33.0, smg (tool-parser) 1.10.0, dynamo (dynamo-parsers-v2) 0.9.6"
    } else {
        "vllm 0.33.0, smg (tool-parser) 1.10.0, dynamo (dynamo-parsers-v2) 0.9.6"
    }
}

fn processor() -> String {
    let information = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = information
        .lines()
        .find_map(|line| line.strip_prefix("model name"));
    let model = model.and_then(|rest| rest.split_once(':'));
    model.map_or_else(
        || "an unknown processor".to_owned(),
        |(_, name)| name.trim().to_owned(),
    )
}

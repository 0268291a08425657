//! `haft eval`: measures how well a model calls tools. Results go to a run file as they arrive, the
//! summary to stdout. `plan.rs` prepares a run, `progress.rs` shows the progress, `page.rs` formats the summary as text in the
//! tables of `table.rs`, `cases.rs` the cases that are wrong, `comparison.rs` compares two runs, and
//! `sources.rs` lists datasets.

mod cases;
mod comparison;
mod page;
mod plan;
mod progress;
mod sources;
mod table;

use std::collections::HashSet;
use std::io;
use std::path::Path;

use haft::eval::{
    Case, CaseResult, Dataset, EvalError, ReportInfo, RunFile, Summary, evaluate, html_report,
};
use serde_json::{Value, json};

#[cfg(unix)]
use std::os::fd::AsFd as TerminalStream;
#[cfg(windows)]
use std::os::windows::io::AsHandle as TerminalStream;

use self::plan::{Plan, plan};
use self::progress::Progress;
use crate::args::{EvalArgs, Verbosity};
use crate::failure::{Exit, Failure};
use crate::interrupts::Interrupts;
use crate::output::{print_json, write_raw};
use crate::settings::Settings;
use crate::trust::Trust;

/// A terminal that says that it is narrower does not know its width.
const NARROWEST: usize = 20;

pub(crate) async fn run(
    arguments: EvalArgs,
    verbosity: Verbosity,
    trust: Trust,
) -> Result<Exit, Failure> {
    if arguments.list {
        return sources::run(arguments.json);
    }
    if let Some([before, after]) = arguments.compare.as_deref() {
        return comparison::run(before, after, arguments.json);
    }
    let settings = Settings::load(&arguments.model, None, trust).await?;
    // Clap asks for it where neither is given.
    let dataset = Dataset::open(arguments.dataset.as_deref().unwrap_or_default())?;
    let mut interrupts = Interrupts::listen()?;
    let plan = interrupts
        .unless(plan(&arguments, &settings, dataset))
        .await??;
    let wanted = plan
        .dataset
        .choose(&arguments.category, arguments.limit.map(Into::into))?;
    let opened = RunFile::open(&plan.run_path, &plan.header, arguments.restart)?;
    let mut run = opened.file;
    let mut results = of_cases(&wanted, opened.results);
    let left = without_result(&wanted, &results);

    let mut progress = Progress::new(verbosity, wanted.len());
    progress.begin(&plan, results.len());
    let done = |result: CaseResult| -> Result<(), EvalError> {
        run.push(&result)?;
        progress.done(&result);
        results.push(result);
        Ok(())
    };
    let running = evaluate(&left, &plan.subject, &plan.options, done);
    let ended = interrupts.unless(running).await;
    progress.end();

    let results = in_order(&wanted, results);
    if let Some(path) = &arguments.report {
        write_report(path, &plan, wanted.len(), &results)?;
        progress.say(&format!("report  {}", path.display()));
    }
    let interrupted = match ended {
        Ok(ended) => {
            ended.map_err(|error| kept_so_far(error, results.len(), wanted.len()))?;
            None
        }
        Err(interrupted) => Some(interrupted.exit),
    };
    if arguments.json {
        print_json(&object(&plan, &results, wanted.len()))?;
    } else {
        let width = width();
        if verbosity.verbose {
            write_raw(&cases::wrong(&results, width))?;
        }
        write_raw(&page::page(&plan.header, &results, wanted.len(), width))?;
    }
    Ok(interrupted.unwrap_or(Exit::Success))
}

/// The columns of the terminal; `None` where stdout is none.
fn width() -> Option<usize> {
    width_of(io::stdout())
}

fn width_of(stream: impl TerminalStream) -> Option<usize> {
    let (width, _) = terminal_size::terminal_size_of(stream)?;
    Some(usize::from(width.0).max(NARROWEST))
}

/// The stored results of the wanted cases, one per case.
fn of_cases(wanted: &[&Case], stored: Vec<CaseResult>) -> Vec<CaseResult> {
    let mut missing: HashSet<&str> = wanted.iter().map(|case| case.id.as_str()).collect();
    let is_wanted = |result: &CaseResult| missing.remove(result.id.as_str());
    stored.into_iter().filter(is_wanted).collect()
}

/// The cases still to run.
fn without_result<'a>(wanted: &[&'a Case], results: &[CaseResult]) -> Vec<&'a Case> {
    let known: HashSet<&str> = results.iter().map(|result| result.id.as_str()).collect();
    let left = wanted
        .iter()
        .filter(|case| !known.contains(case.id.as_str()));
    left.copied().collect()
}

/// The results in the order of their cases; parallel cases end in any order.
fn in_order(wanted: &[&Case], mut results: Vec<CaseResult>) -> Vec<CaseResult> {
    let places: std::collections::HashMap<&str, usize> = wanted
        .iter()
        .enumerate()
        .map(|(at, case)| (case.id.as_str(), at))
        .collect();
    results.sort_by_key(|result| places.get(result.id.as_str()).copied());
    results
}

fn kept_so_far(error: EvalError, done: usize, wanted: usize) -> Failure {
    let failure = Failure::from(error);
    if done == 0 {
        return failure;
    }
    let kept = format!("{done} of {wanted} cases are stored; run the command again to continue");
    let hint = failure
        .hint
        .as_ref()
        .map_or(kept.clone(), |hint| format!("{hint}; {kept}"));
    failure.with_hint(hint)
}

fn write_report(
    path: &Path,
    plan: &Plan,
    planned: usize,
    results: &[CaseResult],
) -> Result<(), Failure> {
    let header = &plan.header;
    let page = html_report(&ReportInfo { header, planned }, results);
    std::fs::write(path, page)
        .map_err(|error| Failure::new(format!("{} cannot be written: {error}", path.display())))
}

fn object(plan: &Plan, results: &[CaseResult], planned: usize) -> Value {
    let header = &plan.header;
    json!({
        "dataset": header.dataset,
        "dataset_hash": header.dataset_hash,
        "model": header.model,
        "simulation": header.simulation,
        "options": header.options,
        "planned": planned,
        "done": results.len(),
        "summary": Summary::of(results),
        "cases": results,
        "run": plan.run_path,
    })
}

//! `haft eval --compare`: what got better and what worse from one run to another.

use std::path::Path;

use haft::eval::{Change, ChangedCase, Comparison, StoredRun, compare};

use super::table::{Table, wrapped};
use super::width;
use crate::failure::{Exit, Failure};
use crate::output::{print_json, write_raw};
use crate::text::one_line;

/// The maximum length of a question in characters.
const ASKED: usize = 300;

/// More cases than this are counted, not listed; `--json` has them all.
const MOST_LISTED: usize = 50;

pub(super) fn run(before: &Path, after: &Path, json: bool) -> Result<Exit, Failure> {
    let comparison = compare(&StoredRun::open(before)?, &StoredRun::open(after)?)?;
    if json {
        print_json(&comparison)?;
    } else {
        write_raw(&page(&comparison, width()))?;
    }
    Ok(Exit::Success)
}

fn page(comparison: &Comparison, width: Option<usize>) -> String {
    let lines = width.unwrap_or(usize::MAX);
    let title = format!(
        "{}: {} cases, {} before, {} after",
        one_line(&comparison.dataset, 80),
        comparison.cases,
        one_line(&comparison.before, 80),
        one_line(&comparison.after, 80)
    );
    let mut page = wrapped(&title, lines, "  ");
    if comparison.left_out > 0 {
        let left_out = format!(
            "{} results of one run alone are left out.",
            comparison.left_out
        );
        page += &wrapped(&left_out, lines, "");
    }
    page.push('\n');
    page += &figures(comparison).text(width);
    page.push('\n');
    for (name, change) in [
        ("first try", &comparison.first),
        ("recovered", &comparison.recovered),
    ] {
        page += &wrapped(&format!("{name}: {}", change.sentence()), lines, "  ");
    }
    page += &listed("Better at the end", &comparison.recovered.better, lines);
    page += &listed("Worse at the end", &comparison.recovered.worse, lines);
    page
}

fn figures(comparison: &Comparison) -> Table {
    let row = |(name, change): (&str, &Change)| {
        let (before, after) = (change.before.share() * 100.0, change.after.share() * 100.0);
        vec![
            name.to_owned(),
            format!("{before:.1} %"),
            format!("{after:.1} %"),
            format!("{:+.1}", after - before),
            change.better.len().to_string(),
            change.worse.len().to_string(),
            format!("{:.4}", change.p_value),
        ]
    };
    let rows = [
        ("first try", &comparison.first),
        ("recovered", &comparison.recovered),
    ];
    let headings = ["", "before", "after", "points", "better", "worse", "p"];
    Table::new(&headings, rows.into_iter().map(row))
}

fn listed(title: &str, cases: &[ChangedCase], width: usize) -> String {
    if cases.is_empty() {
        return String::new();
    }
    let mut text = format!("\n{title}:\n");
    for case in cases.iter().take(MOST_LISTED) {
        let line = format!(
            "  {}: {} (before: {}, after: {})",
            one_line(&case.id, ASKED),
            one_line(&case.asked, ASKED),
            case.before.phrase(),
            case.after.phrase()
        );
        text += &wrapped(&line, width, "    ");
    }
    let more = cases.len().saturating_sub(MOST_LISTED);
    if more > 0 {
        text += &wrapped(
            &format!("  and {more} more; --json has them all"),
            width,
            "    ",
        );
    }
    text
}

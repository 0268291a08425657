//! Formats the summary as text: tables of figures with their confidence intervals.

use std::fmt::Write;

use haft::eval::{CaseResult, Group, RunHeader, Share, StepSummary, Summary};

use crate::text::one_line;

/// The maximum length of a name in characters.
const NAME: usize = 24;

/// Formats the summary. Writing to a string cannot fail, so the results of `write!` are ignored.
pub(super) fn page(header: &RunHeader, results: &[CaseResult], planned: usize) -> String {
    let summary = Summary::of(results);
    let mut page = String::new();
    let simulation = if header.simulation {
        " (simulation, no model was asked)"
    } else {
        ""
    };
    let (model, dataset) = (one_line(&header.model, 80), one_line(&header.dataset, 40));
    let _ = writeln!(
        page,
        "{model} on {dataset}{simulation}: {} of {planned} cases",
        results.len()
    );
    for (name, value) in &header.options {
        let _ = writeln!(page, "{name}: {}", one_line(value, 80));
    }
    page.push('\n');
    page += &table(&accuracy(&summary));
    page.push('\n');
    page += &table(&costs(&summary));
    if !summary.steps.is_empty() {
        page.push('\n');
        page += &table(&steps(&summary));
    }
    if !summary.mistakes.is_empty() {
        page.push('\n');
        page += &table(&mistakes(&summary));
    }
    page.push('\n');
    page += &last_words(&summary.all, header.simulation);
    page
}

fn groups(summary: &Summary) -> impl Iterator<Item = &Group> {
    std::iter::once(&summary.all)
        .chain(&summary.kinds)
        .chain(&summary.categories)
}

fn accuracy(summary: &Summary) -> Vec<Vec<String>> {
    let is_routed = summary.all.chance.is_some();
    let rows = groups(summary).map(|group| {
        let gain = (group.recovered.share() - group.first.share()) * 100.0;
        let mut row = vec![
            one_line(&group.name, NAME),
            group.first.of.to_string(),
            with_range(&group.first),
            percent(&group.repaired),
            with_range(&group.recovered),
            format!(
                "{gain:+.1} ({:+.1} to {:+.1})",
                group.gain.low * 100.0,
                group.gain.high * 100.0
            ),
        ];
        if is_routed {
            let chance = group.chance.unwrap_or_default() * 100.0;
            row.push(format!("{chance:.1} %"));
        }
        row
    });
    let mut headings = vec!["", "cases", "first try", "repaired", "recovered", "gain"];
    if is_routed {
        headings.push("chance");
    }
    headed(&headings, rows)
}

fn costs(summary: &Summary) -> Vec<Vec<String>> {
    let rows = groups(summary).map(|group| {
        vec![
            one_line(&group.name, NAME),
            percent(&group.first_of_use),
            percent(&group.answered),
            group.false_recoveries.hits.to_string(),
            group.tools_lost.hits.to_string(),
            format!("{:.2}", group.rounds),
            format!(
                "{:.0} + {:.0}",
                group.prompt_tokens, group.completion_tokens
            ),
            format!("{} ms", group.median_ms),
            format!("{} ms", group.p95_ms),
        ]
    });
    let headings = [
        "",
        "of use",
        "answered",
        "made wrong",
        "tool lost",
        "rounds",
        "tokens",
        "median",
        "p95",
    ];
    headed(&headings, rows)
}

fn steps(summary: &Summary) -> Vec<Vec<String>> {
    let rows = summary.steps.iter().map(StepSummary::row);
    headed(&StepSummary::HEADINGS, rows)
}

fn mistakes(summary: &Summary) -> Vec<Vec<String>> {
    let rows = summary.mistakes.iter().map(|mistake| {
        vec![
            mistake.verdict.phrase().to_owned(),
            mistake.first.to_string(),
            mistake.recovered.to_string(),
        ]
    });
    headed(&["mistake", "first try", "recovered"], rows)
}

fn last_words(all: &Group, simulation: bool) -> String {
    let mut words = format!(
        "Regressions (made wrong): {} of {}, {}. Tool withheld: {} of {}, {}.\n\
         Intervals hold with 95 % confidence. Rounds and tokens (prompt + reply) are means per case.\n",
        all.false_recoveries.hits,
        all.false_recoveries.of,
        with_range(&all.false_recoveries),
        all.tools_lost.hits,
        all.tools_lost.of,
        with_range(&all.tools_lost),
    );
    if simulation {
        words.push_str("This is a simulation: times are meaningless, and tokens are estimates.\n");
    }
    words
}

fn headed(headings: &[&str], rows: impl Iterator<Item = Vec<String>>) -> Vec<Vec<String>> {
    let head = headings
        .iter()
        .map(|heading| (*heading).to_owned())
        .collect();
    std::iter::once(head).chain(rows).collect()
}

/// Pads columns to their widest cell; names are left-aligned, figures right-aligned.
fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row
            .iter()
            .zip(&widths)
            .enumerate()
            .map(|(at, (cell, width))| match at {
                0 => format!("{cell:<width$}"),
                _ => format!("{cell:>width$}"),
            });
        let line = cells.collect::<Vec<_>>().join("  ");
        text += line.trim_end();
        text.push('\n');
    }
    text
}

fn percent(share: &Share) -> String {
    match share.of {
        0 => "-".to_owned(),
        _ => format!("{:.1} %", share.share() * 100.0),
    }
}

fn with_range(share: &Share) -> String {
    let (low, high) = (share.interval.low * 100.0, share.interval.high * 100.0);
    format!("{} ({low:.1} to {high:.1})", percent(share))
}

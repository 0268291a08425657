//! Formats the summary as text: tables of figures with their confidence intervals.

use haft::eval::{CaseResult, Group, RunHeader, Share, StepSummary, Summary};

use super::table::{Table, wrapped};
use crate::text::one_line;

/// The maximum length of a name in characters.
const NAME: usize = 24;

/// Formats the summary in lines of at most `width` columns.
pub(super) fn page(
    header: &RunHeader,
    results: &[CaseResult],
    planned: usize,
    width: Option<usize>,
) -> String {
    let summary = Summary::of(results);
    let mut page = String::new();
    let simulation = if header.simulation {
        " (simulation, no model was asked)"
    } else {
        ""
    };
    let (model, dataset) = (one_line(&header.model, 80), one_line(&header.dataset, 40));
    let lines = width.unwrap_or(usize::MAX);
    let title = format!(
        "{model} on {dataset}{simulation}: {} of {planned} cases",
        results.len()
    );
    page += &wrapped(&title, lines, "  ");
    for (name, value) in &header.options {
        page += &wrapped(&format!("{name}: {}", one_line(value, 80)), lines, "  ");
    }
    page.push('\n');
    page += &accuracy(&summary).text(width);
    page.push('\n');
    page += &costs(&summary).text(width);
    if !summary.steps.is_empty() {
        page.push('\n');
        page += &steps(&summary).text(width);
    }
    if !summary.mistakes.is_empty() {
        page.push('\n');
        page += &mistakes(&summary).text(width);
    }
    page.push('\n');
    for line in last_words(&summary.all, header.simulation).lines() {
        page += &wrapped(line, lines, "");
    }
    page
}

fn groups(summary: &Summary) -> impl Iterator<Item = &Group> {
    std::iter::once(&summary.all)
        .chain(&summary.kinds)
        .chain(&summary.categories)
}

fn accuracy(summary: &Summary) -> Table {
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
    Table::new(&headings, rows)
}

fn costs(summary: &Summary) -> Table {
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
    Table::new(&headings, rows)
}

fn steps(summary: &Summary) -> Table {
    let rows = summary.steps.iter().map(StepSummary::row);
    Table::new(&StepSummary::HEADINGS, rows)
}

fn mistakes(summary: &Summary) -> Table {
    let rows = summary.mistakes.iter().map(|mistake| {
        vec![
            mistake.verdict.phrase().to_owned(),
            mistake.first.to_string(),
            mistake.recovered.to_string(),
        ]
    });
    Table::new(&["mistake", "first try", "recovered"], rows)
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

//! Renders a run as one HTML page without scripts or external resources.
//!
//! `page.rs` has the frame and the style, `chart.rs` the drawings. Every text from outside is
//! escaped by [`escaped`].

mod chart;
mod page;

use std::fmt::Write;

use self::chart::{Bar, bars};
use crate::result::CaseResult;
use crate::run_file::RunHeader;
use crate::summary::{Group, Share, StepSummary, Summary};

/// The maximum number of wrong cases listed, to keep the page readable.
const MAX_LISTED: usize = 200;

/// The facts of a report besides its results.
#[derive(Clone, Debug)]
pub struct ReportInfo<'a> {
    /// The header of the run.
    pub header: &'a RunHeader,
    /// The number of planned cases; more than the results after an interruption.
    pub planned: usize,
}

/// Renders the HTML page of a run.
///
/// ```
/// use haft_eval::{Dataset, Flaky, ReportInfo, RunHeader, Subject, html_report};
///
/// let dataset = Dataset::bundled("home-50").unwrap();
/// let header = RunHeader::new(&dataset, &Subject::Flaky(Flaky::perfect()));
/// let page = html_report(&ReportInfo { header: &header, planned: 50 }, &[]);
/// assert!(page.starts_with("<!doctype html>") && page.contains("simulation"));
/// ```
#[must_use]
pub fn html_report(info: &ReportInfo<'_>, results: &[CaseResult]) -> String {
    let summary = Summary::of(results);
    let mut body = String::new();
    introduction(&mut body, info, results.len());
    figures(&mut body, &summary);
    let categories = summary.kinds.iter().chain(&summary.categories);
    body += &bars(
        "Right answers",
        &categories.map(Bar::of).collect::<Vec<_>>(),
    );
    groups(&mut body, &summary);
    steps(&mut body, &summary);
    mistakes(&mut body, &summary);
    wrong_cases(&mut body, results);
    page::page(&title(info), &body)
}

fn title(info: &ReportInfo<'_>) -> String {
    format!("{} on {}", info.header.model, info.header.dataset)
}

// Writing to a string cannot fail, so the results of `write!` are dropped below.

fn introduction(body: &mut String, info: &ReportInfo<'_>, done: usize) {
    let header = info.header;
    let _ = write!(body, "<h1>{}</h1>", escaped(&title(info)));
    if header.simulation {
        body.push_str("<p class=\"note\"><strong>simulation</strong>: no model was asked. The replies come from a simulated model that fails with fixed probabilities; times are meaningless and tokens are estimates.</p>");
    }
    if done < info.planned {
        let _ = write!(
            body,
            "<p class=\"note\">{done} of {} cases are done.</p>",
            info.planned
        );
    }
    let mut facts = vec![(
        "dataset",
        format!("{} ({})", header.dataset, header.dataset_hash),
    )];
    facts.extend(
        header
            .options
            .iter()
            .map(|(name, value)| (name.as_str(), value.clone())),
    );
    let facts = facts
        .iter()
        .map(|(name, value)| format!("{}: {}", escaped(name), escaped(value)));
    let _ = write!(
        body,
        "<p class=\"facts\">{}</p>",
        facts.collect::<Vec<_>>().join(" · ")
    );
}

fn figures(body: &mut String, summary: &Summary) {
    let all = &summary.all;
    let tiles = [
        ("first try", percent(&all.first), range(&all.first)),
        ("recovered", percent(&all.recovered), range(&all.recovered)),
        (
            "false recoveries",
            percent(&all.false_recoveries),
            format!(
                "{} of {}",
                all.false_recoveries.hits, all.false_recoveries.of
            ),
        ),
        (
            "ended with an answer",
            percent(&all.answered),
            format!("useful first replies: {}", percent(&all.first_of_use)),
        ),
        (
            "tool withheld",
            percent(&all.tools_lost),
            format!("{} of {}", all.tools_lost.hits, all.tools_lost.of),
        ),
        (
            "time",
            format!("{} ms", all.median_ms),
            format!("95 of 100 within {} ms", all.p95_ms),
        ),
    ];
    body.push_str("<section class=\"tiles\">");
    for (name, value, detail) in tiles {
        let _ = write!(
            body,
            "<div><span>{name}</span><b>{value}</b><span>{detail}</span></div>"
        );
    }
    body.push_str("</section>");
}

fn groups(body: &mut String, summary: &Summary) {
    let headings = [
        "",
        "cases",
        "first try",
        "repaired",
        "recovered",
        "gain",
        "answered",
        "false recoveries",
        "tool withheld",
        "rounds",
        "prompt tokens",
        "reply tokens",
        "median ms",
        "p95 ms",
    ];
    let groups = std::iter::once(&summary.all)
        .chain(&summary.kinds)
        .chain(&summary.categories);
    let rows = groups.map(|group| {
        vec![
            escaped(&group.name),
            group.first.of.to_string(),
            with_range(&group.first),
            percent(&group.repaired),
            with_range(&group.recovered),
            gain(group),
            percent(&group.answered),
            group.false_recoveries.hits.to_string(),
            group.tools_lost.hits.to_string(),
            format!("{:.2}", group.rounds),
            format!("{:.0}", group.prompt_tokens),
            format!("{:.0}", group.completion_tokens),
            group.median_ms.to_string(),
            group.p95_ms.to_string(),
        ]
    });
    body.push_str(&page::table("By category", &headings, rows));
    body.push_str("<p>First try: the calls of the first reply as the model wrote them. Repaired: the same calls with their arguments repaired and checked. Recovered: the calls that were made in the whole run. Intervals hold with 95 % confidence (shares: Wilson, gain: bootstrap). Rounds and tokens are means per case.</p>");
}

fn steps(body: &mut String, summary: &Summary) {
    if summary.steps.is_empty() {
        return;
    }
    let rows = summary.steps.iter().map(StepSummary::row);
    body.push_str(&page::table(
        "By recovery step",
        &StepSummary::HEADINGS,
        rows,
    ));
    body.push_str("<p>Of several steps that acted in a case, the first useful one is credited with the result. Answers: the first reply was empty, and the question ended with an answer.</p>");
}

fn mistakes(body: &mut String, summary: &Summary) {
    let rows = summary.mistakes.iter().map(|mistake| {
        vec![
            mistake.verdict.phrase().to_owned(),
            mistake.first.to_string(),
            mistake.recovered.to_string(),
        ]
    });
    if rows.len() > 0 {
        body.push_str(&page::table(
            "Mistakes",
            &["mistake", "first try", "recovered"],
            rows,
        ));
    }
}

fn wrong_cases(body: &mut String, results: &[CaseResult]) {
    let wrong: Vec<&CaseResult> = results
        .iter()
        .filter(|result| !result.recovered.is_right())
        .collect();
    if wrong.is_empty() {
        return;
    }
    let title = match wrong.len() {
        n if n > MAX_LISTED => format!("The first {MAX_LISTED} of {n} wrong cases"),
        n => format!("Wrong cases: {n}"),
    };
    let _ = write!(body, "<h2>{title}</h2><section class=\"cases\">");
    for result in wrong.iter().take(MAX_LISTED) {
        wrong_case(body, result);
    }
    body.push_str("</section>");
}

/// The question, what was expected, and what came.
fn wrong_case(body: &mut String, result: &CaseResult) {
    let steps: Vec<_> = result.steps.iter().map(|step| step.step.name()).collect();
    let facts = [
        ("asked", result.asked.as_str()),
        ("expected", &result.expected),
        ("came", &result.came()),
        ("first try", result.first.phrase()),
        ("recovered", result.recovered.phrase()),
        ("steps", &steps.join(", ")),
        ("error", result.error.as_deref().unwrap_or_default()),
    ];
    let _ = write!(
        body,
        "<div class=\"case\"><h3>{}</h3><dl>",
        escaped(&result.id)
    );
    for (name, value) in facts.iter().filter(|(_, value)| !value.is_empty()) {
        let _ = write!(body, "<dt>{name}</dt><dd>{}</dd>", escaped(value));
    }
    body.push_str("</dl></div>\n");
}

fn percent(share: &Share) -> String {
    match share.of {
        0 => "-".to_owned(),
        _ => format!("{:.1} %", share.share() * 100.0),
    }
}

fn range(share: &Share) -> String {
    format!(
        "{:.1} to {:.1} %",
        share.interval.low * 100.0,
        share.interval.high * 100.0
    )
}

fn with_range(share: &Share) -> String {
    format!("{} <small>{}</small>", percent(share), range(share))
}

fn gain(group: &Group) -> String {
    let points = (group.recovered.share() - group.first.share()) * 100.0;
    let (low, high) = (group.gain.low * 100.0, group.gain.high * 100.0);
    format!("{points:+.1} <small>{low:+.1} to {high:+.1}</small>")
}

/// Escapes `text` for HTML content and attributes.
fn escaped(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => result.push_str("&amp;"),
            '<' => result.push_str("&lt;"),
            '>' => result.push_str("&gt;"),
            '"' => result.push_str("&quot;"),
            '\'' => result.push_str("&#39;"),
            c if c.is_control() => result.push(' '),
            c => result.push(c),
        }
    }
    result
}

#[cfg(test)]
mod tests;

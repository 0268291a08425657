//! The cases that are wrong at the end: the question, what was expected, and what came.

use haft::eval::CaseResult;

use super::table::{labelled, wrapped};
use crate::text::one_line;

/// The maximum length of a text in characters.
const TEXT: usize = 1000;

/// The wrong cases in lines of at most `width` columns, with an empty line at the end.
pub(super) fn wrong(results: &[CaseResult], width: Option<usize>) -> String {
    let wrong = results.iter().filter(|result| !result.recovered.is_right());
    wrong.map(|result| block(result, width)).collect()
}

fn block(result: &CaseResult, width: Option<usize>) -> String {
    const INDENT: &str = "            ";
    let width = width.unwrap_or(usize::MAX);
    let line = |label: &str, text: &str| {
        let text = one_line(text, TEXT);
        labelled(&format!("  {label:<9} "), &text, width, INDENT)
    };
    let mut block = wrapped(
        &format!(
            "{}: {} (first try: {})",
            one_line(&result.id, TEXT),
            result.recovered.phrase(),
            result.first.phrase()
        ),
        width,
        "  ",
    );
    block += &line("asked", &result.asked);
    block += &line("expected", &result.expected);
    block += &line("came", &result.came());
    let steps: Vec<_> = result.steps.iter().map(|step| step.step.name()).collect();
    if !steps.is_empty() {
        block += &line("recovery", &steps.join(", "));
    }
    block.push('\n');
    block
}

#[cfg(test)]
mod tests;

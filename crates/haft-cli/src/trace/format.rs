//! Parts of the lines of a trace.

use std::time::Duration;

use haft::types::{ContentBlock, ToolReport, Usage};

use super::TEXT_LIMIT;
use crate::text::one_line;

/// The number of tools that are named; the rest is counted.
const TOOLS_NAMED: usize = 8;

/// The placeholder for a block without text.
pub(super) fn beside(block: &ContentBlock) -> String {
    match block {
        ContentBlock::Image(_) => " [picture]".to_owned(),
        ContentBlock::Attachment { title, .. } => format!(" [{}]", one_line(title, TEXT_LIMIT)),
        _ => String::new(),
    }
}

/// The first names, and the number of further ones.
pub(super) fn named<S: AsRef<str>>(names: &[S]) -> String {
    let shown: Vec<_> = names.iter().take(TOOLS_NAMED).map(AsRef::as_ref).collect();
    match names.len().saturating_sub(TOOLS_NAMED) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// The result of a call in one line.
pub(super) fn result_of(report: &ToolReport) -> String {
    one_line(&report.message.content.text(), TEXT_LIMIT)
}

/// How many tokens went in and out.
pub(super) fn tokens(usage: Usage) -> String {
    format!(
        "{} tokens in, {} out",
        usage.input_tokens, usage.output_tokens
    )
}

/// A number and its noun.
pub(super) fn counted(count: impl Into<u64>, noun: &str) -> String {
    let count = count.into();
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{ending}")
}

/// A readable duration.
pub(crate) fn took(duration: Duration) -> String {
    if duration < Duration::from_secs(1) {
        format!("{} ms", duration.as_millis())
    } else {
        format!("{:.1} s", duration.as_secs_f64())
    }
}

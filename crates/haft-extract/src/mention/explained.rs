//! Whether the text before a call explains how calls are written.

use std::sync::LazyLock;

use super::intent::intent;
use super::search::Hints;
use super::sentence::Plain;
use super::words::{EXAMPLE, FORMAT_EXPLAINED};

/// True when the text explains how calls are written: even a marked call behind it is an example.
pub(crate) fn explains_format(lead: &str) -> bool {
    static HINTS: LazyLock<Hints> = LazyLock::new(|| Hints::of(&[&FORMAT_EXPLAINED, &EXAMPLE]));
    // Most replies say nothing of it before their calls.
    if !HINTS.are_in(lead) {
        return false;
    }
    let lead = Plain::of(lead);
    let last = lead.last();
    let near = format!("{} {last}", lead.before_last(1));
    let explained = FORMAT_EXPLAINED
        .last_in(&near)
        .max(EXAMPLE.last_in(last).map(|at| near.len() - last.len() + at));
    explained.is_some_and(|at| intent(&near).is_none_or(|done| done.start < at))
}

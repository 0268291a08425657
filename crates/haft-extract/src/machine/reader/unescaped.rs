//! Arguments in quotes whose own quotes were not escaped: `"arguments": "{"city": "Oslo"}"}`.
//!
//! The brackets close one too early there, right before the quote that was meant to end the text.

use crate::scan::balance::is_arguments_key;
use crate::scan::lexis::key_follows;
use crate::scan::{More, near};

/// How much may stand between the brackets that close too early and the last one.
const NEAR: usize = 16;

/// The object without these quotes, and what follows it up to its last bracket; behind it stands
/// `after`.
pub(super) fn without_quotes(
    object: &str,
    after: &str,
    finished: bool,
) -> Result<Option<(String, usize)>, More> {
    let near = near(after, NEAR);
    let tail = near.trim_start();
    // Most objects end with something else.
    let is_short = after.len() < NEAR && !finished;
    let may_follow = tail.starts_with('"') || (is_short && tail.is_empty());
    let Some(open) = may_follow.then(|| opening(object)).flatten() else {
        return Ok(None);
    };
    let behind = tail.get(1..).unwrap_or_default().trim_start();
    if behind.is_empty() && is_short {
        return Err(More);
    }
    let parts = object.get(..open).zip(object.get(open + 1..));
    let parts = parts.filter(|_| behind.starts_with('}'));
    let rest = near.len() - behind.len() + 1;
    Ok(parts.map(|(before, inner)| (format!("{before}{inner}}}"), rest)))
}

/// The quote before an object that is the value of arguments and begins with a name in quotes.
fn opening(object: &str) -> Option<usize> {
    let mut quotes = object.match_indices("\"{");
    let (at, _) = quotes.find(|(at, _)| {
        let before = object.get(..*at).unwrap_or_default().trim_end();
        let key = before.strip_suffix(':').map(str::trim_end);
        let key = key.and_then(|key| key.strip_suffix('"'));
        let key = key.and_then(|key| key.rsplit('"').next());
        let inner = object.get(at + 2..).unwrap_or_default().trim_start();
        key.is_some_and(is_arguments_key) && inner.starts_with('"') && key_follows(inner.as_bytes())
    })?;
    Some(at)
}

#[cfg(test)]
mod tests;

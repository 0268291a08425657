//! Arguments in quotes whose own quotes were not escaped: `"arguments": "{"city": "Oslo"}"}`.
//!
//! The brackets close one too early there, right before the quote that was meant to end the text.

use crate::scan::balance::is_arguments_key;
use crate::scan::lexis::{Ends, key_follows};

/// How much may stand between the brackets that close too early and the last one.
const NEAR: usize = 16;

/// Where the quotes stand around the arguments in an object that ends here.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Quoted {
    /// The first, in the object.
    open: usize,
    /// What follows the object up to its last bracket.
    pub(super) rest: usize,
}

impl Quoted {
    /// Looks for them in `object`, behind which `after` stands.
    pub(super) fn find(object: &str, after: &str, finished: bool) -> Result<Self, Ends> {
        let near = after
            .get(..after.floor_char_boundary(NEAR))
            .unwrap_or(after);
        let tail = near.trim_start();
        // Most objects end with something else.
        let is_short = after.len() < NEAR && !finished;
        let may_follow = tail.starts_with('"') || (is_short && tail.is_empty());
        if !may_follow {
            return Err(Ends::No);
        }
        let open = opening(object).ok_or(Ends::No)?;
        let behind = tail.get(1..).unwrap_or_default().trim_start();
        if behind.starts_with('}') {
            let rest = near.len() - behind.len() + 1;
            return Ok(Self { open, rest });
        }
        Err(if is_short && behind.is_empty() {
            Ends::Unclear
        } else {
            Ends::No
        })
    }

    /// The object without these quotes.
    pub(super) fn mended(&self, object: &str) -> Option<String> {
        let before = object.get(..self.open)?;
        let behind = object.get(self.open + 1..)?;
        Some(format!("{before}{behind}}}"))
    }
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

//! Quotes around a call or its arguments, which a model wrote as a text: what stands behind them,
//! `"{\"city\": \"Oslo\"}"</tool_call>`, `["{...}", "{...}"]`, and arguments whose own quotes were not
//! escaped: `"arguments": "{"city": "Oslo"}"}`. The brackets close one too early there, right before
//! the quote that was meant to end the text.

use super::cursor::behind_blanks;
use crate::limits;
use crate::scan::{More, is_arguments_key, key_follows, near};

/// What stands behind arguments in quotes: markup, that of DeepSeek's fences, of the next call of
/// Mistral's, or of Functionary's.
const BEHIND_QUOTES: [&str; 6] = ["</", "<|", "<｜", "```<", "[TOOL_CALLS]", ">>>"];

/// How much of the text that begins with the quote is markup: the quote where nothing but markup
/// follows, with all that leads to the next call of a list.
pub(super) fn ends_quotes(text: &str, finished: bool) -> Result<usize, More> {
    let rest = behind_blanks(text.get(1..).unwrap_or_default());
    let is_markup = BEHIND_QUOTES.iter().any(|tag| rest.starts_with(tag));
    let (len, may_go_on) = match in_list(text, rest) {
        Some(next) => (text.len() - next.len(), next.is_empty()),
        None if text.starts_with('\'') => (0, rest.is_empty()),
        None => {
            let may_be_markup = BEHIND_QUOTES.iter().any(|tag| tag.starts_with(rest));
            let is_end = rest.is_empty() || is_markup;
            (usize::from(is_end), may_be_markup && !is_markup)
        }
    };
    (finished || !may_go_on).then_some(len).ok_or(More)
}

/// What stands behind the quote of a text in a list: the bracket that closes it, or the object in
/// the next text.
fn in_list<'t>(text: &str, rest: &'t str) -> Option<&'t str> {
    let quote = text.chars().next()?;
    if rest.starts_with(']') {
        return Some(rest);
    }
    let next = behind_blanks(rest.strip_prefix(',')?);
    let object = next.strip_prefix(quote).unwrap_or(next);
    (next.is_empty() || object.is_empty() || object.starts_with('{')).then_some(object)
}

/// The object without these quotes, and what follows it up to its last bracket; behind it stands
/// `after`.
pub(super) fn without_quotes(
    object: &str,
    after: &str,
    finished: bool,
) -> Result<Option<(String, usize)>, More> {
    let near = near(after, limits::GAP);
    let tail = near.trim_start();
    // Most objects end with something else.
    let is_short = after.len() < limits::GAP && !finished;
    let may_follow = tail.starts_with('"') || (is_short && tail.is_empty());
    let may_open = may_follow && object.starts_with('{');
    let Some((before, inner)) = may_open.then(|| around_quote(object)).flatten() else {
        return Ok(None);
    };
    let behind = tail.get(1..).unwrap_or_default().trim_start();
    if behind.is_empty() && is_short {
        return Err(More);
    }
    let rest = near.len() - behind.len() + 1;
    let is_end = behind.starts_with('}');
    Ok(is_end.then(|| (format!("{before}{inner}}}"), rest)))
}

/// What stands before and behind the quote before an object that is the value of arguments and
/// begins with a name in quotes.
fn around_quote(object: &str) -> Option<(&str, &str)> {
    let quotes = object.match_indices("\"{");
    let mut parts = quotes.filter_map(|(at, _)| object.get(..at).zip(object.get(at + 1..)));
    parts.find(|(before, inner)| {
        let before = before.trim_end().strip_suffix(':');
        let key = before.and_then(|before| before.trim_end().strip_suffix('"')?.rsplit('"').next());
        let name = inner.get(1..).unwrap_or_default().trim_start();
        key.is_some_and(is_arguments_key) && name.starts_with('"') && key_follows(name.as_bytes())
    })
}

#[cfg(test)]
mod tests;

//! What stands behind the quotes around a call or its arguments, which a model wrote as a text:
//! `"{\"city\": \"Oslo\"}"</tool_call>`, `["{...}", "{...}"]`.

use super::cursor::behind_blanks;
use crate::scan::More;

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

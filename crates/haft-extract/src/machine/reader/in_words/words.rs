//! One value without the name of its parameter, behind the name of a tool: a text in quotes, or a
//! name as devices, rooms and places have them, `Kitchen Light`.

use serde_json::Value;

use crate::scan::bytes::is_word_of;

/// So many words at most.
const MOST_WORDS: usize = 6;

/// Words within a name that have no capital.
const JOINTS: [&str; 6] = ["of", "the", "and", "de", "da", "di"];

/// Words that say something of a call, as a heading or a report does: `TurnOff Example`.
const ABOUT_CALLS: &str = "\
    action and api argument arguments call called command complete completed description done \
    error example examples executed failed function failure intent invalid method missing no \
    not ok options or output parameters request required response result service success \
    successful tool unavailable usage";

/// What stands behind the quote that `text` begins with, and what closes that.
pub(super) fn behind_quote(text: &str) -> Option<(&str, char)> {
    const QUOTES: [(char, char); 3] = [('"', '"'), ('\'', '\''), ('“', '”')];
    let mut quotes = QUOTES.into_iter();
    quotes.find_map(|(open, close)| Some((text.strip_prefix(open)?, close)))
}

/// True for the first sign of such a value.
pub(super) fn may_begin(first: char) -> bool {
    first.is_uppercase() || first.is_ascii_digit() || matches!(first, '"' | '\'' | '“')
}

/// The value that `text` is, if it is one.
pub(super) fn value(text: &str) -> Option<Value> {
    if let Some((inner, close)) = behind_quote(text) {
        let inner = inner.strip_suffix(close)?;
        let is_one =
            !inner.trim().is_empty() && !inner.contains(|c| c == close || text.starts_with(c));
        return is_one.then(|| Value::String(inner.to_owned()));
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let last = words.len().checked_sub(1)?;
    let is_name = |(at, word): (usize, &&str)| {
        let is_joint = at > 0 && at < last && JOINTS.contains(word);
        is_joint || is_name_word(word)
    };
    (last < MOST_WORDS && words.iter().enumerate().all(is_name))
        .then(|| Value::String(words.join(" ")))
}

/// True for a word with a capital, or a number.
fn is_name_word(word: &str) -> bool {
    let begins = word.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
    let is_letter = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '’' | '-' | '&');
    begins && word.chars().all(is_letter) && !is_word_of(ABOUT_CALLS, word)
}

//! Parameters with their values, without brackets around them: `name: Kitchen Light, area: Hall`,
//! `name "Kitchen Light" and domain "light"`, `domain:light name:Kitchen Light`; and one value without
//! the name of its parameter, behind the name of a tool: a text in quotes, or a name as devices,
//! rooms and places have them, `Kitchen Light`.

use serde_json::Value;

use crate::scan::{More, Seen, closed, is_word_of};
use crate::{arguments::value, limits};

/// So many words at most.
const MOST_WORDS: usize = 6;

/// What may stand between two members.
const SEPARATORS: [char; 4] = [' ', ',', ';', '|'];

/// Parameters with their values, in their order.
pub(super) type Members = Vec<(String, Value)>;
/// True for the name of a parameter.
type Known<'k> = &'k dyn Fn(&str) -> bool;

/// True for a sign in the name of a parameter.
pub(super) fn is_key(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-')
}

/// The members of a line that holds nothing else; none where it does.
pub(crate) fn in_line(line: &str, is_parameter: Known<'_>) -> Option<Members> {
    let mut members = Members::new();
    let mut rest = line;
    while !rest.is_empty() {
        let (key, value, has_sign) = key_at(rest, is_parameter)?;
        let (value, behind) = value_at(value, has_sign, is_parameter)?;
        if members.iter().any(|(other, _)| other == key) {
            return None;
        }
        members.push((key.to_owned(), value));
        rest = without_joint(behind);
    }
    (!members.is_empty()).then_some(members)
}

/// Takes in the next line below the name of a tool, with a parameter and its value, or one value of
/// its list; false if it is no member.
pub(super) fn take(
    members: &mut Members,
    line: &str,
    is_whole: bool,
    is_parameter: Known<'_>,
) -> Seen<bool> {
    let text = line.trim_start_matches([' ', '\t', '-', '*', '•', '`', '"']);
    let key = text.split_at(key_length(text)).0;
    // The list that the last line opened.
    let last = members.last_mut().map(|(_, value)| value);
    let list = last.filter(|_| line.trim_start().starts_with('-'));
    let list = list.and_then(Value::as_array_mut);
    let is_key_whole = is_whole || key.len() < text.len();
    if is_key_whole && list.is_none() && !is_parameter(key) {
        return Ok(false);
    }
    if !is_whole {
        return Err(More);
    }
    let item = text.trim();
    match (member(text, key, is_parameter), list) {
        (Some(value), _) => members.push((key.to_owned(), value)),
        (None, Some(list)) if is_plain(item) => list.push(Value::String(item.to_owned())),
        _ => return Ok(false),
    }
    Ok(true)
}

/// The value behind the parameter that a line begins with; an empty list where there is none.
fn member(text: &str, key: &str, is_parameter: Known<'_>) -> Option<Value> {
    let after = text.get(key.len()..).filter(|_| is_parameter(key))?;
    let after = after.trim_start_matches(['*', '`', '"', ' ']);
    let written = after.strip_prefix([':', '='])?;
    let written = written.trim_start_matches('*').trim();
    let written = written.strip_suffix(',').unwrap_or(written);
    if written.is_empty() {
        return Some(Value::Array(Vec::new()));
    }
    let (value, rest) = value_at(written, true, &|_: &str| false)?;
    rest.is_empty().then_some(value)
}

/// The parameter that `text` begins with, the text from its value on, and whether a sign stands
/// between.
fn key_at<'t>(text: &'t str, is_parameter: Known<'_>) -> Option<(&'t str, &'t str, bool)> {
    let inner = text.strip_prefix('`').unwrap_or(text);
    let (key, after) = inner.split_at(key_length(inner));
    let after = after.trim_start_matches('`');
    let value = after.trim_start();
    let signed = value.strip_prefix([':', '=']);
    // Without a sign, only what is marked as a value, or begins as names and numbers do, is one.
    let is_lowercase = !key.contains(|c: char| c.is_uppercase());
    let begins = value.starts_with(|c: char| may_begin_value(c) || c == '[');
    let is_marked = after.len() > value.len() && is_lowercase && begins;
    let found = (signed.is_some() || is_marked) && is_parameter(key);
    found.then(|| (key, signed.unwrap_or(value), signed.is_some()))
}

fn key_length(text: &str) -> usize {
    text.find(|c: char| !is_key(c)).unwrap_or(text.len())
}

/// The value at the beginning of `text`, and what stands behind it.
fn value_at<'t>(text: &'t str, has_sign: bool, is_key: Known<'_>) -> Option<(Value, &'t str)> {
    let body = text.trim_start();
    if let Some((inner, close)) = behind_quote(body) {
        let (text, rest) = inner.split_once(close)?;
        let ends_value = |c: char| c.is_whitespace() || c == '.' || SEPARATORS.contains(&c);
        let is_apart = rest.is_empty() || rest.starts_with(ends_value);
        return is_apart.then(|| (Value::String(text.to_owned()), rest));
    }
    if body.starts_with('[') {
        let (list, rest) = body.split_at(closed(body)?);
        return Some((value::read_value(list, false).ok()?.value, rest));
    }
    let (written, rest) = body.split_at(next_member(body, is_key).unwrap_or(body.len()));
    let written = without_joint_behind(written);
    let is_value = is_plain(written) && (has_sign || one_value(written).is_some());
    is_value.then(|| (Value::String(written.to_owned()), rest))
}

/// Where the next parameter begins.
fn next_member(text: &str, is_parameter: Known<'_>) -> Option<usize> {
    let separators = text.match_indices(SEPARATORS);
    let mut starts = separators.map(|(at, sign)| at + sign.len());
    starts.find(|start| key_at(text.split_at(*start).1, is_parameter).is_some())
}

/// The text without what joins a member to the one before it.
fn without_joint(text: &str) -> &str {
    let text = text.trim_start_matches(SEPARATORS);
    let mut joints = ["and the ", "and ", "& "].iter();
    let joined = joints.find_map(|word| text.strip_prefix(word));
    joined.unwrap_or(text)
}

/// The text without what joins a member to the one behind it.
fn without_joint_behind(text: &str) -> &str {
    let text = text.trim_end_matches(SEPARATORS);
    let mut joints = [" and the", " and", " &"].iter();
    let joined = joints.find_map(|word| text.strip_suffix(word));
    joined.unwrap_or(text).trim_end_matches(SEPARATORS)
}

/// True for a value as people write one, not for the words of a sentence or a placeholder.
fn is_plain(text: &str) -> bool {
    let mut ends = [". ", "? ", "! ", ": "].iter();
    let is_sentence = ends.any(|end| text.contains(end));
    let is_marked = text.contains(['?', '!', '(', ')', '{', '}', '<', '>', '"', '|', '\n', '…']);
    let is_short = (1..=limits::WORDS).contains(&text.len());
    is_short && !is_sentence && !is_marked && !text.contains("...")
}

/// Words within a name that have no capital.
const JOINTS: [&str; 6] = ["of", "the", "and", "de", "da", "di"];

/// Words that say something of a call, as a heading or a report does: `TurnOff Example`.
const ABOUT_CALLS: &str = include_str!("about_calls.txt");

/// What stands behind the quote that `text` begins with, and what closes that.
fn behind_quote(text: &str) -> Option<(&str, char)> {
    const QUOTES: [(char, char); 3] = [('"', '"'), ('\'', '\''), ('“', '”')];
    let mut quotes = QUOTES.into_iter();
    quotes.find_map(|(open, close)| Some((text.strip_prefix(open)?, close)))
}

/// True for the first sign of such a value.
pub(super) fn may_begin_value(first: char) -> bool {
    first.is_uppercase() || first.is_ascii_digit() || matches!(first, '"' | '\'' | '“')
}

/// The value that `text` is, if it is one.
pub(super) fn one_value(text: &str) -> Option<Value> {
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

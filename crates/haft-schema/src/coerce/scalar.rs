//! Lossless conversions between strings, numbers and booleans.
//!
//! These are pure functions; `reading` decides when they apply.

use std::borrow::Cow;

use serde_json::{Number, Value};

use super::key::{is_same_name, normalize_key};
use super::literal::python_in;
use crate::number::{Decimal, is_plain};

/// Separators between groups of three digits.
const SEPARATORS: [char; 8] = [
    ',', ' ', '_', '\'', '\u{2019}', '\u{a0}', '\u{202f}', '\u{2009}',
];

/// The number in `text`, with all its digits; surrounding spaces are ignored. It is an integer
/// unless it was written with a point; `whole` requires an integer in any case.
///
/// Beyond JSON's grammar, a plus sign and a point without a digit before or after it are accepted.
/// Leading zeros are accepted only if an integer is required: elsewhere they may be part of a code.
pub(super) fn number_in(text: &str, whole: bool) -> Option<Number> {
    let text = in_json(text.trim())?;
    let text = match whole {
        true => without_leading_zeros(text),
        false => text,
    };
    let written: Number = text.parse().ok()?;
    // A number that no float approximates would be lost in every tool.
    let float = written.as_f64()?;
    let decimal = Decimal::of(&text)?;
    if let Some(integer) = integer_in(&text, &decimal)
        && (whole || !text.contains('.'))
    {
        return Some(integer);
    }
    if whole {
        return None;
    }
    let shortest = Number::from_f64(float)?;
    let is_exact = Decimal::of(shortest.as_str())? == decimal;
    Some(if is_exact { shortest } else { written })
}

/// `text` without digit separators, if it is a number of at least four digits in valid groups:
/// `1,000`, `12 345.6`.
pub(super) fn ungrouped(text: &str) -> Option<String> {
    let text = text.trim();
    let (sign, unsigned) = match text.strip_prefix(['-', '+']) {
        Some(unsigned) => (text.starts_with('-'), unsigned),
        None => (false, text),
    };
    let separator = unsigned.chars().find(|&found| !found.is_ascii_digit())?;
    if !SEPARATORS.contains(&separator) {
        return None;
    }
    let (whole, fraction) = match unsigned.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (unsigned, None),
    };
    let are_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let mut groups = whole.split(separator);
    let first = groups.next()?;
    let is_well_formed = (1..=3).contains(&first.len())
        && are_digits(first)
        && !first.starts_with('0')
        && groups.all(|group| group.len() == 3 && are_digits(group))
        && fraction.is_none_or(|fraction| !fraction.is_empty() && are_digits(fraction));
    is_well_formed.then(|| {
        let sign = if sign { "-" } else { "" };
        format!("{sign}{}", unsigned.replace(separator, ""))
    })
}

/// `number` as an integer, if it is integral and was written with a fraction or an exponent.
pub(super) fn whole(number: &Number) -> Option<Number> {
    if is_plain(number) {
        return None;
    }
    Decimal::of(number.as_str())?.integer()
}

/// The boolean that `text` spells, in any case.
pub(super) fn boolean_in(text: &str) -> Option<bool> {
    word_in(text, &["true"], &["false"])
}

/// The boolean that `text` means if only a boolean is accepted, such as `yes`.
pub(super) fn answer_in(text: &str) -> Option<bool> {
    word_in(text, &["yes", "on", "1"], &["no", "off", "0"])
}

fn word_in(text: &str, yes: &[&str], no: &[&str]) -> Option<bool> {
    let text = text.trim();
    let is_among = |words: &[&str]| words.iter().any(|word| text.eq_ignore_ascii_case(word));
    match (is_among(yes), is_among(no)) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

/// The content of `text` between quotes of one kind: `"heat"`, `` `5` ``.
pub(super) fn unquoted(text: &str) -> Option<&str> {
    let text = text.trim();
    let between = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    ['"', '\'', '`'].into_iter().find_map(between)
}

/// The object or list in `text`, in JSON or Python's notation.
pub(super) fn json_in(text: &str) -> Option<Value> {
    let json = || serde_json::from_str(text).ok();
    looks_like_json(text)
        .then(|| json().or_else(|| python_in(text)))
        .flatten()
}

/// True if `text` begins like an object or a list.
pub(super) fn looks_like_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
}

/// The text of a number or boolean. A number keeps its spelling, because that matters in a version
/// (`3.10`) or a code (`12e4`).
pub(super) fn text_of(value: &Value) -> Option<String> {
    match value {
        // The JSON parser writes each positive exponent as `e+4`, whether it had a sign or not.
        Value::Number(number) => Some(number.as_str().replace("e+", "e")),
        Value::Bool(boolean) => Some(boolean.to_string()),
        _ => None,
    }
}

/// The only string in `choices` that equals `text` up to case and surrounding spaces, or else up to
/// separators too.
pub(super) fn spelled<'c>(text: &str, choices: &'c [Value]) -> Option<&'c Value> {
    let only = |is_meant: &dyn Fn(&str) -> bool| {
        let mut found = choices
            .iter()
            .filter(|choice| choice.as_str().is_some_and(is_meant));
        let first = found.next();
        (first, found.next().is_some())
    };
    let wanted = text.trim().to_lowercase();
    let (found, is_unclear) = only(&|choice| choice.trim().to_lowercase() == wanted);
    if found.is_some() {
        return found.filter(|_| !is_unclear);
    }
    // A hyphen before or between digits is not a separator.
    if !normalize_key(text).contains(char::is_alphabetic) {
        return None;
    }
    let (found, is_unclear) = only(&|choice| is_same_name(choice, text));
    found.filter(|_| !is_unclear)
}

/// Converts a number with a plus sign or a bare point to JSON's grammar.
fn in_json(text: &str) -> Option<Cow<'_, str>> {
    let is_number = |byte: u8| byte.is_ascii_digit() || b"+-.eE".contains(&byte);
    if text.is_empty() || !text.bytes().all(is_number) {
        return None;
    }
    let positive = text.strip_prefix('+').unwrap_or(text);
    if positive.len() < text.len() && positive.starts_with(['+', '-']) {
        return None;
    }
    let (sign, unsigned) = match positive.strip_prefix('-') {
        Some(unsigned) => ("-", unsigned),
        None => ("", positive),
    };
    let digits = match unsigned.strip_suffix('.') {
        Some(digits) if !digits.is_empty() => digits,
        _ => unsigned,
    };
    if digits.starts_with('.') {
        return Some(format!("{sign}0{digits}").into());
    }
    match digits.len() == unsigned.len() {
        true => Some(positive.into()),
        false => Some(format!("{sign}{digits}").into()),
    }
}

/// `007` as `7`; anything other than digits after a sign is unchanged.
fn without_leading_zeros(text: Cow<'_, str>) -> Cow<'_, str> {
    let digits = text.strip_prefix('-').unwrap_or(&text);
    let is_padded = digits.len() > 1
        && digits.starts_with('0')
        && digits.bytes().all(|byte| byte.is_ascii_digit());
    if !is_padded {
        return text;
    }
    let sign = if digits.len() < text.len() { "-" } else { "" };
    let meant = digits.trim_start_matches('0');
    let meant = if meant.is_empty() { "0" } else { meant };
    format!("{sign}{meant}").into()
}

/// The integer in the text; if it is only digits, it may have any length.
fn integer_in(text: &str, decimal: &Decimal) -> Option<Number> {
    let is_plain = !text.contains(['.', 'e', 'E']);
    let digits = || text.parse().ok().filter(|_| is_plain);
    decimal.integer().or_else(digits)
}

#[cfg(test)]
mod tests;

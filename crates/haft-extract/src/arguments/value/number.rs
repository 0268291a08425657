//! Numbers: in JSON's form, and in those of Python and JavaScript.

use serde_json::Number;

/// A number and whether its form was another than JSON's. None for text: `007`, `1.2.3`, `5kg`.
/// It keeps its zeros and its exponent: where text is wanted, these letters are the text.
pub(super) fn read(token: &str) -> Option<(Number, bool)> {
    let first = token.bytes().next()?;
    if !first.is_ascii_digit() && !matches!(first, b'+' | b'-' | b'.') {
        return None;
    }
    let plain = token.parse().ok().map(|number| (number, false));
    plain.or_else(|| Some((repaired(token)?.parse().ok()?, true)))
}

/// JSON's form of a number in another form: `+5`, `.5`, `5.`, `1_000`, `0x1F`.
fn repaired(token: &str) -> Option<String> {
    let (sign, rest) = match token.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", token.strip_prefix('+').unwrap_or(token)),
    };
    if let Some((radix, digits)) = other_radix(rest) {
        let number = u128::from_str_radix(digits, radix).ok()?;
        return Some(format!("{sign}{number}"));
    }
    let rest = match rest.contains('_') {
        true => without_groups(rest)?,
        false => rest.to_owned(),
    };
    let first = rest.bytes().next()?;
    let zero = if first == b'.' { "0" } else { "" };
    let end = if rest.ends_with('.') { "0" } else { "" };
    let is_number = first.is_ascii_digit() || (first == b'.' && rest.len() > 1);
    is_number.then(|| format!("{sign}{zero}{rest}{end}"))
}

fn other_radix(text: &str) -> Option<(u32, &str)> {
    let (prefix, digits) = text.split_at_checked(2)?;
    let radix = match prefix {
        "0x" | "0X" => 16,
        "0o" | "0O" => 8,
        "0b" | "0B" => 2,
        _ => return None,
    };
    // A sign here would be taken for one of the number.
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_plain.then_some((radix, digits))
}

/// `1_000_000` without its underscores; only where they stand between groups of three.
fn without_groups(text: &str) -> Option<String> {
    let end = text.find(['.', 'e', 'E']).unwrap_or(text.len());
    let (whole, rest) = text.split_at_checked(end)?;
    let (head, groups) = whole.split_once('_')?;
    let is_grouped =
        (1..=3).contains(&head.len()) && groups.split('_').all(|group| group.len() == 3);
    is_grouped.then(|| format!("{}{rest}", whole.replace('_', "")))
}

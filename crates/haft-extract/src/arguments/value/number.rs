//! Numbers: in JSON's form, in those of Python and JavaScript, and brought into one form.

use serde_json::{Number, Value};

/// A number and whether its form was another than JSON's. None for text: `007`, `1.2.3`, `5kg`.
/// It keeps its zeros and its exponent: where text is wanted, these letters are the text.
pub(super) fn read(token: &str) -> Option<(Number, bool)> {
    let first = token.bytes().next()?;
    if !first.is_ascii_digit() && !matches!(first, b'+' | b'-' | b'.') {
        return None;
    }
    if let Some(number) = short_integer(token).or_else(|| token.parse().ok()) {
        return Some((number, false));
    }
    let number = mended(token)?.parse::<Number>().ok()?;
    Some((number, true))
}

/// A number in JSON's form, [settled](settle_numbers).
pub(crate) fn read_json(token: &str) -> Option<Number> {
    if let Some(number) = short_integer(token) {
        return Some(number);
    }
    let number = token.parse::<Number>().ok()?;
    Some(shortest(&number).unwrap_or(number))
}

/// The commonest numbers, without the general way's detours.
fn short_integer(token: &str) -> Option<Number> {
    let digits = token.strip_prefix('-').unwrap_or(token);
    let is_plain = (1..=18).contains(&digits.len())
        && (!digits.starts_with('0') || token == "0")
        && digits.bytes().all(|byte| byte.is_ascii_digit());
    let number: i64 = is_plain.then(|| token.parse().ok()).flatten()?;
    Some(Number::from(number))
}

/// Brings the numbers with a fraction or an exponent into the shortest form of the same number,
/// where there is one: some readers mind `1.50` and `1e3`.
pub(crate) fn settle_numbers(value: &mut Value) {
    match value {
        Value::Number(number) => {
            if let Some(short) = shortest(number) {
                *number = short;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(settle_numbers),
        Value::Object(members) => members.values_mut().for_each(settle_numbers),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

/// The shortest form of a number with a fraction or an exponent; None if it has that form, or if
/// a 64-bit number would lose digits.
fn shortest(number: &Number) -> Option<Number> {
    let text = number.as_str();
    if !text.bytes().any(|byte| matches!(byte, b'.' | b'e' | b'E')) {
        return None;
    }
    if is_short(text) {
        return None;
    }
    let short = Number::from_f64(text.parse().ok()?)?;
    let is_shorter = short.as_str() != text && Decimal::of(short.as_str())? == Decimal::of(text)?;
    is_shorter.then_some(short)
}

/// True for a fraction that surely has its shortest form: as many digits as 64 bits can hold, the
/// last of them not zero, and no need of an exponent.
fn is_short(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    digits.len() <= 16
        && !digits.starts_with("0.0")
        && !digits.ends_with('0')
        && digits
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.')
}

/// JSON's form of a number in another form: `+5`, `.5`, `5.`, `1_000`, `0x1F`.
fn mended(token: &str) -> Option<String> {
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
    let mut groups = whole.split('_');
    let is_grouped = groups
        .next()
        .is_some_and(|first| (1..=3).contains(&first.len()))
        && groups.all(|group| group.len() == 3);
    is_grouped.then(|| format!("{}{rest}", whole.replace('_', "")))
}

/// A decimal number by its digits, without zeros at either end, and the power of ten of the
/// last one.
#[derive(PartialEq)]
struct Decimal {
    is_negative: bool,
    digits: Vec<u8>,
    exponent: i64,
}

impl Decimal {
    fn of(text: &str) -> Option<Self> {
        let (mantissa, power) = match text.split_once(['e', 'E']) {
            Some((mantissa, power)) => (mantissa, power.parse::<i32>().ok()?),
            None => (text, 0),
        };
        let is_negative = mantissa.starts_with('-');
        let mantissa = mantissa.trim_start_matches('-');
        let fraction = mantissa
            .split_once('.')
            .map_or("", |(_, fraction)| fraction);
        let mut exponent = i64::from(power) - i64::try_from(fraction.len()).ok()?;
        let digits = mantissa.bytes().filter(u8::is_ascii_digit);
        let mut digits: Vec<u8> = digits.skip_while(|digit| *digit == b'0').collect();
        while digits.last() == Some(&b'0') {
            digits.pop();
            exponent += 1;
        }
        if digits.is_empty() {
            exponent = 0;
        }
        Some(Self {
            is_negative,
            digits,
            exponent,
        })
    }
}

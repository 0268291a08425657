//! Compares numbers by value: `1.0`, `1.00` and `1e0` are equal.
//!
//! A JSON number keeps its original text, so that integers of any length lose no digit. Two numbers
//! are equal if their decimal values are, even if the texts differ.

use serde_json::{Number, Value};

/// The maximum number of zeros that an exponent may add to an integer.
const MAX_ZEROS: i64 = 64;

/// True if `number` consists of digits and an optional minus sign.
pub(crate) fn is_plain(number: &Number) -> bool {
    let text = number.as_str();
    let digits = text.strip_prefix('-').unwrap_or(text);
    digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// True if both values are equal, comparing numbers by value.
pub(crate) fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            let by_value = || Some(Decimal::of(one.as_str())? == Decimal::of(other.as_str())?);
            one == other || by_value().unwrap_or(false)
        }
        (Value::Array(one), Value::Array(other)) => {
            let mut pairs = one.iter().zip(other);
            one.len() == other.len() && pairs.all(|(one, other)| is_same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let same = |(key, value)| other.get(key).is_some_and(|other| is_same(value, other));
            one.len() == other.len() && one.iter().all(same)
        }
        _ => one == other,
    }
}

/// Brings the numbers with a fraction or an exponent into the shortest form of the same number,
/// where there is one: some readers mind `1.50` and `1e3`.
///
/// ```
/// let mut value = serde_json::from_str("[1.50, 2e3, 7]").unwrap_or_default();
/// haft_schema::settle_numbers(&mut value);
/// assert_eq!(value.to_string(), "[1.5,2000.0,7]");
/// ```
pub fn settle_numbers(value: &mut Value) {
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
    if is_plain(number) || is_short(text) {
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
    let is_digit = |byte: u8| byte.is_ascii_digit() || byte == b'.';
    digits.len() <= 16
        && !digits.starts_with("0.0")
        && !digits.ends_with('0')
        && digits.bytes().all(is_digit)
}

/// A decimal number in normal form.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Decimal {
    negative: bool,
    /// The digits without zeros at either end; empty for zero.
    digits: String,
    /// The power of ten of the last digit.
    exponent: i64,
}

impl Decimal {
    /// Parses a number in JSON's grammar; `None` if its exponent is extreme.
    pub(crate) fn of(text: &str) -> Option<Self> {
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
            None => (text, 0),
        };
        let unsigned = mantissa.trim_start_matches('-');
        let (before, after) = unsigned.split_once('.').unwrap_or((unsigned, ""));
        let all = format!("{before}{after}");
        let digits = all.trim_end_matches('0');
        let dropped = i64::try_from(all.len() - digits.len()).ok()?;
        let places = i64::try_from(after.len()).ok()?;
        let digits = digits.trim_start_matches('0');
        let zero = digits.is_empty();
        Some(Self {
            negative: mantissa.starts_with('-') && !zero,
            digits: digits.to_owned(),
            exponent: if zero {
                0
            } else {
                i64::from(exponent) - places + dropped
            },
        })
    }

    /// The exact integer, if it is one of limited length.
    pub(crate) fn integer(&self) -> Option<Number> {
        if !(0..=MAX_ZEROS).contains(&self.exponent) {
            return None;
        }
        let zeros = "0".repeat(usize::try_from(self.exponent).ok()?);
        let sign = if self.negative { "-" } else { "" };
        let digits = if self.digits.is_empty() {
            "0"
        } else {
            self.digits.as_str()
        };
        format!("{sign}{digits}{zeros}").parse().ok()
    }
}

#[cfg(test)]
mod tests;

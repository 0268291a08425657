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

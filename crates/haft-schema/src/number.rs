//! Numbers by value: `1.0`, `1.00` and `1e0` are one number in three spellings.
//!
//! A number keeps the text in which it was written, so whole numbers of any length lose no
//! digit. Two of them are equal when their decimals are, which equality of texts does not tell.

use serde_json::{Number, Value};

/// The maximum number of zeros written out for an exponent; larger whole numbers are not meant.
const MAX_ZEROS: i64 = 64;

/// True when `number` is written as digits alone, a minus sign aside.
pub(crate) fn is_plain(number: &Number) -> bool {
    let text = number.as_str();
    let digits = text.strip_prefix('-').unwrap_or(text);
    digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// True when both are the same value, however their numbers are written.
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

/// A decimal number in its one shortest form.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Decimal {
    negative: bool,
    /// Without zeros at either end; empty for zero.
    digits: String,
    /// Power of ten of the last digit.
    exponent: i64,
}

impl Decimal {
    /// Reads a number in JSON's grammar; nothing if its exponent is beyond all reason.
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

    /// The whole number, digit by digit, if it is one of reasonable length.
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

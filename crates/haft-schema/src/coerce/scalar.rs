//! Texts, numbers and booleans that hold each other: what may be read as what without loss.
//!
//! Pure functions; when they apply is decided next door in `coerce`.

use serde_json::{Number, Value};

/// The largest whole number up to which a float has no gaps, 2 to the power of 53.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The number that `text` writes in JSON's own way, spaces around it aside, if it can be held
/// without loss. A whole number is held as one unless it was written with a point; `whole` asks
/// for a whole number in any case.
pub(super) fn number_in(text: &str, whole: bool) -> Option<Number> {
    let text = text.trim();
    // JSON's grammar decides what a number is: no plus sign, no leading zeros, no `1,000`.
    let float: f64 = serde_json::from_str::<Number>(text).ok()?.as_f64()?;
    let decimal = Decimal::of(text)?;
    if let Some(integer) = decimal.integer()
        && (whole || !text.contains('.'))
    {
        return Some(integer);
    }
    if whole {
        return None;
    }
    let number = Number::from_f64(float)?;
    (Decimal::of(&number.to_string())? == decimal).then_some(number)
}

/// `number` as a whole number, if it is one that was written as a float.
pub(super) fn whole(number: &Number) -> Option<Number> {
    let float = number.as_f64().filter(|_| number.is_f64())?;
    if float.fract() != 0.0 || float.abs() > EXACT {
        return None;
    }
    // The text of a float without a fraction is exact, so is the way back.
    format!("{float:.0}").parse::<i64>().ok().map(Number::from)
}

/// The boolean that `text` spells, in any case.
pub(super) fn boolean_in(text: &str) -> Option<bool> {
    let text = text.trim();
    if text.eq_ignore_ascii_case("true") {
        Some(true)
    } else if text.eq_ignore_ascii_case("false") {
        Some(false)
    } else {
        None
    }
}

/// The object or list that `text` holds as JSON.
pub(super) fn json_in(text: &str) -> Option<Value> {
    looks_like_json(text)
        .then(|| serde_json::from_str(text).ok())
        .flatten()
}

/// True when `text` begins as an object or a list does.
pub(super) fn looks_like_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
}

/// The text of a number or boolean.
pub(super) fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(boolean) => Some(boolean.to_string()),
        _ => None,
    }
}

/// The text in `choices` that differs from `text` in case and surrounding spaces alone, if there
/// is exactly one.
pub(super) fn spelled<'c>(text: &str, choices: &'c [Value]) -> Option<&'c Value> {
    let wanted = text.trim().to_lowercase();
    let mut found = choices.iter().filter(|choice| {
        choice
            .as_str()
            .is_some_and(|choice| choice.trim().to_lowercase() == wanted)
    });
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// A decimal number in its one shortest form, to tell whether two texts mean the same number.
#[derive(Debug, PartialEq, Eq)]
struct Decimal {
    negative: bool,
    /// Without zeros at either end; empty for zero.
    digits: String,
    /// Power of ten of the last digit.
    exponent: i64,
}

impl Decimal {
    /// Reads a number in JSON's grammar; nothing if its exponent is beyond all reason.
    fn of(text: &str) -> Option<Self> {
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

    /// The whole number, if it is one and fits into 64 bits.
    fn integer(&self) -> Option<Number> {
        // 64 bits hold at most 20 digits.
        let zeros = usize::try_from(self.exponent)
            .ok()
            .filter(|zeros| *zeros <= 20)?;
        let sign = if self.negative { "-" } else { "" };
        let text = format!("{sign}0{}{}", self.digits, "0".repeat(zeros));
        let signed = text.parse::<i64>().ok().map(Number::from);
        signed.or_else(|| text.parse::<u64>().ok().map(Number::from))
    }
}

#[cfg(test)]
mod tests;

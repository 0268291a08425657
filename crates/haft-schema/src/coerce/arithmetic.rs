//! Evaluates an arithmetic expression in a string: `3/100`, `5 + 7`, `2 * 10**3`.
//!
//! Models write expressions in place of numbers, especially in calls that look like Python. An
//! expression is evaluated only if it cannot be anything else: a date, a range, a telephone number
//! and a fraction in text all stay strings.

use serde_json::Number;

/// The maximum length of an expression in bytes.
const MAX_LENGTH: usize = 64;

/// The maximum nesting depth of parentheses and signs.
const MAX_DEPTH: usize = 8;

/// The largest number up to which every integer is a float: 2^53.
const MAX_WHOLE: f64 = 9_007_199_254_740_992.0;

/// The value of `text`, if it is an expression of plain numbers; `whole` requires an integer.
pub(super) fn worked_out(text: &str, whole: bool) -> Option<Number> {
    let text = text.trim();
    if text.len() > MAX_LENGTH || !text.bytes().any(|byte| b"*/+-".contains(&byte)) {
        return None;
    }
    let mut sum = Sum {
        text: text.as_bytes(),
        at: 0,
        operators: 0,
        quotients: 0,
    };
    let value = sum.terms(0)?;
    // `1/2/2023` is a date.
    if sum.at < sum.text.len() || sum.operators == 0 || sum.quotients > 1 {
        return None;
    }
    // A rounded quotient counts as an integer only if nothing was added to it.
    let is_exact = sum.quotients == 0 || (whole && sum.operators == 1);
    if is_exact && value.fract() == 0.0 && value.abs() < MAX_WHOLE {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "within 2^53, without a fraction"
        )]
        return Some(Number::from(value as i64));
    }
    (!whole).then(|| Number::from_f64(value)).flatten()
}

/// The parser of an expression.
struct Sum<'t> {
    text: &'t [u8],
    at: usize,
    operators: usize,
    quotients: usize,
}

impl Sum<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn blanks(&mut self) {
        while self.peek() == Some(b' ') {
            self.at += 1;
        }
    }

    /// `a + b - c`.
    fn terms(&mut self, depth: usize) -> Option<f64> {
        let mut value = self.factors(depth)?;
        loop {
            self.blanks();
            let before = self.at.checked_sub(1).and_then(|at| self.text.get(at));
            let is_apart = before == Some(&b' ');
            let Some(sign @ (b'+' | b'-')) = self.peek() else {
                return Some(value);
            };
            self.at += 1;
            // `10-12` is a range, `555-1234` a telephone number.
            if sign == b'-' && !(is_apart && self.peek() == Some(b' ')) {
                return None;
            }
            self.operators += 1;
            let term = self.factors(depth)?;
            value = if sign == b'+' {
                value + term
            } else {
                value - term
            };
        }
    }

    /// `a * b / c`.
    fn factors(&mut self, depth: usize) -> Option<f64> {
        let mut value = self.power(depth)?;
        loop {
            self.blanks();
            let Some(sign @ (b'*' | b'/')) = self.peek() else {
                return Some(value);
            };
            self.at += 1;
            self.operators += 1;
            self.quotients += usize::from(sign == b'/');
            let factor = self.power(depth)?;
            if sign == b'/' && factor == 0.0 {
                return None;
            }
            value = if sign == b'*' {
                value * factor
            } else {
                value / factor
            };
        }
    }

    /// `a ** b`.
    fn power(&mut self, depth: usize) -> Option<f64> {
        let base = self.one(depth)?;
        self.blanks();
        if !self.text.get(self.at..)?.starts_with(b"**") {
            return Some(base);
        }
        self.at += 2;
        self.operators += 1;
        let exponent = self.one(depth)?;
        let small = exponent.fract() == 0.0 && exponent.abs() <= 64.0;
        #[expect(clippy::cast_possible_truncation, reason = "a whole number up to 64")]
        let exponent = small.then_some(exponent as i32)?;
        // A negative power of ten is exact only as a quotient.
        let value = match exponent < 0 {
            true => base.powi(-exponent).recip(),
            false => base.powi(exponent),
        };
        value.is_finite().then_some(value)
    }

    /// A number, or an expression in parentheses, with its sign.
    fn one(&mut self, depth: usize) -> Option<f64> {
        self.blanks();
        if depth > MAX_DEPTH {
            return None;
        }
        match self.peek()? {
            b'-' => {
                self.at += 1;
                Some(-self.one(depth + 1)?)
            }
            b'(' => {
                self.at += 1;
                let value = self.terms(depth + 1)?;
                self.blanks();
                (self.peek()? == b')').then(|| self.at += 1)?;
                Some(value)
            }
            _ => self.number(),
        }
    }

    fn number(&mut self) -> Option<f64> {
        let start = self.at;
        while let Some(b'0'..=b'9' | b'.' | b'e' | b'E') = self.peek() {
            let is_exponent = matches!(self.peek(), Some(b'e' | b'E'));
            self.at += 1;
            if is_exponent && matches!(self.peek(), Some(b'-' | b'+')) {
                self.at += 1;
            }
        }
        let written = std::str::from_utf8(self.text.get(start..self.at)?).ok()?;
        // As in JSON, no leading zeros: `01` may be part of a code.
        let number: Number = written.parse().ok()?;
        number.as_f64()
    }
}

#[cfg(test)]
mod tests;

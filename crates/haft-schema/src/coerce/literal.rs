//! Parses lists and objects in Python's notation.

use serde_json::Value;

/// The list or object in `text` in Python's notation: `['a', True, None]`. Apart from quotes and
/// literals it must be valid JSON.
pub(super) fn python_in(text: &str) -> Option<Value> {
    if !text.contains(['\'', 'T', 'F', 'N']) {
        return None;
    }
    let mut json = String::with_capacity(text.len() + 8);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let after = rest.get(first.len_utf8()..)?;
        rest = match first {
            '\'' | '"' => string_in(after, first, &mut json)?,
            _ => match Literal::at_start(rest) {
                Some(literal) => {
                    json.push_str(literal.json);
                    rest.get(literal.python.len()..)?
                }
                None => {
                    json.push(first);
                    after
                }
            },
        };
    }
    serde_json::from_str(&json).ok()
}

/// Converts the string that begins at `text` and ends with `quote` to JSON; returns the rest of the
/// text.
fn string_in<'t>(text: &'t str, quote: char, json: &mut String) -> Option<&'t str> {
    json.push('"');
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => match letters.next()?.1 {
                '\'' => json.push('\''),
                escaped => json.extend(['\\', escaped]),
            },
            _ if letter == quote => {
                json.push('"');
                let rest = text.get(at + 1..)?;
                let next = rest.trim_start().chars().next()?;
                return matches!(next, ',' | ']' | '}' | ':').then_some(rest);
            }
            '"' => json.push_str("\\\""),
            _ => json.push(letter),
        }
    }
    None
}

/// A literal that Python and JSON spell differently.
struct Literal {
    python: &'static str,
    json: &'static str,
}

impl Literal {
    const ALL: [Self; 3] = [
        Self::new("True", "true"),
        Self::new("False", "false"),
        Self::new("None", "null"),
    ];

    const fn new(python: &'static str, json: &'static str) -> Self {
        Self { python, json }
    }

    fn at_start(text: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|literal| text.starts_with(literal.python))
    }
}

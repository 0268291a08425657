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
            _ => match word_in(rest) {
                Some((word, meant)) => {
                    json.push_str(meant);
                    rest.get(word.len()..)?
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

/// The literal at the beginning of `text`, and its JSON form.
fn word_in(text: &str) -> Option<(&'static str, &'static str)> {
    const WORDS: [(&str, &str); 3] = [("True", "true"), ("False", "false"), ("None", "null")];
    WORDS.into_iter().find(|(word, _)| text.starts_with(word))
}

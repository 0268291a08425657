//! Texts of users, models and tools as words, sentences and numbers, for the modules that compare
//! them: `agreement`, `grounding` and `verification`.

use haft_select::english::written_out;

/// The words of a text in lower case, with contractions and "%" written out.
pub(crate) fn words(text: &str) -> Vec<String> {
    let text = text.replace(['’', '‘', 'ʼ', '`'], "'").to_lowercase();
    let text = text.replace('%', " percent ");
    let pieces = text.split(|c: char| !c.is_alphanumeric() && c != '\'');
    let mut words = Vec::new();
    for piece in pieces.map(|piece| piece.trim_matches('\'')) {
        match written_out(piece) {
            Some(parts) => words.extend(parts.map(str::to_owned)),
            None if piece.is_empty() => {}
            None => words.push(piece.trim_end_matches("'s").to_owned()),
        }
    }
    words
}

/// The words of a name: `HassTurnOn` and `turn_on` have "turn" and "on".
pub(crate) fn words_of_name(name: &str) -> Vec<String> {
    let mut spaced = String::with_capacity(name.len() + 8);
    let mut before_is_lower = false;
    for c in name.chars() {
        if c.is_uppercase() && before_is_lower {
            spaced.push(' ');
        }
        before_is_lower = c.is_lowercase() || c.is_ascii_digit();
        spaced.push(c);
    }
    words(&spaced)
}

/// The sentences of a text with the mark that ends each. A point within a number ends none.
pub(crate) fn sentences(text: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((index, c)) = chars.next() {
        let is_inner = chars
            .peek()
            .is_some_and(|(_, next)| c == '.' && !next.is_whitespace());
        if matches!(c, '.' | '!' | '?' | '\n') && !is_inner {
            let end = index + c.len_utf8();
            sentences.push(text.get(start..end).unwrap_or_default().trim());
            start = end;
        }
    }
    sentences.push(text.get(start..).unwrap_or_default().trim());
    sentences.retain(|sentence| sentence.chars().any(char::is_alphanumeric));
    sentences
}

/// The letters and digits of a text in lower case: `Living Room` and `living_room` are equal.
pub(crate) fn letters(text: &str) -> String {
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// The numbers that are written with digits.
pub(crate) fn numbers(text: &str) -> Vec<f64> {
    let pieces = text.split(|c: char| !c.is_ascii_digit() && c != '.' && c != ',');
    let number = |piece: &str| {
        let piece = piece.trim_matches(['.', ',']);
        let is_decimal_comma = piece
            .split_once(',')
            .is_some_and(|(_, rest)| !piece.contains('.') && rest.len() != 3);
        let piece = match is_decimal_comma {
            true => piece.replace(',', "."),
            false => piece.replace(',', ""),
        };
        piece.parse().ok()
    };
    pieces.filter_map(number).collect()
}

/// Numbers that are written as words, with what they stand for.
const NUMBER_WORDS: [(&str, &[f64]); 40] = [
    ("zero", &[0.0]),
    ("a", &[1.0]),
    ("an", &[1.0]),
    ("one", &[1.0]),
    ("two", &[2.0]),
    ("couple", &[2.0]),
    ("twice", &[2.0]),
    ("three", &[3.0]),
    ("four", &[4.0]),
    ("five", &[5.0]),
    ("six", &[6.0]),
    ("seven", &[7.0]),
    ("eight", &[8.0]),
    ("nine", &[9.0]),
    ("ten", &[10.0]),
    ("eleven", &[11.0]),
    ("twelve", &[12.0]),
    ("dozen", &[12.0]),
    ("thirteen", &[13.0]),
    ("fourteen", &[14.0]),
    ("fifteen", &[15.0]),
    ("sixteen", &[16.0]),
    ("seventeen", &[17.0]),
    ("eighteen", &[18.0]),
    ("nineteen", &[19.0]),
    ("twenty", &[20.0]),
    ("thirty", &[30.0]),
    ("forty", &[40.0]),
    ("fifty", &[50.0]),
    ("sixty", &[60.0]),
    ("seventy", &[70.0]),
    ("eighty", &[80.0]),
    ("ninety", &[90.0]),
    ("hundred", &[100.0]),
    ("thousand", &[1000.0]),
    ("half", &[50.0, 0.5, 30.0]),
    ("quarter", &[25.0, 0.25, 15.0]),
    ("full", &[100.0, 1.0]),
    ("maximum", &[100.0, 1.0]),
    ("minimum", &[0.0, 1.0]),
];

/// The numbers in a text of the user, with digits or as words.
pub(crate) fn said_numbers(text: &str) -> Vec<f64> {
    let mut found = numbers(text);
    let mut before: Option<f64> = None;
    for word in words(text) {
        let Some((_, values)) = NUMBER_WORDS.iter().find(|(known, _)| *known == word) else {
            before = None;
            continue;
        };
        found.extend_from_slice(values);
        let value = values.first().copied().unwrap_or_default();
        // "twenty five", "two hundred".
        let joined = before.map(|before| {
            if value >= 100.0 {
                before * value
            } else {
                before + value
            }
        });
        found.extend(joined);
        before = joined.or(Some(value));
    }
    found
}

#[cfg(test)]
mod tests;

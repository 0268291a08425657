//! Text of strangers, made fit for a terminal: what a tool or a model says must not move the
//! cursor, change the title or hide what stands beside it.

use anstream::adapter::{StripStr, strip_str};

/// `text` without escape sequences and control characters; line ends and tabs stay.
pub(crate) fn plain(text: &str) -> String {
    strip_str(text)
        .to_string()
        .chars()
        .filter(|c| is_harmless(*c))
        .collect()
}

/// The same for a text that comes in pieces, which may cut an escape sequence apart.
#[derive(Debug, Default)]
pub(crate) struct PlainPieces(StripStr);

impl PlainPieces {
    /// The next piece, made plain.
    pub(crate) fn next(&mut self, piece: &str) -> String {
        let pieces = self.0.strip_next(piece);
        pieces
            .flat_map(str::chars)
            .filter(|c| is_harmless(*c))
            .collect()
    }
}

/// `text` on one line, without escape sequences, cut to `limit` characters.
pub(crate) fn one_line(text: &str, limit: usize) -> String {
    let plain = plain(text);
    let words: Vec<_> = plain.split_whitespace().collect();
    shortened(&words.join(" "), limit)
}

/// `text` cut to `limit` characters, with a mark where it was cut.
pub(crate) fn shortened(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
    }
}

/// False for control characters, and for those that turn the direction of the text around
/// them, with which one text can be made to look like another.
fn is_harmless(c: char) -> bool {
    let turns = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    (!c.is_control() || c == '\n' || c == '\t') && !turns
}

#[cfg(test)]
mod tests;

//! Makes text safe for a terminal: text of a tool or a model must not move the cursor, change the
//! title or hide other text, and no message may contain a secret.

use haft::types::{HIDDEN, mask_arguments, mask_keys, mask_url};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// `text` with keys masked, and with the secrets in its addresses masked.
pub(crate) fn without_secrets(text: &str) -> String {
    let ends = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | ',' | ')' | '}');
    let words = text.split_inclusive(ends).map(|word| {
        let address = word.trim_end_matches(ends);
        let end = word.strip_prefix(address).unwrap_or_default();
        match address.contains("://") {
            true => format!("{}{end}", mask_url(address)),
            false => word.to_owned(),
        }
    });
    mask_keys(&words.collect::<String>(), HIDDEN)
}

/// A command line with the secrets in its arguments and addresses masked.
pub(crate) fn without_secrets_of_command(command: &str) -> String {
    let words: Vec<&str> = command.split(' ').collect();
    without_secrets(&mask_arguments(&words).join(" "))
}

/// `text` without escape sequences and control characters, except line ends and tabs.
pub(crate) fn plain(text: &str) -> String {
    PlainPieces::default().next(text)
}

/// Cleans a text that arrives in pieces, which may split an escape sequence.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PlainPieces(Place);

/// The parser state at the end of a piece.
#[derive(Clone, Copy, Debug, Default)]
enum Place {
    #[default]
    Text,
    /// After the escape character.
    Escape,
    /// Inside a sequence such as a colour.
    Sequence,
    /// Inside a string for the terminal, such as a title.
    String,
}

impl PlainPieces {
    /// Cleans the next piece.
    pub(crate) fn next(&mut self, piece: &str) -> String {
        piece.chars().filter(|c| self.keeps(*c)).collect()
    }

    fn keeps(&mut self, c: char) -> bool {
        let (place, keep) = match (self.0, c) {
            (_, '\u{1b}') => (Place::Escape, false),
            // A line end resets the state, so that an open sequence cannot hide the rest.
            (_, '\n') | (Place::Text, '\t') => (Place::Text, true),
            (Place::Text, c) => (Place::Text, is_harmless(c)),
            (Place::Escape, '[') => (Place::Sequence, false),
            (Place::Escape, ']' | 'P' | 'X' | '^' | '_') => (Place::String, false),
            (Place::Escape, ' '..='/') => (Place::Escape, false),
            (Place::Sequence, '@'..='~') | (Place::String, '\u{7}') | (Place::Escape, _) => {
                (Place::Text, false)
            }
            (place, _) => (place, false),
        };
        self.0 = place;
        keep
    }
}

/// `text` on one line, without escape sequences, cut to `limit` characters.
pub(crate) fn one_line(text: &str, limit: usize) -> String {
    let plain = plain(text);
    let words: Vec<_> = plain.split_whitespace().collect();
    shortened(&words.join(" "), limit)
}

/// `text` cut to `limit` characters, with a mark if it was cut.
pub(crate) fn shortened(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
    }
}

/// `text` cut to so many columns of a terminal, with a mark if it was cut.
pub(crate) fn fitted(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let mut taken = 0;
    let kept = text.chars().take_while(|c| {
        taken += c.width().unwrap_or(0);
        taken < columns
    });
    let mut kept: String = kept.collect();
    kept.push('…');
    kept
}

/// False for control characters, and for those that change the direction of text, which can make
/// one text look like another.
fn is_harmless(c: char) -> bool {
    !c.is_control() && !matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests;

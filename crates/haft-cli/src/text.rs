//! Text of strangers, made fit for a terminal: what a tool or a model says must not move the
//! cursor, change the title or hide what stands beside it.

/// `text` without escape sequences and control characters; line ends and tabs stay.
pub(crate) fn plain(text: &str) -> String {
    PlainPieces::default().next(text)
}

/// The same for a text that comes in pieces, which may cut an escape sequence apart.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PlainPieces(Place);

/// Where in the text a piece ends.
#[derive(Clone, Copy, Debug, Default)]
enum Place {
    #[default]
    Text,
    /// After the escape character.
    Escape,
    /// Before the letter that ends a sequence such as a colour.
    Sequence,
    /// In a string for the terminal, such as a title.
    String,
}

impl PlainPieces {
    /// The next piece, made plain.
    pub(crate) fn next(&mut self, piece: &str) -> String {
        piece.chars().filter(|c| self.keeps(*c)).collect()
    }

    fn keeps(&mut self, c: char) -> bool {
        let (place, keep) = match (self.0, c) {
            (_, '\u{1b}') => (Place::Escape, false),
            // A line end ends everything, so that an open sequence cannot hide the rest.
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
    !c.is_control() && !matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests;

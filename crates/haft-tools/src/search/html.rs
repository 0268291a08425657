//! A minimal HTML tokenizer for search results: one pass, never fails, and skips scripts, styles
//! and comments.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// Text between tags, with its entities unresolved.
    Text(&'a str),
    /// A start tag: the name of the element and the rest of the tag.
    Open { name: &'a str, attributes: &'a str },
    /// An end tag.
    Close { name: &'a str },
}

/// Elements whose content is not text of the page.
const RAW: [&str; 6] = ["script", "style", "textarea", "title", "template", "svg"];

/// Iterates over the tokens of a page.
#[derive(Clone, Debug)]
pub(super) struct Tokens<'a> {
    rest: &'a str,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(page: &'a str) -> Self {
        Self { rest: page }
    }

    /// Consumes the first `length` bytes.
    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self
            .rest
            .split_at_checked(length)
            .unwrap_or((self.rest, ""));
        self.rest = rest;
        taken
    }

    fn skip_behind(&mut self, mark: &str) {
        self.rest = self.rest.split_once(mark).map_or("", |(_, rest)| rest);
    }

    /// Skips to the end tag of a raw element.
    fn skip_raw(&mut self, name: &str) {
        let is_end = |at: usize| {
            let found = self.rest.get(at + 2..at + 2 + name.len());
            found.is_some_and(|found| found.eq_ignore_ascii_case(name))
        };
        let end = self
            .rest
            .match_indices("</")
            .map(|(at, _)| at)
            .find(|at| is_end(*at));
        self.take(end.unwrap_or(self.rest.len()));
    }

    /// Reads a tag, after its opening angle bracket.
    fn tag(&mut self) -> Token<'a> {
        let is_close = self.rest.starts_with('/');
        if is_close {
            self.take(1);
        }
        let ends_name = |c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>');
        let name = self.take(self.rest.find(ends_name).unwrap_or(self.rest.len()));
        let attributes = self.take(end_of_tag(self.rest));
        self.take(1);
        if is_close {
            return Token::Close { name };
        }
        if RAW.iter().any(|raw| raw.eq_ignore_ascii_case(name)) && !attributes.ends_with('/') {
            self.skip_raw(name);
        }
        Token::Open { name, attributes }
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            if self.rest.is_empty() {
                return None;
            }
            let Some(after) = self.rest.strip_prefix('<') else {
                let end = self.rest.find('<').unwrap_or(self.rest.len());
                return Some(Token::Text(self.take(end)));
            };
            let name = after.strip_prefix('/').unwrap_or(after);
            if after.starts_with("!--") {
                self.skip_behind("-->");
            } else if after.starts_with(['!', '?']) {
                self.skip_behind(">");
            } else if name.starts_with(|c: char| c.is_ascii_alphabetic()) {
                self.rest = after;
                return Some(self.tag());
            } else {
                return Some(Token::Text(self.take(1)));
            }
        }
    }
}

/// The position at which a tag with these attributes ends: the first `>` outside of quotes.
fn end_of_tag(attributes: &str) -> usize {
    let mut quote = None;
    let mut after_equals = false;
    for (at, c) in attributes.char_indices() {
        match (quote, c) {
            (None, '>') => return at,
            // A quote in any other place is a mistake in the page.
            (None, '"' | '\'') if after_equals => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            _ => {}
        }
        after_equals = c == '=' || after_equals && c.is_ascii_whitespace();
    }
    attributes.len()
}

/// The value of an attribute, with its entities resolved.
pub(super) fn attribute(attributes: &str, wanted: &str) -> Option<String> {
    let mut rest = attributes;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '/');
        if rest.is_empty() {
            return None;
        }
        // The first character always counts as part of the name, so that the loop makes progress.
        let ends_name = |(at, c): (usize, char)| {
            (at > 0 && (c.is_ascii_whitespace() || matches!(c, '=' | '/'))).then_some(at)
        };
        let end = rest
            .char_indices()
            .find_map(ends_name)
            .unwrap_or(rest.len());
        let (name, after) = rest.split_at_checked(end)?;
        let after = after.trim_start();
        let value;
        (value, rest) = match after.strip_prefix('=') {
            Some(after) => value_of(after.trim_start()),
            None => ("", after),
        };
        if name.eq_ignore_ascii_case(wanted) {
            return Some(decoded(value));
        }
    }
}

/// A value and the rest of the text.
fn value_of(text: &str) -> (&str, &str) {
    for quote in ['"', '\''] {
        if let Some(text) = text.strip_prefix(quote) {
            return text.split_once(quote).unwrap_or((text, ""));
        }
    }
    let end = text
        .find(|c: char| c.is_ascii_whitespace())
        .unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

/// Entities that are frequent in search results; others are left as they are.
const ENTITIES: [(&str, &str); 16] = [
    ("amp", "&"),
    ("lt", "<"),
    ("gt", ">"),
    ("quot", "\""),
    ("apos", "'"),
    ("nbsp", " "),
    ("hellip", "…"),
    ("middot", "·"),
    ("ndash", "–"),
    ("mdash", "—"),
    ("lsquo", "‘"),
    ("rsquo", "’"),
    ("ldquo", "“"),
    ("rdquo", "”"),
    ("raquo", "»"),
    ("rsaquo", "›"),
];

/// `text` with its entities resolved.
pub(super) fn decoded(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut pieces = text.split('&');
    result.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        // No entity is longer than this.
        let name = piece.split_once(';').filter(|(name, _)| name.len() <= 8);
        match name.and_then(|(name, rest)| Some((entity(name)?, rest))) {
            Some((character, rest)) => {
                result.push_str(&character);
                result.push_str(rest);
            }
            None => {
                result.push('&');
                result.push_str(piece);
            }
        }
    }
    result
}

fn entity(name: &str) -> Option<String> {
    let number = match name.strip_prefix("#x").or_else(|| name.strip_prefix("#X")) {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => name
            .strip_prefix('#')
            .and_then(|digits| digits.parse().ok()),
    };
    if let Some(number) = number {
        return char::from_u32(number).map(String::from);
    }
    let found = ENTITIES.iter().find(|(known, _)| *known == name);
    found.map(|(_, character)| (*character).to_owned())
}

#[cfg(test)]
mod tests;

//! Objects as Gemma's template writes them, brought into JSON: names without quotes, texts between
//! tokens, no blanks. Nearly all calls of that format are written so. It serves those who pass raw
//! arguments on; the reader next door finds the same in them, notes what it mended, and reads all
//! else.

use memchr::memmem;

/// What stands around a text.
const QUOTE: &str = "<|\"|>";

/// How deep values may be nested; deeper ones are for the reader.
const MAX_DEPTH: usize = 60;

/// How many digits of a number need no second look.
const MAX_DIGITS: usize = 15;

/// An object as JSON, and the names of its members.
pub(crate) struct Written<'t> {
    pub(crate) json: String,
    pub(crate) names: Vec<&'t str>,
    /// How long it is as written.
    pub(crate) len: usize,
}

/// The object that `text` begins with, if it is written as the template writes it.
pub(crate) fn written(text: &str) -> Option<Written<'_>> {
    // Most objects are JSON, and begin with a quote.
    let begins = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'_';
    text.as_bytes().get(1).filter(|byte| begins(byte))?;
    let mut reading = Reading {
        rest: text,
        json: Vec::with_capacity(text.len() + 32),
    };
    let names = reading.object(0)?;
    let json = String::from_utf8(reading.json).ok()?;
    let len = text.len() - reading.rest.len();
    Some(Written { json, names, len })
}

struct Reading<'t> {
    rest: &'t str,
    json: Vec<u8>,
}

impl<'t> Reading<'t> {
    fn value(&mut self, depth: usize) -> Option<()> {
        match self.rest.as_bytes().first()? {
            b'<' => self.text(),
            b'{' if depth < MAX_DEPTH => self.object(depth + 1).map(|_| ()),
            b'[' if depth < MAX_DEPTH => self.list(depth + 1),
            _ => self.word(),
        }
    }

    /// Takes `sign`; false if something else comes.
    fn take(&mut self, sign: char) -> bool {
        let rest = self.rest.strip_prefix(sign);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn object(&mut self, depth: usize) -> Option<Vec<&'t str>> {
        let mut names: Vec<&str> = Vec::new();
        self.take('{').then_some(())?;
        self.json.push(b'{');
        while !self.take('}') {
            if !names.is_empty() {
                self.take(',').then_some(())?;
                self.json.push(b',');
            }
            let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
            let len = self.rest.bytes().take_while(is_letter).count();
            let (name, rest) = self.rest.split_at_checked(len)?;
            let is_name = !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit());
            // Of two members with one name only one is kept.
            (is_name && !names.contains(&name)).then_some(())?;
            names.push(name);
            self.rest = rest.strip_prefix(':')?;
            self.json.push(b'"');
            self.json.extend_from_slice(name.as_bytes());
            self.json.extend_from_slice(b"\":");
            self.value(depth)?;
        }
        self.json.push(b'}');
        Some(names)
    }

    fn list(&mut self, depth: usize) -> Option<()> {
        self.take('[').then_some(())?;
        self.json.push(b'[');
        let mut is_first = true;
        while !self.take(']') {
            if !std::mem::take(&mut is_first) {
                self.take(',').then_some(())?;
                self.json.push(b',');
            }
            self.value(depth)?;
        }
        self.json.push(b']');
        Some(())
    }

    fn text(&mut self) -> Option<()> {
        let inner = self.rest.strip_prefix(QUOTE)?;
        let end = memmem::find(inner.as_bytes(), QUOTE.as_bytes())?;
        let (text, rest) = inner.split_at_checked(end)?;
        self.rest = rest.strip_prefix(QUOTE)?;
        serde_json::to_writer(&mut self.json, text).ok()
    }

    /// A number, `true`, `false` or `null`.
    fn word(&mut self) -> Option<()> {
        let end = self.rest.find([',', '}', ']'])?;
        let (word, rest) = self.rest.split_at_checked(end)?;
        let is_plain = matches!(word, "true" | "false" | "null") || is_plain_number(word);
        is_plain.then_some(())?;
        self.json.extend_from_slice(word.as_bytes());
        self.rest = rest;
        Some(())
    }
}

/// True for a short number that is written as JSON has it and in no other way.
fn is_plain_number(word: &str) -> bool {
    let digits = word.strip_prefix('-').unwrap_or(word);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "1"));
    let are_digits =
        |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    word.len() <= MAX_DIGITS
        && are_digits(whole)
        && are_digits(fraction)
        && !fraction.ends_with('0')
        && (whole.len() == 1 || !whole.starts_with('0'))
        && word != "-0"
}

#[cfg(test)]
mod tests;

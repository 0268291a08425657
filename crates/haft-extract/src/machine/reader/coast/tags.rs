//! The beginning of a tag, of which a chunk decides nothing before its bracket or its attributes
//! come.

use memchr::{memchr, memrchr};

use super::Coast;

/// How long the beginnings of tags and names are that need no closer look: with the names of
/// arguments and what DeepSeek says of them.
const SHORT: usize = 96;

/// What DeepSeek writes for a blank inside a token.
const LOWER_BLOCK: &[u8] = "▁".as_bytes();

/// What DeepSeek writes for a bar.
const FULL_WIDTH_BAR: &[u8] = "｜".as_bytes();

/// The beginning of a tag in the text that is not decided.
#[derive(Debug, Default)]
pub(in crate::machine::reader) struct Beginning {
    start: usize,
    /// Up to here it may go on with anything that a name or an attribute holds; 0 when nothing is
    /// known.
    end: usize,
}

impl Beginning {
    /// Forgets what is known.
    pub(in crate::machine::reader) fn forget(&mut self) {
        self.end = 0;
    }

    /// True when the beginning of a tag ends with the first `known` bytes of the text.
    pub(super) fn is_open(&self, known: usize) -> bool {
        self.end == known && known > 0
    }

    /// Holds back more of that tag: what came after the first `known` bytes.
    pub(super) fn more(&mut self, text: &str, known: usize) -> Option<Coast> {
        let is_short = text.len() < self.start + SHORT;
        let fresh = text.as_bytes().get(known..).filter(|_| is_short)?;
        is_more_of_tag(fresh).then(|| {
            self.end = text.len();
            Coast::Hold
        })
    }

    /// Holds back a name behind `lead`, which may go on, or one with the beginning of a tag.
    pub(super) fn follows_name(
        &mut self,
        (text, lead): (&str, usize),
        known: usize,
    ) -> Option<Coast> {
        let rest = text.as_bytes().get(lead..)?;
        let Some(at) = memchr(b'<', rest) else {
            return is_name(rest).then_some(Coast::Hold);
        };
        if at == 0 {
            return self.last_goes_on((text, lead));
        }
        let is_sole = lead + at < known || rest.get(..at).is_some_and(is_name);
        is_sole.then(|| self.goes_on((text, lead + at)))?
    }

    /// The same of the last tag, from `start` on: what comes before it is not decided either.
    pub(super) fn last_goes_on(&mut self, (text, start): (&str, usize)) -> Option<Coast> {
        let near = start.max(text.len().saturating_sub(SHORT));
        let last = memrchr(b'<', text.as_bytes().get(near..)?)?;
        self.goes_on((text, near + last))
    }

    /// Holds back what is the beginning of a tag from `start` on and may go on.
    pub(super) fn goes_on(&mut self, (text, start): (&str, usize)) -> Option<Coast> {
        let bytes = text.as_bytes();
        let tag = bytes.get(start..).filter(|tag| tag.len() < SHORT)?;
        (self.start, self.end) = match begins_tag(tag)? {
            true => (start, bytes.len()),
            false => (0, 0),
        };
        Some(Coast::Hold)
    }
}

/// True when `text` is a name with prefix and counter, which may go on.
fn is_name(text: &[u8]) -> bool {
    let is_sign = |byte: u8| matches!(byte, b'_' | b'.' | b':');
    let mut bytes = text.iter();
    text.len() < SHORT
        && bytes.next().is_some_and(u8::is_ascii_alphabetic)
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || is_sign(*byte))
}

/// Whether `text` is a bracket, what may stand behind it, and any part of a name with attributes:
/// the flag.
fn begins_tag(text: &[u8]) -> Option<bool> {
    let begun = text.strip_prefix(b"<")?;
    let begun = begun.strip_prefix(b"/").unwrap_or(begun);
    let bar = begun.strip_prefix(b"|");
    let bar = bar.or_else(|| begun.strip_prefix(FULL_WIDTH_BAR));
    let name = bar.unwrap_or(begun);
    let begins = |first: &u8| first.is_ascii_alphabetic() || *first == b'_';
    let is_name = name.first().is_none_or(begins) && is_more_of_tag(name);
    is_name.then_some(!name.is_empty())
}

/// True for letters, bars, what DeepSeek writes for blanks, and the signs of attributes. What ends a
/// tag, or tells that it is damaged, is none of them.
fn is_more_of_tag(mut text: &[u8]) -> bool {
    loop {
        text = match text {
            [] => return true,
            [byte, rest @ ..] if is_letter(*byte) => rest,
            [b'|' | b' ' | b'=' | b'"', rest @ ..] => rest,
            _ => {
                let block = text.strip_prefix(LOWER_BLOCK);
                match block.or_else(|| text.strip_prefix(FULL_WIDTH_BAR)) {
                    Some(rest) => rest,
                    None => return false,
                }
            }
        }
    }
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

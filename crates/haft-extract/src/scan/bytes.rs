//! What single bytes mean where values are written: one table for all readers.

use super::{More, Seen};

/// Begins a name.
const BEGINS: u8 = 1;

/// Stands in a name.
const WORD: u8 = 2;

/// Stands in a name, and for itself in quotes too.
const LETTER: u8 = 4;

/// Stands in a value without quotes.
const BARE: u8 = 8;

/// A letter or a digit of ASCII.
const PLAIN: u8 = 16;

/// The classes of each byte: asked for nearly every byte of every key.
static CLASSES: [u8; 256] = {
    // The last one never comes in UTF-8.
    let mut table = [0; 256];
    let mut byte = 0_u8;
    while byte < u8::MAX {
        let class = match byte {
            b'\\' => BEGINS | WORD | BARE,
            b'a'..=b'z' | b'A'..=b'Z' => BEGINS | WORD | LETTER | BARE | PLAIN,
            b'_' | b'$' | 0x80.. => BEGINS | WORD | LETTER | BARE,
            b'0'..=b'9' => WORD | LETTER | BARE | PLAIN,
            b'-' | b'.' => WORD | LETTER | BARE,
            0 | b' ' | b'\t' | b'\n' | b'\r' | b'"' | b'\'' | b'`' | b'{' | b'[' | b'(' | b'}'
            | b']' | b')' | b',' | b':' | b'=' | b';' | b'>' | b'<' | b'#' | b'/' => 0,
            _ => BARE,
        };
        #[expect(clippy::indexing_slicing, reason = "evaluated while compiling")]
        {
            table[byte as usize] = class;
        }
        byte += 1;
    }
    table
};

fn is(byte: u8, class: u8) -> bool {
    let classes = CLASSES.get(usize::from(byte));
    classes.is_some_and(|classes| classes & class != 0)
}

/// True for a byte that begins a name.
pub(crate) fn begins_word(byte: u8) -> bool {
    is(byte, BEGINS)
}

/// True for a letter or a digit of ASCII.
pub(crate) fn is_plain(byte: u8) -> bool {
    is(byte, PLAIN)
}

/// True for a byte of a name.
pub(crate) fn is_word(byte: u8) -> bool {
    is(byte, WORD)
}

/// True for a byte of a name that stands for itself in quotes too.
pub(crate) fn is_letter(byte: u8) -> bool {
    is(byte, LETTER)
}

/// True for a byte of a value without quotes.
pub(crate) fn is_bare(byte: u8) -> bool {
    is(byte, BARE)
}

/// Texts shorter than this are looked through faster than the search for long ones begins.
pub(crate) const SHORT: usize = 16;

/// Where the first of some bytes stands; `find` is the search for them in a long text.
#[inline]
pub(crate) fn first_of<const N: usize>(
    bytes: [u8; N],
    text: &[u8],
    find: impl Fn(&[u8]) -> Option<usize>,
) -> Option<usize> {
    match text.len() < SHORT {
        true => text.iter().position(|byte| bytes.contains(byte)),
        false => find(text),
    }
}

/// True for a blank of JSON.
pub(crate) const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// True for a closing bracket.
pub(crate) const fn is_closer(byte: u8) -> bool {
    matches!(byte, b'}' | b']' | b')')
}

/// What closes the bracket that `opener` opens.
pub(crate) const fn closer_of(opener: u8) -> u8 {
    match opener {
        b'(' => b')',
        b'[' => b']',
        _ => b'}',
    }
}

/// True where a full-width colon or comma, or a space that does not break, ends a name.
pub(crate) fn begins_wide_sign(text: &[u8]) -> bool {
    matches!(text, [0xEF, 0xBC, 0x9A | 0x8C, ..] | [0xC2, 0xA0, ..])
}

/// The length of the name at the beginning.
pub(crate) fn word(text: &[u8]) -> usize {
    let ends = |at: &usize| {
        let rest = text.get(*at..).unwrap_or_default();
        rest.first().is_none_or(|byte| !is_word(*byte)) || begins_wide_sign(rest)
    };
    (0..=text.len()).find(ends).unwrap_or_default()
}

/// The length of the blanks at the beginning, those that do not break among them.
pub(crate) fn blanks(text: &[u8]) -> usize {
    let mut len = 0;
    loop {
        match text.get(len..) {
            Some([byte, ..]) if is_blank(*byte) => len += 1,
            Some([0xC2, 0xA0, ..]) => len += 2,
            _ => return len,
        }
    }
}

/// The length of the comment at the beginning: all of the text if its end is missing.
pub(crate) fn comment(text: &[u8]) -> Option<usize> {
    let end = match text {
        [b'#', ..] | [b'/', b'/', ..] => memchr::memchr(b'\n', text),
        [b'/', b'*', ..] => memchr::memmem::find(text, b"*/").map(|end| end + 2),
        _ => return None,
    };
    Some(end.unwrap_or(text.len()))
}

/// The length of Python's prefix before the quote of a string: `r"..."`.
pub(crate) fn string_prefix(text: &[u8]) -> usize {
    match text {
        [letter, b'"' | b'\'', ..] if is_prefix(*letter) => 1,
        [one, two, b'"' | b'\'', ..] if is_prefix(*one) && is_prefix(*two) => 2,
        _ => 0,
    }
}

/// True for a letter of Python's prefixes.
pub(crate) const fn is_prefix(letter: u8) -> bool {
    matches!(letter.to_ascii_lowercase(), b'r' | b'b' | b'f' | b'u')
}

/// True for one of the `words`, between blanks, in letters of either case.
pub(crate) fn is_word_of(words: &str, word: &str) -> bool {
    let mut words = words.split(' ');
    words.any(|known| known.eq_ignore_ascii_case(word))
}

/// True for what may become one of the `words` when more letters follow.
pub(crate) fn may_be_word_of(words: &str, word: &str) -> bool {
    words.split(' ').any(|known| {
        let head = known.get(..word.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(word))
    })
}

/// True for a blank or a byte of a list mark, `-`, `*` or `1.`: what may stand before a call.
pub(crate) fn is_list_mark(byte: u8) -> bool {
    matches!(
        byte,
        b' ' | b'\t' | b'-' | b'*' | b'+' | b'0'..=b'9' | b'.' | b')'
    )
}

/// The length of each list mark beyond ASCII.
pub(crate) const BULLET_LEN: usize = 3;

/// List marks beyond ASCII, which stand before calls as `-` does.
const BULLETS: [&str; 6] = ["•", "‣", "–", "▪", "●", "◦"];

/// Whether `text` begins with a list mark beyond ASCII.
pub(crate) fn bullet(text: &[u8]) -> Seen<bool> {
    let may_be = |mark: &&str| !text.is_empty() && mark.as_bytes().starts_with(text);
    match BULLETS.iter().any(|mark| text.starts_with(mark.as_bytes())) {
        false if BULLETS.iter().any(may_be) => Err(More),
        is_bullet => Ok(is_bullet),
    }
}

#[cfg(test)]
mod tests;

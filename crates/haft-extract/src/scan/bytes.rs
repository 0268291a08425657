//! What single bytes mean where values are written: one table for all readers.

/// True for a byte that begins a name.
pub(crate) const fn begins_word(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$' | b'\\') || byte >= 0x80
}

/// True for a byte of a name.
pub(crate) const fn is_word(byte: u8) -> bool {
    begins_word(byte) || byte.is_ascii_digit() || matches!(byte, b'-' | b'.')
}

/// True for a byte of a name that stands for itself in quotes too.
pub(crate) const fn is_letter(byte: u8) -> bool {
    is_word(byte) && byte != b'\\'
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

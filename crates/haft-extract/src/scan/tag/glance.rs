//! Tells by two letters that a bracket begins no tag, as most of those in text do not: links,
//! lists, comparisons. The parent, [`tag`](super), finds none in them either.

/// False when neither a tag nor the beginning of one stands at the beginning of `text`, which must
/// start with `<` or `[`.
#[inline]
pub(crate) fn may_be_tag(text: &[u8]) -> bool {
    match text {
        // Markers in square brackets have large letters.
        [b'[', first, second, ..] => match in_square(*first) {
            true => in_square(*second) || *second == b']',
            false => [*first, *second] == *b"e~",
        },
        // A blank before a bar: `< | DSML | invoke`.
        [b'<', b' ' | b'\n', second, ..] => begins_bar(*second),
        [b'<', b' ' | b'\n'] => true,
        [b'<', first, ..] => {
            first.is_ascii_alphabetic() || matches!(first, b'_' | b'/') || begins_bar(*first)
        }
        _ => true,
    }
}

/// True for the first byte of a bar, in whatever width.
pub(crate) fn begins_bar(byte: u8) -> bool {
    matches!(byte, b'|' | 0xE2 | 0xEF)
}

fn in_square(byte: u8) -> bool {
    byte.is_ascii_uppercase() || matches!(byte, b'_' | b' ' | b'/')
}

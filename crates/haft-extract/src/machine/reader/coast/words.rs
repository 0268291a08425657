//! Chunks of text within a line.

/// What a chunk of text is.
pub(super) enum Words {
    /// Words.
    Plain,
    /// The same, with what may be a name at the end, right behind a sentence.
    Name,
    /// It may end a line or begin a marker.
    Sign,
}

/// What a byte may be, of which a chunk may hold several.
mod kind {
    /// It may end a line or begin a marker.
    pub(super) const SIGN: u8 = 1;
    /// A sentence may end with it.
    pub(super) const END: u8 = 2;
    /// It stands in names.
    pub(super) const NAME: u8 = 4;
}

/// Looks at a chunk that follows the byte `last`.
pub(super) fn words_in(fresh: &[u8], last: u8) -> Words {
    let all = fresh.iter().fold(0, |all, byte| all | kind_of(*byte));
    if all & kind::SIGN != 0 {
        return Words::Sign;
    }
    match (all | kind_of(last)) & kind::END != 0 && ends_with_name(fresh, last) {
        true => Words::Name,
        false => Words::Plain,
    }
}

/// True when a chunk ends with letters of a name, and a sentence ended right before them.
fn ends_with_name(fresh: &[u8], last: u8) -> bool {
    let mut before = fresh.iter().rev().map(|byte| kind_of(*byte));
    match before.find(|kind| *kind != kind::NAME) {
        _ if fresh.last().is_none_or(|byte| kind_of(*byte) != kind::NAME) => false,
        Some(kind) => kind == kind::END,
        None => kind_of(last) == kind::END,
    }
}

/// What a byte may come to.
const fn kind_of(byte: u8) -> u8 {
    match byte {
        b'\n' | b'<' | b'[' | b']' => kind::SIGN,
        b'.' | b'!' | b'?' | b':' | b')' | 0x80.. => kind::END,
        b'_' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => kind::NAME,
        _ => 0,
    }
}

//! Compares short words in place. The way of a plain call is full of them: names, keys and tags of
//! a few letters, for which a call of the C library costs more than the comparison.

/// Where `word` ends, if it stands at `at`.
pub(crate) fn behind(bytes: &[u8], at: usize, word: &str) -> Option<usize> {
    let end = at + word.len();
    let found = bytes.get(at..end)?;
    is_same(found, word.as_bytes()).then_some(end)
}

/// True when `word` stands at `at`.
pub(crate) fn stands(bytes: &[u8], at: usize, word: &str) -> bool {
    behind(bytes, at, word).is_some()
}

/// True when the two hold the same bytes.
#[inline(never)]
pub(crate) fn is_same(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    // The last bytes overlap those before them, so that no single ones are left.
    if let (Some(last), Some(other_last)) = (one.last_chunk::<8>(), other.last_chunk::<8>()) {
        let number = |bytes: &[u8; 8]| u64::from_ne_bytes(*bytes);
        let (words, _) = one.as_chunks::<8>();
        let (others, _) = other.as_chunks::<8>();
        let mut pairs = words.iter().zip(others);
        return number(last) == number(other_last)
            && pairs.all(|(one, other)| number(one) == number(other));
    }
    let ends = |bytes: &[u8]| {
        let number = |bytes: &[u8; 4]| u32::from_ne_bytes(*bytes);
        Some((
            number(bytes.first_chunk::<4>()?),
            number(bytes.last_chunk::<4>()?),
        ))
    };
    match (ends(one), ends(other)) {
        (Some(one), Some(other)) => one == other,
        _ => one.iter().zip(other).all(|(one, other)| one == other),
    }
}

#[cfg(test)]
mod tests;

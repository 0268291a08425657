//! Compares short words in place. The way of a plain call is full of them: names, keys and tags of
//! a few letters, for which a call of the C library costs more than the comparison.

/// Where `word` ends, if it stands at `at`.
pub(crate) fn behind(bytes: &[u8], at: usize, word: &str) -> Option<usize> {
    let end = at + word.len();
    let found = bytes.get(at..end)?;
    is_same(found, word.as_bytes()).then_some(end)
}

/// True when the two hold the same bytes.
#[inline(never)]
pub(crate) fn is_same(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    // The last bytes overlap those before them, so that no single ones are left.
    if let (Some(ends), Some(other_ends)) = (ends::<8>(one), ends::<8>(other)) {
        return ends == other_ends && (one.len() <= 16 || has_same_words(one, other));
    }
    match (ends::<4>(one), ends::<4>(other)) {
        (Some(ends), Some(other_ends)) => ends == other_ends,
        _ => one.iter().zip(other).all(|(one, other)| one == other),
    }
}

/// The first and the last bytes, if there are so many.
fn ends<const LEN: usize>(bytes: &[u8]) -> Option<(&[u8; LEN], &[u8; LEN])> {
    Some((bytes.first_chunk()?, bytes.last_chunk()?))
}

/// True when all whole words of eight bytes are the same.
fn has_same_words(one: &[u8], other: &[u8]) -> bool {
    let (words, _) = one.as_chunks::<8>();
    let (others, _) = other.as_chunks::<8>();
    words.iter().zip(others).all(|(one, other)| one == other)
}

#[cfg(test)]
mod tests;

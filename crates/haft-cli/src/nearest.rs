//! "Did you mean": finds the known word that is most similar to an unknown one.

/// How similar two words must be, from 0 to 1, before one is suggested for the other.
const SIMILAR: f64 = 0.6;

/// The most similar of `known`, if it is similar enough.
pub(crate) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    known
        .into_iter()
        .map(|candidate| {
            let lower = candidate.to_lowercase();
            (
                strsim::normalized_damerau_levenshtein(&word, &lower),
                candidate,
            )
        })
        .filter(|(similarity, _)| *similarity >= SIMILAR)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests;

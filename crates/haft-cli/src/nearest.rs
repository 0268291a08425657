//! "Did you mean": the known word that is nearest to an unknown one.

/// How similar two words must be, from 0 to 1, before one is suggested for the other.
const SIMILAR: f64 = 0.6;

/// The nearest of `known`, if it is near enough to be what was meant.
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

//! The words that names of tools are made of, however a model separates them.

/// The words of a name in small letters, whatever separates them: `getWeather`, `get-weather` and
/// Markdown's `get\_weather` alike.
pub(super) fn words(name: &str) -> String {
    let mut words = String::with_capacity(name.len() + 4);
    let mut before = ' ';
    let mut chars = name.chars().peekable();
    while let Some(c) = chars.next() {
        if !c.is_alphanumeric() {
            if !words.is_empty() && !words.ends_with(' ') {
                words.push(' ');
            }
            before = ' ';
            continue;
        }
        let begins = c.is_uppercase()
            && (before.is_lowercase()
                || (before.is_uppercase() && chars.peek().is_some_and(|next| next.is_lowercase())));
        if begins && !words.ends_with(' ') {
            words.push(' ');
        }
        words.extend(c.to_lowercase());
        before = c;
    }
    words.truncate(words.trim_end().len());
    words
}

/// The name of a tool without its namespace, `prime_factors` of `numbers.prime_factors`: models
/// leave that out. Only names of two words or more are enough to know a tool by; `get` is not.
pub(super) fn tail(name: &str) -> Option<&str> {
    let point = name.rfind(['.', '/', ':']).map(|at| at + 1);
    let at = point.or_else(|| name.rfind("__").map(|at| at + 2))?;
    let tail = name.get(at..)?;
    words(tail).contains(' ').then_some(tail)
}

/// A letter or underscore, then letters, digits, underscores, points and hyphens.
pub(super) fn is_identifier(name: &str) -> bool {
    let is_inner = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-');
    name.starts_with(|c: char| c.is_alphabetic() || c == '_') && name.chars().all(is_inner)
}

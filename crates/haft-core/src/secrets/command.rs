//! Secrets in command lines: `--api-key=K`, `--token T`, `-H "Authorization: Bearer T"`.

use super::looks::{HIDDEN, is_placeholder, is_secret_parameter, looks_like_key};
use super::url::address;

/// Masks the secrets among the arguments of a command.
///
/// ```
/// use haft_core::mask_arguments;
///
/// let masked = mask_arguments(&["server", "--api-key=k1", "--token", "t2", "--port", "80"]);
/// assert_eq!(masked.join(" "), "server --api-key=[hidden] --token [hidden] --port 80");
/// ```
#[must_use]
pub fn mask_arguments<S: AsRef<str>>(words: &[S]) -> Vec<String> {
    arguments(words, &mut |_| {})
}

/// Masks the secrets among the arguments and calls `found` with each of them.
pub(super) fn arguments<S: AsRef<str>>(words: &[S], found: &mut dyn FnMut(&str)) -> Vec<String> {
    let mut before = "";
    let words = words.iter().map(|word| {
        let word = word.as_ref();
        let masked = argument(before, word, found);
        before = word;
        masked
    });
    words.collect()
}

fn argument(before: &str, word: &str, found: &mut dyn FnMut(&str)) -> String {
    let mut hidden = |value: &str| {
        if value.is_empty() || is_placeholder(value) {
            return value.to_owned();
        }
        found(value);
        HIDDEN.to_owned()
    };
    let names_next = before.starts_with('-') && !before.contains('=');
    if names_next && !word.starts_with('-') && is_secret_parameter(before) {
        return hidden(word);
    }
    if names_next
        && matches!(before, "-H" | "--header" | "--headers")
        && let Some((name, value)) = word.split_once(':')
    {
        let value = value.trim();
        let (scheme, key) = match value.split_once(' ') {
            Some((scheme, key)) => (format!("{scheme} "), key),
            None => (String::new(), value),
        };
        return format!("{name}: {scheme}{}", hidden(key));
    }
    if let Some((name, value)) = word.split_once('=')
        && !name.contains("://")
        && is_secret_parameter(name)
    {
        return format!("{name}={}", hidden(value));
    }
    if looks_like_key(word) {
        return hidden(word);
    }
    if word.contains("://") {
        return match word.split_once('=') {
            Some((name, url)) if !name.contains("://") => {
                format!("{name}={}", address(url, found))
            }
            _ => address(word, found),
        };
    }
    word.to_owned()
}

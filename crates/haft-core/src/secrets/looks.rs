//! Recognises secrets by their name, and keys by their form.

/// The text that replaces a secret.
pub const HIDDEN: &str = "[hidden]";

/// Parts of names whose values are secrets, in lower case and without separators.
const NAMES: [&str; 12] = [
    "accesskey",
    "apikey",
    "bearer",
    "cookie",
    "credential",
    "passphrase",
    "passwd",
    "password",
    "privatekey",
    "secret",
    "sessionid",
    "token",
];

/// Names of secrets in URLs, arguments and variables, where short names are common.
const SHORT_NAMES: [&str; 3] = ["key", "sig", "pass"];

/// Prefixes of the keys of well-known services.
const PREFIXES: [&str; 14] = [
    "sk-",
    "sk_",
    "pk_",
    "gsk_",
    "hf_",
    "ghp_",
    "gho_",
    "ghs_",
    "github_pat_",
    "glpat-",
    "xoxb-",
    "xoxp-",
    "AKIA",
    "AIza",
];

/// The minimum number of characters after such a prefix.
const BEHIND_PREFIX: usize = 12;

/// The minimum length of a key without such a prefix.
const RANDOM: usize = 20;

/// True when the value of an argument or field with this name is a secret.
///
/// ```
/// use haft_core::is_secret_name;
///
/// assert!(is_secret_name("X-API-Key") && is_secret_name("authToken"));
/// assert!(!is_secret_name("author") && !is_secret_name("key"));
/// ```
#[must_use]
pub fn is_secret_name(name: &str) -> bool {
    let name = plain(name);
    // "author" contains "auth" but is not a secret.
    NAMES.iter().any(|part| name.contains(part))
        || (name.contains("auth") && !name.contains("author"))
        || name.contains("authoriz")
}

/// True when a URL parameter, command argument or variable with this name is a secret.
pub(super) fn is_secret_parameter(name: &str) -> bool {
    let plain = plain(name);
    let mut words = name.split(|c: char| !c.is_alphanumeric());
    is_secret_name(name)
        || SHORT_NAMES.iter().any(|part| plain.contains(part))
        // `PWD` is also the working directory.
        || (plain.ends_with("pwd") && plain != "pwd")
        // A personal access token, and not a path.
        || words.any(|word| word.eq_ignore_ascii_case("pat"))
}

fn plain(name: &str) -> String {
    name.chars()
        .filter(|c| c.is_alphanumeric())
        .map(|c| c.to_ascii_lowercase())
        .collect()
}

/// True when a word looks like a key: it has the prefix of a well-known service, or is long and
/// mixes letters and digits at random.
#[must_use]
pub fn looks_like_key(word: &str) -> bool {
    begins_like_key(word) || is_random(word)
}

fn begins_like_key(word: &str) -> bool {
    let rest = PREFIXES.iter().find_map(|prefix| word.strip_prefix(prefix));
    rest.is_some_and(|rest| rest.len() >= BEHIND_PREFIX && rest.chars().all(is_key_character))
}

fn is_key_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_')
}

/// True when at least every third character is of another kind than the one before.
fn is_random(word: &str) -> bool {
    #[derive(PartialEq)]
    enum Kind {
        Small,
        Capital,
        Digit,
    }
    let is_in_key = |c: char| is_key_character(c) || matches!(c, '+' | '/' | '=' | '.' | '%');
    if word.len() < RANDOM || !word.chars().all(is_in_key) {
        return false;
    }
    let kinds: Vec<_> = word
        .chars()
        .filter_map(|c| match c {
            'a'..='z' => Some(Kind::Small),
            'A'..='Z' => Some(Kind::Capital),
            '0'..='9' => Some(Kind::Digit),
            _ => None,
        })
        .collect();
    let changes = kinds.iter().zip(kinds.iter().skip(1));
    let changes = changes.filter(|(one, next)| one != next).count();
    kinds.contains(&Kind::Digit) && changes * 3 >= kinds.len()
}

/// Replaces the words of `text` that have the prefix of a key by `mask`.
#[must_use]
pub fn mask_keys(text: &str, mask: &str) -> String {
    if !PREFIXES.iter().any(|prefix| text.contains(prefix)) {
        return text.to_owned();
    }
    let mut masked = String::with_capacity(text.len());
    for piece in text.split_inclusive(|c| !is_key_character(c)) {
        let word = piece.trim_end_matches(|c| !is_key_character(c));
        masked.push_str(if begins_like_key(word) { mask } else { word });
        masked.extend(piece.chars().skip(word.chars().count()));
    }
    masked
}

/// True when a value is only a reference to a variable, such as `${TOKEN}` or `Bearer ${TOKEN}`.
/// False if the reference has a default, which may be a secret.
pub(super) fn is_placeholder(value: &str) -> bool {
    let value = value.trim();
    let value = match value.split_once(' ') {
        Some((scheme, rest)) if scheme.chars().all(|c| c.is_ascii_alphabetic()) => rest.trim(),
        _ => value,
    };
    let name = value
        .strip_prefix("${")
        .and_then(|rest| rest.strip_suffix('}'));
    value == HIDDEN
        || name.is_some_and(|name| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
}

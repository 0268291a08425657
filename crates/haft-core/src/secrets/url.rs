//! Secrets in URLs: the user, the password, and keys in the query and the path.

use super::looks::{HIDDEN, is_placeholder, is_secret_parameter, looks_like_key};

/// A user without a password that is shorter than this is a name, not a key.
const NAME: usize = 8;

/// Masks the user, the password and recognisable keys of a URL. The URL may be partial or invalid;
/// other text is returned unchanged.
///
/// ```
/// use haft_core::mask_url;
///
/// assert_eq!(
///     mask_url("https://me:secret@host:1/v1?model=m&api_key=k"),
///     "https://[hidden]@host:1/v1?model=m&api_key=[hidden]",
/// );
/// assert_eq!(mask_url("127.0.0.1:11434"), "127.0.0.1:11434");
/// ```
#[must_use]
pub fn mask_url(text: &str) -> String {
    address(text, &mut |_| {})
}

/// Masks a URL and calls `found` with each secret, as written and percent-decoded.
pub(super) fn address(text: &str, found: &mut dyn FnMut(&str)) -> String {
    let (scheme, rest) = match text.split_once("://") {
        Some((scheme, rest)) => (format!("{scheme}://"), rest),
        None => (String::new(), text),
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, rest) = rest.split_at_checked(end).unwrap_or((rest, ""));
    let host = match authority.rsplit_once('@') {
        Some((user, host)) => {
            // The user's name alone is often the key itself.
            match user.split_once(':') {
                Some((name, password)) if !password.is_empty() => {
                    tell(password, found);
                    if looks_like_key(name) {
                        tell(name, found);
                    }
                }
                _ if user.len() >= NAME => tell(user.trim_end_matches(':'), found),
                _ => {}
            }
            format!("{HIDDEN}@{host}")
        }
        None => authority.to_owned(),
    };
    let (path, behind) = match rest.find(['?', '#']) {
        Some(start) => rest.split_at_checked(start).unwrap_or((rest, "")),
        None => (rest, ""),
    };
    // Without a scheme the text may be anything that has a slash in it.
    let path = match scheme.is_empty() {
        true => path.to_owned(),
        false => masked_path(path, found),
    };
    scheme + &host + &path + &masked_query(behind, found)
}

fn masked_path(path: &str, found: &mut dyn FnMut(&str)) -> String {
    let parts = path.split('/').map(|part| {
        if looks_like_key(part) {
            tell(part, found);
            HIDDEN
        } else {
            part
        }
    });
    parts.collect::<Vec<_>>().join("/")
}

/// Masks keys in the query and in the fragment.
fn masked_query(query: &str, found: &mut dyn FnMut(&str)) -> String {
    let pairs = query.split_inclusive(['?', '#', '&', ';']);
    pairs.map(|pair| masked_pair(pair, found)).collect()
}

fn masked_pair(pair: &str, found: &mut dyn FnMut(&str)) -> String {
    let content = pair.trim_end_matches(['?', '#', '&', ';']);
    let end = pair.strip_prefix(content).unwrap_or_default();
    let (name, value) = match content.split_once('=') {
        Some((name, value)) => (name, value),
        None => ("", content),
    };
    let is_secret = is_secret_parameter(&decoded(name)) || looks_like_key(value);
    if value.is_empty() || is_placeholder(value) || !is_secret {
        return pair.to_owned();
    }
    tell(value, found);
    match name {
        "" => format!("{HIDDEN}{end}"),
        name => format!("{name}={HIDDEN}{end}"),
    }
}

fn tell(secret: &str, found: &mut dyn FnMut(&str)) {
    found(secret);
    let decoded = decoded(secret);
    if decoded != secret {
        found(&decoded);
    }
}

/// Percent-decodes `text`.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let digits = behind
            .get(..2)
            .and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match (first, byte) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                rest = behind.get(2..).unwrap_or_default();
            }
            (b'+', _) => {
                bytes.push(b' ');
                rest = behind;
            }
            (first, _) => {
                bytes.push(*first);
                rest = behind;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

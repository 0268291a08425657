//! Tags whose name lost or changed a letter, or that lost their first sign: `</arameter>`,
//! `/parameter>`, `<rg_value>`.

/// The longest name of a tag that is compared.
const MAX_NAME: usize = 48;

/// What is left of Kimi K3's closing tag where its first token was lost.
const REST_OF_KIMI: &str = "argument<|sep|>";

/// `value` without the damaged closing tag of an element `name` at its end.
pub(super) fn without_close<'t>(value: &'t str, name: &str) -> &'t str {
    if name == "argument"
        && let Some(before) = value.strip_suffix(REST_OF_KIMI)
    {
        return before;
    }
    let close = value.trim_end().strip_suffix('>');
    let parts = close.and_then(|close| close.rsplit_once('/'));
    match parts {
        Some((before, written)) if resembles(written, name) => {
            before.strip_suffix('<').unwrap_or(before)
        }
        _ => value,
    }
}

/// True for the same letters and digits but for one.
pub(super) fn resembles(written: &str, name: &str) -> bool {
    let letters = |text: &str| -> String {
        let letters = text.chars().filter(char::is_ascii_alphanumeric);
        letters.map(|c| c.to_ascii_lowercase()).collect()
    };
    let is_name = written.len() <= MAX_NAME && !written.contains([' ', '\n']);
    is_name && (5..=MAX_NAME).contains(&name.len()) && {
        let name = letters(name);
        name.len() > 4 && strsim::levenshtein(&letters(written), &name) <= 1
    }
}

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
    if written.len() > MAX_NAME || name.len() > MAX_NAME || written.contains([' ', '\n']) {
        return false;
    }
    let letters = |text: &str| -> Vec<u8> {
        let letters = text.bytes().filter(u8::is_ascii_alphanumeric);
        letters.map(|byte| byte.to_ascii_lowercase()).collect()
    };
    let (written, name) = (letters(written), letters(name));
    let same = written
        .iter()
        .zip(&name)
        .take_while(|(a, b)| a == b)
        .count();
    let rest = |letters: &[u8], from: usize| letters.get(from..).unwrap_or_default().to_vec();
    let lost = (rest(&written, same), rest(&name, same + 1));
    let added = (rest(&written, same + 1), rest(&name, same));
    let is_one = lost.0 == lost.1 || added.0 == added.1 || added.0 == lost.1;
    name.len() > 4 && is_one
}

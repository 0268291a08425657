//! Names as they are written: with prefix and counter, `functions.get_weather:0`.

use super::Cursor;

/// The tool's name in what is written, without prefix and counter if that names a tool, and
/// whether it does.
pub(super) fn name_in<'n>(here: &Cursor<'_>, written: &'n str) -> (&'n str, bool) {
    if here.tools.binds_exactly(written) {
        return (written, true);
    }
    let plain = without_escape(written).trim_start_matches(':');
    let plain = plain.trim_start_matches("call:").trim_end_matches(':');
    let bare = plain.strip_prefix("functions");
    let bare = bare.and_then(|rest| rest.strip_prefix(['.', '_']));
    let bare = bare.unwrap_or(plain);
    let counted = without_counter(bare);
    // Exactly first: what a name resembles takes a while to find out.
    // Llama writes `<|python_tag|>f.call(...)`.
    let called = bare.strip_suffix(".call");
    let names = [Some(plain), Some(bare), counted, called].into_iter();
    let mut names = names.flatten();
    if let Some(name) = names.clone().find(|name| here.tools.binds_exactly(name)) {
        return (name, true);
    }
    let is_bound = |name: &&str| !here.tools.is_any() && here.tools.binds(name);
    if let Some(name) = names.find(is_bound) {
        return (name, true);
    }
    let name = counted.filter(|_| bare.contains(':')).unwrap_or(bare);
    (name, here.tools.binds(name))
}

/// A name without the line break after it, where a model wrote that as an escape.
fn without_escape(written: &str) -> &str {
    let mut name = written;
    while let Some(rest) = name.strip_suffix("\\n").filter(|rest| !rest.is_empty()) {
        name = rest;
    }
    name
}

/// `f` of `f:0` and `f_0`.
fn without_counter(name: &str) -> Option<&str> {
    let at = name.rfind([':', '_'])?;
    let digits = name.get(at + 1..)?;
    let is_counter = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_counter.then(|| name.get(..at)).flatten()
}

/// The length of a name with prefix and counter.
pub(super) fn written_length(text: &str) -> usize {
    let is_sign = |c: char| matches!(c, '_' | '-' | '.' | '\\' | '/' | ':' | '*');
    let is_other = |c: char| !c.is_alphanumeric() && !is_sign(c);
    // Nearly all names are ASCII: there a byte is a letter.
    let is_end = |byte: u8| !byte.is_ascii() || is_other(char::from(byte));
    let len = text.bytes().position(is_end).unwrap_or(text.len());
    let rest = text.get(len..).unwrap_or_default();
    match rest.starts_with(|c: char| c.is_ascii()) {
        true => len,
        false => len + rest.find(is_other).unwrap_or(rest.len()),
    }
}

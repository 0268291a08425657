//! Names as they are written, with prefix and counter, `functions.get_weather:0`, and what may stand
//! between the name of a call and its arguments without being either: keys whose tags were lost,
//! labels, ids.

use super::{Cursor, fields, header::After};
use crate::scan::{Seen, split_run};
use crate::{formats::Role, limits};

/// The tool's name in what is written, without prefix and counter if that names a tool, and
/// whether it does.
pub(super) fn name_in<'n>(here: &Cursor<'_>, written: &'n str) -> (&'n str, bool) {
    if here.tools.binds_exactly(written) {
        return (written, true);
    }
    // Without the line break after it, where a model wrote that as an escape.
    let name = Some(written.trim_end_matches("\\n")).filter(|name| !name.is_empty());
    let plain = name.unwrap_or(written).trim_start_matches(':');
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
    let exact = names.clone().find(|name| here.tools.binds_exactly(name));
    let is_bound = |name: &&str| !here.tools.is_any() && here.tools.binds(name);
    if let Some(name) = exact.or_else(|| names.find(is_bound)) {
        return (name, true);
    }
    let name = counted.filter(|_| bare.contains(':')).unwrap_or(bare);
    (name, here.tools.binds(name))
}

/// `f` of `f:0` and `f_0`.
fn without_counter(name: &str) -> Option<&str> {
    let (bare, digits) = name.rsplit_once([':', '_'])?;
    let is_counter = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_counter.then_some(bare)
}

/// The length of a name with prefix and counter.
pub(super) fn written_length(text: &str) -> usize {
    let is_sign = |c: char| matches!(c, '_' | '-' | '.' | '\\' | '/' | ':' | '*');
    let is_other = |c: char| !c.is_alphanumeric() && !is_sign(c);
    // Nearly all names are ASCII: there a byte is a letter.
    let is_end = |byte: u8| !byte.is_ascii() || is_other(char::from(byte));
    let len = text.bytes().position(is_end).unwrap_or(text.len());
    let rest = text.get(len..).unwrap_or_default();
    len + rest.find(is_other).unwrap_or(rest.len())
}

/// The name of the tool in one that runs into the name of its first parameter, whose opening tag
/// was lost: `get_weathercity</arg_key>`.
pub(super) fn glued_key<'n>(here: &Cursor<'_>, text: &'n str, end: usize) -> Seen<Option<&'n str>> {
    if here.tools.is_any() || !closes_key(here, end)? {
        return Ok(None);
    }
    let splits = (1..text.len()).rev();
    let mut parts = splits.filter_map(|at| text.split_at_checked(at));
    let is_call = |(name, key): &(&str, &str)| {
        here.tools.binds_exactly(name) && here.tools.has_parameter(name, key)
    };
    Ok(parts.find(is_call).map(|(name, _)| name))
}

fn closes_key(here: &Cursor<'_>, at: usize) -> Seen<bool> {
    let tag = here.tag(at)?;
    Ok(tag.is_some_and(|tag| tag.close && tag.role() == Some(Role::Key)))
}

/// Whether the name of a parameter stands at `at` whose opening tag was lost: `city</arg_key>`.
pub(super) fn begins_key(here: &Cursor<'_>, at: usize) -> Seen<bool> {
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(*byte, b'_' | b'-');
    let (name, rest) = split_run(here.tail(at), limits::KEY, is_letter);
    here.wait_if(rest.is_empty() && name.len() < limits::KEY)?;
    Ok(!name.is_empty() && closes_key(here, at + name.len())?)
}

/// What a word behind a name begins that belongs to no sentence: a key whose opening tag was lost,
/// or the label of the arguments in the line below it.
pub(super) fn word_behind(here: &Cursor<'_>, start: usize) -> Seen<Option<After>> {
    if begins_key(here, start)? {
        return Ok(Some(After::pairs(start)));
    }
    let is_below = here.byte(start.wrapping_sub(1)) == Some(b'\n');
    if !is_below || here.tools.is_any() {
        return Ok(None);
    }
    let label = fields::label_before_object(here.tail(start), here.finished)?;
    Ok(label.map(|len| After::Skip(start + len)))
}

/// Whether the name of a parameter of `tool` stands at `at`, with a colon or a sign of equality.
pub(super) fn begins_with_parameter(here: &Cursor<'_>, tool: &str, at: usize) -> Seen<bool> {
    let text = here.tail(at);
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(*byte, b'_' | b'-' | b'.');
    let (name, rest) = split_run(text, limits::KEY, is_letter);
    match rest.trim_start_matches([' ', '\t']).as_bytes().first() {
        None if text.len() < limits::KEY => here.at_end(false),
        first => Ok(matches!(first, Some(b':' | b'=')) && here.tools.has_parameter(tool, name)),
    }
}

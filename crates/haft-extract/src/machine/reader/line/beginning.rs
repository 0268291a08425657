//! What a line begins with: before a call blanks, list marks, bold and ticks, and labels such as
//! `Tool call:`; the name of a tool, and what stands behind it.

use super::FENCE;
use crate::scan::bytes::{BULLET_LEN, bullet};
use crate::scan::{More, Text, is_word_of, may_be_word_of, near, split_run};
use crate::{ToolSet, limits};

/// The length of the decoration at the beginning of a line; nothing while it may go on.
pub(super) fn decoration(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let at = skip_blanks(bytes, 0);
    // A list mark: `-`, `*`, `+`, `>`, `1.`, `1)`, followed by a blank; or `•`.
    let digits = bytes.get(at..)?.iter();
    let digits = digits.take_while(|byte| byte.is_ascii_digit()).count();
    let mark = at + digits;
    let next = bytes.get(mark + 1);
    let next_is_indented = bytes.get(mark + 1..).is_some_and(is_indented);
    let len = match (bytes.get(mark)?, digits) {
        // Right before a name it is the mark of a changed line, and so it is in one that is
        // indented.
        (b'-' | b'+', 0) if next?.is_ascii_alphabetic() || next_is_indented => 0,
        (b'-' | b'*' | b'+' | b'>', 0) | (b'.' | b')', 1..) => next.map(|_| 1)?,
        (_, 0) if bullet(bytes.get(mark..)?).ok()? => BULLET_LEN,
        _ => 0,
    };
    let mut at = skip_blanks(bytes, if len > 0 { mark + len } else { at });
    // Bold, ticks and quotes right before the call.
    while let Some(rest @ [b'*' | b'`' | b'"' | b'\'', ..]) = bytes.get(at..) {
        if rest.starts_with(FENCE.as_bytes()) {
            return Some(at);
        }
        if FENCE.as_bytes().starts_with(rest) {
            return None;
        }
        at += 1;
    }
    bytes.get(at).map(|_| at)
}

/// The length of a label such as `Tool call:` before a call; nothing while it may become one.
pub(crate) fn label(text: &str, finished: bool) -> Option<usize> {
    // What Gemini writes for `call:` at times, before the namespace of its tools.
    match (Text { text, finished }).begins(0, "declaration:default_api:") {
        Ok(true) => return Some("declaration:".len()),
        Err(More) if !text.is_empty() => return None,
        _ => {}
    }
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b' ' | b'_');
    let (words, rest) = split_run(text, limits::WORD, is_letter);
    let are_known = |words: &str| {
        let mut words = words.split(SEPARATORS);
        words.all(|word| word.is_empty() || is_word_of(WORDS, word))
    };
    if rest.is_empty() && !finished && !words.is_empty() {
        let (before, last) = words.rsplit_once(SEPARATORS).unwrap_or(("", words));
        let may_come = (are_known(before) && may_be_word_of(WORDS, last))
            || TOOL_CODE.starts_with(words.trim_end());
        return if may_come { None } else { Some(0) };
    }
    let is_label = !words.trim_matches(SEPARATORS).is_empty() && are_known(words);
    let label = rest.strip_prefix(':').filter(|_| is_label);
    let is_variable = words.trim_end() == TOOL_CODE;
    let is_in_line = |after: &&str| !after.trim_start_matches(' ').starts_with(['\n', '\r']);
    let variable = rest.strip_prefix('=').filter(|_| is_variable);
    let Some(after) = label.or(variable.filter(is_in_line)) else {
        return Some(0);
    };
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'*' | b'`');
    let (blanks, body) = split_run(after, limits::BLANKS, is_blank);
    if blanks.len() == limits::BLANKS {
        return Some(0);
    }
    let is_break = |byte: &u8| matches!(byte, b'\n' | b'\r' | b' ');
    let (breaks, rest) = split_run(body, limits::GAP, is_break);
    if rest.is_empty() && !finished && breaks.len() < limits::GAP {
        return None;
    }
    Some(words.len() + 1 + blanks.len() + breaks.len())
}

/// The words of labels.
const WORDS: &str =
    "calling tool tools function functions call calls output api request section sections";

/// The variable that takes what Gemma wants to be run: `tool_code = f(a=1)`.
const TOOL_CODE: &str = "tool_code";

/// What stands between the words of a label.
const SEPARATORS: [char; 2] = [' ', '_'];

/// Four blanks or a tab: more than stand behind a list mark, and before the first letter code, in
/// Markdown.
pub(super) fn is_indented(line: &[u8]) -> bool {
    line.starts_with(b"    ") || line.starts_with(b"\t")
}

fn skip_blanks(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
    from + rest.iter().take_while(is_blank).count()
}

/// What may stand between a name and the next line.
pub(crate) const BLANKS: [char; 4] = [' ', '\t', '\r', '\n'];

/// What stands behind the `signs` that `text` begins with; all of it where they are more than any
/// model writes.
pub(crate) fn behind<'t>(text: &'t str, signs: &[char]) -> &'t str {
    let near = near(text, limits::AHEAD);
    let skipped = near.len() - near.trim_start_matches(signs).len();
    let rest = text
        .get(skipped..)
        .filter(|_| skipped <= limits::DECORATION);
    rest.unwrap_or(text)
}

/// True when the name at the beginning of `text` cannot go on.
pub(crate) fn is_name_whole(text: &str, finished: bool) -> bool {
    finished || text.len() >= limits::NAME || text.contains(|c| !is_name(c))
}

pub(crate) fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '\\' | '/' | ':')
}

/// True where `text` begins with the name of a tool and a parenthesis.
pub(crate) fn begins_call(text: &str, tools: &ToolSet) -> bool {
    let (name, after) = text.split_at(name_length(text));
    after.starts_with('(') && tools.binds(name)
}

/// The length of the name of a tool at the beginning of `text`.
pub(crate) fn name_length(text: &str) -> usize {
    let near = near(text, limits::NAME);
    let (name, _) = near.split_at(near.find(|c| !is_name(c)).unwrap_or(near.len()));
    name.trim_end_matches([':', '.', '-']).len()
}

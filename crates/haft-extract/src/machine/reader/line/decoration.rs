//! What may stand before a call in its line: blanks, list marks, bold and ticks, and labels such as
//! `Tool call:`.

use super::FENCE;
use crate::scan::bytes::{BULLET_LEN, bullet};

/// The length of the decoration at the beginning of a line; nothing while it may go on.
pub(super) fn decoration(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = skip_blanks(bytes, 0);
    // A list mark: `-`, `*`, `+`, `>`, `1.`, `1)`, followed by a blank; or `•`.
    let digits = bytes
        .get(at..)?
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let mark = at + digits;
    match bytes.get(mark) {
        Some(b'.' | b')') if digits > 0 => {
            bytes.get(mark + 1)?;
            at = mark + 1;
        }
        // Right before a name it is the mark of a changed line.
        Some(b'-' | b'+') if digits == 0 && bytes.get(mark + 1)?.is_ascii_alphabetic() => {}
        // The same of a line that is indented.
        Some(b'-' | b'+') if digits == 0 && is_indented(bytes, mark + 1) => {}
        Some(b'-' | b'*' | b'+' | b'>') if digits == 0 => {
            bytes.get(mark + 1)?;
            at = mark + 1;
        }
        None => return None,
        _ if digits == 0 => {
            if bullet(bytes.get(mark..)?).ok()? {
                at = mark + BULLET_LEN;
            }
        }
        _ => {}
    }
    at = skip_blanks(bytes, at);
    // Bold and ticks right before the call.
    while let Some(b'*' | b'`') = bytes.get(at) {
        if bytes.get(at..at + 3) == Some(FENCE.as_bytes()) {
            return Some(at);
        }
        if bytes.get(at) == Some(&b'`') && bytes.len() < at + 3 {
            let rest = bytes.get(at..)?;
            if rest.iter().all(|byte| *byte == b'`') {
                return None;
            }
        }
        at += 1;
    }
    bytes.get(at)?;
    Some(at)
}

/// The length of a label such as `Tool call:` before a call; nothing while it may become one.
pub(in crate::machine::reader) fn label(text: &str, finished: bool) -> Option<usize> {
    const WORDS: &str =
        "calling tool tools function functions call calls output api request section sections";
    if let Some(len) = declaration(text, finished) {
        return len;
    }
    let end = text
        .bytes()
        .take(MAX_LABEL)
        .take_while(|byte| byte.is_ascii_alphabetic() || matches!(byte, b' ' | b'_'));
    let len = end.count();
    if len == 0 {
        return Some(0);
    }
    let words = text.get(..len).unwrap_or_default();
    let mut all = words
        .split([' ', '_'])
        .filter(|word| !word.is_empty())
        .peekable();
    let is_word = |word: &str| {
        WORDS
            .split(' ')
            .any(|known| known.eq_ignore_ascii_case(word))
    };
    let may_be = |word: &str| {
        let begins = |known: &str| {
            let head = known.get(..word.len());
            head.is_some_and(|head| head.eq_ignore_ascii_case(word))
        };
        WORDS.split(' ').any(begins)
    };
    if all.peek().is_none() {
        // A word may still follow the blanks: `** Tool call:`.
        let may_come = len == text.len() && len < MAX_LABEL && !finished;
        return if may_come { None } else { Some(0) };
    }
    if len == text.len() && !finished {
        let last = words.split([' ', '_']).next_back().unwrap_or_default();
        let before = words.strip_suffix(last).unwrap_or_default();
        let known = before
            .split([' ', '_'])
            .filter(|word| !word.is_empty())
            .all(is_word);
        return if known && may_be(last) { None } else { Some(0) };
    }
    let is_label = all.all(is_word) && text.get(len..).is_some_and(|rest| rest.starts_with(':'));
    if !is_label {
        return Some(0);
    }
    let after = text.get(len + 1..).unwrap_or_default();
    let near = after.bytes().take(MAX_BLANKS);
    let blanks = near
        .take_while(|byte| matches!(byte, b' ' | b'*' | b'`'))
        .count();
    if blanks == MAX_BLANKS {
        return Some(0);
    }
    let breaks = line_breaks(after.get(blanks..).unwrap_or_default());
    if blanks + breaks == after.len() && !finished && breaks < MAX_BREAKS {
        return None;
    }
    Some(len + 1 + blanks + breaks)
}

/// The longest label, in bytes.
const MAX_LABEL: usize = 32;

/// What Gemini writes for `call:` at times, before the namespace of its tools; nothing within where
/// it may become that.
fn declaration(text: &str, finished: bool) -> Option<Option<usize>> {
    const LABEL: &str = "declaration:";
    const WHOLE: &str = "declaration:default_api:";
    if text.starts_with(WHOLE) {
        return Some(Some(LABEL.len()));
    }
    let may_be = !text.is_empty() && WHOLE.starts_with(text) && !finished;
    may_be.then_some(None)
}

/// More blanks, stars and ticks than any model puts behind a label.
const MAX_BLANKS: usize = 64;

/// How long the blanks may be between a label and a call in the next line, or the one after.
const MAX_BREAKS: usize = 8;

/// The length of the line breaks behind a label, and of the blanks among them.
fn line_breaks(text: &str) -> usize {
    let is_blank = |byte: &u8| matches!(byte, b'\n' | b'\r' | b' ');
    text.bytes().take(MAX_BREAKS).take_while(is_blank).count()
}

/// Four blanks or a tab: more than stand behind a list mark.
fn is_indented(bytes: &[u8], from: usize) -> bool {
    let rest = bytes.get(from..).unwrap_or_default();
    rest.starts_with(b"    ") || rest.starts_with(b"\t")
}

fn skip_blanks(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    from + rest
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count()
}

//! The tokens around calls that are known without spelling them. The parent, [`tag`](super), finds
//! the same in them, but for one that has hardly any letters.

use super::Tag;
use crate::formats;

/// The one marker in square brackets that most replies with any have.
const TOOL_CALLS: &[u8] = b"[TOOL_CALLS]";

/// What MiniMax M2 ends a turn with, which is spelt as no other token is.
pub(super) const MINIMAX_END: &[u8] = b"[e~[";

/// The tokens of DeepSeek and of Kimi, with their letters.
pub(super) const TOKENS: [(&str, &str); 10] = [
    ("<｜tool▁call▁begin｜>", "toolcallbegin"),
    ("<｜tool▁sep｜>", "toolsep"),
    ("<｜tool▁call▁end｜>", "toolcallend"),
    ("<｜tool▁calls▁begin｜>", "toolcallsbegin"),
    ("<｜tool▁calls▁end｜>", "toolcallsend"),
    ("<|tool_call_begin|>", "toolcallbegin"),
    ("<|tool_call_argument_begin|>", "toolcallargumentbegin"),
    ("<|tool_call_end|>", "toolcallend"),
    ("<|tool_calls_section_begin|>", "toolcallssectionbegin"),
    ("<|tool_calls_section_end|>", "toolcallssectionend"),
];

/// The tag that one of the [`TOKENS`] at the beginning of `text` is.
pub(super) fn tag(text: &str) -> Option<Tag> {
    let (bar, tokens) = match text.as_bytes() {
        [b'<', 0xEF, 0xBD, 0x9C, b't', ..] => ("｜", TOKENS.get(..5)?),
        [b'<', b'|', b't', ..] => ("|", TOKENS.get(5..)?),
        _ => return None,
    };
    let (token, letters) = tokens.iter().find(|(token, _)| text.starts_with(token))?;
    let end = token.len() - 1;
    Some(Tag {
        len: token.len(),
        close: false,
        barred: true,
        marker: formats::marker(letters.as_bytes()),
        name: 1 + bar.len()..end - bar.len(),
        attributes: end..end,
        damaged: false,
    })
}

/// The tag that a known token in square brackets at the beginning of `text` is.
#[inline]
pub(super) fn square(text: &[u8]) -> Option<Tag> {
    let (token, letters) = match text.get(1)? {
        b'T' => (TOOL_CALLS, "toolcalls"),
        b'e' => (MINIMAX_END, "eos"),
        _ => return None,
    };
    text.starts_with(token).then_some(())?;
    let end = token.len() - 1;
    Some(Tag {
        len: token.len(),
        close: false,
        barred: true,
        marker: formats::marker(letters.as_bytes()),
        name: 1..end,
        attributes: end..end,
        damaged: false,
    })
}

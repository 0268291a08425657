//! Thoughts that no tags of ours stand around, at the beginning of a reply: Kimi VL's between
//! `◁think▷` and `◁/think▷`, Granite's between two sentences, and what a server leaves of
//! Gemma's channel when it drops the token that opens it.

use memchr::memmem;

use super::thinking::Thinking;
use super::{Cursor, Reader, State, Step};
use crate::scan::More;

/// What opens Kimi VL's thoughts, and what closes them.
const TRIANGLES: (&str, &str) = ("◁think▷", "◁/think▷");

/// What Granite 3.2 says between its thoughts and its answer, by its chat template.
const RESPONSE: &[&str] = &["Here is my response:", "Here's my response:"];

/// What opens a thought only if one of these closes it; otherwise it is text.
const WORDED: [(&str, &[&str]); 3] = [
    ("Here is my thought process:", RESPONSE),
    ("Here's my thought process:", RESPONSE),
    ("thought\n", &["<channel|>"]),
];

/// More bytes than any of the closing words has.
const MAX_WORDS: usize = 32;

impl Reader {
    /// At the very beginning of a reply: a step, if such a thought begins there.
    pub(super) fn worded_thought(&mut self, here: &mut Cursor<'_>) -> Result<Option<Step>, More> {
        let text = here.text;
        // The first byte of a triangle, and those of the words.
        if !matches!(here.byte(0), Some(0xE2 | b'H' | b't')) {
            return Ok(None);
        }
        if here.begins(text, TRIANGLES.0)? {
            here.markup(TRIANGLES.0);
            let thinking = Thinking::closed_by(TRIANGLES.1);
            return Ok(Some(
                self.take(TRIANGLES.0.len(), State::Thinking(thinking)),
            ));
        }
        let mut known = None;
        for (open, closers) in WORDED {
            if known.is_none() && here.begins(text, open)? {
                known = Some((open, closers));
            }
        }
        let Some((open, closers)) = known else {
            return Ok(None);
        };
        let from = self.scan.max(open.len());
        let rest = here.near().as_bytes().get(from..).unwrap_or_default();
        let found = closers.iter().filter_map(|closer| {
            let at = memmem::find(rest, closer.as_bytes())?;
            Some((from + at, closer.len()))
        });
        let Some((at, len)) = found.min() else {
            if here.is_beyond_limit() {
                return Ok(None);
            }
            self.scan = text.len().saturating_sub(MAX_WORDS);
            return here.at_end(None);
        };
        let inner = here.part(open.len(), at);
        here.markup(open);
        here.reasoning(inner);
        here.markup(here.part(at, at + len));
        self.has_thought |= !inner.trim_ascii().is_empty();
        Ok(Some(self.take(at + len, State::Line)))
    }
}

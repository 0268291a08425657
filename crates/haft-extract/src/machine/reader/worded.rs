//! Thoughts that no tags of ours stand around, at the beginning of a reply: Kimi VL's between
//! `◁think▷` and `◁/think▷`, Granite's between two sentences, and what a server leaves of
//! Gemma's channel when it drops the token that opens it.

use memchr::memmem;

use super::thinking::Thinking;
use super::{Reader, State, Step, Turn};

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
    /// At the very beginning of a reply: a step, if such a thought begins or may begin there.
    pub(super) fn worded_thought(&mut self, turn: &mut Turn<'_, '_>) -> Option<Step> {
        let text = turn.text;
        // The first byte of a triangle, and those of the words.
        matches!(turn.byte(0), Some(0xE2 | b'H' | b't')).then_some(())?;
        if text.starts_with(TRIANGLES.0) {
            turn.syntax(TRIANGLES.0);
            let thinking = Thinking::closed_by(TRIANGLES.1);
            return Some(self.take(TRIANGLES.0.len(), State::Thinking(thinking)));
        }
        let known = WORDED.iter().find(|(open, _)| text.starts_with(open));
        let Some((open, closers)) = known else {
            let opens = WORDED.iter().map(|(open, _)| *open);
            let mut opens = opens.chain([TRIANGLES.0]);
            let may_begin = !turn.finished && opens.any(|open| open.starts_with(text));
            return may_begin.then(|| self.wait(State::Start));
        };
        let from = self.scan.max(open.len());
        let rest = turn.near().as_bytes().get(from..).unwrap_or_default();
        let found = closers.iter().filter_map(|closer| {
            let at = memmem::find(rest, closer.as_bytes())?;
            Some((from + at, closer.len()))
        });
        if let Some((at, len)) = found.min() {
            turn.syntax(open);
            let inner = turn.head(at).get(open.len()..).unwrap_or_default();
            turn.reasoning(inner);
            turn.syntax(turn.head(at + len).get(at..).unwrap_or_default());
            self.has_thought |= !inner.trim_ascii().is_empty();
            return Some(self.take(at + len, State::Line));
        }
        if !turn.finished && !turn.is_beyond_limit() {
            self.scan = text.len().saturating_sub(MAX_WORDS);
            return Some(self.wait(State::Start));
        }
        None
    }
}

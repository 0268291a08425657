//! Thoughts that no tags of ours stand around, at the beginning of a reply: Kimi VL's between
//! `◁think▷` and `◁/think▷`, Granite's between two sentences, and what a server leaves of
//! Gemma's channel when it drops the token that opens it.

use std::ops::Range;

use memchr::memmem;

use super::{Attempt, Cursor, Reader, State, Step, thinking::Thinking};
use crate::limits;

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

impl Reader {
    /// At the very beginning of a reply: a step, if such a thought begins there.
    pub(super) fn worded_thought(&mut self, here: &mut Cursor<'_>) -> Attempt {
        if here.begins(here.text, TRIANGLES.0)? {
            let mut thinking = Thinking::default();
            thinking.closer = Some(TRIANGLES.1);
            let step = self.take_markup(here, TRIANGLES.0.len(), State::Thinking(thinking));
            return step.map(Some);
        }
        for (open, closers) in WORDED {
            if !here.begins(here.text, open)? {
                continue;
            }
            let from = self.scan.max(open.len());
            let rest = here.near().get(from..).unwrap_or_default();
            let ends = closers.iter().filter_map(|closer| {
                let at = memmem::find(rest.as_bytes(), closer.as_bytes())?;
                Some((from + at, closer.len()))
            });
            if let Some((at, len)) = ends.min() {
                return self.thought(here, open.len()..at, at + len).map(Some);
            }
            if !here.is_beyond_limit() {
                let scanned = here.text.len().saturating_sub(limits::WORD);
                self.scan = here.text.floor_char_boundary(scanned);
                return here.at_end(None);
            }
        }
        Ok(None)
    }

    /// A whole thought stands at `at`, behind what opens it; what closes it ends at `end`.
    pub(super) fn thought(&mut self, here: &mut Cursor<'_>, at: Range<usize>, end: usize) -> Step {
        let thought = here.part(at.start, at.end);
        here.markup(here.head(at.start));
        here.reasoning(thought);
        here.markup(here.part(at.end, end));
        self.has_thought |= !thought.trim_ascii().is_empty();
        self.last = '\n';
        self.line_is_blank = true;
        self.take(end, State::Line)
    }
}

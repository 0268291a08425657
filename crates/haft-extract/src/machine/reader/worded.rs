//! Thoughts that no tags of ours stand around, at the beginning of a reply: Kimi VL's between
//! `◁think▷` and `◁/think▷`, Granite's between two sentences, and what a server leaves of
//! Gemma's channel when it drops the token that opens it.

use std::ops::Range;

use memchr::memmem;

use super::{Attempt, Cursor, Reader, State, Step, thinking::Thinking};
use crate::{limits, scan::Seen};

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
            if here.begins(here.text, open)?
                && let Some(closer) = self.held_up_to(here, open.len(), closers)?
            {
                let thought = open.len()..closer.start;
                return self.thought(here, thought, closer.end).map(Some);
            }
        }
        Ok(None)
    }

    /// Where the first of `ends`, which are short, stands behind `from`. The text is held back for
    /// it; nothing where none comes.
    pub(super) fn held_up_to(
        &mut self,
        here: &Cursor<'_>,
        from: usize,
        ends: &[&str],
    ) -> Seen<Option<Range<usize>>> {
        let from = self.scan.max(from);
        let rest = here.near().as_bytes().get(from..).unwrap_or_default();
        let found = ends.iter().filter_map(|end| {
            let at = from + memmem::find(rest, end.as_bytes())?;
            Some(at..at + end.len())
        });
        let found = found.min_by_key(|end| end.start);
        if found.is_none() && !here.is_beyond_limit() {
            self.scan = here.text.len().saturating_sub(limits::WORD);
            return here.at_end(None);
        }
        Ok(found)
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
        self.advance(end, State::Line)
    }
}

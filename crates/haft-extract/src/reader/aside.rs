//! A thought in the middle of a line: `Sure. <think>...</think> Done.`
//!
//! Whether one is meant or the tag is only spoken of shows at its end: one that is closed is
//! a thought, anything else is text.

use memchr::memmem;

use super::{Reader, State, Step, Turn};
use crate::tag::{Found, read_tag};

/// What stands between the tags where someone speaks of them: `<think> and </think>`.
const SPOKEN: [&str; 6] = ["and", "or", "to", "...", "…", "/"];

impl Reader {
    /// The opening tag stands at the beginning of the text.
    pub(super) fn aside(&mut self, turn: &mut Turn<'_, '_>) -> Step {
        let Found::Yes(tag) = read_tag(turn.text, turn.finished) else {
            return self.mention(turn);
        };
        if self.has_no_ends {
            return self.mention(turn);
        }
        let opening = turn.head(tag.len);
        let Some((bracket, name)) = opening
            .split_at_checked(1)
            .filter(|_| !opening.contains(['|', '｜']))
        else {
            return self.mention(turn);
        };
        let closing = format!("{bracket}/{name}");
        let from = self.scan.max(tag.len);
        let rest = turn.text.as_bytes().get(from..).unwrap_or_default();
        let Some(found) = memmem::find(rest, closing.as_bytes()) else {
            if turn.finished || turn.text.len() > turn.options.hold_limit {
                self.has_no_ends = true;
                return self.mention(turn);
            }
            self.scan = turn.text.len().saturating_sub(closing.len());
            return self.wait(State::Aside);
        };
        let close = from + found;
        let end = close + closing.len();
        let thought = turn.text.get(tag.len..close).unwrap_or_default();
        if SPOKEN.contains(&thought.trim_ascii()) {
            self.tell_text(turn, turn.head(end));
            return self.take(end, State::Prose);
        }
        turn.syntax(opening);
        turn.reasoning(thought);
        turn.syntax(&closing);
        self.has_thought |= !thought.trim_ascii().is_empty();
        self.line_is_blank = true;
        self.last = b'\n';
        self.take(end, State::Line)
    }
}

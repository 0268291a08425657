//! Text, up to the next marker or the next line that may hold a call.
//!
//! Nearly all of a reply is read here, at the speed of a search for three bytes.

use std::borrow::Cow;

use memchr::memrchr2;

use super::attributes::{element_tool, named_tool};
use super::inside::Inside;
use super::signs::{next_in_fence, next_of_four, next_sign};
use super::{Reader, State, Step, Turn, mcp};
use crate::Format;
use crate::formats::Role;
use crate::machine::judge::Placement;
use crate::machine::reading::Reading;
use crate::scan::lexis::Ends;
use crate::scan::tag::{Found, Tag, may_be_tag, read_tag};

/// What Laguna writes for `<tool_call>` at times.
pub(super) const OTHER_WRAPPER: &str = "user";

/// What Mistral writes before its calls.
pub(super) const MISTRAL: &str = "[TOOL_CALLS]";

/// What MiniMax M3 writes before each of its tags.
pub(super) const MINIMAX: &str = "]<]minimax[>[";

impl Reader {
    #[inline(never)]
    pub(super) fn prose(&mut self, turn: &mut Turn<'_, '_>) -> Step {
        let mut at = self.scan;
        let bytes = turn.text.as_bytes();
        // In text mode: where the next marker or line stands, looked for once.
        let mut wall = None;
        // No line before this one is of interest: they stand in a fence.
        let mut line = 0;
        loop {
            let found = if turn.options.text_mode {
                next_of_four(bytes, at, &mut wall).map(|found| at + found)
            } else if self.fence.is_some() {
                next_in_fence(bytes, (at, line))
            } else {
                next_sign(bytes, at, turn.tools)
            };
            let Some(found) = found else {
                return self.prose_to_the_end(turn);
            };
            at = found;
            match bytes.get(at) {
                Some(b'\n') if !self.may_hold_call(turn, at + 1) => at += 1,
                Some(b'\n') => {
                    if let Some(step) = self.glued_call(turn, at) {
                        return step;
                    }
                    if let Some((passed, calm)) = self.text_ahead(turn, at + 1) {
                        at += 1;
                        line = at + calm;
                        at += passed;
                        continue;
                    }
                    self.tell_text(turn, turn.head(at + 1));
                    return self.take(at + 1, State::Line);
                }
                Some(b'(') => match self.call_in_line(turn, at) {
                    Some(step) => return step,
                    None => at += 1,
                },
                Some(b'<' | b'[') if !self.may_be_marker(turn, at) => at += 1,
                _ => match read_tag(turn.tail(at), turn.finished) {
                    Found::No if self.is_minimax(turn, at) => {
                        return self.minimax(turn, at);
                    }
                    Found::No => at += 1,
                    Found::More => {
                        let before = at.saturating_sub(1);
                        let is_token = turn.byte(before) == Some(b']')
                            && MINIMAX.starts_with(turn.tail(before));
                        let end = if is_token { before } else { at };
                        self.tell_text(turn, turn.head(end));
                        self.go(State::Prose);
                        return if end == 0 {
                            Step::More
                        } else {
                            Step::Take(end)
                        };
                    }
                    Found::Yes(tag)
                        if tag.marker.is_none()
                            && self.nesting == 0
                            && is_plain_tag(turn, at, &tag) =>
                    {
                        at += 1;
                    }
                    Found::Yes(tag) => {
                        self.tell_text(turn, turn.head(at));
                        turn.text = turn.tail(at);
                        return after_text(at, &self.marker(turn, &tag));
                    }
                },
            }
        }
    }

    /// False when the bracket at `at` begins no marker, by the letters next to it.
    fn may_be_marker(&self, turn: &Turn<'_, '_>, at: usize) -> bool {
        let bytes = turn.text.as_bytes();
        may_be_tag(bytes.get(at..).unwrap_or_default())
            || at.checked_sub(1).and_then(|before| bytes.get(before)) == Some(&b']')
    }

    /// No marker in sight: all is text, but what may be the beginning of a marker or of a call.
    fn prose_to_the_end(&mut self, turn: &mut Turn<'_, '_>) -> Step {
        let mut end = turn.text.len();
        if turn.finished {
            return self.prose_ends(turn);
        }
        if turn.text.ends_with(']') {
            end -= 1;
        }
        if turn.options.text_mode {
            end = end.min(self.name_begins(turn.text, turn));
        }
        if let Some(start) = self.glued_name(turn.text, turn.tools) {
            end = end.min(start);
        }
        self.tell_text(turn, turn.head(end));
        self.go(State::Prose);
        if end == 0 {
            Step::More
        } else {
            Step::Take(end)
        }
    }

    /// The reply is over: all is text, but the beginning of a tag that its end cut after a call.
    fn prose_ends(&mut self, turn: &mut Turn<'_, '_>) -> Step {
        let end = turn.text.len();
        let tag = memrchr2(b'<', b'[', turn.text.as_bytes());
        let tag = tag.filter(|at| is_partial_tag(turn.tail(*at)));
        self.tell_text(turn, turn.head(tag.unwrap_or(end)));
        if let Some(at) = tag {
            if self.after_call || self.wrapped {
                turn.syntax(turn.tail(at));
            } else {
                self.tell_text(turn, turn.tail(at));
            }
        }
        self.take(end, State::Prose)
    }

    /// Whether MiniMax' token may stand around the `<` or `[` at `at`.
    fn is_minimax(&self, turn: &Turn<'_, '_>, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else {
            return false;
        };
        if turn.byte(before) != Some(b']') {
            return false;
        }
        let rest = turn.tail(before);
        rest.starts_with(MINIMAX) || (!turn.finished && MINIMAX.starts_with(rest))
    }

    fn minimax(&mut self, turn: &mut Turn<'_, '_>, at: usize) -> Step {
        let before = at - 1;
        if before > 0 {
            self.tell_text(turn, turn.head(before));
            return self.take(before, State::Prose);
        }
        let len = MINIMAX.len();
        let tag = match read_tag(turn.tail(len), turn.finished) {
            Found::More => return self.wait(State::Prose),
            _ if turn.text.len() <= len && !turn.finished => return self.wait(State::Prose),
            Found::Yes(tag) => Some(tag),
            Found::No => None,
        };
        let role = tag
            .as_ref()
            .and_then(|tag| tag.marker)
            .map(|marker| marker.role);
        match (role, tag) {
            (Some(Role::Wrapper), Some(tag)) if !tag.close && !self.is_quoted() => {
                self.format = Format::MinimaxM3;
                let inside = Inside::opened_by(len).after(len + tag.len);
                self.take(0, State::Inside(inside))
            }
            (Some(Role::Invoke), Some(tag)) if !tag.close => {
                self.format = Format::MinimaxM3;
                self.take(0, State::Inside(Inside::opened_by(len)))
            }
            (Some(_), Some(tag)) if self.after_call || self.wrapped => {
                let end = len + tag.len;
                turn.syntax(turn.head(end));
                self.wrapper_closed();
                self.take(end, State::Line)
            }
            (Some(Role::Thinking), Some(_)) => {
                turn.syntax(turn.head(len));
                self.take(len, State::Prose)
            }
            (None, None) if turn.tail(len).is_empty() && (self.after_call || self.wrapped) => {
                turn.syntax(turn.head(len));
                self.take(len, State::Prose)
            }
            _ => {
                self.tell_text(turn, turn.head(len));
                self.take(len, State::Prose)
            }
        }
    }

    /// A tag stands at the beginning of the text.
    fn marker(&mut self, turn: &mut Turn<'_, '_>, tag: &Tag) -> Step {
        let Some(marker) = tag.marker else {
            return self.unknown_tag(turn, tag);
        };
        let is_square = turn.text.starts_with('[');
        if self.is_quoted() {
            return self.mention(turn);
        }
        match marker.role {
            Role::Wrapper | Role::Invoke if !tag.close => {
                self.format = if is_square {
                    Format::Mistral
                } else {
                    marker.format
                };
                if self.fence.is_some()
                    && !marker.letters.starts_with("plamo")
                    && !turn.text.starts_with("<|")
                {
                    return self.mention(turn);
                }
                if self.fence.is_some() {
                    turn.tell(Reading::Candidate(Placement::Fenced));
                }
                self.is_closed = !is_square && marker.is_closed(tag.barred);
                // `<tool>N</tool>` names the call, as `<invoke>` does.
                let has_name = marker.role == Role::Invoke || marker.letters == "tool";
                let has_name = has_name || named_tool(turn.tools, tag, turn.text).is_some();
                let inside = Inside::opened_by(if has_name { 0 } else { tag.len });
                self.take(0, State::Inside(inside))
            }
            _ if self.fence.is_some() && !is_square && !turn.text.starts_with("<|") => {
                self.mention(turn)
            }
            Role::Thinking if !tag.close && (self.line_is_blank || tag.barred) => {
                turn.syntax(turn.head(tag.len));
                self.take(
                    tag.len,
                    State::Thinking(super::thinking::Thinking::default()),
                )
            }
            Role::Thinking if !tag.close && !self.knows_no_thought => {
                self.thought_in_line(turn, tag.len)
            }
            Role::Thinking | Role::ThinkingEnd if tag.close || marker.role == Role::ThinkingEnd => {
                self.thinking_ended(turn);
                turn.syntax(turn.head(tag.len));
                self.line_is_blank = true;
                self.take(tag.len, State::Line)
            }
            // Without bars it is an element of some XML: `<message>`, `<start>`.
            Role::Channel if !tag.barred => self.mention(turn),
            Role::Channel | Role::Noise if self.may_speak_of_tokens() => {
                match self.is_spoken_of(turn, tag.len) {
                    Ends::Yes => self.mention(turn),
                    Ends::Unclear => self.wait(State::Prose),
                    Ends::No => self.frame(turn, tag, marker),
                }
            }
            Role::Channel | Role::Noise => self.frame(turn, tag, marker),
            _ if self.after_call || (self.wrapped && tag.close) => {
                turn.syntax(turn.head(tag.len));
                self.wrapper_closed();
                self.take(tag.len, State::Line)
            }
            _ => match self.is_stray_end(turn, (tag, tag.len)) {
                Ends::Yes => {
                    turn.syntax(turn.head(tag.len));
                    self.take(tag.len, State::Prose)
                }
                Ends::Unclear => self.wait(State::Prose),
                Ends::No => self.mention(turn),
            },
        }
    }

    /// A thought ends that nothing opened; the second time that means nothing.
    pub(super) fn thinking_ended(&mut self, turn: &mut Turn<'_, '_>) {
        if !std::mem::replace(&mut self.has_thought, true) {
            turn.tell(Reading::ThinkingEnded);
            self.after_call = false;
        }
    }

    /// The bracket at the beginning of the text is text.
    pub(super) fn mention(&mut self, turn: &mut Turn<'_, '_>) -> Step {
        self.note_named(turn.text);
        self.tell_text(turn, turn.head(1));
        self.take(1, State::Prose)
    }

    /// A quotation mark within a line stands before: what follows is spoken of, not meant.
    pub(super) fn is_quoted(&self) -> bool {
        !self.line_is_blank && matches!(self.last, b'`' | b'"' | b'\'')
    }

    /// Says that a wrapper is open, whose closing tag may come later.
    pub(super) fn wrapper_opened(&mut self) {
        self.wrapped = true;
    }

    /// Says that it came, so that none is missing behind what another token opens.
    pub(super) fn wrapper_closed(&mut self) {
        self.wrapped = false;
        self.is_closed = false;
    }

    /// Says that a call or its markup ended: what stood in the line so far does not count.
    pub(super) fn call_ended(&mut self) {
        self.after_call = true;
        self.line_is_blank = true;
        self.last = b'\n';
    }

    /// Tells of markup and of the calls that were found on their own.
    pub(super) fn tell_readings(turn: &mut Turn<'_, '_>, readings: Vec<Reading<'static>>) {
        for reading in readings {
            match reading {
                Reading::Call(found) => {
                    turn.tell(Reading::Start(Cow::Owned(found.name.clone().into_owned())));
                    let text = found.arguments.text().to_owned();
                    if !text.is_empty() {
                        turn.tell(Reading::Fragment(Cow::Owned(text)));
                    }
                    turn.tell(Reading::Call(found));
                }
                Reading::Start(_) | Reading::Fragment(_) => {}
                Reading::Text(text) if text.trim_ascii().is_empty() => {
                    turn.tell(Reading::Syntax(text));
                }
                other => turn.tell(other),
            }
        }
    }
}

/// True for a tag at `at`, no marker, that is text whatever stands around it: no element that may
/// stand for a call.
#[inline(never)]
fn is_plain_tag(turn: &Turn<'_, '_>, at: usize, tag: &Tag) -> bool {
    let start = at + tag.name.start;
    let name = turn.text.get(start..at + tag.name.end).unwrap_or_default();
    let may_name = || {
        matches!(name, OTHER_WRAPPER | mcp::NAME)
            || (!turn.tools.is_any()
                && (name.starts_with("tool_")
                    || turn.tools.may_begin_line(turn.tail(start).as_bytes()))
                && element_tool(turn.tools, name).is_some())
    };
    tag.close || !may_name()
}

/// A step behind text of `at` bytes, which was told of.
fn after_text(at: usize, step: &Step) -> Step {
    match step {
        Step::Take(taken) => Step::Take(at + taken),
        Step::More if at > 0 => Step::Take(at),
        Step::More => Step::More,
    }
}

/// The beginning of a tag that the end of the reply cut.
fn is_partial_tag(text: &str) -> bool {
    let Some(rest) = text.trim().strip_prefix(['<', '[']) else {
        return false;
    };
    rest.chars()
        .all(|c| c.is_alphanumeric() || matches!(c, '/' | '|' | '_' | ':' | '｜' | '▁'))
}

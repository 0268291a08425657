//! Text, up to the next marker or the next line that may hold a call.
//!
//! Nearly all of a reply is read here, at the speed of a search for three bytes.

use memchr::{memchr3, memrchr2};

use super::attributes::{element_tool, named_tool};
use super::inside::Inside;
use super::line_start::LineStart;
use super::signs::{next_of_four, next_sign};
use super::{Cursor, Reader, State, Step, mcp};
use crate::Format;
use crate::formats::Role;
use crate::machine::event::ParseEvent;
use crate::machine::judge::Placement;
use crate::scan::More;
use crate::scan::tag::{Tag, may_be_tag};

/// What Laguna writes for `<tool_call>` at times.
pub(super) const OTHER_WRAPPER: &str = "user";

/// What Mistral writes before its calls.
pub(super) const MISTRAL: &str = "[TOOL_CALLS]";

/// What MiniMax M3 writes before each of its tags.
pub(super) const MINIMAX: &str = "]<]minimax[>[";

impl Reader {
    #[inline(never)]
    pub(super) fn prose(&mut self, here: &mut Cursor<'_>) -> Step {
        let mut at = self.scan;
        let bytes = here.text.as_bytes();
        // In text mode: where the next marker or line stands, looked for once.
        let mut wall = None;
        loop {
            let found = if here.options.text_mode {
                next_of_four(bytes, at, &mut wall).map(|found| at + found)
            } else if self.fence.is_some() {
                let rest = bytes.get(at..).unwrap_or_default();
                memchr3(b'\n', b'<', b'[', rest).map(|found| at + found)
            } else {
                next_sign(bytes, at, here.tools)
            };
            let Some(found) = found else {
                return self.prose_to_the_end(here);
            };
            at = found;
            match bytes.get(at) {
                Some(b'\n') if !self.may_hold_call(here, at + 1) => at += 1,
                Some(b'\n') => {
                    if let Some(step) = self.glued_call(here, at) {
                        return step;
                    }
                    self.tell_text(here, here.head(at + 1));
                    return self.take(at + 1, State::Line);
                }
                Some(b'(') => match self.call_in_line(here, at) {
                    Some(step) => return step,
                    None => at += 1,
                },
                Some(b'<' | b'[') if !self.may_be_marker(here, at) => at += 1,
                _ => match here.tag(at) {
                    Ok(None) if self.is_minimax(here, at) => return self.minimax(here, at),
                    Ok(None) => at += 1,
                    Err(More) => {
                        let before = at.saturating_sub(1);
                        let is_token = here.byte(before) == Some(b']')
                            && MINIMAX.starts_with(here.tail(before));
                        return self.take_text(here, if is_token { before } else { at });
                    }
                    Ok(Some(tag))
                        if tag.marker.is_none()
                            && self.nesting == 0
                            && is_plain_tag(here, at, &tag) =>
                    {
                        at += 1;
                    }
                    Ok(Some(tag)) => {
                        self.in_quotation = self.line.after(here.head(at)) == LineStart::Quoted;
                        self.tell_text(here, here.head(at));
                        here.text = here.tail(at);
                        return after_text(at, &self.marker(here, &tag));
                    }
                },
            }
        }
    }

    /// False when the bracket at `at` begins no marker, by the letters next to it.
    fn may_be_marker(&self, here: &Cursor<'_>, at: usize) -> bool {
        let bytes = here.text.as_bytes();
        may_be_tag(bytes.get(at..).unwrap_or_default())
            || at.checked_sub(1).and_then(|before| bytes.get(before)) == Some(&b']')
    }

    /// No marker in sight: all is text, but what may be the beginning of a marker or of a call.
    fn prose_to_the_end(&mut self, here: &mut Cursor<'_>) -> Step {
        let mut end = here.text.len();
        if here.finished {
            return self.prose_ends(here);
        }
        if here.text.ends_with(']') {
            end -= 1;
        }
        if here.options.text_mode {
            end = end.min(self.name_begins(here.text, here));
        }
        if let Some(start) = self.glued_name(here.text, here.tools) {
            end = end.min(start);
        }
        self.take_text(here, end)
    }

    /// Text up to `end`; what follows cannot be told yet.
    pub(super) fn take_text(&mut self, here: &mut Cursor<'_>, end: usize) -> Step {
        self.tell_text(here, here.head(end));
        self.go(State::Prose);
        match end {
            0 => Step::More,
            end => Step::Take(end),
        }
    }

    /// The reply is over: all is text, but the beginning of a tag that its end cut after a call.
    fn prose_ends(&mut self, here: &mut Cursor<'_>) -> Step {
        let end = here.text.len();
        let tag = memrchr2(b'<', b'[', here.text.as_bytes());
        let tag = tag.filter(|at| is_partial_tag(here.tail(*at)));
        self.tell_text(here, here.head(tag.unwrap_or(end)));
        if let Some(at) = tag {
            if self.after_call || self.wrapped {
                here.markup(here.tail(at));
            } else {
                self.tell_text(here, here.tail(at));
            }
        }
        self.take(end, State::Prose)
    }

    /// Whether MiniMax' token may stand around the `<` or `[` at `at`.
    fn is_minimax(&self, here: &Cursor<'_>, at: usize) -> bool {
        let rest = at.checked_sub(1).map_or("", |before| here.tail(before));
        let is_token = rest.starts_with(MINIMAX) || (!here.finished && MINIMAX.starts_with(rest));
        is_token && !rest.is_empty()
    }

    fn minimax(&mut self, here: &mut Cursor<'_>, at: usize) -> Step {
        let before = at - 1;
        if before > 0 {
            self.tell_text(here, here.head(before));
            return self.take(before, State::Prose);
        }
        let len = MINIMAX.len();
        let tag = match here.tag(len) {
            Err(More) => return self.wait(State::Prose),
            _ if here.text.len() <= len && !here.finished => return self.wait(State::Prose),
            Ok(tag) => tag,
        };
        let role = tag
            .as_ref()
            .and_then(|tag| tag.marker)
            .map(|marker| marker.role);
        let end = len + tag.as_ref().map_or(0, |tag| tag.len);
        let opens = tag.as_ref().is_some_and(|tag| !tag.close);
        match role {
            Some(Role::Wrapper) if opens && !self.is_quoted() => {
                self.format = Format::MinimaxM3;
                self.take(0, State::Inside(Inside::opened_by(len).after(end)))
            }
            Some(Role::Invoke) if opens => {
                self.format = Format::MinimaxM3;
                self.take(0, State::Inside(Inside::opened_by(len)))
            }
            Some(_) if self.after_call || self.wrapped => {
                here.markup(here.head(end));
                self.wrapper_closed();
                self.take(end, State::Line)
            }
            None if tag.is_none()
                && here.text.len() == len
                && (self.after_call || self.wrapped) =>
            {
                here.markup(here.head(len));
                self.take(len, State::Prose)
            }
            Some(Role::Thinking) => {
                here.markup(here.head(len));
                self.take(len, State::Prose)
            }
            _ => {
                self.tell_text(here, here.head(len));
                self.take(len, State::Prose)
            }
        }
    }

    /// A tag stands at the beginning of the text.
    fn marker(&mut self, here: &mut Cursor<'_>, tag: &Tag) -> Step {
        let Some(marker) = tag.marker else {
            return self.unknown_tag(here, tag);
        };
        let is_square = here.text.starts_with('[');
        if self.is_quoted() {
            return self.mention(here);
        }
        if self.in_quotation {
            here.tell(ParseEvent::Candidate(Placement::Quoted));
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
                    && !here.text.starts_with("<|")
                {
                    return self.mention(here);
                }
                if self.fence.is_some() {
                    here.tell(ParseEvent::Candidate(Placement::Fenced));
                }
                self.is_closed = !is_square && marker.is_closed(tag.barred);
                // `<tool>N</tool>` names the call, as `<invoke>` does.
                let has_name = marker.role == Role::Invoke || marker.letters == "tool";
                let has_name = has_name || named_tool(here.tools, tag, here.text).is_some();
                let inside = Inside::opened_by(if has_name { 0 } else { tag.len });
                self.take(0, State::Inside(inside))
            }
            _ if self.fence.is_some() && !is_square && !here.text.starts_with("<|") => {
                self.mention(here)
            }
            Role::Thinking if !tag.close && (self.line_is_blank || tag.barred) => {
                here.markup(here.head(tag.len));
                self.take(
                    tag.len,
                    State::Thinking(super::thinking::Thinking::default()),
                )
            }
            Role::Thinking if !tag.close && !self.knows_no_thought => {
                self.thought_in_line(here, tag.len)
            }
            Role::Thinking | Role::ThinkingEnd if tag.close || marker.role == Role::ThinkingEnd => {
                self.thinking_ended(here);
                here.markup(here.head(tag.len));
                self.line_is_blank = true;
                self.take(tag.len, State::Line)
            }
            // Without bars it is an element of some XML: `<message>`, `<start>`.
            Role::Channel if !tag.barred => self.mention(here),
            Role::Channel | Role::Noise if self.may_speak_of_tokens() => {
                match self.is_spoken_of(here, tag.len) {
                    Ok(true) => self.mention(here),
                    Ok(false) => self.frame(here, tag, marker),
                    Err(More) => self.wait(State::Prose),
                }
            }
            Role::Channel | Role::Noise => self.frame(here, tag, marker),
            _ if self.after_call || (self.wrapped && tag.close) => {
                here.markup(here.head(tag.len));
                self.wrapper_closed();
                self.take(tag.len, State::Line)
            }
            _ => match self.is_stray_end(here, (tag, tag.len)) {
                Ok(true) => {
                    here.markup(here.head(tag.len));
                    self.take(tag.len, State::Prose)
                }
                Ok(false) => self.mention(here),
                Err(More) => self.wait(State::Prose),
            },
        }
    }

    /// A thought ends that nothing opened; the second time that means nothing.
    pub(super) fn thinking_ended(&mut self, here: &mut Cursor<'_>) {
        if !std::mem::replace(&mut self.has_thought, true) {
            here.tell(ParseEvent::ThinkingEnded);
            self.after_call = false;
        }
    }

    /// The bracket at the beginning of the text is text.
    pub(super) fn mention(&mut self, here: &mut Cursor<'_>) -> Step {
        self.note_named(here.text);
        self.tell_text(here, here.head(1));
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
}

/// True for a tag at `at`, no marker, that is text whatever stands around it: no element that may
/// stand for a call.
#[inline(never)]
fn is_plain_tag(here: &Cursor<'_>, at: usize, tag: &Tag) -> bool {
    let start = at + tag.name.start;
    let name = here.text.get(start..at + tag.name.end).unwrap_or_default();
    let may_name = || {
        matches!(name, OTHER_WRAPPER | mcp::NAME)
            || (!here.tools.is_any()
                && (name.starts_with("tool_")
                    || here.tools.may_begin_line(here.tail(start).as_bytes()))
                && element_tool(here.tools, name).is_some())
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

//! Text, up to the next marker or the next line that may hold a call.
//!
//! Nearly all of a reply is read here, at the speed of a search for three bytes.

use memchr::{memchr3, memrchr2};

use super::attributes::named_tool;
use super::thinking::Thinking;
use super::{Cursor, Inside, LineStart, Reader, State, Step};
use crate::formats::{Marker, Role};
use crate::machine::{ParseEvent, Placement};
use crate::scan::{More, Tag, Text, may_be_tag, tag_at};
use crate::{Format, ToolSet, scan::bytes::first_of};

/// What Laguna writes for `<tool_call>` at times.
pub(super) const OTHER_WRAPPER: &str = "user";

/// What Mistral writes before its calls.
pub(super) const MISTRAL: &str = "[TOOL_CALLS]";

/// What MiniMax M3 writes before each of its tags.
pub(super) const MINIMAX: &str = "]<]minimax[>[";

impl Reader {
    #[inline(never)]
    pub(super) fn prose(&mut self, here: &mut Cursor<'_>) -> Step {
        let mut at = 0;
        let bytes = here.text.as_bytes();
        loop {
            let found = match here.options.text_mode {
                true => next_in_text_mode(bytes, at),
                false => next_sign(bytes, at, here.tools),
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
                    return self.advance(at + 1, State::Line);
                }
                Some(b'(') => match self.call_in_line(here, at) {
                    Some(step) => return step,
                    None => at += 1,
                },
                _ if is_minimax(here, at) => return self.minimax(here, at),
                _ if !may_be_tag(bytes.get(at..).unwrap_or_default()) => at += 1,
                _ => match here.tag(at) {
                    Err(More) => return self.take_text(here, at),
                    Ok(None) => at += 1,
                    Ok(Some(mut tag)) => {
                        self.in_quotation = self.line.after(here.head(at)) == LineStart::Quoted;
                        self.tell_text(here, here.head(at));
                        // The text before the tag is told: what follows is a step that begins with it.
                        here.text = here.tail(at);
                        tag.start = 0;
                        return match self.marker(here, &tag) {
                            Err(More) if at > 0 => self.advance(at, State::Prose),
                            step => step.map(|taken| at + taken),
                        };
                    }
                },
            }
        }
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
        // `Let me look.get_wea`
        if let Some(start) = self.glued_name(here.text, here.tools) {
            end = end.min(start);
        }
        self.take_text(here, end)
    }

    /// The reply is over: all is text, but the beginning of a tag that its end cut after a call.
    fn prose_ends(&mut self, here: &mut Cursor<'_>) -> Step {
        let end = here.text.len();
        let tag = memrchr2(b'<', b'[', here.text.as_bytes());
        let is_partial = |at: &usize| is_partial_tag(here.tail(*at));
        let tag = tag.filter(is_partial).unwrap_or(end);
        self.tell_text(here, here.head(tag));
        match self.after_call || self.wrapped {
            true => here.markup(here.tail(tag)),
            false => self.tell_text(here, here.tail(tag)),
        }
        self.advance(end, State::Prose)
    }

    /// MiniMax' token stands around the sign at `at`, and perhaps a tag behind it.
    fn minimax(&mut self, here: &mut Cursor<'_>, at: usize) -> Step {
        let len = MINIMAX.len();
        if at > 1 {
            return self.take_text(here, at - 1);
        }
        here.wait_if(here.text.len() <= len)?;
        let tag = here.tag(len)?;
        let end = len + tag.as_ref().map_or(0, |tag| tag.len);
        let opens = |role| tag.as_ref().is_some_and(|tag| tag.opens(role));
        let is_wrapper = opens(Role::Wrapper) && !self.is_quoted();
        if is_wrapper || opens(Role::Invoke) {
            self.format = Format::MinimaxM3;
            let lead = if is_wrapper { end } else { len };
            return self.advance(0, State::Inside(Inside::opened_by(len).after(lead)));
        }
        let is_known = tag.is_some_and(|tag| tag.marker.is_some());
        match self.after_call || self.wrapped {
            true if is_known => {
                self.wrapper_closed();
                self.take_markup(here, end, State::Line)
            }
            true => self.take_markup(here, len, State::Prose),
            false => self.take_text(here, len),
        }
    }

    /// A tag stands at the beginning of the text.
    fn marker(&mut self, here: &mut Cursor<'_>, tag: &Tag<'_>) -> Step {
        let Some(marker) = tag.marker else {
            return self.unknown_tag(here, tag);
        };
        let is_opening = matches!(marker.role, Role::Wrapper | Role::Invoke) && !tag.close;
        let is_square = here.text.starts_with('[');
        // No template puts a tag into a fence: it is spoken of.
        let may_be_fenced = here.text.starts_with("<|") || (is_square && !is_opening);
        // It closes one that is spoken of: `re.sub("<think>.*</think>", "", s)`.
        let is_end = tag.close && marker.role == Role::Thinking;
        let is_named = is_end && std::mem::take(&mut self.names_thought);
        if self.is_quoted() || is_named || (self.fence.is_some() && !may_be_fenced) {
            self.names_thought |= tag.opens(Role::Thinking);
            return self.bracket_is_text(here);
        }
        if self.in_quotation {
            here.tell(ParseEvent::NextCall(Placement::Quoted));
        }
        match marker.role {
            _ if is_opening => self.opening_marker(here, tag, marker),
            Role::Thinking if !tag.close && (self.line_is_blank || tag.barred) => {
                self.take_markup(here, tag.len, State::Thinking(Thinking::default()))
            }
            Role::Thinking if !tag.close && !self.knows_no_thought => {
                self.advance(0, State::ThoughtInLine)
            }
            Role::Thinking | Role::ThinkingEnd if tag.close || marker.role == Role::ThinkingEnd => {
                self.thinking_ended(here);
                self.line_after(here, tag.len)
            }
            // Without bars it is an element of some XML: `<message>`, `<start>`.
            Role::Channel if !tag.barred => self.bracket_is_text(here),
            Role::Channel | Role::Noise
                if self.may_speak_of_tokens() && self.is_spoken_of(here, tag.len)? =>
            {
                self.bracket_is_text(here)
            }
            Role::Channel => self.channel(here, tag),
            Role::Noise => self.noise(here, tag),
            _ if self.after_call || (self.wrapped && tag.close) => {
                self.wrapper_closed();
                self.take_markup(here, tag.len, State::Line)
            }
            _ if self.is_stray_end(here, tag)? => self.take_markup(here, tag.len, State::Prose),
            _ => self.bracket_is_text(here),
        }
    }

    /// A marker behind which a call may stand.
    fn opening_marker(&mut self, here: &mut Cursor<'_>, tag: &Tag<'_>, marker: &Marker) -> Step {
        let is_square = here.text.starts_with('[');
        self.format = match is_square {
            true => Format::Mistral,
            false => marker.format,
        };
        if self.fence.is_some() {
            here.tell(ParseEvent::NextCall(Placement::Fenced));
        }
        // Asked for at the end of the reply, where the closing tag did not come.
        self.needs_close = !is_square && marker.needs_close(tag.barred);
        // `<tool>N</tool>` names the call, as `<invoke>` does.
        let has_name = marker.role == Role::Invoke || marker.letters == "tool";
        let has_name = has_name || named_tool(here.tools, tag).is_some();
        let inside = Inside::opened_by(if has_name { 0 } else { tag.len });
        self.advance(0, State::Inside(inside))
    }

    /// A thought ends that nothing opened; the second time that means nothing.
    pub(super) fn thinking_ended(&mut self, here: &mut Cursor<'_>) {
        if !std::mem::replace(&mut self.has_thought, true) {
            here.tell(ParseEvent::ThinkingEnded);
            self.after_call = false;
        }
    }

    /// The bracket at the beginning of the text is text.
    pub(super) fn bracket_is_text(&mut self, here: &mut Cursor<'_>) -> Step {
        self.note_named(here.text);
        self.take_text(here, 1)
    }

    /// A quotation mark within a line stands before: what follows is spoken of, not meant.
    pub(super) fn is_quoted(&self) -> bool {
        !self.line_is_blank && "`\"'„“‘«‹「『《".contains(self.last)
    }
}

/// Where the next line or tag stands that is worth a look, at `at` or behind it.
#[inline]
fn next_sign(bytes: &[u8], mut at: usize, tools: &ToolSet) -> Option<usize> {
    loop {
        let rest = bytes.get(at..)?;
        at += match rest.first() {
            // Many lines are empty.
            Some(b'\n') => 0,
            _ => first_of(*b"\n<[", rest, |rest| memchr3(b'\n', b'<', b'[', rest))?,
        };
        match bytes.get(at..) {
            // No call without a marker begins as this line does, nor a line that begins with a tag, which
            // is found next; and no tag begins as this bracket does.
            Some([b'\n', first, second, ..]) if !tools.may_begin_with(*first, *second) => at += 1,
            Some(tag @ [b'[', ..]) if !may_be_tag(tag) => at += 1,
            _ => return Some(at),
        }
    }
}

/// Where the next line, tag or parenthesis stands, at `at` or behind it.
fn next_in_text_mode(bytes: &[u8], at: usize) -> Option<usize> {
    let is_sign = |byte: &u8| matches!(byte, b'\n' | b'<' | b'[' | b'(');
    Some(at + bytes.get(at..)?.iter().position(is_sign)?)
}

/// Whether MiniMax' token may stand around the `<` or `[` at `at`.
fn is_minimax(here: &Cursor<'_>, at: usize) -> bool {
    let rest = at.checked_sub(1).map_or("", |before| here.tail(before));
    let may_come = !here.finished && MINIMAX.starts_with(rest) && !rest.is_empty();
    may_come || rest.starts_with(MINIMAX)
}

/// The beginning of a tag that the end of the reply cut. What would have been no tag with more text
/// either is text: in a stream it was told as such.
fn is_partial_tag(text: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || "/|_:｜▁".contains(c);
    let finished = false;
    let is_open = tag_at(Text { text, finished }, 0).is_err();
    is_open && text.trim().chars().skip(1).all(is_part)
}

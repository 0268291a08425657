//! Thinking. A closed thought holds no calls, whatever is written in it; one that never closes
//! and ends with a complete call of a bound tool has made it.

mod ends;

use memchr::{memchr2, memchr3};

use self::ends::{
    NEXT_MESSAGE, closes_thought, header_len, is_end_of_message, may_end_turn, part_at_line,
};
use super::{Cursor, Reader, State, Step};
use crate::formats::Role;
use crate::scan::{More, Seen, Tag, is_one_of};

/// A thought that is being read.
#[derive(Debug, Default)]
pub(super) struct Thinking {
    /// It ends where its channel does.
    pub(super) in_channel: bool,
    /// It ends with these signs, and with nothing else.
    pub(super) closer: Option<&'static str>,
    /// Something other than blanks was reported already.
    begun: bool,
    /// Held back from here on: what may be the calls that it ends with.
    hold: Option<Hold>,
}

#[derive(Clone, Copy, Debug)]
struct Hold {
    from: usize,
    /// A marker stands there, not just the beginning of a line.
    by_marker: bool,
}

/// What stands at a bracket in a thought.
enum Part<'t> {
    Words,
    /// A tag that ends it.
    End(Tag<'t>),
    /// One that opens it once more: the prompt opened it, and the model did again.
    Begin(Tag<'t>),
    /// What may be a call.
    Call,
    /// A letter at the beginning of a line, where no call begins.
    Letters,
}

impl Reader {
    #[inline(never)]
    pub(super) fn thinking(&mut self, here: &mut Cursor<'_>, thinking: &mut Thinking) -> Step {
        let mut at = self.scan;
        if let Some(closer) = thinking.closer
            && let Some(found) = here.tail(at).find(closer)
        {
            let end = at + found;
            self.has_thought |= thinking.begun;
            return self.thought(here, 0..end, end + closer.len());
        }
        loop {
            let Some(found) = memchr3(b'\n', b'<', b'[', here.tail(at).as_bytes()) else {
                return self.pauses(here, thinking, here.text.len());
            };
            at += found;
            // Here, not where the text pauses: that depends on how it is cut.
            let is_near = |hold: &Hold| at - hold.from <= here.options.hold_limit;
            thinking.hold = thinking.hold.filter(is_near);
            let is_line = here.byte(at) == Some(b'\n');
            let part = match is_line {
                true => part_at_line(here, at + 1),
                false => self.part_at(here, thinking, at),
            };
            match part {
                Err(More) => return self.pauses(here, thinking, at),
                Ok(Part::Words) => {}
                // The line before was no call.
                Ok(Part::Letters) => thinking.hold = thinking.hold.filter(|hold| hold.by_marker),
                Ok(Part::End(tag)) => return self.thought_ends(here, thinking, &tag),
                Ok(Part::Begin(tag)) => {
                    let state = State::Thinking(std::mem::take(thinking));
                    return self.take_markup(here, tag.end(), state);
                }
                Ok(Part::Call) => {
                    let (from, by_marker) = (at, !is_line);
                    thinking.hold.get_or_insert(Hold { from, by_marker });
                }
            }
            at += 1;
        }
    }

    /// What begins at the bracket at `at`.
    fn part_at<'t>(&self, here: &Cursor<'t>, thinking: &Thinking, at: usize) -> Seen<Part<'t>> {
        let Some(tag) = here.tag(at)? else {
            return Ok(Part::Words);
        };
        // A token of a channel between ticks is spoken of.
        let is_ticked = tag.role() == Some(Role::Channel) && self.last_of(here.head(at)) == '`';
        here.wait_if(is_ticked && here.byte(tag.end()).is_none())?;
        if is_ticked && here.byte(tag.end()) == Some(b'`') {
            return Ok(Part::Words);
        }
        here.wait_if(may_end_turn(here, &tag))?;
        if ends_thinking(here, &tag, thinking)? {
            return Ok(Part::End(tag));
        }
        let is_at_start = thinking.closer.is_none() && !thinking.begun;
        let is_at_start = is_at_start && here.head(at).trim_ascii().is_empty();
        // Kimi K3's, and the headers of messages, which name tools too.
        let is_header = matches!(tag.letters(), "open" | "start" | "channel" | "messagemodel");
        Ok(match tag.role() {
            _ if tag.close => Part::Words,
            Some(Role::Thinking) if is_at_start => Part::Begin(tag),
            Some(Role::Wrapper | Role::Invoke) => Part::Call,
            _ if is_header => Part::Call,
            _ => Part::Words,
        })
    }

    /// There is no more text of a thought for now, or at all.
    fn pauses(&mut self, here: &mut Cursor<'_>, thinking: &mut Thinking, at: usize) -> Step {
        if here.finished {
            return self.never_ends(here, thinking);
        }
        let at = at - thinking.begun_end(here.head(at));
        let is_near = |hold: &Hold| at.saturating_sub(hold.from) <= here.options.hold_limit;
        thinking.hold = thinking.hold.filter(is_near);
        let end = thinking.hold.map_or(at, |hold| hold.from.min(at));
        thinking.begun |= !here.head(end).trim_ascii().is_empty();
        self.last = self.last_of(here.head(end));
        here.reasoning(here.head(end));
        if let Some(hold) = &mut thinking.hold {
            hold.from -= end;
        }
        self.scan = at - end;
        if end == 0 {
            return Err(More);
        }
        self.state = State::Thinking(std::mem::take(thinking));
        Ok(end)
    }

    /// Ends a thought at a tag, or at the header of the next message whose token was left out.
    fn thought_ends(&mut self, here: &mut Cursor<'_>, thinking: &Thinking, tag: &Tag<'_>) -> Step {
        let at = tag.start;
        let header = header_len(here.head(at));
        let is_channel = tag.role() == Some(Role::Channel);
        // The header of the next message or channel is read where it belongs.
        let (at, end, next) = match tag.letters() {
            "message" if header > 0 && thinking.in_channel => {
                (at - header, at - header, State::ChannelHeader)
            }
            _ if is_channel && !here.tail(at).starts_with("<channel|>") => (at, at, State::Prose),
            _ => (at, tag.end(), State::Line),
        };
        self.has_thought |= thinking.begun;
        self.thought(here, 0..at, end)?;
        self.advance(end, next)
    }

    /// A tag that opens thoughts stands within a line, at the beginning of the text. It does only
    /// if it is closed; otherwise it is spoken of.
    #[inline(never)]
    pub(super) fn thought_in_line(&mut self, here: &mut Cursor<'_>) -> Step {
        let Some(open) = here.tag(0)? else {
            return self.bracket_is_text(here);
        };
        let near = here.near();
        let mut at = self.scan.max(open.len);
        while let Some(found) = memchr2(b'<', b'[', near.as_bytes().get(at..).unwrap_or_default()) {
            at += found;
            self.scan = at;
            let tag = here.tag(at)?;
            let closing = tag.filter(|tag| closes_thought(tag) && tag.end() <= near.len());
            if let Some(tag) = closing {
                let end = tag.end();
                // What stands between two tags that a sentence or a pattern speaks of.
                let joint = here.part(open.len, at).trim();
                let is_sign = !joint.is_empty() && !joint.contains(char::is_alphanumeric);
                return match is_sign || is_one_of(joint, "and or to") {
                    true => self.take_text(here, end),
                    false => self.thought(here, open.len..at, end),
                };
            }
            at += 1;
        }
        if here.finished || here.is_beyond_limit() {
            self.knows_no_thought = true;
            return self.bracket_is_text(here);
        }
        self.scan = near.len();
        Err(More)
    }
}

impl Thinking {
    /// How many bytes at the end of the text may be the beginning of the closing signs, or of the
    /// header of the next message.
    fn begun_end(&self, text: &str) -> usize {
        let next = match self.in_channel {
            true => " to=",
            false => self.closer.unwrap_or_default(),
        };
        let is_begun = |len: &usize| next.get(..*len).is_some_and(|part| text.ends_with(part));
        let begun = (0..next.len()).rev().find(is_begun).unwrap_or(0);
        let header = if self.in_channel { header_len(text) } else { 0 };
        begun.max(header)
    }
}

/// Whether the tag at `at` ends a thought.
fn ends_thinking(here: &Cursor<'_>, tag: &Tag<'_>, thinking: &Thinking) -> Seen<bool> {
    if thinking.closer.is_some() {
        return Ok(false);
    }
    let rest = here.tail(tag.end());
    if is_end_of_message(tag) && rest.starts_with(NEXT_MESSAGE) {
        return Ok(true);
    }
    let is_close = tag.letters() == "close";
    let ends = match tag.role() {
        // Kimi K3 writes `<|close|>think<|sep|>`.
        Some(Role::Channel) => tag.barred && (thinking.in_channel || tag.close || is_close),
        _ => closes_thought(tag),
    };
    // Outside of channels the word for a thought follows: a call has such tokens too, which may be
    // spoken of.
    let is_sure = !is_close || thinking.in_channel;
    Ok(ends && (is_sure || here.begun_by(rest, &["think", "reasoning"])?.is_some()))
}

//! Tokens that end a call or a section where none is open, and those of the frame. A model
//! generates them at times, and nobody is meant to read them; but a reply may also speak of them.

use super::cursor::behind_blanks;
use super::line::beginning;
use super::{Cursor, Reader, State, Step};
use crate::Format;
use crate::formats::{Marker, Role};
use crate::scan::tag::{Tag, tag_at};
use crate::scan::{More, Text};

/// Formats whose messages stand between tokens of the frame.
const CHANNELS: [Format; 6] = [
    Format::Harmony,
    Format::Beam,
    Format::MuseAtem,
    Format::Inkling,
    Format::KimiK3,
    Format::Gemma4,
];

impl Reader {
    /// Whether the token that ends a call or a section, up to `end`, ends nothing here and was
    /// generated all the same: it sticks to the text before it or begins a line, nothing but other
    /// tokens follows in the line, and the reply has named none so far. A sentence that speaks of it
    /// does not look so.
    pub(super) fn is_stray_end(
        &self,
        here: &Cursor<'_>,
        (tag, end): (&Tag, usize),
    ) -> Result<bool, More> {
        let is_token = tag.marker.is_some_and(|marker| marker.role == Role::Close)
            && begins_token(here.text)
            && !tag.damaged;
        let is_spoken_of = self.names_tokens || self.fence.is_some() || self.in_fence;
        if !is_token || is_spoken_of || self.last == b' ' {
            return Ok(false);
        }
        ends_line(here.tail(end), here.finished)
    }

    /// True where a token of the frame may be spoken of: in a fence, or within a line behind a blank
    /// or after another one that was, unless the reply is framed by such tokens itself.
    pub(super) fn may_speak_of_tokens(&self) -> bool {
        let is_apart = matches!(self.last, b' ' | b'(') || self.names_tokens;
        let is_in_line = is_apart && !self.line_is_blank;
        (self.fence.is_some() || is_in_line) && !CHANNELS.contains(&self.format)
    }

    /// Whether it is, by what follows the token, which ends at `end`: more of the fence, or of the
    /// sentence.
    pub(super) fn is_spoken_of(&self, here: &Cursor<'_>, end: usize) -> Result<bool, More> {
        let rest = here.tail(end);
        let body = behind_blanks(rest);
        if self.fence.is_some() {
            return if body.is_empty() {
                here.at_end(false)
            } else {
                Ok(true)
            };
        }
        if !self.names_tokens {
            let next = body.chars().next();
            let goes_on = rest.starts_with(' ') || next.is_some_and(|c| c.is_ascii_punctuation());
            if body.starts_with('<') || (next.is_some() && !goes_on) {
                return Ok(false);
            }
        }
        Ok(!ends_line(rest, here.finished)?)
    }

    /// A token of the frame of a reply or of a message in it.
    pub(super) fn frame(&mut self, here: &mut Cursor<'_>, tag: &Tag, marker: &Marker) -> Step {
        match marker.role {
            Role::Channel => self.channel(here, tag),
            _ => self.noise(here, tag, marker.letters),
        }
    }

    /// A token of the frame, with the word for the role that some of them have.
    fn noise(&mut self, here: &mut Cursor<'_>, tag: &Tag, letters: &str) -> Step {
        let rest = here.tail(tag.len);
        if letters == "s" {
            // The end of a reply, not an element of HTML.
            return match rest.trim_start().is_empty() {
                true if !here.finished => self.wait(State::Prose),
                true if tag.close => {
                    here.markup(here.head(tag.len));
                    self.take(tag.len, State::Prose)
                }
                _ => self.mention(here),
            };
        }
        let is_word = matches!(
            letters,
            "assistant" | "toolresponse" | "toolresponses" | "observation" | "turn"
        );
        if !tag.barred && is_word {
            return self.mention(here);
        }
        let mut end = tag.len;
        if matches!(
            letters,
            "headerstart" | "startheaderid" | "startofrole" | "imstart" | "startofturn" | "turn"
        ) && !tag.close
        {
            let word = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
            let role = rest.get(..word).unwrap_or_default();
            if word == rest.len() && !here.finished && word < 12 {
                return self.wait(State::Prose);
            }
            if matches!(
                role,
                "assistant" | "user" | "system" | "model" | "tool" | "ipython" | "environment"
            ) {
                end += word;
            }
        }
        here.markup(here.head(end));
        let next = if self.line_is_blank {
            State::Line
        } else {
            State::Prose
        };
        self.take(end, next)
    }

    /// The tag at the beginning of `text` is text.
    pub(super) fn note_named(&mut self, text: &str) {
        self.names_tokens |= begins_token(text);
    }
}

fn begins_token(text: &str) -> bool {
    text.starts_with("<|") || text.starts_with("<｜")
}

/// Whether nothing but tokens that end something, or belong to the frame, follows in the line.
fn ends_line(rest: &str, finished: bool) -> Result<bool, More> {
    let near = beginning(rest);
    let text = Text {
        text: near,
        finished: finished || near.len() < rest.len(),
    };
    let mut at = 0;
    loop {
        let line = text.rest(at).trim_start_matches([' ', '\r']);
        at = near.len() - line.len();
        match line.as_bytes().first() {
            Some(b'\n') => return Ok(true),
            None if text.finished => return Ok(true),
            None => return Err(More),
            Some(_) if begins_token(line) => {}
            Some(b'<') if line.len() < "<｜".len() && !text.finished => return Err(More),
            Some(_) => return Ok(false),
        }
        let tag = tag_at(text, at)?.filter(|tag| {
            let role = tag.marker.map(|marker| marker.role);
            matches!(role, Some(Role::Close | Role::Noise | Role::Channel))
        });
        match tag {
            Some(tag) => at += tag.len,
            None => return Ok(false),
        }
    }
}

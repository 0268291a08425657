//! Tokens that end a call or a section where none is open. A model generates them at times, as
//! those of the frame; nobody is meant to read them.

use super::line::beginning;
use super::{Reader, Turn};
use crate::lexis::Ends;
use crate::markers::Role;
use crate::tag::{Found, Tag, read_tag};

impl Reader {
    /// Whether the token that ends a call or a section, up to `end`, ends nothing here and was
    /// generated all the same: it sticks to the text before it or begins a line, nothing but other
    /// tokens follows in the line, and the reply has named none so far. A sentence that speaks of it
    /// does not look so.
    pub(super) fn is_stray_end(&self, turn: &Turn<'_, '_>, (tag, end): (&Tag, usize)) -> Ends {
        let is_token = tag.marker.is_some_and(|marker| marker.role == Role::Close)
            && begins_token(turn.text)
            && !tag.damaged;
        let is_spoken_of = self.names_tokens || self.fence > 0 || self.in_fence;
        if !is_token || is_spoken_of || self.last == b' ' {
            return Ends::No;
        }
        ends_line(turn.tail(end), turn.finished)
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
fn ends_line(rest: &str, finished: bool) -> Ends {
    let mut near = beginning(rest);
    let finished = finished || near.len() < rest.len();
    loop {
        near = near.trim_start_matches([' ', '\r']);
        match near.as_bytes().first() {
            Some(b'\n') => return Ends::Yes,
            None if finished => return Ends::Yes,
            None => return Ends::Unclear,
            Some(_) if begins_token(near) => {}
            Some(b'<') if near.len() < "<｜".len() && !finished => return Ends::Unclear,
            Some(_) => return Ends::No,
        }
        let tag = match read_tag(near, finished) {
            Found::More => return Ends::Unclear,
            Found::No => return Ends::No,
            Found::Yes(tag) => tag,
        };
        let role = tag.marker.map(|marker| marker.role);
        if !matches!(role, Some(Role::Close | Role::Noise | Role::Channel)) {
            return Ends::No;
        }
        near = near.get(tag.len..).unwrap_or_default();
    }
}

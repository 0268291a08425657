//! Tokens that end a call or a section where none is open. A model generates them at times, as
//! those of the frame; nobody is meant to read them.

use super::line::beginning;
use super::{Reader, Turn};
use crate::lexis::Ends;
use crate::markers::Role;
use crate::tag::Tag;

impl Reader {
    /// Whether the token that ends a call or a section, up to `end`, ends nothing here and was
    /// generated all the same: it sticks to the text before it or begins a line, and the line goes
    /// on with another token at most. A sentence that names it does not look so.
    pub(super) fn is_stray_end(&self, turn: &Turn<'_, '_>, (tag, end): (&Tag, usize)) -> Ends {
        let is_token = tag.marker.is_some_and(|marker| marker.role == Role::Close)
            && tag.barred
            && !tag.damaged
            && !turn.text.starts_with('[');
        if !is_token || self.fence > 0 || self.in_fence || self.last == b' ' {
            return Ends::No;
        }
        let rest = turn.tail(end);
        let near = beginning(rest).trim_start_matches([' ', '\r']);
        match near.as_bytes().first() {
            Some(b'\n' | b'<') => Ends::Yes,
            None if rest.len() > beginning(rest).len() => Ends::No,
            None if !turn.finished => Ends::Unclear,
            None => Ends::Yes,
            Some(_) => Ends::No,
        }
    }
}

//! Tokens that end a call or a section where none is open, and those of the frame. A model
//! generates them at times, and nobody is meant to read them; but a reply may also speak of them. What
//! stands in a turn that the model wrote for its user is text, and so is what stands behind it.

use super::{
    Cursor, Reader, State, Step,
    cursor::{beginning, behind_blanks},
};
use crate::formats::{Property, Role};
use crate::limits;
use crate::scan::{More, Seen, Tag, Text, is_one_of, split_run, tag_at, whole_tag};

/// The role whose turns only a user writes.
pub(super) const USER: &str = "user";

/// Tokens of the frame that are elements where they have no bars.
const ELEMENTS: &str = "assistant toolresponse toolresponses observation turn user";

/// Tokens of the frame behind which the word for a role stands.
const BEFORE_ROLE: &str = "headerstart startheaderid startofrole imstart startofturn turn";

const ROLES: &str = "assistant user system model tool ipython environment";

impl Reader {
    /// Whether the token that ends a call or a section ends nothing here and was
    /// generated all the same: it sticks to the text before it or begins a line, nothing but other
    /// tokens follows in the line, and the reply has named none so far. A sentence that speaks of it
    /// does not look so.
    pub(super) fn is_stray_end(&self, here: &Cursor<'_>, tag: &Tag<'_>) -> Seen<bool> {
        let is_token = tag.role() == Some(Role::Close) && begins_token(here.text) && !tag.damaged;
        let is_spoken_of = self.names_tokens || self.fence.is_some() || self.in_fence;
        let rest = here.tail(tag.end());
        Ok(is_token && !is_spoken_of && self.last != ' ' && ends_line(rest, here.finished)?)
    }

    /// True where a token of the frame may be spoken of: in a fence, or within a line behind a blank
    /// or after another one that was, unless the reply is framed by such tokens itself.
    pub(super) fn may_speak_of_tokens(&self) -> bool {
        let is_apart = matches!(self.last, ' ' | '(') || self.names_tokens;
        let is_in_line = is_apart && !self.line_is_blank;
        (self.fence.is_some() || is_in_line) && !self.format.has(Property::InChannels)
    }

    /// Whether it is, by what follows the token, which ends at `end`: more of the fence, or of the
    /// sentence.
    pub(super) fn is_spoken_of(&self, here: &Cursor<'_>, end: usize) -> Seen<bool> {
        let rest = here.tail(end);
        let body = behind_blanks(rest);
        if self.fence.is_some() {
            here.wait_if(body.is_empty())?;
            return Ok(!body.is_empty());
        }
        let is_sign = |c: char| c.is_ascii_punctuation() && c != '<';
        let is_apart = rest.starts_with(' ') && !body.starts_with('<');
        let goes_on = body.is_empty() || is_apart || body.starts_with(is_sign);
        Ok((self.names_tokens || goes_on) && !ends_line(rest, here.finished)?)
    }

    /// A token of the frame, with the word for the role that some of them have.
    pub(super) fn noise(&mut self, here: &mut Cursor<'_>, tag: &Tag<'_>) -> Step {
        // Without bars they are elements: of HTML, or of what a tool answered.
        let is_element = match tag.letters() {
            "s" => {
                let (body, start) = here.body(tag.len)?;
                let opens = here.tag(start)?.is_some_and(|tag| tag.opens(Role::Wrapper));
                !opens && (!tag.close || !body.is_empty())
            }
            _ => !is_token(tag),
        };
        if is_element {
            return self.unknown_tag(here, tag);
        }
        let (role, end) = role_behind(here, tag)?;
        let next = match self.line_is_blank {
            _ if role == USER => State::TurnOfUser,
            true => State::Line,
            false => State::Prose,
        };
        self.take_markup(here, end, next)
    }

    /// In a turn that the model wrote for its user, up to the next token of the frame: no call of the
    /// model's stands there. Where the model had said something before it, calls in the turns behind it
    /// answer what nobody said; before that, it repeats what the user did say.
    #[inline(never)]
    pub(super) fn turn_of_user(&mut self, here: &mut Cursor<'_>) -> Step {
        let tag = here.tag(0)?.filter(|tag| tag.barred);
        if let Some(tag) = tag.filter(|tag| tag.role() == Some(Role::Noise)) {
            if !self.has_said {
                return self.noise(here, &tag);
            }
            let (_, end) = role_behind(here, &tag)?;
            return self.take_markup(here, end, State::TurnOfUser);
        }
        let end = here.text.find('<').unwrap_or(here.text.len()).max(1);
        self.tell_text(here, here.head(end));
        self.advance(end, State::TurnOfUser)
    }

    /// The tag at the beginning of `text` is text.
    pub(super) fn note_named(&mut self, text: &str) {
        self.names_tokens |= begins_token(text);
    }
}

/// True for a token of the frame or of a channel, not for an element.
pub(super) fn is_token(tag: &Tag<'_>) -> bool {
    match tag.role() {
        Some(Role::Noise) => tag.barred || !is_one_of(tag.letters(), ELEMENTS),
        role => tag.barred && role == Some(Role::Channel),
    }
}

/// The word for a role that belongs to a token of the frame or stands behind it, and where both end.
pub(super) fn role_behind<'t>(here: &Cursor<'t>, tag: &Tag<'_>) -> Seen<(&'t str, usize)> {
    if tag.close || !is_one_of(tag.letters(), BEFORE_ROLE) {
        return Ok((tag.letters(), tag.end()));
    }
    let (word, rest) = split_run(here.tail(tag.end()), limits::WORD, u8::is_ascii_alphabetic);
    here.wait_if(rest.is_empty() && word.len() < limits::WORD)?;
    let role = Some(word).filter(|word| is_one_of(word, ROLES));
    Ok((word, tag.end() + role.map_or(0, str::len)))
}

/// The text before the token that it ends with, if it ends with one, and with few blanks behind it.
pub(super) fn before_token(text: &str) -> Option<&str> {
    let (before, token) = text.split_at(text.rfind('<')?);
    let tag = whole_tag(token).filter(is_token)?;
    is_short_blank(token.get(tag.len..)?).then_some(before)
}

/// True for few blanks, or none.
pub(super) fn is_short_blank(text: &str) -> bool {
    text.len() <= limits::BLANKS && text.trim_ascii().is_empty()
}

fn begins_token(text: &str) -> bool {
    text.starts_with("<|") || text.starts_with("<｜")
}

/// Whether nothing but tokens that end something, or belong to the frame, follows in the line.
fn ends_line(rest: &str, finished: bool) -> Seen<bool> {
    let near = beginning(rest);
    let (text, finished) = (near, finished || near.len() < rest.len());
    let text = Text { text, finished };
    let mut at = 0;
    loop {
        let line = text.rest(at).trim_start_matches([' ', '\r']);
        at = near.len() - line.len();
        match line.as_bytes().first() {
            None if !text.finished => return Err(More),
            None | Some(b'\n') => return Ok(true),
            Some(_) if begins_token(line) => {}
            Some(b'<') if line.len() < "<｜".len() && !text.finished => return Err(More),
            Some(_) => return Ok(false),
        }
        match tag_at(text, at)? {
            Some(tag) if matches!(tag.role(), Some(Role::Close | Role::Noise | Role::Channel)) => {
                at += tag.len;
            }
            _ => return Ok(false),
        }
    }
}

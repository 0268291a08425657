//! After a marker, and between two calls: finds out what kind of call comes, whichever marker
//! announced it. Models mix wrappers and bodies freely, so any body is taken in any wrapper.
//!
//! Until a call is certain its markup is held back: a marker that nothing follows is text.

use super::arguments::Open;
use super::attributes::{element_tool, named_tool};
use super::element::is_part;
use super::line::label;
use super::line_start::LineStart;
use super::prose::{MINIMAX, OTHER_WRAPPER};
use super::quotes::ends_quotes;
use super::{Cursor, Reader, State, Step, fields};
use crate::Format;
use crate::arguments::parameters::{Parameters, Style};
use crate::formats::Role;
use crate::machine::event::ParseEvent;
use crate::machine::judge::Placement;
use crate::machine::raw_call::{RawCall, Written};
use crate::scan::More;
use crate::scan::balance::Balance;
use crate::scan::tag::may_be_tag;

/// How much markup may stand before a call, in bytes: three wrappers with their blanks.
const MAX_MARKUP: usize = 512;

/// Between markup and a call.
#[derive(Clone, Debug)]
pub(super) struct Inside {
    /// So much of the undecided text is markup.
    pub(super) lead: usize,
    /// The length of the first marker, which is text if nothing follows.
    first: usize,
    /// A call came already: what follows the last one is no text because of the marker.
    pub(super) proven: bool,
    /// Words stood between the marker and what may be the call.
    pub(super) is_worded: bool,
}

impl Inside {
    /// After the marker of `len` bytes at the beginning of the text; 0 to look at it again here.
    pub(super) fn opened_by(len: usize) -> Self {
        Self {
            lead: len,
            first: len.max(1),
            proven: false,
            is_worded: false,
        }
    }

    /// The same, with markup up to `lead`.
    pub(super) fn after(mut self, lead: usize) -> Self {
        self.lead = lead;
        self
    }

    /// Between two calls, with nothing held back.
    pub(super) fn open() -> Self {
        Self {
            lead: 0,
            first: 0,
            proven: true,
            is_worded: false,
        }
    }
}

/// What comes next.
pub(super) enum Next {
    /// Markup that ends here.
    Skip(usize),
    /// No call.
    Text,
    /// A call, or something else that the step has dealt with.
    Done(Step),
}

/// What comes next, once that can be told.
pub(super) type Coming = Result<Next, More>;

impl Reader {
    #[inline(never)]
    pub(super) fn inside(&mut self, here: &mut Cursor<'_>, mut inside: Inside) -> Step {
        let start = inside.lead + separators(here.tail(inside.lead), inside.proven);
        let line = self.line.after(here.head(start));
        if inside.proven {
            // The next call may stand in the fence or the quotation as the last one did.
            here.tell(ParseEvent::Candidate(match line {
                _ if self.fence.is_some() => Placement::Fenced,
                LineStart::Quoted => Placement::Quoted,
                _ => Placement::Marked,
            }));
        }
        loop {
            inside.lead += separators(here.tail(inside.lead), inside.proven);
            if !inside.proven && inside.lead > inside.first + MAX_MARKUP {
                return self.leave(here, &inside);
            }
            let format = self.format;
            match self.next(here, &mut inside) {
                // What separates calls is markup whatever follows: endless commas are not kept.
                Err(More) if inside.proven && inside.lead > MAX_MARKUP => {
                    here.markup(here.head(inside.lead));
                    return self.take(inside.lead, State::Inside(Inside::open()));
                }
                Err(More) => {
                    // What was looked at is looked at again.
                    self.format = format;
                    return self.wait(State::Inside(inside));
                }
                Ok(Next::Skip(lead)) => inside.lead = lead,
                Ok(Next::Done(step)) => return step,
                Ok(Next::Text) => return self.leave(here, &inside),
            }
        }
    }

    /// What stands behind the markup so far.
    fn next(&mut self, here: &mut Cursor<'_>, inside: &mut Inside) -> Coming {
        let at = inside.lead;
        let rest = here.tail(at);
        match rest.as_bytes() {
            [] => here.at_end(Next::Text),
            [b'<', ..] => self.inside_tag(here, inside, at),
            [b'[', ..] => self.inside_list(here, at),
            [b']', ..] if here.begins(rest, MINIMAX)? => Ok(Next::Skip(at + MINIMAX.len())),
            [b']', ..] => Ok(Next::Skip(at + 1)),
            // What closes the opening tag at last: `<functioncall {...}>`.
            [b'>'] if inside.proven && at == 0 => here.at_end(Next::Skip(1)),
            [b'>', second, ..] if inside.proven && at == 0 && *second != b'>' => Ok(Next::Skip(1)),
            [b'{', ..] => Ok(Next::Done(self.open_object(here, inside.clone(), at))),
            // An object in quotes.
            [b'"' | b'\'', b'{', ..] if !inside.proven => Ok(Next::Skip(at + 1)),
            [b'"' | b'\'', ..] if !inside.proven => self.inside_members(here, inside, at),
            // The quote that ends one around the call.
            [quote @ (b'"' | b'\''), ..] => match ends_quotes(rest, here.finished)? {
                0 if *quote == b'\'' => self.read_header(here, inside, at),
                0 => Ok(Next::Text),
                len => Ok(Next::Skip(at + len)),
            },
            [b'`', ..] => Ok(match fence_mark(rest, here.finished)? {
                0 => Next::Text,
                len => Next::Skip(at + len),
            }),
            _ => match self.read_header(here, inside, at)? {
                Next::Text if !inside.proven && at > 0 => {
                    let words = leading_words(rest, here.finished)?;
                    inside.is_worded |= words > 0;
                    Ok(if words > 0 {
                        Next::Skip(at + words)
                    } else {
                        Next::Text
                    })
                }
                next => Ok(next),
            },
        }
    }

    /// No call comes: the markup is text, unless a call came before.
    pub(super) fn leave(&mut self, here: &mut Cursor<'_>, inside: &Inside) -> Step {
        if inside.proven {
            here.markup(here.head(inside.lead));
            return self.take(inside.lead, State::Line);
        }
        self.note_named(here.text);
        self.tell_text(here, here.head(inside.first));
        self.take(inside.first, State::Prose)
    }

    /// At a square bracket, of a tag or, most often, of a list.
    fn inside_list(&mut self, here: &Cursor<'_>, at: usize) -> Coming {
        let rest = here.tail(at);
        if here.begins(rest, fields::COMPLETED)? {
            return Ok(Next::Skip(at + fields::COMPLETED.len()));
        }
        if may_be_tag(rest.as_bytes())
            && let Some(tag) = here.tag(at)?
        {
            return Ok(Next::Skip(at + tag.len));
        }
        // Granite writes a list behind this tag, and does not close it.
        self.is_closed = self.is_closed && self.format != Format::Hermes;
        let label = label(here.tail(at + 1), here.finished).ok_or(More)?;
        Ok(Next::Skip(at + 1 + label))
    }

    fn inside_tag(&mut self, here: &mut Cursor<'_>, inside: &Inside, at: usize) -> Coming {
        let Some(tag) = here.tag(at)? else {
            return Ok(Next::Text);
        };
        let end = at + tag.len;
        if let Some(next) = self.tool_element(here, &tag, at)? {
            return Ok(next);
        }
        let Some(marker) = tag.marker else {
            let name = here.tail(at).get(tag.name.clone()).unwrap_or_default();
            let is_tool = element_tool(here.tools, name).is_some();
            if !tag.close && is_tool {
                return self.open_element(here, &tag, at);
            }
            let is_end = is_part(name) || name == OTHER_WRAPPER || here.tools.binds(name);
            if tag.close && inside.proven && (is_end || is_tool) {
                return Ok(Next::Skip(end));
            }
            return self.named_element(here, &tag, at);
        };
        if tag.attributes.is_empty()
            && !tag.close
            && matches!(marker.letters, "tool" | "function" | "invoke")
        {
            match self.named_element(here, &tag, at)? {
                Next::Text => {}
                next => return Ok(next),
            }
        }
        match marker.role {
            Role::Wrapper if named_tool(here.tools, &tag, here.tail(at)).is_some() => {
                self.open_named(here, &tag, at)
            }
            Role::Wrapper if !tag.close => {
                self.format = marker.format;
                self.is_closed = marker.is_closed(tag.barred);
                Ok(Next::Skip(end))
            }
            Role::Wrapper | Role::Close if inside.proven => {
                here.markup(here.head(end));
                self.wrapper_closed();
                self.call_ended();
                Ok(Next::Done(self.take(end, State::Line)))
            }
            // A section without calls.
            Role::Wrapper | Role::Close => {
                if inside.is_worded || !self.is_stray_end(here, (&tag, end))? {
                    return Ok(Next::Text);
                }
                here.markup(here.head(end));
                Ok(Next::Done(self.take(end, State::Line)))
            }
            Role::Invoke if !tag.close => self.open_invoke(here, &tag, at),
            Role::Invoke | Role::Separator | Role::Noise => Ok(Next::Skip(end)),
            Role::Parameter | Role::Value | Role::Key | Role::Type if inside.proven => {
                Ok(Next::Skip(end))
            }
            _ => Ok(Next::Text),
        }
    }

    /// Tells that a call begins whose arguments, in brackets, stand at `start`.
    pub(super) fn open_arguments(
        &mut self,
        here: &mut Cursor<'_>,
        (name, kind): (&str, Kind),
        start: usize,
    ) -> Step {
        name.clone_into(&mut self.name);
        self.balance = Balance::new();
        let open = Open::new(kind, false, self.format);
        self.begin_call(here, start, open)
    }

    /// Tells that a call begins whose arguments, as tags, stand at `start`.
    pub(super) fn open_tags(
        &mut self,
        here: &mut Cursor<'_>,
        (name, style): (&str, Style),
        start: usize,
    ) -> Step {
        name.clone_into(&mut self.name);
        self.parameters = Parameters::new(style);
        let open = Open::new(Kind::Tags, false, self.format);
        self.begin_call(here, start, open)
    }

    /// A call without arguments. One at the very end of the reply may have been cut off before them.
    pub(super) fn empty_call(&mut self, here: &mut Cursor<'_>, name: &str, taken: usize) -> Step {
        let cut = here.finished && self.nesting == 0 && here.tail(taken).trim_ascii().is_empty();
        here.markup(here.head(taken));
        let call = RawCall::new(name, Written::Nothing, self.format);
        here.tell(ParseEvent::Call(RawCall { cut, ..call }, ""));
        self.call_ended();
        self.take(taken, State::Inside(Inside::open()))
    }
}

/// How arguments are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// As an object.
    Object,
    /// Between parentheses.
    Call,
    /// As tags.
    Tags,
}

/// The format's name once the body is known too.
pub(super) fn refined(wrapper: Format, body: Format) -> Format {
    match (wrapper, body) {
        (Format::Hermes, body) => body,
        (Format::HunyuanA13b, Format::Glm45) => Format::HyV3,
        (wrapper, _) => wrapper,
    }
}

/// The words that lead to an object in the same line, as far as they are short; 0 where they do not.
fn leading_words(text: &str, finished: bool) -> Result<usize, More> {
    const MAX_WORDS: usize = 80;
    let line = text.bytes().take(MAX_WORDS);
    let line = line.take_while(|byte| !matches!(byte, b'\n' | b'<' | b'{'));
    let len = line.count();
    match text.as_bytes().get(len) {
        Some(b'{') => Ok(len),
        None if !finished && len < MAX_WORDS => Err(More),
        _ => Ok(0),
    }
}

/// Blanks, and between calls also what separates them.
fn separators(text: &str, proven: bool) -> usize {
    let mut len = 0;
    while let Some(byte) = text.as_bytes().get(len) {
        len += match byte {
            b' ' | b'\n' | b'\t' | b'\r' => 1,
            b',' | b';' | b')' | b'}' | b'.' if proven => 1,
            // The first bracket of MiniMax' token is none of them.
            b']' if proven && !is_token(text.get(len + 1..).unwrap_or_default()) => 1,
            0x80.. => match wide_blank(text.get(len..).unwrap_or_default()) {
                Some(blank) => blank,
                None => break,
            },
            _ => break,
        };
    }
    len
}

/// The length of a blank that is not ASCII; blanks without width are blanks here.
fn wide_blank(text: &str) -> Option<usize> {
    let is_blank = |c: &char| c.is_whitespace() || matches!(c, '\u{200B}' | '\u{FEFF}');
    text.chars().next().filter(is_blank).map(char::len_utf8)
}

/// What MiniMax' token goes on with, or nothing yet.
fn is_token(text: &str) -> bool {
    text.starts_with("<]") || "<]".starts_with(text)
}

/// The length of a fence mark with its language, 0 if it is none. Of endless ticks the first ones
/// are taken for a mark.
pub(super) fn fence_mark(text: &str, finished: bool) -> Result<usize, More> {
    const LONGEST: usize = 64;
    let text = text
        .get(..text.floor_char_boundary(2 * LONGEST))
        .unwrap_or(text);
    let ticks = text
        .bytes()
        .take(LONGEST)
        .take_while(|byte| *byte == b'`')
        .count();
    let rest = text.get(ticks..).unwrap_or_default();
    let letters = rest
        .bytes()
        .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let word = letters.count();
    let blanks = rest.get(word..).unwrap_or_default();
    let line = blanks.trim_start_matches([' ', '\r']);
    let is_line = line.starts_with('\n') || rest.starts_with("json{") || word == rest.len();
    match ticks {
        0..3 if rest.is_empty() && !finished => Err(More),
        0..3 => Ok(ticks.min(1)),
        _ if word > LONGEST => Ok(ticks),
        _ if line.is_empty() && !finished && blanks.len() < LONGEST => Err(More),
        _ => Ok(if is_line { ticks + word } else { ticks }),
    }
}

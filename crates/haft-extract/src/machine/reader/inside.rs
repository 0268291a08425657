//! After a marker, and between two calls: finds out what kind of call comes, whichever marker
//! announced it. Models mix wrappers and bodies freely, so any body is taken in any wrapper.
//!
//! Until a call is certain its markup is held back: a marker that nothing follows is text.

use std::borrow::Cow;

use super::arguments::Open;
use super::attributes::{element_tool, named_tool};
use super::element::is_part;
use super::line::label;
use super::prose::OTHER_WRAPPER;
use super::quotes::ends_quotes;
use super::{Reader, State, Step, Turn, fields};
use crate::Format;
use crate::arguments::parameters::{Parameters, Style};
use crate::formats::Role;
use crate::machine::judge::Placement;
use crate::machine::reading::{Found as FoundCall, Reading, Written};
use crate::scan::balance::Balance;
use crate::scan::lexis::Ends;
use crate::scan::tag::{Found, may_be_tag, read_tag};

/// How much markup may stand before a call, in bytes: three wrappers with their blanks.
const MAX_MARKUP: usize = 512;

/// In bytes: more blanks than any model puts between a name and its arguments.
const MAX_BLANKS: usize = 4096;

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
    /// Too early to tell.
    More,
    /// Markup that ends here.
    Skip(usize),
    /// No call.
    Text,
    /// A call, or something else that the step has dealt with.
    Done(Step),
}

impl Reader {
    #[inline(never)]
    pub(super) fn inside(&mut self, turn: &mut Turn<'_, '_>, mut inside: Inside) -> Step {
        if inside.proven && self.fence.is_some() {
            // The next call stands in the fence as the last one did.
            turn.tell(Reading::Candidate(Placement::Fenced));
        }
        loop {
            let at = inside.lead + separators(turn.tail(inside.lead), inside.proven);
            inside.lead = at;
            if !inside.proven && at > inside.first + MAX_MARKUP {
                return self.leave(turn, &inside);
            }
            let rest = turn.tail(at);
            let format = self.format;
            let next = match rest.as_bytes().first() {
                None if turn.finished => Next::Text,
                None => Next::More,
                Some(b'<') => self.inside_tag(turn, &inside, at),
                Some(b'[') => self.inside_list(turn, at),
                Some(b']') if rest.starts_with(super::prose::MINIMAX) => {
                    Next::Skip(at + super::prose::MINIMAX.len())
                }
                Some(b']') if super::prose::MINIMAX.starts_with(rest) && !turn.finished => {
                    Next::More
                }
                Some(b']') => Next::Skip(at + 1),
                // What closes the opening tag at last: `<functioncall {...}>`.
                Some(b'>') if inside.proven && at == 0 => match rest.as_bytes().get(1) {
                    None if !turn.finished => Next::More,
                    Some(b'>') => self.read_header(turn, &inside, at),
                    _ => Next::Skip(at + 1),
                },
                Some(b'{') => Next::Done(self.open_object(turn, inside.clone(), at)),
                Some(b'"' | b'\'') if is_quoted_object(rest) && !inside.proven => {
                    Next::Skip(at + 1)
                }
                // The quote that ends one around the call.
                Some(b'"' | b'\'') if inside.proven => match ends_quotes(rest, turn.finished) {
                    None => Next::More,
                    Some(0) if rest.starts_with('\'') => self.read_header(turn, &inside, at),
                    Some(0) => Next::Text,
                    Some(len) => Next::Skip(at + len),
                },
                Some(b'"' | b'\'') if !inside.proven => self.inside_members(turn, &inside, at),
                Some(b'`') => fence_mark(rest, turn.finished).map_or(Next::More, |len| {
                    if len == 0 {
                        Next::Text
                    } else {
                        Next::Skip(at + len)
                    }
                }),
                Some(_) => match self.read_header(turn, &inside, at) {
                    Next::Text if !inside.proven && inside.lead > 0 => {
                        match leading_words(rest, turn.finished) {
                            None => Next::More,
                            Some(0) => Next::Text,
                            Some(words) => {
                                inside.is_worded = true;
                                Next::Skip(at + words)
                            }
                        }
                    }
                    next => next,
                },
            };
            match next {
                // What separates calls is markup whatever follows: endless commas are not kept.
                Next::More if inside.proven && inside.lead > MAX_MARKUP => {
                    turn.syntax(turn.head(inside.lead));
                    return self.take(inside.lead, State::Inside(Inside::open()));
                }
                Next::More => {
                    // What was looked at is looked at again.
                    self.format = format;
                    return self.wait(State::Inside(inside));
                }
                Next::Skip(lead) => inside.lead = lead,
                Next::Done(step) => return step,
                Next::Text => return self.leave(turn, &inside),
            }
        }
    }

    /// No call comes: the markup is text, unless a call came before.
    pub(super) fn leave(&mut self, turn: &mut Turn<'_, '_>, inside: &Inside) -> Step {
        if inside.proven {
            turn.syntax(turn.head(inside.lead));
            return self.take(inside.lead, State::Line);
        }
        self.note_named(turn.text);
        self.tell_text(turn, turn.head(inside.first));
        self.take(inside.first, State::Prose)
    }

    /// At a square bracket, of a tag or, most often, of a list.
    fn inside_list(&mut self, turn: &Turn<'_, '_>, at: usize) -> Next {
        let rest = turn.tail(at);
        match fields::heading(rest, fields::COMPLETED, turn.finished) {
            Found::More => return Next::More,
            Found::Yes(len) => return Next::Skip(at + len),
            Found::No => {}
        }
        let tag = match may_be_tag(rest.as_bytes()) {
            true => read_tag(rest, turn.finished),
            false => Found::No,
        };
        match tag {
            Found::More => Next::More,
            Found::Yes(tag) => Next::Skip(at + tag.len),
            Found::No => {
                // Granite writes a list behind this tag, and does not close it.
                self.is_closed = self.is_closed && self.format != Format::Hermes;
                let inner = rest.get(1..).unwrap_or_default();
                label(inner, turn.finished).map_or(Next::More, |len| Next::Skip(at + 1 + len))
            }
        }
    }

    fn inside_tag(&mut self, turn: &mut Turn<'_, '_>, inside: &Inside, at: usize) -> Next {
        let tag = match read_tag(turn.tail(at), turn.finished) {
            Found::More => return Next::More,
            Found::No => return Next::Text,
            Found::Yes(tag) => tag,
        };
        let end = at + tag.len;
        if let Some(next) = self.tool_element(turn, &tag, at) {
            return next;
        }
        let Some(marker) = tag.marker else {
            let name = turn.tail(at).get(tag.name.clone()).unwrap_or_default();
            let is_tool = element_tool(turn.tools, name).is_some();
            if !tag.close && is_tool {
                return self.open_element(turn, &tag, at);
            }
            let is_end = is_part(name) || name == OTHER_WRAPPER || turn.tools.binds(name);
            let is_end = is_end || is_tool;
            if tag.close && inside.proven && is_end {
                return Next::Skip(end);
            }
            return self.named_element(turn, &tag, at);
        };
        if tag.attributes.is_empty()
            && !tag.close
            && matches!(marker.letters, "tool" | "function" | "invoke")
        {
            match self.named_element(turn, &tag, at) {
                Next::Text => {}
                next => return next,
            }
        }
        match marker.role {
            Role::Wrapper if named_tool(turn.tools, &tag, turn.tail(at)).is_some() => {
                self.open_named(turn, &tag, at)
            }
            Role::Wrapper if !tag.close => {
                self.format = marker.format;
                self.is_closed = marker.is_closed(tag.barred);
                Next::Skip(end)
            }
            Role::Wrapper | Role::Close => {
                if inside.proven {
                    turn.syntax(turn.head(end));
                    self.wrapper_closed();
                    self.call_ended();
                    return Next::Done(self.take(end, State::Line));
                }
                // A section without calls.
                match self.is_stray_end(turn, (&tag, end)) {
                    Ends::Yes if !inside.is_worded => {
                        turn.syntax(turn.head(end));
                        Next::Done(self.take(end, State::Line))
                    }
                    Ends::Unclear if !inside.is_worded => Next::More,
                    _ => Next::Text,
                }
            }
            Role::Invoke if !tag.close => self.open_invoke(turn, &tag, at),
            Role::Invoke | Role::Separator | Role::Noise => Next::Skip(end),
            Role::Parameter | Role::Value | Role::Key | Role::Type if inside.proven => {
                Next::Skip(end)
            }
            _ => Next::Text,
        }
    }

    /// Tells that a call begins whose arguments, in brackets, stand at `start`.
    pub(super) fn open_arguments(
        &mut self,
        turn: &mut Turn<'_, '_>,
        (name, kind): (&str, Kind),
        start: usize,
    ) -> Step {
        name.clone_into(&mut self.name);
        self.balance = Balance::new();
        let open = Open::new(kind, false, self.format);
        self.begin_call(turn, start, open)
    }

    /// Tells that a call begins whose arguments, as tags, stand at `start`.
    pub(super) fn open_tags(
        &mut self,
        turn: &mut Turn<'_, '_>,
        (name, style): (&str, Style),
        start: usize,
    ) -> Step {
        name.clone_into(&mut self.name);
        self.parameters = Parameters::new(style);
        let open = Open::new(Kind::Tags, false, self.format);
        self.begin_call(turn, start, open)
    }

    /// A call without arguments. One at the very end of the reply may have been cut off before them.
    pub(super) fn empty_call(&mut self, turn: &mut Turn<'_, '_>, name: &str, taken: usize) -> Step {
        let name = name.to_owned();
        let cut = turn.finished && self.nesting == 0 && turn.tail(taken).trim_ascii().is_empty();
        turn.syntax(turn.head(taken));
        turn.tell(Reading::Start(Cow::Borrowed(&name)));
        turn.tell(Reading::Call(FoundCall {
            name: Cow::Borrowed(&name),
            tool: None,
            arguments: Written::Nothing,
            format: self.format,
            cut,
            mended: false,
            repairs: Vec::new(),
        }));
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

/// An object in quotes.
fn is_quoted_object(text: &str) -> bool {
    text.get(1..).is_some_and(|rest| rest.starts_with('{'))
}

/// The words that lead to an object in the same line, as far as they are short; nothing while
/// they may go on.
fn leading_words(text: &str, finished: bool) -> Option<usize> {
    const MAX_WORDS: usize = 80;
    let line = text
        .bytes()
        .take(MAX_WORDS)
        .take_while(|byte| !matches!(byte, b'\n' | b'<' | b'{'));
    let len = line.count();
    match text.as_bytes().get(len) {
        Some(b'{') => Some(len),
        None if !finished && len < MAX_WORDS => None,
        _ => Some(0),
    }
}

/// What stands behind blanks. Endless ones are not looked through again with each chunk: behind so
/// many, nothing belongs to what stands before them.
pub(super) fn behind_blanks(text: &str) -> &str {
    let near = text.get(..text.floor_char_boundary(MAX_BLANKS));
    let blanks = near.map_or(0, |near| near.len() - near.trim_start().len());
    text.get(blanks..).unwrap_or_default()
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

/// The length of a fence mark with its language; nothing while it may go on, 0 if it is none. Of
/// endless ticks the first ones are taken for a mark.
pub(super) fn fence_mark(text: &str, finished: bool) -> Option<usize> {
    const LONGEST: usize = 64;
    let near = text.floor_char_boundary(2 * LONGEST);
    let text = text.get(..near).unwrap_or(text);
    let ticks = text.bytes().take(LONGEST).take_while(|byte| *byte == b'`');
    let ticks = ticks.count();
    if ticks < 3 {
        return if text.len() == ticks && !finished {
            None
        } else {
            Some(ticks.min(1))
        };
    }
    let rest = text.get(ticks..)?;
    let word = rest
        .bytes()
        .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        .count();
    if word > LONGEST {
        return Some(ticks);
    }
    if word == rest.len() && !finished {
        return None;
    }
    let blanks = rest.get(word..).unwrap_or_default();
    let line = blanks.trim_start_matches([' ', '\r']);
    if line.is_empty() && !finished && blanks.len() < LONGEST {
        return None;
    }
    let is_line = line.starts_with('\n');
    let is_glued = rest.starts_with("json{");
    Some(if is_line || is_glued || word == rest.len() {
        ticks + word
    } else {
        ticks
    })
}

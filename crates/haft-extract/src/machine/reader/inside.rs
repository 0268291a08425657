//! After a marker, and between two calls: finds out what kind of call comes, whichever marker
//! announced it. Models mix wrappers and bodies freely, so any body is taken in any wrapper.
//!
//! Until a call is certain its markup is held back: a marker that nothing follows is text.

use super::attributes::{element_tool, named_tool};
use super::element::is_part;
use super::line::label;
use super::prose::{MINIMAX, OTHER_WRAPPER};
use super::quotes::ends_quotes;
use super::stray::{USER, role_behind};
use super::{Attempt, Cursor, LineStart, Reader, State, Step, fields};
use crate::machine::{ParseEvent, Placement};
use crate::scan::{More, may_be_tag, near, split_run};
use crate::{Format, formats::Marker, formats::Role, limits};

/// Between markup and a call.
#[derive(Clone, Copy, Debug, Default)]
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
    /// After the marker of `len` bytes at the beginning of the text. With 0 nothing is skipped: the
    /// marker has the name of the call, `<invoke name="N">`, and is read as what stands inside.
    pub(super) fn opened_by(len: usize) -> Self {
        Self {
            lead: len,
            first: len.max(1),
            ..Self::default()
        }
    }

    /// With markup up to `lead`.
    pub(super) fn after(self, lead: usize) -> Self {
        Self { lead, ..self }
    }

    /// Between two calls, with nothing held back.
    pub(super) fn between_calls() -> Self {
        Self {
            proven: true,
            ..Self::default()
        }
    }
}

impl Reader {
    #[inline(never)]
    pub(super) fn inside(&mut self, here: &mut Cursor<'_>, inside: Inside) -> Step {
        let at = inside.lead + separators(here.tail(inside.lead), inside.proven);
        if inside.proven && inside.lead == 0 {
            // The next call may stand in the fence or the quotation as the last one did.
            let line = self.line.after(here.head(at));
            here.tell(ParseEvent::NextCall(match line {
                _ if self.fence.is_some() => Placement::Fenced,
                LineStart::Quoted => Placement::Quoted,
                _ => Placement::Marked,
            }));
        }
        self.inside = inside.after(at);
        if !inside.proven && at > inside.first + limits::HEADER {
            return self.leave(here);
        }
        let format = self.format;
        match self.next(here, at) {
            // What separates calls is markup whatever follows: endless commas are not kept.
            Err(More) if inside.proven && at > limits::HEADER => {
                self.take_markup(here, at, State::Inside(Inside::between_calls()))
            }
            Err(More) => {
                // What was looked at is looked at again.
                self.format = format;
                Err(More)
            }
            Ok(Some(taken)) => Ok(taken),
            Ok(None) => self.leave(here),
        }
    }

    /// Goes on behind more markup, which ends at `lead`.
    pub(super) fn skip(&mut self, lead: usize) -> Attempt {
        self.advance(0, State::Inside(self.inside.after(lead)))
            .map(Some)
    }

    /// The step over what stands behind the markup so far; nothing if that is no call.
    fn next(&mut self, here: &mut Cursor<'_>, at: usize) -> Attempt {
        let proven = self.inside.proven;
        let rest = here.tail(at);
        match rest.as_bytes() {
            [] => here.at_end(None),
            [b'<', ..] => self.inside_tag(here, at),
            [b'[', ..] => self.inside_list(here, at),
            [b']', ..] if here.begins(rest, MINIMAX)? => self.skip(at + MINIMAX.len()),
            [b']', ..] => self.skip(at + 1),
            // What closes the opening tag at last: `<functioncall {...}>`.
            [b'>'] if proven && at == 0 && !here.finished => Err(More),
            [b'>', rest @ ..] if proven && at == 0 && !rest.starts_with(b">") => self.skip(1),
            [b'{', ..] => self.open_object(here, at),
            // An object in quotes.
            [b'"' | b'\'', b'{', ..] if !proven => self.skip(at + 1),
            [b'"' | b'\'', ..] if !proven => self.inside_members(here, at),
            // The quote that ends one around the call.
            [quote @ (b'"' | b'\''), ..] => match ends_quotes(rest, here.finished)? {
                0 if *quote == b'\'' => self.read_header(here, at),
                0 => Ok(None),
                len => self.skip(at + len),
            },
            [b'`', ..] => self.skip(at + fence_mark(rest, here.finished)?),
            _ => match self.read_header(here, at)? {
                None if !proven && at > 0 => match leading_words(rest, here.finished)? {
                    0 => Ok(None),
                    words => {
                        self.inside.is_worded = true;
                        self.skip(at + words)
                    }
                },
                step => Ok(step),
            },
        }
    }

    /// No call comes: the markup is text, unless a call came before.
    pub(super) fn leave(&mut self, here: &mut Cursor<'_>) -> Step {
        if self.inside.proven {
            return self.take_markup(here, self.inside.lead, State::Line);
        }
        self.note_named(here.text);
        self.take_text(here, self.inside.first)
    }

    /// At a square bracket, of a tag or, most often, of a list.
    fn inside_list(&mut self, here: &Cursor<'_>, at: usize) -> Attempt {
        let rest = here.tail(at);
        if here.begins(rest, fields::COMPLETED)? {
            return self.skip(at + fields::COMPLETED.len());
        }
        if may_be_tag(rest.as_bytes())
            && let Some(tag) = here.tag(at)?
        {
            return self.skip(tag.end());
        }
        // Granite writes a list behind this tag, and does not close it.
        self.needs_close = self.needs_close && self.format != Format::Hermes;
        let label = label(here.tail(at + 1), here.finished).ok_or(More)?;
        self.skip(at + 1 + label)
    }

    fn inside_tag(&mut self, here: &mut Cursor<'_>, at: usize) -> Attempt {
        let Some(tag) = here.tag(at)? else {
            return Ok(None);
        };
        let end = tag.end();
        // A tag that closes has no name of a call: what looks for one comes behind it.
        let is_end =
            tag.role() == Some(Role::Close) || (tag.close && tag.role() == Some(Role::Wrapper));
        if is_end && self.inside.proven {
            self.wrapper_closed();
            self.call_ended();
            return self.take_markup(here, end, State::Line).map(Some);
        }
        if let Some(taken) = self.tool_tag(here, &tag)? {
            return Ok(Some(taken));
        }
        let marked = |marker: &&Marker| tag.barred || marker.letters != OTHER_WRAPPER;
        let Some(marker) = tag.marker.filter(marked) else {
            let name = tag.name();
            let is_tool = element_tool(here.tools, name).is_some();
            let is_known = || is_part(name) || name == OTHER_WRAPPER || here.tools.binds(name);
            return match tag.close {
                false if is_tool => self.open_element(here, &tag),
                true if self.inside.proven && (is_tool || is_known()) => self.skip(end),
                _ => self.named_element(here, &tag),
            };
        };
        let is_plain = tag.attributes.is_empty() && !tag.close;
        let is_named = is_plain && matches!(marker.letters, "tool" | "function" | "invoke");
        let (proven, is_worded) = (self.inside.proven, self.inside.is_worded);
        let is_empty = !proven && here.part(self.inside.first, at).trim_ascii().is_empty();
        let is_alone = is_empty && self.last == '\n' && here.head(1) == "<";
        match marker.role {
            _ if is_named && let Some(taken) = self.named_element(here, &tag)? => Ok(Some(taken)),
            Role::Wrapper if named_tool(here.tools, &tag).is_some() => self.open_named(here, &tag),
            Role::Wrapper if !tag.close => {
                self.format = marker.format;
                self.needs_close = marker.needs_close(tag.barred);
                self.skip(end)
            }
            // An empty wrapper at the end of the reply.
            Role::Wrapper if is_alone && here.body(end)?.0.is_empty() => {
                self.take_markup(here, end, State::Line).map(Some)
            }
            // A section without calls.
            Role::Wrapper | Role::Close if !is_worded && self.is_stray_end(here, &tag)? => {
                self.take_markup(here, end, State::Line).map(Some)
            }
            Role::Invoke if !tag.close => self.open_invoke(here, &tag),
            Role::Noise => match role_behind(here, &tag)? {
                (USER, _) => self.take_markup(here, at, State::Line).map(Some),
                (_, end) => self.skip(end),
            },
            Role::Invoke | Role::Separator => self.skip(end),
            Role::Parameter | Role::Value | Role::Key | Role::Type if proven => self.skip(end),
            _ => Ok(None),
        }
    }
}

/// The words that lead to an object in the same line, as far as they are short; 0 where they do not.
fn leading_words(text: &str, finished: bool) -> Step {
    let ends = |byte: &u8| matches!(byte, b'\n' | b'<' | b'{');
    let (words, rest) = split_run(text, limits::WORDS, |byte| !ends(byte));
    match rest.as_bytes() {
        [b'{', ..] => Ok(words.len()),
        [] if !finished && words.len() < limits::WORDS => Err(More),
        _ => Ok(0),
    }
}

/// Blanks, and between calls also what separates them.
fn separators(text: &str, proven: bool) -> usize {
    for (at, sign) in text.char_indices() {
        let separates = match sign {
            ' ' | '\n' | '\t' | '\r' => true,
            ',' | ';' | ')' | '}' | '.' => proven,
            // The first bracket of MiniMax' token is none of them.
            ']' => proven && !is_token(text.get(at + 1..).unwrap_or_default()),
            // Those without width are blanks here.
            '\u{200B}' | '\u{FEFF}' => true,
            _ => !sign.is_ascii() && sign.is_whitespace(),
        };
        if !separates {
            return at;
        }
    }
    text.len()
}

/// What MiniMax' token goes on with, or nothing yet.
fn is_token(text: &str) -> bool {
    text.starts_with("<]") || "<]".starts_with(text)
}

/// The length of a fence mark with its language, or of the first tick where there are too few for
/// one. Of endless ticks the first ones are taken for a mark.
pub(super) fn fence_mark(text: &str, finished: bool) -> Step {
    let text = near(text, 2 * limits::WORD);
    let (ticks, rest) = split_run(text, limits::WORD, |byte| *byte == b'`');
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let (word, blanks) = split_run(rest, rest.len(), is_letter);
    let (ticks, word) = (ticks.len(), word.len());
    let line = blanks.trim_start_matches([' ', '\r']);
    let is_line = line.starts_with('\n') || rest.starts_with("json{") || blanks.is_empty();
    match ticks {
        0..3 if rest.is_empty() && !finished => Err(More),
        0..3 => Ok(1),
        _ if word > limits::WORD => Ok(ticks),
        _ if line.is_empty() && !finished && blanks.len() < limits::WORD => Err(More),
        _ => Ok(if is_line { ticks + word } else { ticks }),
    }
}

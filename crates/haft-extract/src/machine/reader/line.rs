//! The beginning of a line: where a call without markers may stand.
//!
//! Small models write `get_weather(city="Oslo")` or a JSON object on a line of its own, in a list,
//! in ticks or in a fence. What may become one is held back, everything else is text at once.

mod begin_arg;
mod beginning;
mod name;

pub(super) use begin_arg::may_be_label;
pub(super) use beginning::{
    BLANKS, begins_call, behind, is_name, is_name_whole, label, name_length,
};
use beginning::{decoration, is_indented};
use name::sight_of_name_in_brackets;
pub(super) use name::{WITH_ARGUMENTS, begins_arguments};

use super::block::Shape;
use super::fence::{Closing, FenceMark};
use super::in_words::Found;
use super::prose::MISTRAL;
use super::{Cursor, Inside, Reader, State, Step, fields};
use crate::machine::{ParseEvent, Placement};
use crate::scan::{More, Seen};
use crate::{Format, limits, scan::bytes::is_list_mark};

/// What stands before the name of a tool, as ReAct and Command R have it.
pub(super) const ACTION: &str = "Action:";

/// What opens a fence of ticks.
pub(super) const FENCE: &str = "```";

/// What stands at the beginning of a line.
pub(super) enum Sight {
    /// What may be a call, after so many bytes of decoration.
    Call(usize, Shape),
    /// So many bytes of markup before a section.
    Section(usize),
    /// The line that ends a fence.
    FenceEnd,
    /// The header of a channel, whose first token was part of the prompt.
    ChannelHeader,
    /// So many bytes of markup, and a call whose parts stand behind words.
    Worded(usize),
    /// So many bytes of decoration, and a call in words.
    InWords(usize, Found),
    /// A prefix that is markup, and a call after it.
    Prefix(usize, Format),
    /// Nothing that may be a call.
    Text,
}

/// Blanks, list marks, ticks and quotation marks of mail: what may stand around a call.
pub(super) fn is_decoration(byte: u8) -> bool {
    is_list_mark(byte) || matches!(byte, b'\r' | b'>' | b'`')
}

impl Reader {
    #[inline(never)]
    pub(super) fn line(&mut self, here: &mut Cursor<'_>) -> Step {
        if self.is_bare
            && let Some(taken) = self.bare_header(here)?
        {
            return Ok(taken);
        }
        if !self.may_hold_call(here, 0) {
            return self.advance(0, State::Prose);
        }
        // What may be a list of calls that ends with the text may go on: it is worth while to wait,
        // instead of reading it twice.
        let is_list = here.text.starts_with('[') && here.text.ends_with(']');
        here.wait_if(is_list && !here.is_beyond_limit() && !here.tools.is_any())?;
        match self.sight(here)? {
            // The line break that ended the last line was reported with it; one at the beginning
            // makes this line empty, and the next one is looked at.
            Sight::Text if here.byte(0) == Some(b'\n') => {
                self.tell_text(here, "\n");
                self.advance(1, State::Line)
            }
            Sight::Text => self.advance(0, State::Prose),
            Sight::Call(lead, shape) => {
                self.fence = None;
                self.candidate(lead, shape)
            }
            Sight::ChannelHeader => self.advance(0, State::ChannelHeader),
            Sight::Section(len) => {
                self.call_ended();
                self.take_markup(here, len, State::Line)
            }
            Sight::FenceEnd => {
                self.fence = None;
                self.advance(0, State::Prose)
            }
            Sight::Worded(lead) => self.worded_call(here, lead),
            Sight::InWords(lead, (call, len)) => {
                here.tell(ParseEvent::NextCall(Placement::InWords));
                let step = self.take_calls(here, vec![call], lead..lead + len);
                here.tell(ParseEvent::Decided);
                step
            }
            Sight::Prefix(len, format) => {
                self.format = format;
                self.advance(0, State::Inside(Inside::opened_by(len)))
            }
        }
    }

    /// False when nothing in the line that begins at `at` is of interest here.
    pub(super) fn may_hold_call(&self, here: &Cursor<'_>, at: usize) -> bool {
        let line = here.text.as_bytes().get(at..).unwrap_or_default();
        if self.fence.is_none() {
            return here.tools.may_begin_line(line) && !line.starts_with(MISTRAL.as_bytes());
        }
        // The end of the fence, and sections.
        let ticks = line.iter().find(|byte| !matches!(byte, b' ' | b'\t'));
        matches!(ticks, None | Some(b'`' | b'~' | b'>'))
    }

    /// What stands at the beginning of a line.
    fn sight(&self, here: &Cursor<'_>) -> Seen<Sight> {
        if self.quiet > 0 && self.fence.is_none() {
            return Ok(Sight::Text);
        }
        if here.begins(here.text, ">>>")? {
            return sight_of_section(here);
        }
        if let Some(mark) = self.fence {
            return sight_in_fence(here, mark);
        }
        if here.text.starts_with('{') {
            return sight_of_object(here, 0);
        }
        let Some(at) = decoration(here.text) else {
            here.wait_if(here.text.len() <= limits::DECORATION)?;
            return Ok(Sight::Text);
        };
        let at = at + label(here.tail(at), here.finished).ok_or(More)?;
        let rest = here.tail(at);
        // Indented lines outside of fences are code, spoken of; actions are no code.
        let is_code = !self.in_fence && !here.tools.is_any() && is_indented(here.text.as_bytes());
        let is_code = is_code && !rest.starts_with(ACTION) && !ACTION.starts_with(rest);
        match rest.as_bytes() {
            [byte, ..] if is_code && !matches!(byte, b'{' | b'[' | b'`' | b'~') => Ok(Sight::Text),
            [b'{', ..] => sight_of_object(here, at),
            [b'[', ..] => self.sight_of_list(here, at),
            [b'`' | b'~', ..] if FenceMark::at_start(rest).is_some() => {
                Ok(Sight::Call(at, Shape::Fence))
            }
            // It may become a fence.
            b"`" | b"``" | b"~" | b"~~" => here.at_end(Sight::Text),
            [b't', ..] if here.begins(rest, "to=")? => Ok(Sight::ChannelHeader),
            [byte, ..] if byte.is_ascii_alphabetic() || *byte == b'_' || *byte >= 0x80 => {
                self.sight_of_name(here, at)
            }
            _ => Ok(Sight::Text),
        }
    }

    /// A list of objects, of calls or of texts with calls; `[TOOL_CALLS]` is for the prose state.
    fn sight_of_list(&self, here: &Cursor<'_>, at: usize) -> Seen<Sight> {
        let rest = here.tail(at);
        if at == 0 && matches!(here.tag(0), Ok(Some(_))) {
            return Ok(Sight::Text);
        }
        if here.begins(rest, fields::NAME)? {
            return Ok(Sight::Prefix(at + fields::NAME.len(), Format::React));
        }
        let inner = behind(rest, &['[', '(', ' ', '\t', '\n', '\r']);
        match inner.chars().next() {
            None => here.at_end(Sight::Text),
            Some('{') => Ok(Sight::Call(at, Shape::List)),
            Some(quote @ ('"' | '\'')) => {
                let name = inner.get(quote.len_utf8()..).unwrap_or_default();
                if name.starts_with('{') {
                    return Ok(Sight::Call(at, Shape::List));
                }
                here.wait_if(name.is_empty())?;
                when_named(here, name, at, Shape::List)
            }
            Some(c) if c.is_alphabetic() || c == '_' => sight_of_name_in_brackets(here, inner, at),
            Some(_) => Ok(Sight::Text),
        }
    }
}

/// Inside a fence that holds no calls only its end is of interest.
fn sight_in_fence(here: &Cursor<'_>, mark: FenceMark) -> Seen<Sight> {
    // A thought may end with a fence.
    const THOUGHT_END: &str = "</think";
    match mark.closing(here.text, here.finished) {
        Closing::More if here.text.len() < limits::DECORATION => return Err(More),
        Closing::Line(_) => return Ok(Sight::FenceEnd),
        // GLM-4 writes a call right behind the marks: "```get_weather⏎{...}".
        Closing::Mark(len) => match when_named(here, here.tail(len), len, Shape::Named)? {
            Sight::Text => {}
            call => return Ok(call),
        },
        Closing::More | Closing::No => {}
    }
    let text = here.text.trim_start_matches([' ', '\t']);
    let is_mark = FenceMark::at_start(text).is_some_and(|other| mark.is_closed_by(other));
    let rest = text.trim_start_matches(['`', '~']);
    let after = rest.trim_start_matches([' ', '\t', '\r']);
    match is_mark && !after.is_empty() && here.begins(after, THOUGHT_END)? {
        true => Ok(Sight::FenceEnd),
        false => Ok(Sight::Text),
    }
}

/// `>>>name⏎{...}` and `>>>all⏎text` of Functionary.
fn sight_of_section(here: &Cursor<'_>) -> Seen<Sight> {
    let rest = here.tail(3);
    let (name, after) = rest.split_at(name_length(rest));
    here.wait_if(!is_name_whole(rest, here.finished) || after == "\r")?;
    match after.starts_with("\r\n") || after.starts_with('\n') {
        true if name == "all" => Ok(Sight::Section(name.len() + 4)),
        true if here.tools.binds(name) => Ok(Sight::Section(3)),
        _ => Ok(Sight::Text),
    }
}

fn sight_of_object(here: &Cursor<'_>, at: usize) -> Seen<Sight> {
    let inner = behind(here.tail(at), &['{', ' ', '\t', '\n', '\r']);
    let begins = |c: char| {
        c.is_alphanumeric() || matches!(c, '"' | '\'' | '_' | '“' | '‘' | '`' | '/' | '#')
    };
    match inner.chars().next() {
        None => here.at_end(Sight::Text),
        Some(c) if begins(c) => Ok(Sight::Call(at, Shape::Object)),
        Some(_) => Ok(Sight::Text),
    }
}

/// What may be a call, if `text` begins with the name of a tool.
fn when_named(here: &Cursor<'_>, text: &str, at: usize, shape: Shape) -> Seen<Sight> {
    let name = text.get(..name_length(text)).unwrap_or_default();
    match is_name_whole(text, here.finished) {
        true if here.tools.binds(name) => Ok(Sight::Call(at, shape)),
        // The sign at its end may not belong to it.
        false if here.tools.may_bind(text) || here.tools.may_bind(name) => Err(More),
        _ => Ok(Sight::Text),
    }
}

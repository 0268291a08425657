//! The beginning of a line: where a call without markers may stand.
//!
//! Small models write `get_weather(city="Oslo")` or a JSON object on a line of its own, in a list,
//! in ticks or in a fence. What may become one is held back, everything else is text at once.

mod begin_arg;
mod brackets;
mod decoration;
mod name;

pub(super) use begin_arg::may_be_label;
pub(super) use brackets::WITH_ARGUMENTS;
use decoration::decoration;
pub(super) use decoration::label;
pub(super) use name::begins_arguments;

use super::block::Shape;
use super::fence::{Closing, FenceMark};
use super::inside::Inside;
use super::prose::MISTRAL;
use super::{Reader, State, Step, Turn, fields};
use crate::Format;
use crate::scan::tag::{Found, read_tag};

/// How long the decoration of a line may be, in bytes: deep lists and code blocks fit.
const MAX_DECORATION: usize = 80;

/// The longest name of a tool that is looked for.
pub(super) const MAX_NAME: usize = 128;

/// What stands before the name of a tool, as ReAct and Command R have it.
pub(super) const ACTION: &str = "Action:";

/// What opens a fence of ticks.
const FENCE: &str = "```";

/// What stands at the beginning of a line.
pub(super) enum Sight {
    /// Too early to tell.
    More,
    /// Text.
    Text,
    /// What may be a call, after so many bytes of decoration.
    Call(usize, Shape),
    /// So many bytes of markup before a section.
    Section(usize),
    /// The line that ends a fence.
    FenceEnd,
    /// The header of a channel, whose first token was part of the prompt.
    Header,
    /// So many bytes of markup, and a call whose parts stand behind words.
    Worded(usize),
    /// So many bytes of decoration, and a call in words.
    InWords(usize),
    /// A prefix that is markup, and a call after it.
    Prefix(usize, Format),
}

/// Blanks, list marks, ticks and quotation marks of mail: what may stand around a call.
pub(super) fn is_decoration(byte: u8) -> bool {
    matches!(
        byte,
        b' ' | b'\t' | b'\r' | b'-' | b'*' | b'+' | b'>' | b'`' | b'0'..=b'9' | b'.' | b')'
    )
}

impl Reader {
    #[inline(never)]
    pub(super) fn line(&mut self, turn: &mut Turn<'_, '_>) -> Step {
        if self.is_bare
            && let Some(step) = self.bare_header(turn)
        {
            return step;
        }
        if !self.may_hold_call(turn, 0) {
            self.go(State::Prose);
            return Step::Take(0);
        }
        if ends_as_list(turn) {
            return self.wait(State::Line);
        }
        match self.sight(turn, 0) {
            Sight::More => self.wait(State::Line),
            Sight::Text => {
                self.go(State::Prose);
                // The line break that ended the last line was told of with it; one at the
                // beginning makes this line empty, and the next one is looked at.
                if turn.byte(0) == Some(b'\n') {
                    self.tell_text(turn, "\n");
                    return self.take(1, State::Line);
                }
                Step::Take(0)
            }
            Sight::Call(lead, shape) => self.candidate(turn, (lead, shape)),
            Sight::Header => self.go_to_header(),
            Sight::Section(len) => {
                turn.syntax(turn.head(len));
                self.call_ended();
                self.take(len, State::Line)
            }
            Sight::FenceEnd => {
                self.fence = None;
                self.go(State::Prose);
                Step::Take(0)
            }
            Sight::Worded(lead) => self.worded_call(turn, lead),
            Sight::InWords(lead) => self.take_call_in_words(turn, lead),
            Sight::Prefix(len, format) => {
                self.format = format;
                self.take(0, State::Inside(Inside::opened_by(len)))
            }
        }
    }

    /// False when nothing in the line that begins at `at` is of interest here.
    pub(super) fn may_hold_call(&self, turn: &Turn<'_, '_>, at: usize) -> bool {
        let line = turn.text.as_bytes().get(at..).unwrap_or_default();
        if self.fence.is_none() {
            return turn.tools.may_begin_line(line) && !line.starts_with(MISTRAL.as_bytes());
        }
        // The end of the fence, and sections.
        let ticks = line.iter().find(|byte| !matches!(byte, b' ' | b'\t'));
        matches!(ticks, None | Some(b'`' | b'~' | b'>'))
    }

    /// What stands at the beginning of a line, before which `at` bytes are not decided.
    pub(super) fn sight(&self, turn: &Turn<'_, '_>, at: usize) -> Sight {
        if self.quiet > at && self.fence.is_none() {
            return Sight::Text;
        }
        if let Some(sight) = self.sight_of_fence(turn) {
            return sight;
        }
        match turn.text.as_bytes() {
            // What most objects begin with needs no closer look.
            [b'{', b'"', ..] => return Sight::Call(0, Shape::Object),
            [b'{', ..] => return self.sight_of_object(turn, 0, turn.text),
            _ => {}
        }
        let at = match decoration(turn.text) {
            Some(at) => at,
            None if turn.finished || turn.text.len() > MAX_DECORATION => return Sight::Text,
            None => return Sight::More,
        };
        let at = match label(turn.tail(at), turn.finished) {
            Some(len) => at + len,
            None => return Sight::More,
        };
        let rest = turn.tail(at);
        // Indented lines outside of fences are code, spoken of; actions are no code.
        let is_code = !self.in_fence && !turn.tools.is_any() && is_indented(turn.text);
        let is_code = is_code && !rest.starts_with(ACTION) && !ACTION.starts_with(rest);
        match rest.as_bytes().first() {
            Some(byte) if is_code && !matches!(byte, b'{' | b'[' | b'`' | b'~') => Sight::Text,
            Some(b'{') => self.sight_of_object(turn, at, rest),
            Some(b'[') => self.sight_of_list(turn, at, rest),
            Some(b'`' | b'~') => {
                if FenceMark::at_start(rest).is_some() {
                    Sight::Call(at, Shape::Fence)
                } else if FenceMark::may_start(rest) && !turn.finished {
                    Sight::More
                } else {
                    Sight::Text
                }
            }
            Some(b'<') if at > 0 => Sight::Text,
            Some(b't') if "to=".starts_with(rest) && !turn.finished => Sight::More,
            Some(b't') if rest.starts_with("to=") => Sight::Header,
            Some(byte) if byte.is_ascii_alphabetic() || *byte == b'_' || *byte >= 0x80 => {
                self.sight_of_name(turn, at, rest)
            }
            _ => Sight::Text,
        }
    }

    /// Inside a fence that holds no calls only its end is of interest.
    fn sight_of_fence(&self, turn: &Turn<'_, '_>) -> Option<Sight> {
        if let Some(rest) = turn.text.strip_prefix(">>>") {
            return Some(self.sight_of_section(turn, rest));
        }
        if ">>>".starts_with(turn.text) && !turn.finished {
            return Some(Sight::More);
        }
        let mark = self.fence?;
        match mark.closing(turn.text, turn.finished) {
            Closing::More if turn.text.len() < MAX_DECORATION => return Some(Sight::More),
            Closing::Line(_) => return Some(Sight::FenceEnd),
            Closing::More | Closing::No | Closing::Mark(_) => {}
        }
        // A thought may end with a fence.
        const THOUGHT_END: &str = "</think";
        let text = turn.text.trim_start_matches([' ', '\t']);
        let is_mark = FenceMark::at_start(text).is_some_and(|other| mark.is_closed_by(other));
        let rest = text.trim_start_matches(['`', '~']);
        let after = rest.trim_start_matches([' ', '\t', '\r']);
        if is_mark && after.starts_with(THOUGHT_END) {
            return Some(Sight::FenceEnd);
        }
        let may_end = is_mark && !after.is_empty() && THOUGHT_END.starts_with(after);
        Some(if may_end && !turn.finished {
            Sight::More
        } else {
            Sight::Text
        })
    }

    /// `>>>name⏎{...}` and `>>>all⏎text` of Functionary.
    fn sight_of_section(&self, turn: &Turn<'_, '_>, rest: &str) -> Sight {
        let len = name_length(rest);
        let name = rest.get(..len).unwrap_or_default();
        let after = rest.get(len..).unwrap_or_default();
        if !is_name_whole(rest, turn.finished) || (after == "\r" && !turn.finished) {
            return Sight::More;
        }
        let line_break = after.starts_with("\r\n") || after.starts_with('\n');
        if name == "all" && line_break {
            return Sight::Section(len + 4);
        }
        if turn.tools.binds(name) && line_break {
            Sight::Section(3)
        } else {
            Sight::Text
        }
    }

    fn sight_of_object(&self, turn: &Turn<'_, '_>, at: usize, rest: &str) -> Sight {
        let Some(inner) = behind(rest, &['{', ' ', '\t', '\n', '\r']) else {
            return Sight::Text;
        };
        match inner.chars().next() {
            None if turn.finished => Sight::Text,
            None => Sight::More,
            Some(c)
                if c.is_alphanumeric()
                    || matches!(c, '"' | '\'' | '_' | '“' | '‘' | '`' | '/' | '#') =>
            {
                Sight::Call(at, Shape::Object)
            }
            Some(_) => Sight::Text,
        }
    }

    /// A list of objects, of calls or of texts with calls; `[TOOL_CALLS]` is for the prose state.
    fn sight_of_list(&self, turn: &Turn<'_, '_>, at: usize, rest: &str) -> Sight {
        if at == 0 && matches!(read_tag(rest, turn.finished), Found::Yes(_)) {
            return Sight::Text;
        }
        match fields::heading(rest, fields::NAME, turn.finished) {
            Found::More => return Sight::More,
            Found::Yes(len) => return Sight::Prefix(at + len, Format::React),
            Found::No => {}
        }
        let Some(inner) = behind(rest, &['[', '(', ' ', '\t', '\n', '\r']) else {
            return Sight::Text;
        };
        match inner.chars().next() {
            None if turn.finished => Sight::Text,
            None => Sight::More,
            Some('{') => Sight::Call(at, Shape::List),
            Some(quote @ ('"' | '\'')) => {
                let name = inner.get(quote.len_utf8()..).unwrap_or_default();
                if name.starts_with('{') {
                    return Sight::Call(at, Shape::List);
                }
                if name.is_empty() && !turn.finished {
                    return Sight::More;
                }
                self.when_named(turn, name, (at, Shape::List))
            }
            Some(c) if c.is_alphabetic() || c == '_' => {
                self.sight_of_name_in_brackets(turn, inner, at)
            }
            Some(_) => Sight::Text,
        }
    }

    fn when_named(&self, turn: &Turn<'_, '_>, text: &str, (at, shape): (usize, Shape)) -> Sight {
        let len = name_length(text);
        let name = text.get(..len).unwrap_or_default();
        if is_name_whole(text, turn.finished) {
            return if turn.tools.binds(name) {
                Sight::Call(at, shape)
            } else {
                Sight::Text
            };
        }
        // The sign at its end may not belong to it.
        if turn.tools.may_bind(text) || turn.tools.may_bind(name) {
            Sight::More
        } else {
            Sight::Text
        }
    }
}

/// True for what may be a list of calls that ends with the text. It may go on: it is worth while to
/// wait, instead of reading it twice.
fn ends_as_list(turn: &Turn<'_, '_>) -> bool {
    let is_held = turn.text.len() <= turn.options.hold_limit;
    let is_list = turn.text.starts_with('[') && turn.text.ends_with(']');
    is_list && is_held && !turn.finished && !turn.tools.is_any()
}

/// Four blanks or a tab before the first letter: code, in Markdown.
fn is_indented(text: &str) -> bool {
    text.starts_with("    ") || text.starts_with('\t')
}

/// As much of a text as shows what it begins with.
pub(super) fn beginning(text: &str) -> &str {
    const LOOK_AHEAD: usize = 256;
    text.get(..text.floor_char_boundary(LOOK_AHEAD))
        .unwrap_or(text)
}

/// What stands behind the `signs` that `text` begins with, unless they are more than any model
/// writes.
fn behind<'t>(text: &'t str, signs: &[char]) -> Option<&'t str> {
    let near = beginning(text);
    let skipped = near.len() - near.trim_start_matches(signs).len();
    text.get(skipped..).filter(|_| skipped <= MAX_DECORATION)
}

/// True when the name at the beginning of `text` cannot go on.
pub(super) fn is_name_whole(text: &str, finished: bool) -> bool {
    let mut rest = text.chars().take(MAX_NAME);
    finished || text.len() >= MAX_NAME || rest.any(|c| !is_name(c))
}

pub(super) fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '\\' | '/' | ':')
}

/// The same of a byte of ASCII, without a look at all letters of the world.
fn is_name_byte(byte: u8) -> bool {
    NAME_BYTES.get(usize::from(byte)) == Some(&true)
}

static NAME_BYTES: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        #[expect(clippy::indexing_slicing, reason = "evaluated while compiling")]
        {
            table[byte as usize] = byte.is_ascii_alphanumeric()
                || matches!(byte, b'_' | b'-' | b'.' | b'\\' | b'/' | b':');
        }
        byte += 1;
    }
    table
};

/// The length of the name of a tool at the beginning of `text`.
pub(super) fn name_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let near = bytes.get(..MAX_NAME).unwrap_or(bytes);
    let len = near.iter().position(|byte| !is_name_byte(*byte));
    let mut len = len.unwrap_or(near.len());
    if bytes.get(len).is_some_and(|byte| !byte.is_ascii()) {
        for c in text.get(len..).unwrap_or_default().chars() {
            if !is_name(c) || len >= MAX_NAME {
                break;
            }
            len += c.len_utf8();
        }
    }
    let name = text.get(..len).unwrap_or_default();
    name.trim_end_matches([':', '.', '-']).len()
}

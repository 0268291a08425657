//! The beginning of a line: where a call without markers may stand.
//!
//! Small models write `get_weather(city="Oslo")` or a JSON object on a line of its own, in a list,
//! in ticks or in a fence. What may become one is held back, everything else is text at once.

mod decoration;

use decoration::decoration;
pub(super) use decoration::label;

use super::block::Shape;
use super::inside::Inside;
use super::{Reader, State, Step, Turn};
use crate::lexis::Ends;
use crate::markers::Role;
use crate::tag::{Found, read_tag};

/// How long the decoration of a line may be, in bytes: deep lists and code blocks fit.
const MAX_DECORATION: usize = 80;

/// The longest name of a tool that is looked for.
pub(super) const MAX_NAME: usize = 128;

/// What stands before the name of a tool, as ReAct and Command R have it.
pub(super) const ACTION: &str = "Action:";

/// What opens a fence.
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
    /// A prefix that is markup, and a call after it.
    Prefix(usize, &'static str),
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
                self.fence = 0;
                self.go(State::Prose);
                Step::Take(0)
            }
            Sight::Prefix(len, format) => {
                self.format = format;
                self.take(0, State::Inside(Inside::opened_by(len)))
            }
        }
    }

    /// False when nothing in the line that begins at `at` is of interest here.
    pub(super) fn may_hold_call(&self, turn: &Turn<'_, '_>, at: usize) -> bool {
        let line = turn.text.as_bytes().get(at..).unwrap_or_default();
        if self.fence == 0 {
            return turn.tools.may_begin_line(line);
        }
        // The end of the fence, and sections.
        let ticks = line.iter().find(|byte| **byte != b' ');
        matches!(ticks, None | Some(b'`' | b'>'))
    }

    /// What stands at the beginning of a line, before which `at` bytes are not decided.
    pub(super) fn sight(&self, turn: &Turn<'_, '_>, at: usize) -> Sight {
        if self.quiet > at && self.fence == 0 {
            return Sight::Text;
        }
        if let Some(sight) = self.sight_of_fence(turn) {
            return sight;
        }
        if turn.byte(0) == Some(b'{') {
            return self.sight_of_object(turn, 0, turn.text);
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
        // Indented lines outside of fences are code, spoken of.
        let is_code = !self.in_fence && !turn.tools.is_any() && is_indented(turn.text);
        match rest.as_bytes().first() {
            Some(byte) if is_code && !matches!(byte, b'{' | b'[' | b'`') => Sight::Text,
            Some(b'{') => self.sight_of_object(turn, at, rest),
            Some(b'[') => self.sight_of_list(turn, at, rest),
            Some(b'`') => {
                if rest.starts_with(FENCE) {
                    Sight::Call(at, Shape::Fence)
                } else if FENCE.starts_with(rest) && !turn.finished {
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
        if self.fence == 0 {
            return None;
        }
        let text = turn.text.trim_start_matches(' ');
        let ticks = text.bytes().take_while(|byte| *byte == b'`').count();
        let rest = text.get(ticks..).unwrap_or_default();
        if is_blank(rest) && !turn.finished && text.len() < MAX_DECORATION {
            return Some(Sight::More);
        }
        let after = rest.trim_start_matches([' ', '\r']);
        // A thought may end with a fence.
        const THOUGHT_END: &str = "</think";
        if !after.is_empty() && THOUGHT_END.starts_with(after) && !turn.finished {
            return Some(Sight::More);
        }
        let ends = after.starts_with('\n') || after.starts_with(THOUGHT_END);
        let is_end = ticks >= self.fence && ends;
        let is_last = ticks >= self.fence && is_blank(rest) && turn.finished;
        Some(if is_end || is_last {
            Sight::FenceEnd
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
        let rest = beginning(rest);
        let inner = rest.trim_start_matches(['{', ' ', '\t', '\n', '\r']);
        match inner.chars().next() {
            None if turn.finished => Sight::Text,
            None if rest.len() > MAX_DECORATION => Sight::Text,
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
        let rest = beginning(rest);
        match label(rest.get(1..).unwrap_or_default(), turn.finished) {
            None => return Sight::More,
            Some(0) => {}
            Some(label) => return self.sight_of_labelled(turn, (at + 1, at + 1 + label)),
        }
        let inner = rest.trim_start_matches(['[', '(', ' ', '\t', '\n', '\r']);
        match inner.chars().next() {
            None if turn.finished || rest.len() > MAX_DECORATION => Sight::Text,
            None => Sight::More,
            Some('{') => Sight::Call(at, Shape::List),
            Some(quote @ ('"' | '\'')) => {
                let name = inner.get(quote.len_utf8()..).unwrap_or_default();
                self.when_named(turn, name, (at, Shape::List))
            }
            Some(c) if c.is_alphabetic() || c == '_' => {
                self.when_named(turn, inner, (at, Shape::List))
            }
            Some(_) => Sight::Text,
        }
    }

    /// `[Calling tool: f({...})]`: the bracket and the label, from and to, are markup.
    fn sight_of_labelled(&self, turn: &Turn<'_, '_>, (from, to): (usize, usize)) -> Sight {
        let label = turn.text.get(from..to).unwrap_or_default();
        // `[Tool: f(query)]` rather speaks of one.
        if !label.to_ascii_lowercase().contains("call") {
            return Sight::Text;
        }
        let rest = turn.tail(to);
        match self.when_named(turn, rest, (to, Shape::Call)) {
            Sight::Call(..) => match rest.as_bytes().get(name_length(rest)) {
                Some(b'(' | b'{') => Sight::Prefix(to, "pythonic"),
                _ => Sight::Text,
            },
            sight => sight,
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

    fn sight_of_name(&self, turn: &Turn<'_, '_>, at: usize, rest: &str) -> Sight {
        // What Qwen-Agent writes before its answer.
        for prefix in ["✿RETURN✿:", "✿RESULT✿:"] {
            if rest.starts_with(prefix) {
                return Sight::Section(at + prefix.len());
            }
        }
        for (prefix, format) in [
            ("✿FUNCTION✿:", "react"),
            ("✿RETURN✿:", "react"),
            ("✿RESULT✿:", "react"),
            ("functools[", "phi4mini"),
            ("functools [", "phi4mini"),
            ("function call<|role_sep|>", "gigachat3"),
        ] {
            if rest.starts_with(prefix) {
                let len = if prefix.ends_with('[') {
                    prefix.len() - 1
                } else {
                    prefix.len()
                };
                return Sight::Prefix(at + len, format);
            }
            if prefix.starts_with(rest) && !turn.finished {
                return Sight::More;
            }
        }
        if let Some(sight) = self.sight_of_action(turn, at, rest) {
            return sight;
        }
        let len = name_length(rest);
        let name = rest.get(..len).unwrap_or_default();
        let after = rest.get(len..).unwrap_or_default();
        if !is_name_whole(rest, turn.finished) {
            let may = turn.tools.may_bind(rest)
                || "print".starts_with(rest)
                || (self.in_fence && "return".starts_with(rest));
            return if may { Sight::More } else { Sight::Text };
        }
        let is_print = name == "print" && after.starts_with('(');
        if is_print {
            let Some(inner) = behind(after, &['(', '[', ' ']) else {
                return Sight::Text;
            };
            return match self.when_named(turn, inner, (at, Shape::Call)) {
                Sight::Text if inner.is_empty() && !turn.finished => Sight::More,
                sight => sight,
            };
        }
        if name == "return" && self.in_fence && after.starts_with(' ') {
            let Some(inner) = behind(after, &[' ']) else {
                return Sight::Text;
            };
            return match self.when_named(turn, inner, (at, Shape::Call)) {
                Sight::Text if inner.is_empty() && !turn.finished => Sight::More,
                sight => sight,
            };
        }
        if !turn.tools.binds(name) {
            return Sight::Text;
        }
        self.sight_after_name(turn, at, after)
    }

    /// What makes a name a call: a parenthesis, an object, or a tag that names a parameter.
    fn sight_after_name(&self, turn: &Turn<'_, '_>, at: usize, after: &str) -> Sight {
        if turn.tools.is_any() {
            // The specification's form, on one line.
            let blanks = after.trim_start_matches(' ');
            return match blanks.as_bytes().first() {
                Some(b'(') if after.starts_with('(') => Sight::Call(at, Shape::Call),
                _ => Sight::Text,
            };
        }
        let body = after.trim_start_matches([' ', '\t', '\r']);
        match body.as_bytes().first() {
            Some(b'(') => Sight::Call(at, Shape::Call),
            Some(b'{') => Sight::Call(at, Shape::Named),
            Some(b'\n') => {
                let next = body.trim_start_matches(['\n', ' ', '\t', '\r']);
                let fenced = next.strip_prefix("```json").map(str::trim_start);
                match fenced.unwrap_or(next).as_bytes().first() {
                    Some(b'{') => Sight::Call(at, Shape::Named),
                    Some(b'<') => self.sight_of_tags(turn, at, next),
                    None if !turn.finished && after.len() < MAX_DECORATION => Sight::More,
                    Some(b'`') if "```json".starts_with(next) && !turn.finished => Sight::More,
                    _ => Sight::Text,
                }
            }
            Some(b'<' | b'[') => self.sight_of_tags(turn, at, body),
            None if !turn.finished && after.len() < MAX_DECORATION => Sight::More,
            _ => Sight::Text,
        }
    }

    /// A name and a tag that only stands between a name and its arguments.
    fn sight_of_tags(&self, turn: &Turn<'_, '_>, at: usize, tags: &str) -> Sight {
        let (role, len) = match read_tag(tags, turn.finished) {
            Found::More => return Sight::More,
            Found::No => return Sight::Text,
            Found::Yes(tag) if tag.close => return Sight::Text,
            Found::Yes(tag) => (tag.marker.map(|marker| marker.role), tag.len),
        };
        match role {
            Some(Role::Wrapper) if tags.starts_with('[') => {
                match begins_arguments(tags.get(len..).unwrap_or_default(), turn.finished) {
                    Ends::Yes => Sight::Prefix(at, "mistral_args"),
                    Ends::Unclear => Sight::More,
                    Ends::No => Sight::Text,
                }
            }
            // What a server leaves of `[TOOL_CALLS]N[ARGS]{}` that drops the first token.
            Some(Role::Separator) if tags.starts_with('[') => Sight::Prefix(at, "mistral_args"),
            Some(Role::Separator | Role::Channel) => Sight::Prefix(at, "inkling"),
            Some(Role::Key | Role::Parameter | Role::Value) => Sight::Prefix(at, "glm45"),
            _ => Sight::Text,
        }
    }

    /// `Action:` of ReAct and of Command R.
    fn sight_of_action(&self, turn: &Turn<'_, '_>, at: usize, rest: &str) -> Option<Sight> {
        if ACTION.starts_with(rest) && !turn.finished {
            return Some(Sight::More);
        }
        let after = rest.strip_prefix(ACTION)?;
        let body = after.trim_start_matches([' ', '\t', '\n', '\r', '*']);
        let first = body.as_bytes().first();
        match first {
            None if !turn.finished && after.len() < MAX_DECORATION => Some(Sight::More),
            Some(b'[' | b'{') => Some(Sight::Call(at, Shape::Action)),
            Some(b'`') if body.starts_with(FENCE) => Some(Sight::Call(at, Shape::Action)),
            Some(b'`') if FENCE.starts_with(body) && !turn.finished => Some(Sight::More),
            Some(_) => {
                let name = behind(body, &['`', '*', '"'])?;
                match self.when_named(turn, name, (at, Shape::Action)) {
                    Sight::Text => None,
                    sight => Some(sight),
                }
            }
            None => None,
        }
    }
}

/// Whether arguments follow a marker, right behind it or behind `[ARGS]`, so that a name before
/// the marker is the one that belongs behind it.
pub(super) fn begins_arguments(rest: &str, finished: bool) -> Ends {
    const ARGS: &str = "[ARGS]";
    if rest.starts_with('{') || rest.starts_with(ARGS) {
        Ends::Yes
    } else if ARGS.starts_with(rest) && !finished {
        Ends::Unclear
    } else {
        Ends::No
    }
}

/// True for blanks that a line break may still follow.
fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' ' | b'\r'))
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

/// The length of the name of a tool at the beginning of `text`.
pub(super) fn name_length(text: &str) -> usize {
    let mut len = 0;
    for c in text.chars() {
        if !is_name(c) || len >= MAX_NAME {
            break;
        }
        len += c.len_utf8();
    }
    let name = text.get(..len).unwrap_or_default();
    name.trim_end_matches([':', '.', '-']).len()
}

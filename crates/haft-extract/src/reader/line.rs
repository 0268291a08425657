//! The beginning of a line: where a call without markers may stand.
//!
//! Small models write `get_weather(city="Oslo")` or a JSON object on a line of its own, in a list,
//! in ticks or in a fence. What may become one is held back, everything else is text at once.

use super::block::{Block, Shape};
use super::inside::Inside;
use super::{Reader, State, Step, Turn};

/// How long the decoration of a line may be, in bytes: deep lists and code blocks fit.
const MAX_DECORATION: usize = 80;

/// The longest name of a tool that is looked for.
pub(super) const MAX_NAME: usize = 128;

/// The names under which fences are opened whose content may be calls; nothing else is held back
/// longer than the next line needs.
const FENCE: &str = "```";

/// What stands at the beginning of a line.
enum Sight {
    /// Too early to tell.
    More,
    /// Text.
    Text,
    /// What may be a call, after so many bytes of decoration.
    Call(usize, Shape),
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
    pub(super) fn line(&mut self, turn: &mut Turn<'_, '_>) -> Step {
        let sight = if self.quiet > 0 { Sight::Text } else { self.sight(turn) };
        match sight {
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
            Sight::Call(lead, shape) => self.take(0, State::Block(Block::new(lead, shape))),
            Sight::Header => self.go_to_header(),
            Sight::Prefix(len, format) => {
                self.format = format;
                self.take(0, State::Inside(Inside::opened_by(len)))
            }
        }
    }

    fn sight(&self, turn: &Turn<'_, '_>) -> Sight {
        let at = match decoration(turn.text) {
            Some(at) => at,
            None if turn.finished || turn.text.len() > MAX_DECORATION => return Sight::Text,
            None => return Sight::More,
        };
        let rest = turn.tail(at);
        match rest.as_bytes().first() {
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

    fn sight_of_object(&self, turn: &Turn<'_, '_>, at: usize, rest: &str) -> Sight {
        let inner = rest.trim_start_matches(['{', ' ', '\t', '\n', '\r']);
        match inner.chars().next() {
            None if turn.finished => Sight::Text,
            None if rest.len() > MAX_DECORATION => Sight::Text,
            None => Sight::More,
            Some(c) if c.is_alphanumeric() || matches!(c, '"' | '\'' | '_' | '“' | '‘' | '`') => {
                Sight::Call(at, Shape::Object)
            }
            Some(_) => Sight::Text,
        }
    }

    /// A list of objects, of calls or of texts with calls; `[TOOL_CALLS]` is for the prose state.
    fn sight_of_list(&self, turn: &Turn<'_, '_>, at: usize, rest: &str) -> Sight {
        let inner = rest.trim_start_matches(['[', '(', ' ', '\t', '\n', '\r']);
        match inner.chars().next() {
            None if turn.finished || rest.len() > MAX_DECORATION => Sight::Text,
            None => Sight::More,
            Some('{') => Sight::Call(at, Shape::List),
            Some(quote @ ('"' | '\'')) => {
                let name = inner.get(quote.len_utf8()..).unwrap_or_default();
                self.when_named(turn, name, at, Shape::List)
            }
            Some(c) if c.is_alphabetic() || c == '_' => {
                self.when_named(turn, inner, at, Shape::List)
            }
            Some(_) => Sight::Text,
        }
    }

    fn when_named(&self, turn: &Turn<'_, '_>, text: &str, at: usize, shape: Shape) -> Sight {
        let len = name_length(text);
        let is_whole = len < text.len() || turn.finished;
        let name = text.get(..len).unwrap_or_default();
        if is_whole && turn.tools.binds(name) || (!is_whole && turn.tools.may_bind(name)) {
            return if is_whole { Sight::Call(at, shape) } else { Sight::More };
        }
        Sight::Text
    }

    fn sight_of_name(&self, turn: &Turn<'_, '_>, at: usize, rest: &str) -> Sight {
        for (prefix, format) in [("functools[", "phi4mini"), ("function call<|role_sep|>", "gigachat3")] {
            if rest.starts_with(prefix) {
                let len = if prefix.ends_with('[') { prefix.len() - 1 } else { prefix.len() };
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
        if after.is_empty() && !turn.finished {
            let may = turn.tools.may_bind(name) || "print".starts_with(name);
            return if may { Sight::More } else { Sight::Text };
        }
        let is_print = name == "print" && after.starts_with('(');
        if is_print {
            let inner = after.get(1..).unwrap_or_default().trim_start_matches(['(', '[', ' ']);
            return match self.when_named(turn, inner, at, Shape::Call) {
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
                    Some(b'<') => Sight::Call(at, Shape::Named),
                    None if !turn.finished && after.len() < MAX_DECORATION => Sight::More,
                    Some(b'`') if "```json".starts_with(next) && !turn.finished => Sight::More,
                    _ => Sight::Text,
                }
            }
            Some(b'<') => Sight::Call(at, Shape::Named),
            None if !turn.finished && after.len() < MAX_DECORATION => Sight::More,
            _ => Sight::Text,
        }
    }

    /// `Action:` of ReAct and of Command R.
    fn sight_of_action(&self, turn: &Turn<'_, '_>, at: usize, rest: &str) -> Option<Sight> {
        const ACTION: &str = "Action:";
        if ACTION.starts_with(rest) && !turn.finished {
            return Some(Sight::More);
        }
        let after = rest.strip_prefix(ACTION)?;
        let body = after.trim_start();
        let first = body.as_bytes().first();
        match first {
            None if !turn.finished && after.len() < MAX_DECORATION => Some(Sight::More),
            Some(b'`' | b'[' | b'{') => Some(Sight::Call(at, Shape::Action)),
            Some(_) => {
                let name = body.trim_start_matches(['`', '*', '"']);
                match self.when_named(turn, name, at, Shape::Action) {
                    Sight::Text => None,
                    sight => Some(sight),
                }
            }
            None => None,
        }
    }
}

/// The length of the decoration at the beginning of a line; nothing while it may go on.
fn decoration(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = skip_blanks(bytes, 0);
    // A list mark: `-`, `*`, `+`, `>`, `1.`, `1)`, followed by a blank.
    let digits = bytes.get(at..)?.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mark = at + digits;
    match bytes.get(mark) {
        Some(b'.' | b')') if digits > 0 => {
            bytes.get(mark + 1)?;
            at = mark + 1;
        }
        Some(b'-' | b'*' | b'+' | b'>') if digits == 0 => {
            bytes.get(mark + 1)?;
            at = mark + 1;
        }
        None => return None,
        _ => {}
    }
    at = skip_blanks(bytes, at);
    // Bold and ticks right before the call.
    while let Some(b'*' | b'`') = bytes.get(at) {
        if bytes.get(at..at + 3) == Some(FENCE.as_bytes()) {
            return Some(at);
        }
        if bytes.get(at) == Some(&b'`') && bytes.len() < at + 3 {
            let rest = bytes.get(at..)?;
            if rest.iter().all(|byte| *byte == b'`') {
                return None;
            }
        }
        at += 1;
    }
    bytes.get(at)?;
    Some(at)
}

fn skip_blanks(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    from + rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// The length of the name of a tool at the beginning of `text`.
pub(super) fn name_length(text: &str) -> usize {
    let mut len = 0;
    for c in text.chars() {
        let is_name = c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '\\' | '/' | ':');
        if !is_name || len >= MAX_NAME {
            break;
        }
        len += c.len_utf8();
    }
    let name = text.get(..len).unwrap_or_default();
    name.trim_end_matches([':', '.', '-']).len()
}

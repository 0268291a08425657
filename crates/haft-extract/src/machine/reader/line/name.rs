//! Lines that begin with a name: of a tool, before parentheses, an object or tags, or one of the
//! words that some models write before a call.

use super::begin_arg;
use super::{ACTION, FENCE, Sight, beginning, behind, is_name_whole, name_length};
use crate::Format;
use crate::formats::Role;
use crate::machine::reader::block::{BEFORE_INPUT, INPUT, Shape, named_in_words};
use crate::machine::reader::in_words::{InWords, call_in_words};
use crate::machine::reader::{Reader, Turn, fields};
use crate::scan::lexis::Ends;
use crate::scan::tag::{Found, read_tag};

impl Reader {
    pub(super) fn sight_of_name(&self, turn: &Turn<'_, '_>, at: usize, rest: &str) -> Sight {
        for (prefix, format) in [
            ("✿FUNCTION✿:", Some(Format::React)),
            // What Qwen-Agent writes before its answer.
            ("✿RETURN✿:", None),
            ("✿RESULT✿:", None),
            ("functools[", Some(Format::Phi4mini)),
            ("functools [", Some(Format::Phi4mini)),
            ("function call<|role_sep|>", Some(Format::Gigachat3)),
        ] {
            if rest.starts_with(prefix) {
                let end = at + prefix.trim_end_matches('[').len();
                return format.map_or(Sight::Section(end), |format| Sight::Prefix(end, format));
            }
            if prefix.starts_with(rest) && !turn.finished {
                return Sight::More;
            }
        }
        if let Some(sight) = begin_arg::sight(turn, at, rest) {
            return sight;
        }
        if let Some(sight) = self.sight_of_action(turn, at, rest) {
            return sight;
        }
        if let Some(sight) = self.sight_of_tool_code(turn, at, rest) {
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
        match self.sight_after_name(turn, at, after) {
            Sight::Text => self.sight_of_words(turn, at),
            sight => sight,
        }
    }

    /// A name of which the parameters stand in words, outside of fences and of lists.
    fn sight_of_words(&self, turn: &Turn<'_, '_>, at: usize) -> Sight {
        let is_outside = self.nesting == 0 && self.fence.is_none() && !self.in_fence;
        let is_plain = turn.head(at).chars().all(|c| matches!(c, '`' | '*'));
        if turn.tools.is_any() || !is_outside || !is_plain {
            return Sight::Text;
        }
        match call_in_words(turn.tail(at), turn.finished, turn.tools) {
            InWords::More => Sight::More,
            InWords::No => Sight::Text,
            InWords::Call(..) => Sight::InWords(at),
        }
    }

    /// `tool_code = f(a=1)`: the variable has the name of what Gemma wants to be run.
    fn sight_of_tool_code(&self, turn: &Turn<'_, '_>, at: usize, rest: &str) -> Option<Sight> {
        const WORD: &str = "tool_code";
        if turn.tools.is_any() {
            return None;
        }
        let Some(after) = rest.strip_prefix(WORD) else {
            return (WORD.starts_with(rest) && !turn.finished).then_some(Sight::More);
        };
        let sign = behind(after, &[' '])?;
        let call = sign.strip_prefix('=').and_then(|call| behind(call, &[' ']));
        if call.unwrap_or(sign).is_empty() {
            return (!turn.finished).then_some(Sight::More);
        }
        let call = call?;
        let lead = at + (rest.len() - call.len());
        match self.when_named(turn, call, (lead, Shape::Call)) {
            Sight::Text => None,
            Sight::Call(..) if call.as_bytes().get(name_length(call)) != Some(&b'(') => None,
            sight => Some(sight),
        }
    }

    /// What makes a name a call: a parenthesis, an object, or a tag that names a parameter.
    fn sight_after_name(&self, turn: &Turn<'_, '_>, at: usize, after: &str) -> Sight {
        if turn.tools.is_any() {
            // The specification's form, on one line.
            return match after.starts_with('(') {
                true => Sight::Call(at, Shape::Call),
                false => Sight::Text,
            };
        }
        let Some(body) = behind(after, &[' ', '\t', '\r']) else {
            return Sight::Text;
        };
        // `functions.f:` above an object, as llama-cpp-python teaches it.
        let is_in_namespace = turn.tail(at).starts_with("functions.");
        match body.as_bytes().first() {
            Some(b'(') => Sight::Call(at, Shape::Call),
            Some(b'{') => Sight::Call(at, Shape::Named),
            Some(b':') if is_in_namespace => {
                self.sight_of_next_line(turn, at, body.get(1..).unwrap_or_default())
            }
            Some(b':') => sight_of_labelled(turn, at, body.get(1..).unwrap_or_default()),
            Some(b'\n') => self.sight_of_next_line(turn, at, body),
            Some(b'<' | b'[') => self.sight_of_tags(turn, at, body),
            // `**Tool call:** `f``, with the arguments in the next line.
            Some(b'`' | b'*') if turn.head(at).to_ascii_lowercase().contains("call") => {
                match behind(body, &['`', '*', ' ', '\r']) {
                    Some("") if !turn.finished => Sight::More,
                    Some(next) if next.starts_with('\n') => self.sight_of_next_line(turn, at, next),
                    _ => Sight::Text,
                }
            }
            None if !turn.finished => Sight::More,
            _ => Sight::Text,
        }
    }

    /// A name alone in its line, and what stands in the next one, in a fence or not.
    fn sight_of_next_line(&self, turn: &Turn<'_, '_>, at: usize, body: &str) -> Sight {
        const JSON_FENCE: &str = "```json";
        const BLANKS: [char; 4] = ['\n', ' ', '\t', '\r'];
        // An object that was written as a text.
        const QUOTED: &str = "\"{\\\"";
        let Some(next) = behind(body, &BLANKS) else {
            return Sight::Text;
        };
        if JSON_FENCE.starts_with(next) && !turn.finished {
            return Sight::More;
        }
        if at > 0 {
            match fields::label_before_object(next, turn.finished) {
                Found::More => return Sight::More,
                Found::Yes(_) => return Sight::Call(at, Shape::Named),
                Found::No => {}
            }
        }
        match begin_arg::begins_argument(next, turn.finished) {
            None => return Sight::More,
            Some(true) => return Sight::Worded(at),
            Some(false) => {}
        }
        let fenced = next
            .strip_prefix(JSON_FENCE)
            .or_else(|| next.strip_prefix(FENCE));
        let Some(object) = fenced.map_or(Some(next), |fenced| behind(fenced, &BLANKS)) else {
            return Sight::Text;
        };
        match object.as_bytes().first() {
            Some(b'{') => Sight::Call(at, Shape::Named),
            Some(b'"') if object.starts_with(QUOTED) => Sight::Prefix(at, Format::FunctionaryV32),
            Some(b'"') if QUOTED.starts_with(object) && !turn.finished => Sight::More,
            Some(b'<') => self.sight_of_tags(turn, at, next),
            None if !turn.finished => Sight::More,
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
                    Ends::Yes => Sight::Prefix(at, Format::MistralArgs),
                    Ends::Unclear => Sight::More,
                    Ends::No => Sight::Text,
                }
            }
            // What a server leaves of `[TOOL_CALLS]N[ARGS]{}` that drops the first token.
            Some(Role::Separator) if tags.starts_with('[') => {
                Sight::Prefix(at, Format::MistralArgs)
            }
            Some(Role::Separator | Role::Channel) => Sight::Prefix(at, Format::Inkling),
            Some(Role::Key | Role::Parameter | Role::Value) => Sight::Prefix(at, Format::Glm45),
            _ => Sight::Text,
        }
    }

    /// `Action:` of ReAct and of Command R.
    fn sight_of_action(&self, turn: &Turn<'_, '_>, at: usize, rest: &str) -> Option<Sight> {
        if ACTION.starts_with(rest) && !turn.finished {
            return Some(Sight::More);
        }
        let after = rest.strip_prefix(ACTION)?;
        let body = behind(after, &[' ', '\t', '\n', '\r', '*'])?;
        let first = body.as_bytes().first();
        match first {
            None if !turn.finished => Some(Sight::More),
            Some(b'[' | b'{') => Some(Sight::Call(at, Shape::Action)),
            Some(b'`') if body.starts_with(FENCE) => Some(Sight::Call(at, Shape::Action)),
            Some(b'`') if FENCE.starts_with(body) && !turn.finished => Some(Sight::More),
            Some(_) => {
                let name = behind(body, &['`', '*', '"'])?;
                match self.when_named(turn, name, (at, Shape::Action)) {
                    Sight::Text => sight_of_words(turn, at, body),
                    sight => Some(sight),
                }
            }
            None => None,
        }
    }
}

/// `Action: Use the search tool`, and an input in the next line.
fn sight_of_words(turn: &Turn<'_, '_>, at: usize, body: &str) -> Option<Sight> {
    let near = beginning(body);
    let may_go_on = !turn.finished && near.len() == body.len() && !turn.tools.is_any();
    match near.split_once('\n') {
        None => may_go_on.then_some(Sight::More),
        Some((_, next)) => {
            let next = next.trim_start_matches(BEFORE_INPUT);
            if INPUT.starts_with(next) && next.len() < INPUT.len() {
                return may_go_on.then_some(Sight::More);
            }
            named_in_words(near, turn.tools).map(|_| Sight::Call(at, Shape::Action))
        }
    }
}

/// `name: {"a": 1}`, with what stands behind the colon.
fn sight_of_labelled(turn: &Turn<'_, '_>, at: usize, after: &str) -> Sight {
    let object = behind(after, &[' ']).unwrap_or("-");
    let inner = object
        .strip_prefix('{')
        .and_then(|inner| behind(inner, &[' ']));
    match inner.or_else(|| object.is_empty().then_some("")) {
        Some("") if !turn.finished => Sight::More,
        Some(inner) if inner.starts_with(['"', '\'']) => Sight::Call(at, Shape::Named),
        _ => Sight::Text,
    }
}

/// Whether arguments follow a marker, right behind it or behind `[ARGS]`, so that a name before
/// the marker is the one that belongs behind it.
pub(in crate::machine::reader) fn begins_arguments(rest: &str, finished: bool) -> Ends {
    const ARGS: &str = "[ARGS]";
    if rest.starts_with('{') || rest.starts_with(ARGS) {
        Ends::Yes
    } else if ARGS.starts_with(rest) && !finished {
        Ends::Unclear
    } else {
        Ends::No
    }
}

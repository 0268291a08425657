//! Lines that begin with a name: of a tool, before parentheses, an object or tags, or one of the
//! words that some models write before a call; and those that begin with a square bracket and a
//! name.

use super::begin_arg::{BEGIN, behind_word};
use super::{
    ACTION, BLANKS, FENCE, Sight, begin_arg, behind, is_name_whole, label, name_length, when_named,
};
use crate::machine::reader::block::{BEFORE_INPUT, INPUT, Shape, named_in_words};
use crate::machine::reader::{Cursor, Reader, cursor::beginning, fields};
use crate::scan::{More, Seen};
use crate::{Format, formats::Role, machine::reader::in_words::call_in_words};

/// What stands before a tool that is named by an attribute.
const CALLING: &str = "Calling tool=";

/// What stands between a tool and its arguments in what some agents show of a call.
pub(crate) const WITH_ARGUMENTS: &str = " with arguments:";

/// Markup that stands before a call, or before a section: then without a format.
const PREFIXES: [(&str, Option<Format>); 6] = [
    ("✿FUNCTION✿:", Some(Format::React)),
    // What Qwen-Agent writes before its answer.
    ("✿RETURN✿:", None),
    ("✿RESULT✿:", None),
    ("functools[", Some(Format::Phi4mini)),
    ("functools [", Some(Format::Phi4mini)),
    ("function call<|role_sep|>", Some(Format::Gigachat3)),
];

impl Reader {
    pub(super) fn sight_of_name(&self, here: &Cursor<'_>, at: usize) -> Seen<Sight> {
        let rest = here.tail(at);
        for (prefix, format) in PREFIXES {
            if here.begins(rest, prefix)? {
                let end = at + prefix.trim_end_matches('[').len();
                return Ok(format.map_or(Sight::Section(end), |format| Sight::Prefix(end, format)));
            }
        }
        for sight in [begin_arg::sight, sight_of_action] {
            if let Some(sight) = sight(here, at)? {
                return Ok(sight);
            }
        }
        let (name, after) = rest.split_at(name_length(rest));
        let is_whole = is_name_whole(rest, here.finished);
        let is_word = "print".starts_with(rest) || (self.in_fence && "return".starts_with(rest));
        here.wait_if(!is_whole && (is_word || here.tools.may_bind(rest)))?;
        let is_print = name == "print" && after.starts_with('(');
        if is_print || (name == "return" && self.in_fence && after.starts_with(' ')) {
            let signs: &[char] = if is_print { &['(', '[', ' '] } else { &[' '] };
            let inner = behind(after, signs);
            here.wait_if(inner.is_empty())?;
            return when_named(here, inner, at, Shape::Call);
        }
        if !is_whole || !here.tools.binds(name) {
            return Ok(Sight::Text);
        }
        match sight_after_name(here, at, after) {
            Ok(Sight::Text) => self.sight_of_words(here, at),
            seen => seen,
        }
    }

    /// A name of which the parameters stand in words, outside of fences and of lists.
    fn sight_of_words(&self, here: &Cursor<'_>, at: usize) -> Seen<Sight> {
        let is_outside = self.nesting == 0 && self.fence.is_none() && !self.in_fence;
        let is_plain = here.head(at).chars().all(|c| matches!(c, '`' | '*'));
        if here.tools.is_any() || !is_outside || !is_plain {
            return Ok(Sight::Text);
        }
        let call = call_in_words(here.tail(at), here.finished, here.tools)?;
        Ok(call.map_or(Sight::Text, |call| Sight::InWords(at, call)))
    }
}

/// What makes a name a call: a parenthesis, an object, or a tag that names a parameter.
fn sight_after_name(here: &Cursor<'_>, at: usize, after: &str) -> Seen<Sight> {
    let is_call = || after.starts_with('(') && !here.head(at).contains('=');
    let body = behind(after, &[' ', '\t', '\r']);
    let inner = body.get(1..).unwrap_or_default();
    match body.as_bytes().first() {
        // Of the specification's calls only the form on one line is known.
        _ if here.tools.is_any() && !is_call() => Ok(Sight::Text),
        Some(b'(') => Ok(Sight::Call(at, Shape::Call)),
        Some(b'{') => Ok(Sight::Call(at, Shape::Named)),
        // `functions.f:` above an object, as llama-cpp-python teaches it.
        Some(b':') if here.tail(at).starts_with("functions.") => {
            sight_of_next_line(here, at, inner)
        }
        Some(b':') => sight_of_labelled(here, at, inner),
        Some(b'\n') => sight_of_next_line(here, at, body),
        Some(b'<' | b'[') => sight_of_tags(here, at, body),
        // `**Tool call:** `f``, with the arguments in the next line.
        Some(b'`' | b'*') if here.head(at).to_ascii_lowercase().contains("call") => {
            match behind(body, &['`', '*', ' ', '\r']) {
                "" => here.at_end(Sight::Text),
                next if next.starts_with('\n') => sight_of_next_line(here, at, next),
                _ => Ok(Sight::Text),
            }
        }
        None => here.at_end(Sight::Text),
        _ => Ok(Sight::Text),
    }
}

/// A name alone in its line, and what stands in the next one, in a fence or not.
fn sight_of_next_line(here: &Cursor<'_>, at: usize, body: &str) -> Seen<Sight> {
    // An object that was written as a text.
    const QUOTED: &str = "\"{\\\"";
    let next = behind(body, &BLANKS);
    here.wait_if("```json".starts_with(next))?;
    if at > 0 && fields::label_before_object(next, here.finished)?.is_some() {
        return Ok(Sight::Call(at, Shape::Named));
    }
    if behind_word(next, BEGIN, here.finished)?.is_some() {
        return Ok(Sight::Worded(at));
    }
    let fenced = next.strip_prefix(FENCE);
    let fenced = fenced.map(|next| next.strip_prefix("json").unwrap_or(next));
    let object = fenced.map_or(next, |fenced| behind(fenced, &BLANKS));
    match object.as_bytes().first() {
        Some(b'{') => Ok(Sight::Call(at, Shape::Named)),
        Some(b'"') if here.begins(object, QUOTED)? => Ok(Sight::Prefix(at, Format::FunctionaryV32)),
        Some(b'<') => sight_of_tags(here, at, next),
        None => here.at_end(Sight::Text),
        _ => Ok(Sight::Text),
    }
}

/// A name and a tag that only stands between a name and its arguments.
fn sight_of_tags(here: &Cursor<'_>, at: usize, tags: &str) -> Seen<Sight> {
    let start = here.text.len() - tags.len();
    let Some(tag) = here.tag(start)?.filter(|tag| !tag.close) else {
        return Ok(Sight::Text);
    };
    let is_square = tags.starts_with('[');
    let format = match tag.role() {
        Some(Role::Wrapper) if is_square && begins_arguments(here, tag.end())? => {
            Format::MistralArgs
        }
        // What a server leaves of `[TOOL_CALLS]N[ARGS]{}` that drops the first token.
        Some(Role::Separator) if is_square => Format::MistralArgs,
        Some(Role::Separator | Role::Channel) => Format::Inkling,
        Some(Role::Key | Role::Parameter | Role::Value) => Format::Glm45,
        _ => return Ok(Sight::Text),
    };
    Ok(Sight::Prefix(at, format))
}

/// `Action:` of ReAct and of Command R.
fn sight_of_action(here: &Cursor<'_>, at: usize) -> Seen<Option<Sight>> {
    let rest = here.tail(at);
    if !here.begins(rest, ACTION)? {
        return Ok(None);
    }
    let after = rest.get(ACTION.len()..).unwrap_or_default();
    let body = behind(after, &[' ', '\t', '\n', '\r', '*']);
    Ok(Some(match body.as_bytes().first() {
        None => here.at_end(Sight::Text)?,
        // Endless decoration.
        Some(b' ' | b'\t' | b'\n' | b'\r' | b'*') => Sight::Text,
        Some(b'[' | b'{') => Sight::Call(at, Shape::Action),
        Some(b'`') if here.begins(body, FENCE)? => Sight::Call(at, Shape::Action),
        Some(_) => match when_named(here, behind(body, &['`', '*', '"']), at, Shape::Action)? {
            Sight::Text => sight_of_words(here, at, body)?,
            call => call,
        },
    }))
}

/// `Action: Use the search tool`, and an input in the next line.
fn sight_of_words(here: &Cursor<'_>, at: usize, body: &str) -> Seen<Sight> {
    let near = beginning(body);
    let may_go_on = !here.finished && near.len() == body.len() && !here.tools.is_any();
    let is_open = near.split_once('\n').is_none_or(|(_, next)| {
        let next = next.trim_start_matches(BEFORE_INPUT);
        INPUT.starts_with(next) && next != INPUT
    });
    match is_open {
        true if may_go_on => Err(More),
        false if named_in_words(near, here.tools).is_some() => Ok(Sight::Call(at, Shape::Action)),
        _ => Ok(Sight::Text),
    }
}

/// `name: {"a": 1}`, with what stands behind the colon.
fn sight_of_labelled(here: &Cursor<'_>, at: usize, after: &str) -> Seen<Sight> {
    let object = behind(after, &[' ']);
    let inner = object.strip_prefix('{').map(|inner| behind(inner, &[' ']));
    match inner.unwrap_or(object).chars().next() {
        None => here.at_end(Sight::Text),
        Some('"' | '\'') if inner.is_some() => Ok(Sight::Call(at, Shape::Named)),
        Some(_) => Ok(Sight::Text),
    }
}

/// Whether arguments follow a marker that ends at `at`, right behind it or behind `[ARGS]`, so that
/// a name before the marker is the one that belongs behind it.
pub(crate) fn begins_arguments(here: &Cursor<'_>, at: usize) -> Result<bool, More> {
    let rest = here.tail(at);
    Ok(rest.starts_with('{') || here.begins(rest, "[ARGS]")?)
}

/// Behind the bracket at `at` a word stands: a tool, or what leads to one.
pub(super) fn sight_of_name_in_brackets(here: &Cursor<'_>, inner: &str, at: usize) -> Seen<Sight> {
    if !matches!(when_named(here, inner, at, Shape::List)?, Sight::Text) {
        return sight_behind_brackets(here, inner, at);
    }
    match sight_in_brackets(here, at + 1) {
        Ok(Sight::Text) => {}
        seen => return seen,
    }
    if here.begins(inner, CALLING)? {
        return Ok(Sight::Call(at, Shape::List));
    }
    // A list that begins with a call of something else than a bound tool.
    match inner.as_bytes().get(name_length(inner)) {
        _ if here.tools.is_any() || is_token(inner) => Ok(Sight::Text),
        _ if !is_name_whole(inner, here.finished) => Err(More),
        Some(b'(') => Ok(Sight::Call(at, Shape::List)),
        _ => Ok(Sight::Text),
    }
}

/// `[Calling tool: f({...})]`: the bracket, and the label that begins at `from`, are markup.
fn sight_in_brackets(here: &Cursor<'_>, from: usize) -> Seen<Sight> {
    if is_token(here.tail(from)) {
        return Ok(Sight::Text);
    }
    let to = from + label(beginning(here.tail(from)), here.finished).ok_or(More)?;
    let rest = here.tail(to);
    // `[Tool: f(query)]` rather speaks of one.
    let is_call = here.part(from, to).to_ascii_lowercase().contains("call");
    if !is_call || matches!(when_named(here, rest, to, Shape::Call)?, Sight::Text) {
        return Ok(Sight::Text);
    }
    let after = rest.get(name_length(rest)..).unwrap_or_default();
    Ok(match after.as_bytes().first() {
        Some(b'(' | b'{') => Sight::Prefix(to, Format::Pythonic),
        _ if here.begins(after, WITH_ARGUMENTS)? => Sight::Call(from - 1, Shape::List),
        _ => Sight::Text,
    })
}

/// `[f]⏎{"a": 1}⏎[END_TOOL_REQUEST]`, and every other list that begins with the name of a tool.
fn sight_behind_brackets(here: &Cursor<'_>, inner: &str, at: usize) -> Seen<Sight> {
    let behind_name = inner.get(name_length(inner)..).unwrap_or_default();
    let body = behind_name.strip_prefix(']');
    match body.map(|body| behind(body, &BLANKS)) {
        Some("") if !here.finished => Err(More),
        Some(object) if object.starts_with('{') && !here.tools.is_any() => {
            Ok(Sight::Call(at, Shape::Named))
        }
        _ => Ok(Sight::Call(at, Shape::List)),
    }
}

/// True for what may be `[TOOL_CALLS]`, which comes in pieces.
fn is_token(inner: &str) -> bool {
    matches!(inner.as_bytes(), [_, b'A'..=b'Z', ..])
}

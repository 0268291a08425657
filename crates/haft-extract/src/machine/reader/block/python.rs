//! Plain calls that stand one behind the other, such as `f(x=1), g()`, in a line or in brackets.
//!
//! Gemma's `tool_code` is run as Python: calls whose results are kept for a later `print` are meant
//! as much as others, and so are those whose `print` lost a parenthesis.
//!
//! In square brackets stands also what is neither Python nor JSON as a whole: a list that begins with
//! a tool that is not bound, `[find_town(q="Oslo"), get_weather(city="Oslo")]`, a tool that is named
//! by an attribute, `[Calling tool="get_weather" city="Oslo"]`, or in words, `[Calling tool:
//! get_weather with arguments: {"city": "Oslo"}]`, and LM Studio's form without its first token,
//! `[get_weather]⏎{"city": "Oslo"}⏎[END_TOOL_REQUEST]`.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::super::line::{WITH_ARGUMENTS, begins_call, label};
use super::{is_code, is_comment, is_signature, name_length, parenthesised};
use crate::machine::{Calls, FoundCall, Written};
use crate::scan::{Attributes, attribute, within};
use crate::{Format, ToolSet, arguments::value};

/// What may stand between two calls.
const BETWEEN: &str = " \t,;`*[]\n\r+|'\"\\";

/// Calls such as `f(x=1), g()`, `print(f(x=1))` or, in a fence, `return f(x=1)`, if `text` holds
/// nothing else. With `cut` the last one may lack its end.
pub(super) fn calls_in_line(text: &str, cut: bool, tools: &ToolSet) -> Option<Calls> {
    let printed = text.strip_prefix("print(");
    let printed = printed.map(|inner| inner.trim_end().strip_suffix(')').unwrap_or(inner));
    let calls = printed.or_else(|| text.strip_prefix("return "));
    plain_calls(calls.unwrap_or(text), cut, tools, Format::PlainCall)
}

/// The calls in `text`. In brackets, which are Python's, some may be of no bound tool: those are
/// answered with an error. They have named values only, as calls of functions in a program seldom
/// do.
fn plain_calls(text: &str, cut: bool, tools: &ToolSet, format: Format) -> Option<Calls> {
    let mut calls = Vec::new();
    let mut has_bound = false;
    let mut rest = text;
    loop {
        rest = match format {
            Format::Pythonic => rest.trim_start(),
            _ => rest.trim_start_matches(|c| BETWEEN.contains(c)),
        };
        if rest.is_empty() || is_comment(rest) {
            return has_bound.then_some(calls);
        }
        let (name, behind) = rest.split_at(name_length(rest));
        let after = behind.trim_start_matches(' ');
        let is_bound = tools.binds(name);
        let may_be_unknown = format == Format::Pythonic && behind.starts_with('(');
        let may_be_call = is_bound || (may_be_unknown && !name.is_empty());
        if !may_be_call || !after.starts_with('(') {
            return None;
        }
        let (arguments, next, is_whole) = parenthesised(after);
        let is_apart = after.len() < behind.len();
        let is_meant = match is_bound {
            true => !is_signature(name, arguments, tools) && !is_code(arguments, is_apart),
            false => value::read_parenthesized(arguments, false)
                .is_ok_and(|read| read.value.positional.is_empty() && !read.value.named.is_empty()),
        };
        if !is_meant || !(is_whole || cut) {
            return None;
        }
        has_bound |= is_bound;
        let arguments = Written::Call(arguments.to_owned().into());
        calls.push(FoundCall::whole(name.to_owned(), arguments, format).cut(!is_whole));
        rest = match next.trim_start() {
            next if format == Format::Pythonic && !next.is_empty() => next.strip_prefix(',')?,
            _ => next,
        };
    }
}

/// How a fence begins whose content a model wants to be run.
pub(super) const TOOL_CODE: &str = "```tool_code";

/// `content` without the variables that take the results of calls, without the lines that only
/// print them, and without `print` around a call.
pub(super) fn without_assignments<'t>(content: &'t str, tools: &ToolSet) -> Cow<'t, str> {
    if tools.is_any() {
        return content.into();
    }
    let mut variables = Vec::new();
    let mut plain = String::with_capacity(content.len());
    for line in content.split_inclusive('\n') {
        let printed = line.trim().strip_prefix("print(");
        let printed = printed.and_then(|inner| inner.strip_suffix(')'));
        let is_printed = printed.is_some_and(|name| variables.contains(&name.trim()));
        if let Some((name, call)) = assigned(line, tools) {
            plain.push_str(&with_placeholder(call, &variables));
            variables.push(name);
        } else if let Some(call) = printed_call(line, tools) {
            plain.push_str(&with_placeholder(call, &variables));
            plain.push('\n');
        } else if is_printed {
            plain.push('\n');
        } else if begins_call(line.trim_start(), tools) {
            plain.push_str(&with_placeholder(line, &variables));
        } else {
            plain.push_str(line);
        }
    }
    plain.into()
}

/// The call, with a placeholder where a variable is the value of an argument, whose result is not known yet:
/// one is enough for the call not to run.
fn with_placeholder<'t>(call: &'t str, variables: &[&str]) -> Cow<'t, str> {
    let values = variables
        .iter()
        .flat_map(|name| [",", ")"].map(|end| (name, end)));
    for (name, end) in values {
        let value = format!("={name}{end}");
        // Within quotes it is text.
        let is_bare = |before: &&str| before.matches(['"', '\'']).count().is_multiple_of(2);
        let places = call.match_indices(&value);
        let mut before = places.filter_map(|(at, _)| call.get(..at));
        if let Some(before) = before.find(is_bare) {
            let behind = call.get(before.len() + value.len()..).unwrap_or_default();
            return format!("{before}=\"{{{{result of {name}}}}}\"{end}{behind}").into();
        }
    }
    call.into()
}

/// The call of `print(f(a=1))`, where one of the parentheses around it may be missing.
fn printed_call<'t>(line: &'t str, tools: &ToolSet) -> Option<&'t str> {
    let inner = line.trim().strip_prefix("print")?;
    let call = inner.trim_start_matches(['(', ' ']);
    let arguments = call.get(name_length(call)..)?;
    let (_, rest, is_whole) = parenthesised(begins_call(call, tools).then_some(arguments)?);
    let is_alone = is_whole && matches!(rest, "" | ")");
    is_alone.then(|| call.strip_suffix(rest).unwrap_or(call))
}

/// The variable and the call of `result = f(a=1)`.
fn assigned<'t>(line: &'t str, tools: &ToolSet) -> Option<(&'t str, &'t str)> {
    let (name, call) = line.split_once('=')?;
    let (name, call) = (name.trim(), call.trim_start_matches(' '));
    (begins_call(call, tools) && is_variable(name)).then_some((name, call))
}

fn is_variable(name: &str) -> bool {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    name.starts_with(|c: char| c.is_alphabetic() || c == '_') && name.chars().all(is_letter)
}

/// The calls in square brackets that `text` is, if it holds nothing else.
pub(super) fn calls_in_brackets(text: &str, tools: &ToolSet) -> Option<Calls> {
    let inner = within(text.trim(), '[', ']').filter(|_| !tools.is_any())?;
    let label = label(inner, true).unwrap_or_default();
    if let Some((name, object)) = inner.get(label..)?.split_once(WITH_ARGUMENTS)
        && tools.binds(name)
    {
        let object = object.trim();
        within(object, '{', '}')?;
        let object = Written::Object(object.to_owned().into());
        let call = FoundCall::whole(name.to_owned(), object, Format::Pythonic);
        return Some(vec![call]);
    }
    match inner.strip_prefix("Calling ") {
        Some(attributes) => with_attributes(attributes, tools).map(|found| vec![found]),
        None => plain_calls(inner, false, tools, Format::Pythonic),
    }
}

/// The call of `tool="N" a="b"`, where each attribute is a parameter of it.
fn with_attributes(attributes: &str, tools: &ToolSet) -> Option<FoundCall<'static>> {
    const TOOL: &str = "tool";
    let name = attribute(attributes, TOOL).filter(|name| tools.binds_exactly(name))?;
    let mut arguments = Map::new();
    for (key, value) in Attributes::new(attributes).filter(|(key, _)| *key != TOOL) {
        let value = value.filter(|_| tools.has_parameter(name, key))?;
        arguments.insert(key.to_owned(), Value::String(value.to_owned()));
    }
    // Without any, it rather is a note that a tool is called.
    let has_arguments = !arguments.is_empty();
    let written = Written::Value(Value::Object(arguments), attributes.to_owned().into());
    has_arguments.then(|| FoundCall::whole(name.to_owned(), written, Format::Pythonic))
}

/// `[N]⏎{...}` as `N⏎{...}`.
pub(super) fn without_brackets(text: &str) -> Cow<'_, str> {
    let inner = text.strip_prefix('[');
    match inner.and_then(|inner| inner.split_once(']')) {
        Some((name, object)) => format!("{name} {}", object.trim_start()).into(),
        None => text.into(),
    }
}

//! Reads the arguments of a call, whatever notation they are in, and brings them into the shape
//! of the tool's schema. [`value`](crate::arguments::value) reads the notations, `haft-schema` has the shape.
//!
//! `in_tags` reads arguments between tags, `object` takes them out of what they are wrapped in and
//! names those without a name, `example` tells those that only show how a call is written.

mod example;
mod in_tags;
mod inner;
mod lines;
mod object;
mod tags;

use std::borrow::Cow;

use haft_core::Arguments;
use haft_schema::{
    Coerced, CompiledSchema, Guessing, Repair, RepairKind, match_key, settle_numbers,
};
use memchr::memchr2_iter;
use serde_json::Value;

use crate::arguments::value::{self, CallArguments, Read, ReadError};
use crate::machine::{FoundCall, Written};
use crate::scan::{is_arguments_key, is_name_key, whole_tag};
use crate::tool_set::{BoundTool, Named};
use crate::{ToolSet, formats::Role, limits};

use example::are_placeholders;
pub(crate) use example::is_example;
use in_tags::in_tags;
use inner::needs_a_result;
pub(crate) use inner::{inner_calls, name_before};
pub(crate) use object::with_places;
use object::{as_arguments, is_place, left_over};
pub(crate) use tags::items_of;

/// Arguments that were read, or what is wrong with them, in a sentence for the model.
type Outcome = Result<Read<Arguments>, String>;

/// Reads and checks a call: arguments in JSON are read by `serde_json` where that is valid, and come
/// out as they are where they fit the schema. The error is a sentence for the model.
pub(crate) fn read(
    found: &mut FoundCall<'_>,
    named: Named<'_>,
    tools: &ToolSet,
) -> Result<Coerced, String> {
    if matches!(named, Named::Unknown) {
        return Err(unknown(&found.name, tools));
    }
    let tool = named.tool();
    let schema = tool.and_then(BoundTool::schema);
    let mut read = read_arguments(found, tool)?;
    let text = found.arguments.text();
    // `...`, `<city>`, `YOUR_CITY`
    if tool.is_some_and(|tool| are_placeholders(&read.value, tool)) {
        return Err(arrived("The arguments are placeholders", text));
    }
    // `<result of the search>`, `{{get_weather.summary}}`, `f(g(1))`, `files[0]`
    if needs_a_result(found, &read, tools) {
        let wrong =
            "A value is not known yet, such as the result of a call that has to be made first";
        return Err(arrived(wrong, text));
    }
    let has_quotes = |repairs| has(repairs, RepairKind::InnerQuote);
    if (has_quotes(&read.repairs) || has_quotes(&found.repairs))
        && runs_on(&read.value, &found.arguments, schema)
    {
        return Err(cut_off(text));
    }
    let mut repairs = std::mem::take(&mut found.repairs);
    repairs.extend(found.repaired.then(tag_repair));
    repairs.append(&mut read.repairs);
    let mut arguments = read.value;
    if let Some((tool, schema)) = tool.zip(schema)
        && !schema.fits(&arguments)
    {
        let guessing = Guessing::for_tool(tool.definition.read_only);
        let coerced = schema.coerce_with(arguments, guessing);
        let settled = schema.settle(coerced, guessing, tool.definition.destructive);
        let settled = settled.map_err(|violations| violations.to_string())?;
        left_over(&settled.arguments, tool)?;
        repairs.extend(settled.repairs);
        arguments = settled.arguments;
    }
    arguments.values_mut().for_each(settle_numbers);
    Ok(Coerced { arguments, repairs })
}

fn tag_repair() -> Repair {
    Repair::new("", RepairKind::TagRepaired, "", "")
}

/// True where quotes inside were not escaped, and a text without its last quote more likely ran into
/// another call, argument or item.
fn runs_on(arguments: &Arguments, written: &Written<'_>, schema: Option<&CompiledSchema>) -> bool {
    // In an object, the next call would begin with a frame of its own.
    let is_call = matches!(written, Written::Call(_));
    let is_next = |key: &String| is_call || is_arguments_key(key) || is_name_key(key);
    let is_other = |key: &String| is_next(key) && is_foreign(key, schema);
    let is_parameter =
        |key: &str| schema.is_some_and(|schema| schema.properties().any(|it| it == key));
    let holds_next =
        |value| holds_marker(value) || holds_member(value, is_parameter) || holds_items(value);
    arguments.values().any(holds_next) || arguments.keys().any(is_other)
}

fn has(repairs: &[Repair], kind: RepairKind) -> bool {
    repairs.iter().any(|repair| repair.kind == kind)
}

/// True for a name that is no parameter.
fn is_foreign(key: &str, schema: Option<&CompiledSchema>) -> bool {
    schema.is_some_and(|schema| {
        let mut names = schema.properties().peekable();
        !is_place(key) && names.peek().is_some() && match_key(key, names).is_none()
    })
}

/// True for a text in which another argument begins: `hi, "subject": "re`, whose quote was lost.
fn holds_member(value: &Value, is_parameter: impl Fn(&str) -> bool) -> bool {
    let text = value.as_str().unwrap_or_default();
    let mut members = text.split(", \"").skip(1).filter(|_| lacks_quote(text));
    members.any(|member| {
        let key = member.split_once("\":").map(|(key, _)| key);
        key.is_some_and(&is_parameter)
    })
}

/// True for a list with a text that took another item in: `["ann", bob"]`, whose quote was lost.
fn holds_items(value: &Value) -> bool {
    let mut items = value
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str);
    items.any(|text| lacks_quote(text) && (text.contains("\",") || text.contains(", \"")))
}

/// True for a text with a quote that has no partner.
fn lacks_quote(text: &str) -> bool {
    text.matches('"').count() % 2 == 1
}

/// True for a text in which another call is announced.
fn holds_marker(value: &Value) -> bool {
    let text = value.as_str().unwrap_or_default();
    // Functionary's, which is no prompt of Python's: no blank stands behind it.
    let mut lines = text.split("\n>>>").skip(1);
    if lines.any(|line| line.starts_with(char::is_alphabetic)) {
        return true;
    }
    memchr2_iter(b'<', b'[', text.as_bytes()).any(|at| {
        let rest = text.get(at..).unwrap_or_default();
        whole_tag(rest).is_some_and(|tag| {
            let is_token = tag.barred && tag.marker.is_some();
            is_token || tag.opens(Role::Wrapper) || tag.opens(Role::Invoke)
        })
    })
}

/// True where a bound tool takes the arguments of a call.
pub(crate) fn can_run(call: &FoundCall<'_>, tools: &ToolSet) -> bool {
    read(&mut call.clone(), tools.find(&call.name), tools).is_ok()
}

fn read_arguments(found: &mut FoundCall<'_>, tool: Option<&BoundTool>) -> Outcome {
    if let (Written::Tags(text, list), false) = (&found.arguments, found.cut) {
        return in_tags(found, text, list, tool);
    }
    let schema = tool.and_then(BoundTool::schema);
    let takes_any = schema.is_some_and(|schema| schema.properties().next().is_some());
    match &mut found.arguments {
        // An object as it is, unless it is wrapped in another or is a whole call.
        Written::Object(text) => {
            let read = value::read_value(text, found.cut).map_err(|error| failed(&error, text))?;
            as_arguments(read, tool, text)
        }
        Written::Nothing | Written::Value(Value::Null, _) if found.cut && takes_any => {
            Err("The call is cut off before its arguments".to_owned())
        }
        Written::Nothing => Ok(Read::unrepaired(Arguments::new())),
        Written::Call(text) => {
            // `f(**{"a": 1})`.
            let text = text.trim().strip_prefix("**").unwrap_or(text);
            let read = value::read_parenthesized(text, found.cut);
            let Read { value, repairs } = read.map_err(|error| failed(&error, text))?;
            let quoted = tool.and_then(|tool| quoted_object(&value, tool));
            let value = quoted.unwrap_or_else(|| match tool {
                Some(_) => with_places(value),
                None => value.into_texts(),
            });
            Ok(Read { value, repairs })
        }
        Written::Tags(text, _) => Err(cut_off(text)),
        // Nothing says that text without quotes was meant as the value of anything.
        Written::Value(Value::String(_), text) if has(&found.repairs, RepairKind::BareText) => {
            Err(unreadable("an object", text))
        }
        Written::Value(value, text) => as_arguments(Read::unrepaired(value.take()), tool, text),
        Written::Unreadable(text, why) => Err(arrived(&format!("The call {why}"), text)),
    }
}

/// The arguments of `f("{\"city\": \"Oslo\"}")`: one text that holds an object, whose names are all
/// those of parameters.
fn quoted_object(arguments: &CallArguments<'_>, tool: &BoundTool) -> Option<Arguments> {
    let [argument] = arguments.positional.as_slice() else {
        return None;
    };
    let inner: Arguments = serde_json::from_str(argument.value.as_str()?.trim()).ok()?;
    let is_only = arguments.named.is_empty() && are_parameters(&inner, tool.schema()?);
    is_only.then_some(inner)
}

/// True for arguments, of which each has the name of a parameter.
pub(crate) fn are_parameters(arguments: &Arguments, schema: &CompiledSchema) -> bool {
    let is_parameter = |key: &String| match_key(key, schema.properties()).is_some();
    !arguments.is_empty() && arguments.keys().all(is_parameter)
}

/// The arguments as text: the model's own where that is an object, else made of what was read.
pub(crate) fn raw_arguments<'t>(found: &'t FoundCall<'_>, named: Named<'_>) -> Cow<'t, str> {
    match &found.arguments {
        Written::Object(text) if is_json_like(text) => Cow::Borrowed(text),
        Written::Nothing => Cow::Borrowed("{}"),
        _ => match read_arguments(&mut found.clone(), named.tool()) {
            Ok(mut read) => {
                read.value.values_mut().for_each(settle_numbers);
                let text = serde_json::to_string(&read.value);
                Cow::Owned(text.unwrap_or_default())
            }
            Err(_) => Cow::Borrowed(found.arguments.text()),
        },
    }
}

/// An object whose first name is quoted: JSON as far as anyone passes it on unread.
fn is_json_like(text: &str) -> bool {
    let inner = text.trim_start().strip_prefix('{').map(str::trim_start);
    inner.is_some_and(|inner| inner.starts_with(['"', '}']))
}

fn unknown(name: &str, tools: &ToolSet) -> String {
    let unknown = format!("There is no tool named \"{name}\"");
    match tools.nearest(name).as_slice() {
        [] => unknown,
        nearest => format!("{unknown}; there is {}", nearest.join(", ")),
    }
}

fn failed(error: &ReadError, text: &str) -> String {
    match error {
        ReadError::CutOff => cut_off(text),
        ReadError::Unreadable { expected, .. } => unreadable(expected, text),
    }
}

fn unreadable(expected: &str, text: &str) -> String {
    let what = format!("The arguments cannot be read, {expected} was expected");
    arrived(&what, text)
}

fn cut_off(text: &str) -> String {
    arrived("The call is cut off in the middle", text)
}

/// What is wrong with a call, and what stands there instead.
fn arrived(what: &str, text: &str) -> String {
    format!("{what}; this arrived: {}", shown(text))
}

pub(crate) fn shown(text: &str) -> String {
    text.chars().take(limits::SHOWN).collect()
}

#[cfg(test)]
mod tests;

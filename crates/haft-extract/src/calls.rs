//! Reads the arguments of a call, whatever notation they are in, and brings them into the shape
//! of the tool's schema. [`value`](crate::arguments::value) reads the notations, `haft-schema` has the shape.

mod errors;
mod example;
mod in_tags;
mod inner;
mod lines;
mod lost_ends;
mod places;
mod raw;
mod tags;

use haft_core::Arguments;
use haft_schema::{
    Coerced, CompiledSchema, Guessing, Repair, RepairKind, match_key, settle_numbers,
};
use memchr::memchr2_iter;
use serde_json::{Map, Value};

use crate::arguments::value::{self, CallArguments, Read};
use crate::formats::Role;
use crate::machine::raw_call::{RawCall, Written};
use crate::machine::reader::members_in_line;
use crate::measure::{self, Part};
use crate::scan::balance::{is_arguments_key, is_name_key};
use crate::scan::tag::read_tag;
use crate::tool_set::{BoundTool, Named};

use errors::{cut_off, failed, no_object, shown, unknown};
pub(crate) use example::are_placeholders;
use in_tags::in_tags;
pub(crate) use inner::inner_calls;
pub(crate) use places::with_places;
use places::{is_place, left_over, place};
pub(crate) use raw::raw_arguments;

/// How often arguments may be wrapped in a string.
const MAX_WRAPS: usize = 3;

/// Reads and checks a call. The error is a sentence for the model.
pub(crate) fn read(
    found: &mut RawCall<'_>,
    named: Named<'_>,
    nearest: impl FnOnce() -> Vec<String>,
) -> Result<Coerced, String> {
    let tool = match named {
        Named::Bound(tool) => Some(tool),
        Named::Anything => None,
        Named::Unknown => return Err(unknown(&found.name, &nearest())),
    };
    let schema = tool.and_then(BoundTool::schema);
    let mut read = read_arguments(found, tool)?;
    let text = found.arguments.text();
    if tool.is_some_and(|tool| are_placeholders(&read.value, tool)) {
        let text = shown(text);
        return Err(format!(
            "The arguments are placeholders; this arrived: {text}"
        ));
    }
    if has(&read.repairs, RepairKind::InnerQuote)
        && runs_into_next(&read.value, &found.arguments, schema)
    {
        return Err(cut_off(text));
    }
    let mut repairs = std::mem::take(&mut found.repairs);
    repairs.extend(found.repaired.then(tag_repair));
    repairs.append(&mut read.repairs);
    if !measure::is_on(Part::Repair) && !repairs.is_empty() {
        return Err("The call had to be repaired".to_owned());
    }
    let mut arguments = read.value;
    if let Some((tool, schema)) = tool.zip(schema)
        && !schema.fits(&arguments)
    {
        let guessing = Guessing::for_tool(tool.definition.read_only);
        let coerced = match measure::is_on(Part::Coercion) {
            true => schema.coerce_with(arguments, guessing),
            false => Coerced {
                arguments,
                repairs: Vec::new(),
            },
        };
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

/// True where quotes inside were not escaped, and the text without its last quote more likely ran
/// into another call.
fn runs_into_next(
    arguments: &Arguments,
    written: &Written<'_>,
    schema: Option<&CompiledSchema>,
) -> bool {
    // In an object, the next call would begin with a frame of its own.
    let is_next = |key: &String| match written {
        Written::Call(_) => true,
        _ => is_arguments_key(key) || is_name_key(key),
    };
    let is_other = |key: &String| is_next(key) && is_foreign(key, schema);
    arguments.values().any(holds_marker) || arguments.keys().any(is_other)
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

/// True for a text in which another call is announced.
fn holds_marker(value: &Value) -> bool {
    let Some(text) = value.as_str() else {
        return false;
    };
    memchr2_iter(b'<', b'[', text.as_bytes()).any(|at| {
        let rest = text.get(at..).unwrap_or_default();
        read_tag(rest).is_some_and(|tag| !tag.close && tag.has_role(Role::Wrapper))
    })
}

/// The arguments of a call of `tool` as they stand there, whatever its schema says.
pub(crate) fn as_written(found: &mut RawCall<'_>, tool: &BoundTool) -> Result<Arguments, String> {
    read_arguments(found, Some(tool)).map(|read| read.value)
}

fn read_arguments(
    found: &mut RawCall<'_>,
    tool: Option<&BoundTool>,
) -> Result<Read<Arguments>, String> {
    match &mut found.arguments {
        Written::Nothing | Written::Value(Value::Null, _) if found.cut && takes_any(tool) => {
            Err("The call is cut off before its arguments".to_owned())
        }
        Written::Nothing => Ok(Read::unrepaired(Arguments::new())),
        Written::Object(text) => {
            let read = value::read_value(text, found.cut).map_err(|error| failed(&error, text))?;
            object(read, tool, text)
        }
        Written::Call(text) => {
            // `f(**{"a": 1})`.
            let text = text.trim().strip_prefix("**").unwrap_or(text);
            let read = value::read_arguments(text, found.cut);
            let Read { value, repairs } = read.map_err(|error| failed(&error, text))?;
            let quoted = tool.and_then(|tool| quoted_object(&value, tool));
            let value = quoted.unwrap_or_else(|| match tool {
                Some(_) => with_places(value),
                None => value.into_texts(),
            });
            Ok(Read { value, repairs })
        }
        Written::Tags(text, _) if found.cut => Err(cut_off(text)),
        Written::Tags(text, list) => in_tags((text, list), (&found.name, found.format), tool),
        // Nothing says that text without quotes was meant as the value of anything.
        Written::Value(Value::String(_), text) if has(&found.repairs, RepairKind::BareText) => {
            Err(no_object(text))
        }
        Written::Value(value, text) => object(Read::unrepaired(value.take()), tool, text),
        Written::Unreadable(text, why) => {
            Err(format!("The call {why}; this arrived: {}", shown(text)))
        }
    }
}

/// True for a tool that has parameters.
fn takes_any(tool: Option<&BoundTool>) -> bool {
    let schema = tool.and_then(BoundTool::schema);
    schema.is_some_and(|schema| schema.properties().next().is_some())
}

/// The arguments of `f("{\"city\": \"Oslo\"}")`: one text that holds an object, whose names are all
/// those of parameters.
fn quoted_object(arguments: &CallArguments<'_>, tool: &BoundTool) -> Option<Arguments> {
    let [argument] = arguments.positional.as_slice() else {
        return None;
    };
    let text = argument.value.as_str()?.trim();
    if !arguments.named.is_empty() || !text.starts_with('{') {
        return None;
    }
    let inner: Map<String, Value> = serde_json::from_str(text).ok()?;
    let schema = tool.schema()?;
    let is_parameter = |key: &String| match_key(key, schema.properties()).is_some();
    (!inner.is_empty() && inner.keys().all(is_parameter)).then_some(inner)
}

/// The object that a value is or holds.
fn object(
    read: Read<Value>,
    tool: Option<&BoundTool>,
    text: &str,
) -> Result<Read<Arguments>, String> {
    let Read {
        mut value,
        mut repairs,
    } = read;
    let mut wraps = 0;
    loop {
        value = match value {
            Value::Object(value) => {
                let value = unwrapped(value, tool);
                return Ok(Read { value, repairs });
            }
            Value::Null => return Ok(Read::unrepaired(Arguments::new())),
            Value::String(inner) if wraps < MAX_WRAPS => {
                if inner.trim().is_empty() {
                    return Ok(Read::unrepaired(Arguments::new()));
                }
                // `"arguments": "city": "Oslo"`: the brace is missing, and with it what came behind.
                if wraps == 0 && begins_member(text) {
                    return Err(no_object(text));
                }
                if !inner.trim_start().starts_with(['{', '[', '"', '(']) {
                    return positional(vec![Value::String(inner)], tool, text);
                }
                let read =
                    value::read_value(&inner, false).map_err(|error| failed(&error, text))?;
                if read.value.is_string() {
                    return positional(vec![read.value], tool, text);
                }
                repairs.push(Repair::new("", RepairKind::ParsedJson, shown(&inner), ""));
                repairs.extend(read.repairs);
                read.value
            }
            Value::Array(mut items) => match items.as_mut_slice() {
                [object @ Value::Object(_)] => object.take(),
                _ => return positional(items, tool, text),
            },
            other => return positional(vec![other], tool, text),
        };
        wraps += 1;
    }
}

/// True for `"city": "Oslo"`, the first quote of which may be gone already.
fn begins_member(text: &str) -> bool {
    let text = text.trim_start().trim_start_matches('"');
    let is_letter = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let after = text.trim_start_matches(is_letter);
    let after = after.strip_prefix('"').map(str::trim_start);
    after.is_some_and(|after| after.starts_with(':'))
}

/// The arguments of a call that was written whole where its arguments belong.
fn unwrapped(mut arguments: Arguments, tool: Option<&BoundTool>) -> Arguments {
    let name = tool.map(|tool| tool.definition.name.as_str());
    let is_name = |(key, value): (&String, &Value)| is_name_key(key) && value.as_str() == name;
    let is_inner = |(key, value): (&String, &Value)| is_arguments_key(key) && value.is_object();
    let is_call =
        arguments.len() == 2 && arguments.iter().any(is_name) && arguments.iter().any(is_inner);
    let inner = arguments
        .values_mut()
        .find(|value| is_call && value.is_object());
    match inner.map(Value::take) {
        Some(Value::Object(inner)) => inner,
        _ => arguments,
    }
}

/// Values without names, for the parameters in their order.
fn positional(
    items: Vec<Value>,
    tool: Option<&BoundTool>,
    text: &str,
) -> Result<Read<Arguments>, String> {
    if tool.is_none() && !items.is_empty() {
        let text = shown(text);
        return Err(format!(
            "The arguments must be an object, but this arrived: {text}"
        ));
    }
    if let [Value::String(text)] = items.as_slice()
        && let Some(members) = tool.and_then(|tool| members(text, tool))
    {
        return Ok(Read::unrepaired(members));
    }
    let name = |(at, value)| (place(at), value);
    let named = items.into_iter().enumerate().map(name).collect();
    Ok(Read::unrepaired(named))
}

/// The arguments of `name="Attic Fan" level=40`: named, without brackets around them.
fn members(text: &str, tool: &BoundTool) -> Option<Arguments> {
    let schema = tool.schema()?;
    let is_parameter = |key: &str| schema.properties().any(|known| known == key);
    // One text without quotes may as well be the value of another parameter.
    let is_quoted = text.contains("=\"") || text.contains(": \"");
    let members = is_quoted.then(|| members_in_line(text, is_parameter))??;
    Some(members.into_iter().collect())
}

#[cfg(test)]
mod tests;

//! The object that a value is or holds: in a string, in a list, as a call within the call; and values
//! without names. Those are named by their place, `arg0`, `arg1`, for the schema to rename; one that is
//! more than the tool has parameters fits none.

use haft_core::Arguments;
use haft_schema::{Repair, RepairKind};
use serde_json::Value;

use super::{
    BoundTool, CallArguments, Outcome, Read, are_parameters, failed, shown, unreadable, value,
};
use crate::scan::{is_arguments_key, is_name_key, is_word_of, within};
use crate::{limits, machine::reader::members_in_line};

/// What models write in place of arguments where there are none.
const NOTHING: &str = "none null n/a";

/// The object that a value is, as nearly always, or holds.
pub(super) fn as_arguments(read: Read<Value>, tool: Option<&BoundTool>, text: &str) -> Outcome {
    let (mut value, mut repairs) = (read.value, read.repairs);
    let mut wraps = 0;
    loop {
        value = match value {
            Value::Object(value) => {
                let value = unwrapped(value, tool);
                return Ok(Read { value, repairs });
            }
            Value::Null => return Ok(Read::unrepaired(Arguments::new())),
            Value::String(inner) if wraps < limits::NESTING => {
                if says_nothing(&inner) {
                    return Ok(Read::unrepaired(Arguments::new()));
                }
                // `"arguments": "city": "Oslo"`: the brace is missing, and with it what came behind.
                if wraps == 0 && begins_member(text) {
                    return Err(unreadable("an object", text));
                }
                if !inner.trim_start().starts_with(['{', '[', '"', '(']) {
                    return positional(vec![Value::String(inner)], tool, text);
                }
                let read =
                    value::read_value(&inner, false).map_err(|error| failed(&error, text))?;
                if let Value::String(inner) = &read.value
                    && !inner.trim_start().starts_with('{')
                {
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
            Value::Bool(_) if tool.is_some_and(BoundTool::begins_with_text) => {
                return Err(unreadable("an object", text));
            }
            other => return positional(vec![other], tool, text),
        };
        wraps += 1;
    }
}

/// True for a text that holds no arguments, and says no more than that.
fn says_nothing(text: &str) -> bool {
    let text = text.trim().trim_end_matches('.');
    text.is_empty() || is_word_of(NOTHING, text)
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
    let mut values = arguments.values_mut();
    let inner = values.find(|value| is_call && value.is_object());
    match inner.map(Value::take) {
        Some(Value::Object(inner)) => inner,
        _ => arguments,
    }
}

/// Values without names, for the parameters in their order.
fn positional(items: Vec<Value>, tool: Option<&BoundTool>, text: &str) -> Outcome {
    if tool.is_none() && !items.is_empty() {
        let wrong = "The arguments must be an object, but this arrived";
        return Err(format!("{wrong}: {}", shown(text)));
    }
    if let [Value::String(text)] = items.as_slice()
        && let Some(members) = tool.and_then(|tool| members(text, tool))
    {
        return Ok(members);
    }
    let name = |(at, value)| (place(at), value);
    let named = items.into_iter().enumerate().map(name).collect();
    Ok(Read::unrepaired(named))
}

/// The arguments of `name="Attic Fan" level=40`, of `name=fan, level=40` and of `f(level=40)`: named,
/// without brackets around them, or as a call of the tool.
fn members(text: &str, tool: &BoundTool) -> Option<Read<Arguments>> {
    let schema = tool.schema()?;
    let is_parameter = |key: &str| schema.properties().any(|known| known == key);
    let call = text.strip_prefix(tool.definition.name.as_str());
    let inner = call
        .and_then(|call| within(call.trim(), '(', ')'))
        .unwrap_or(text);
    let key = inner.split_once('=').map(|(key, _)| key);
    if key.is_some_and(is_parameter)
        && !inner.contains('\n')
        && let Ok(read) = value::read_parenthesized(inner, false)
        && read.value.positional.is_empty()
        && are_parameters(&read.value.named, schema)
    {
        let (value, repairs) = (with_places(read.value), read.repairs);
        return Some(Read { value, repairs });
    }
    // One text without quotes may as well be the value of another parameter.
    let is_quoted = text.contains("=\"") || text.contains(": \"");
    let members = is_quoted.then(|| members_in_line(text, &is_parameter))??;
    Some(Read::unrepaired(members.into_iter().collect()))
}

/// True for the name of an argument that was written without one.
pub(super) fn is_place(key: &str) -> bool {
    let place = key.strip_prefix("arg");
    place.is_some_and(|place| place.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The name of the value at a place.
pub(super) fn place(at: usize) -> String {
    format!("arg{at}")
}

/// Arguments by name; those without one are named by their place, for the schema to rename.
pub(crate) fn with_places(arguments: CallArguments<'_>) -> Arguments {
    let places = arguments.positional.into_iter().enumerate();
    let positional = places.map(|(at, argument)| (place(at), argument.value));
    positional.chain(arguments.named).collect()
}

/// What is wrong with arguments of which one kept the name of its place, although the tool names
/// all that it takes.
pub(super) fn left_over(arguments: &Arguments, tool: &BoundTool) -> Result<(), String> {
    let (schema, names) = (&tool.definition.parameters, &tool.parameters);
    let more = schema.get("additionalProperties");
    let takes_more = more.is_some_and(|more| *more != Value::Bool(false))
        || schema.get("patternProperties").is_some();
    let is_left = |(key, _): &(&String, &Value)| is_place(key) && !names.contains(key);
    match arguments.iter().find(is_left) {
        Some((_, value)) if !names.is_empty() && !takes_more => {
            let (value, names) = (shown(&value.to_string()), names.join(", "));
            Err(format!(
                "There is no parameter for the value {value}; there is {names}"
            ))
        }
        _ => Ok(()),
    }
}

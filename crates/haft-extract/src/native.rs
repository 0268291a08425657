//! Arguments that a model server handed over as arguments, yet that need reading: JSON in a
//! string, sometimes broken, sometimes without the name of the tool.
//!
//! What stands in the text of a reply is the [`Extractor`](crate::Extractor)'s.

use haft_core::Arguments;
use haft_schema::{Repair, RepairKind};
use serde_json::Value;

use crate::arguments::value::{self, Read, ReadError};
use crate::calls::{are_parameters, shown};
use crate::{ToolSet, limits, tool_set::BoundTool};

/// The object that `text` spells, read leniently where it is not JSON, with what was repaired.
///
/// Nothing at all, and `null`, mean "no arguments"; a string that holds an object is that object.
/// The arguments are neither coerced nor checked.
///
/// # Errors
///
/// What is wrong with it, in a sentence for the model: it is cut off inside a value, it cannot be
/// read, or it is no object.
///
/// ```
/// use haft_extract::read_arguments_text;
///
/// let (arguments, repairs) = read_arguments_text("{'days': 1.50, 'city': \"Oslo\",}")?;
/// assert_eq!(serde_json::to_string(&arguments).unwrap(), r#"{"days":1.5,"city":"Oslo"}"#);
/// assert!(!repairs.is_empty());
/// assert!(read_arguments_text(r#"{"city": "Os"#).is_err());
/// # Ok::<(), String>(())
/// ```
pub fn read_arguments_text(text: &str) -> Result<(Arguments, Vec<Repair>), String> {
    read(text, limits::NESTING)
}

/// The same for a call that the model ended by itself, not a limit on tokens: a number at the end is
/// whole then, a comma announces nothing, and only closers are missing.
///
/// # Errors
///
/// As [`read_arguments_text`].
pub fn read_ended_arguments_text(text: &str) -> Result<(Arguments, Vec<Repair>), String> {
    read(text, limits::NESTING).or_else(|error| {
        let said = text.trim_end();
        let said = said.strip_suffix(',').unwrap_or(said);
        let closed = format!("{said}}}");
        let (arguments, mut repairs) = read(&closed, limits::NESTING).map_err(|_| error)?;
        repairs.push(Repair::new("", RepairKind::ClosersSupplied, "", "}"));
        Ok((arguments, repairs))
    })
}

/// The call that `text` must be if it holds the arguments of one and nothing names the tool:
/// that of the only bound tool that they fit, and whose parameters they are.
///
/// ```
/// use haft_extract::{ToolDefinition, ToolSet, match_arguments_text};
/// use serde_json::json;
///
/// let wanting = |key: &str| json!({"type": "object", "properties": {key: {"type": "string"}}, "required": [key]});
/// let tools = ToolSet::from_definitions([
///     ToolDefinition::new("get_weather", wanting("city")),
///     ToolDefinition::new("read_file", wanting("path")),
/// ]);
/// let (name, arguments) = match_arguments_text(&tools, r#"{"path": "a.txt"}"#).unwrap();
/// assert_eq!((name, &arguments["path"]), ("read_file", &json!("a.txt")));
/// assert_eq!(match_arguments_text(&tools, r#"{"x": 1}"#), None);
/// ```
#[must_use]
pub fn match_arguments_text<'t>(tools: &'t ToolSet, text: &str) -> Option<(&'t str, Arguments)> {
    let (arguments, _) = read_arguments_text(text).ok()?;
    // They are some of the tool's parameters and nothing else, and fit them.
    let belongs = |tool: &&BoundTool| {
        let schema = tool.schema();
        let schema = schema.filter(|schema| are_parameters(&arguments, schema));
        schema.is_some_and(|schema| schema.check(arguments.clone()).is_ok())
    };
    let mut fitting = tools.tools().iter().filter(belongs);
    let only = fitting.next()?;
    let is_one = fitting.next().is_none();
    is_one.then_some((only.definition.name.as_str(), arguments))
}

fn read(text: &str, wraps: usize) -> Result<(Arguments, Vec<Repair>), String> {
    if text.trim().is_empty() {
        return Ok((Arguments::new(), Vec::new()));
    }
    let wrong = |what: &str| format!("The arguments {what}: {}", shown(text));
    let read = read_loosely(text).map_err(|error| match error {
        ReadError::CutOff => wrong("are cut off; this arrived"),
        ReadError::Unreadable { .. } => wrong("are not valid JSON; this arrived"),
    })?;
    match read.value {
        Value::Object(mut arguments) => {
            arguments.values_mut().for_each(haft_schema::settle_numbers);
            Ok((arguments, read.repairs))
        }
        Value::Null => Ok((Arguments::new(), Vec::new())),
        // Some servers encode the object twice.
        Value::String(inner) if wraps > 0 => self::read(&inner, wraps - 1),
        _ => Err(wrong("must be a JSON object, but this arrived")),
    }
}

/// The value in `text`, which may be followed by closers that nothing opened, or be members
/// without braces around them.
fn read_loosely(text: &str) -> Result<Read<Value>, ReadError> {
    let error = match value::read_value(text, true) {
        Err(error @ ReadError::Unreadable { .. }) => error,
        result => return result,
    };
    if let Ok((read, end)) = value::read_value_prefix(text, false) {
        let rest = text.get(end..).unwrap_or_default();
        let is_closer = |c: char| c.is_whitespace() || "]})\"'`,;".contains(c);
        if read.value.is_object() && rest.chars().all(is_closer) {
            return Ok(read);
        }
    }
    if text.trim_start().starts_with(['{', '[']) || !text.contains([':', '=']) {
        return Err(error);
    }
    value::read_value(&format!("{{{text}}}"), false).map_err(|_| error)
}

#[cfg(test)]
mod tests;

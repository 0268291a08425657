//! Limits on the size and depth of schemas and arguments.
//!
//! Both are untrusted: an MCP server sends the schema, a model the arguments. The depth is checked
//! here first, without recursion, so that all later code may recurse.

use serde_json::Value;

use crate::{SchemaError, SchemaErrorKind};

/// The maximum JSON depth of a schema. A level of nested objects takes two of them, so this allows
/// more than 40 nested objects.
pub(crate) const MAX_SCHEMA_DEPTH: usize = 96;

/// The maximum number of JSON values in a schema, without names. The largest tools in use have a
/// few hundred.
pub(crate) const MAX_SCHEMA_VALUES: usize = 10_000;

/// The maximum size of the text in a schema in bytes, including names: a quarter of a mebibyte
/// would fill most contexts.
pub(crate) const MAX_SCHEMA_TEXT: usize = 256 * 1024;

/// The maximum JSON depth of arguments.
pub(crate) const MAX_VALUE_DEPTH: usize = 64;

/// Refuses a schema that is too deep or too large for [`CompiledSchema`](crate::CompiledSchema),
/// without interpreting it.
///
/// # Errors
///
/// [`SchemaErrorKind::TooDeep`] over 96 levels, [`SchemaErrorKind::TooLarge`] over 10,000 values
/// or 256 kB of text.
pub fn check_schema_limits(schema: &Value) -> Result<(), SchemaError> {
    let mut values = 0_usize;
    let mut text = 0_usize;
    let mut open = vec![(schema, 1_usize)];
    while let Some((value, depth)) = open.pop() {
        if depth > MAX_SCHEMA_DEPTH {
            return Err(SchemaError::new(
                SchemaErrorKind::TooDeep,
                format!("The schema is nested deeper than {MAX_SCHEMA_DEPTH} levels"),
            ));
        }
        values += 1;
        text += own_text(value);
        if values > MAX_SCHEMA_VALUES || text > MAX_SCHEMA_TEXT {
            return Err(SchemaError::new(
                SchemaErrorKind::TooLarge,
                format!(
                    "The schema has more than {MAX_SCHEMA_VALUES} values or {MAX_SCHEMA_TEXT} bytes of text"
                ),
            ));
        }
        open.extend(children(value).map(|child| (child, depth + 1)));
    }
    Ok(())
}

/// True when `value` has at most `levels` levels.
pub(crate) fn is_within_depth(value: &Value, levels: usize) -> bool {
    let mut open = vec![(value, 1_usize)];
    while let Some((value, depth)) = open.pop() {
        if depth > levels {
            return false;
        }
        open.extend(children(value).map(|child| (child, depth + 1)));
    }
    true
}

/// The cost of copying `value`: one per JSON value, and one per 64 bytes of text.
pub(crate) fn weight(value: &Value) -> usize {
    let mut sum = 0;
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        sum += 1 + own_text(value) / 64;
        open.extend(children(value));
    }
    sum
}

fn own_text(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Number(number) => number.as_str().len(),
        Value::Object(map) => map.keys().map(String::len).sum(),
        _ => 0,
    }
}

fn children(value: &Value) -> impl Iterator<Item = &Value> {
    let (items, map) = match value {
        Value::Array(items) => (Some(items), None),
        Value::Object(map) => (None, Some(map)),
        _ => (None, None),
    };
    let items = items.into_iter().flatten();
    items.chain(map.into_iter().flat_map(|map| map.values()))
}

#[cfg(test)]
mod tests;

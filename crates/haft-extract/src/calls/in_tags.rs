//! The arguments between the tags of a call, however they are written there: most as tags of their
//! own, some as lines such as `city: Oslo`, as an object, or as the only text that the tool wants.

use haft_schema::CompiledSchema;
use serde_json::Value;

use super::tags::tags;
use super::{BoundTool, FoundCall, Outcome, Read, as_arguments, failed, lines, tag_repair, value};
use crate::arguments::parameters::{Parameter, ValueKind};
use crate::scan::is_arguments_key;

/// The arguments of a call, whole, that was found with these tags in `text`.
pub(super) fn in_tags(
    found: &FoundCall<'_>,
    text: &str,
    list: &[Parameter],
    tool: Option<&BoundTool>,
) -> Outcome {
    let schema = tool.and_then(BoundTool::schema);
    if let Some(schema) = schema.filter(|_| list.is_empty()) {
        if let Some(arguments) = lines::lines(text, &found.name, schema) {
            return Ok(Read::unrepaired(arguments));
        }
        let words = words(text);
        if !words.is_empty() && schema.properties().next().is_some() {
            return beside_tags(words, tool);
        }
    }
    if let Some(only) = schema.and_then(|schema| only_text(text, list, schema)) {
        return as_arguments(Read::unrepaired(Value::String(only.to_owned())), tool, text);
    }
    let (value, repaired) = tags(text, list, tool, found.format);
    let repairs = repaired.then(tag_repair).into_iter().collect();
    Ok(Read { value, repairs })
}

/// What stands before the closing tags of a call, unless it holds tags of its own.
fn words(text: &str) -> &str {
    // That of MiniMax has a bracket before it.
    const CLOSERS: [&str; 3] = ["</", "<|", "]<]"];
    let bracket = text.find('<').unwrap_or(text.len());
    let prefix = text.find("]<]").unwrap_or(bracket);
    let (words, rest) = text.split_at(prefix.min(bracket));
    let is_end = rest.is_empty() || CLOSERS.iter().any(|closer| rest.starts_with(closer));
    if is_end { words.trim() } else { "" }
}

/// The arguments that `words` are, which stand where tags belong: the object in them, or all of
/// them as one value.
fn beside_tags(words: &str, tool: Option<&BoundTool>) -> Outcome {
    let start = words.find('{').unwrap_or_default();
    let written = words.get(start..).unwrap_or_default();
    if !written.starts_with('{') {
        let text = Value::String(written.to_owned());
        return as_arguments(Read::unrepaired(text), tool, words);
    }
    let mut read = value::read_value(written, false).map_err(|error| failed(&error, words))?;
    read.repairs.extend((start > 0).then(tag_repair));
    as_arguments(read, tool, words)
}

/// The text of `<arguments>text</arguments>`, where no parameter has that name.
fn only_text<'t>(text: &'t str, list: &[Parameter], schema: &CompiledSchema) -> Option<&'t str> {
    let [parameter] = list else {
        return None;
    };
    let key = text.get(parameter.key.clone())?;
    let is_frame = is_arguments_key(key) && parameter.kind == ValueKind::Schema;
    let is_parameter = schema.properties().any(|name| name == key);
    let value = text.get(parameter.value.clone())?;
    (is_frame && !is_parameter && !value.trim_start().starts_with(['{', '<'])).then_some(value)
}

//! The arguments between the tags of a call, however they are written there: most as tags of their
//! own, some as lines such as `city: Oslo`, as an object, or as the only text that the tool wants.

use std::ops::Range;

use haft_schema::CompiledSchema;
use memchr::memmem;
use serde_json::Value;

use super::tags::{json, tags};
use super::{
    BoundTool, FoundCall, Outcome, Read, Role, as_arguments, failed, lines, tag_repair, value,
    whole_tag,
};
use crate::arguments::parameters::{Parameter, ValueKind};
use crate::scan::{attribute, is_arguments_key};

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
    let apart = schema.and_then(|schema| apart(text, list, schema));
    let list = apart.as_deref().unwrap_or(list);
    let (value, repaired) = tags(text, list, tool, found.format);
    let is_mended = repaired || apart.is_some();
    let repairs = is_mended.then(tag_repair).into_iter().collect();
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

/// What all the tags begin with that are looked for.
const TAG: &[u8] = b"<param";

/// The parameters with those apart that stand in the value of another one; nothing if none does.
///
/// The closing tag of a parameter may be lost in the middle of a line:
/// `<parameter=query>oslo <parameter=limit>3</parameter>`. Tags alone do not tell that from a value
/// that speaks of a tag; the schema does, if the second one names a parameter that has no other
/// value and takes no text, and what stands behind it is no text either.
fn apart(text: &str, list: &[Parameter], schema: &CompiledSchema) -> Option<Vec<Parameter>> {
    let mut all = list.to_vec();
    let mut at = 0;
    while let Some(parameter) = all.get(at) {
        let is_meant = |key: &str, value: &str| {
            let is_given = |other: &Parameter| text.get(other.key.clone()) == Some(key);
            let is_known = schema.properties().any(|known| known == key);
            let takes_text = schema.property_kinds(key).takes_text();
            is_known && !all.iter().any(is_given) && !takes_text && !json(value).is_string()
        };
        if let Some([first, second]) = split(text, parameter, is_meant) {
            all.splice(at..=at, [first, second]);
        }
        at += 1;
    }
    (all.len() > list.len()).then_some(all)
}

/// The parameter with its value as far as it really goes, and the one that stands behind it.
fn split(
    text: &str,
    parameter: &Parameter,
    is_meant: impl Fn(&str, &str) -> bool,
) -> Option<[Parameter; 2]> {
    let Range { start, end } = parameter.value;
    let value = text.get(start..end)?;
    let at = memmem::find(value.as_bytes(), TAG)?;
    let rest = value.get(at..)?;
    let tag = whole_tag(rest)?;
    let key = attribute(rest.get(tag.attributes.clone())?, "name")?;
    let is_opening = tag.role() == Some(Role::Parameter) && !tag.close && !tag.damaged;
    // Closed in the value, it is quoted there.
    let is_closed = memmem::find(rest.as_bytes(), b"</param").is_some();
    let is_raw = parameter.kind == ValueKind::Schema;
    (is_raw && is_opening && !is_closed && is_meant(key, rest.get(tag.len..)?)).then_some(())?;
    let (kind, from) = (ValueKind::Schema, start + at);
    let key_start = from + (key.as_ptr().addr() - rest.as_ptr().addr());
    let mut first = parameter.clone();
    first.value.end = start + value.get(..at)?.trim_end().len();
    let (key, value) = (key_start..key_start + key.len(), from + tag.len..end);
    Some([first, Parameter { key, value, kind }])
}

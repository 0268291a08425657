//! Arguments in tags that are written to the letter of their template, read into values in the pass
//! that finds their end. [`tags`](super::tags) says the same of them, and knows what to make of all
//! others.

use haft_schema::{PropertyKinds, SchemaView};
use serde_json::Value;

use super::tags::{json, other_than_text};
use crate::parameters::{Parameter, Part, Parts, Style, ValueKind};
use crate::plain_json::fill;
use crate::same::is_same;
use crate::tool_set::{BoundTool, Filled, Filling, keep_first};

/// The arguments at the beginning of `text`, and where their call ends; nothing if they need a
/// closer look.
pub(crate) fn plain_tags(text: &str, style: Style, tool: &BoundTool) -> Option<(Filled, usize)> {
    let mut parts = Parts::begin(text, style)?;
    let view = tool.schema()?.view();
    let Filling {
        mut arguments,
        mut check,
    } = tool.filling();
    let mut other = None;
    let mut filled = 0;
    for (name, place) in &mut arguments {
        match parts.next(name)? {
            Part::Parameter(parameter) if is_named(text, &parameter, name) => {
                let kinds = check.kinds().or_else(|| kinds_of(name, view));
                put(text, &parameter, kinds, place)?;
                check.filled(place);
                filled += 1;
            }
            part => {
                other = Some(part);
                break;
            }
        }
    }
    keep_first(&mut arguments, filled);
    loop {
        let part = match other.take() {
            Some(part) => part,
            None => parts.next("")?,
        };
        match part {
            Part::Parameter(parameter) => {
                let name = text.get(parameter.key.clone())?;
                let kinds = kinds_of(name, view);
                let mut value = Value::Null;
                put(text, &parameter, kinds, &mut value)?;
                if arguments.insert(name.to_owned(), value).is_some() {
                    // Each may hold an item of a list.
                    (!kinds.is_some_and(PropertyKinds::takes_list)).then_some(())?;
                    check.replaced();
                }
            }
            Part::End(end) => {
                // What looks like a call in a call is no object, where tags are read.
                let is_frame = arguments.len() == 2 && arguments.values().any(Value::is_object);
                return (!is_frame).then(|| (check.end(arguments), end));
            }
        }
    }
}

fn is_named(text: &str, parameter: &Parameter, name: &str) -> bool {
    let key = text.as_bytes().get(parameter.key.clone());
    key.is_some_and(|key| is_same(key, name.as_bytes()))
}

/// The sorts of values that the parameter `name` takes, if the schema knows it.
fn kinds_of(name: &str, view: SchemaView<'_>) -> Option<PropertyKinds> {
    view.property(name).map(SchemaView::kinds)
}

/// Puts the value of a parameter of these kinds into its place.
fn put(
    text: &str,
    parameter: &Parameter,
    kinds: Option<PropertyKinds>,
    place: &mut Value,
) -> Option<()> {
    let written = text.get(parameter.value.clone())?;
    match parameter.kind {
        ValueKind::Text => *place = Value::String(written.to_owned()),
        ValueKind::Json => put_json(written, place),
        ValueKind::Elements => return None,
        ValueKind::Schema => {
            let kinds = kinds?;
            if kinds.takes_text() {
                let value = other_than_text(written, kinds);
                *place = value.unwrap_or_else(|| Value::String(written.to_owned()));
            } else {
                put_json(written, place);
                // It may hold elements.
                (!place.is_string()).then_some(())?;
            }
        }
    }
    Some(())
}

fn put_json(written: &str, place: &mut Value) {
    if fill(trimmed(written), place).is_none() {
        *place = json(written);
    }
}

/// As [`str::trim`], which knows the blanks of all languages: most values begin and end with none.
fn trimmed(written: &str) -> &str {
    let is_plain = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_graphic);
    let bytes = written.as_bytes();
    match is_plain(bytes.first()) && is_plain(bytes.last()) {
        true => written,
        false => written.trim(),
    }
}

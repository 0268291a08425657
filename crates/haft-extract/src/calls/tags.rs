//! Arguments that tags make: raw text in the kinds of values that the schema wants.

use haft_core::Arguments;
use haft_schema::{CompiledSchema, PropertyKinds, SchemaView, match_key, settle_numbers};
use serde_json::{Map, Value};

use crate::Format;
use crate::arguments::parameters::{self, Element, Elements, Parameter, ValueKind};
use crate::arguments::value;
use crate::tool_set::BoundTool;

/// The arguments that tags make, and whether tags inside of values were mended.
pub(super) fn tags(
    text: &str,
    list: &[Parameter],
    tool: Option<&BoundTool>,
    format: Format,
) -> (Arguments, bool) {
    let mut mended = false;
    let untyped = is_json_by_template(format);
    let in_elements = format == Format::MinimaxM3;
    let schema = tool.and_then(BoundTool::schema);
    let mut arguments = Arguments::with_capacity(list.len());
    // The keys of lists whose items may be in tags of their own.
    let mut in_parts = Vec::new();
    for (at, parameter) in list.iter().enumerate() {
        let key = text.get(parameter.key.clone()).unwrap_or_default();
        let written = text.get(parameter.value.clone()).unwrap_or_default();
        let nameless = schema.filter(|_| key.is_empty());
        let inside = nameless.and_then(|schema| named_inside(written, schema));
        let (key, written) = inside.unwrap_or((key, written));
        mended |= inside.is_some();
        let key = parameters::unescaped(key.trim());
        // A tag without a name and a value says nothing.
        if key.is_empty() && written.trim_ascii().is_empty() {
            continue;
        }
        let view = schema.and_then(|schema| schema.view().property(&key));
        let kinds = schema.map(|schema| match view {
            Some(view) => view.kinds(),
            None => kinds_of_similar(&key, schema),
        });
        let mut of_elements = false;
        let value = match parameter.kind {
            ValueKind::Text => Value::String(written.to_owned()),
            ValueKind::Json => json(written),
            ValueKind::Schema if untyped && !kinds.is_some_and(PropertyKinds::is_known) => {
                json(written)
            }
            // The arguments once more, under a name that is none of theirs.
            ValueKind::Schema
                if list.len() == 1
                    && kinds.is_some_and(|kinds| !kinds.is_known())
                    && written.trim_start().starts_with('{') =>
            {
                json(written)
            }
            ValueKind::Schema => by_kinds(written, kinds),
            ValueKind::Elements => match parameters::elements(text, parameter.value.clone()) {
                Some(elements) => {
                    mended |= elements.mended;
                    of_elements = true;
                    nested(text, &elements.list, 0, view)
                }
                None => by_kinds(written, kinds),
            },
        };
        let value = match value {
            Value::String(blank) if in_elements && blank.trim_ascii().is_empty() => {
                empty(kinds).unwrap_or(Value::String(blank))
            }
            Value::String(written_text) if parameter.kind == ValueKind::Schema => {
                match elements_if_wanted(text, parameter, kinds) {
                    Some(elements) => {
                        mended |= elements.mended;
                        of_elements = true;
                        nested(text, &elements.list, 0, view)
                    }
                    None => Value::String(written_text),
                }
            }
            value => value,
        };
        let key = if key.is_empty() {
            format!("arg{at}")
        } else {
            key.into_owned()
        };
        let is_list = kinds.is_some_and(|kinds| kinds.takes_list() && !kinds.takes_text());
        let is_part = is_list && (of_elements || !value.is_array());
        match arguments.get_mut(&key) {
            Some(earlier) if is_part && in_parts.contains(&key) => join(earlier, value),
            _ => {
                if is_part {
                    in_parts.push(key.clone());
                }
                arguments.insert(key, value);
            }
        }
    }
    (arguments, mended)
}

/// The kinds of values of the parameter that `key` may mean.
fn kinds_of_similar(key: &str, schema: &CompiledSchema) -> PropertyKinds {
    let name = match_key(key, schema.properties());
    schema.property_kinds(name.unwrap_or(key))
}

/// `<to>Ann</to><to>Bob</to>` for a list: each tag holds some of its items.
fn join(earlier: &mut Value, value: Value) {
    let mut items = match earlier.take() {
        Value::Array(items) => items,
        item => vec![item],
    };
    match value {
        Value::Array(more) => items.extend(more),
        item => items.push(item),
    }
    *earlier = Value::Array(items);
}

/// `city` and `Oslo` of `<parameter>city</parameter>Oslo`: a tag without a name, around the name.
fn named_inside<'t>(written: &'t str, schema: &CompiledSchema) -> Option<(&'t str, &'t str)> {
    let (name, value) = written.split_once("</parameter>")?;
    let name = name.trim_ascii();
    let is_one = schema.properties().any(|known| known == name);
    is_one.then(|| (name, value.trim_matches(['\n', '\r'])))
}

/// The templates of these formats write every value but text as JSON.
fn is_json_by_template(format: Format) -> bool {
    matches!(
        format,
        Format::Glm45
            | Format::Glm47
            | Format::HyV3
            | Format::IquestQ1
            | Format::K2Horizon
            | Format::MuseAtem
    )
}

/// The list or object that an element without members is, where no text is taken.
fn empty(kinds: Option<PropertyKinds>) -> Option<Value> {
    let kinds = kinds.filter(|kinds| !kinds.takes_text())?;
    if kinds.takes_list() {
        return Some(Value::Array(Vec::new()));
    }
    kinds.takes_object().then(|| Value::Object(Map::new()))
}

/// Elements in a value that must be an object or a list.
fn elements_if_wanted(
    text: &str,
    parameter: &Parameter,
    kinds: Option<PropertyKinds>,
) -> Option<Elements> {
    kinds.filter(|kinds| !kinds.takes_text() && (kinds.takes_object() || kinds.takes_list()))?;
    parameters::elements(text, parameter.value.clone())
}

/// Raw text as the schema wants it.
pub(super) fn by_kinds(written: &str, kinds: Option<PropertyKinds>) -> Value {
    let Some(kinds) = kinds.filter(|kinds| kinds.is_known()) else {
        return Value::String(written.to_owned());
    };
    if !kinds.takes_text() {
        return json(written);
    }
    other_than_text(written, kinds).unwrap_or_else(|| Value::String(written.to_owned()))
}

/// The value of another kind than text that raw text writes in JSON, where the schema names both
/// kinds: templates write text as it is and all else as JSON.
pub(super) fn other_than_text(written: &str, kinds: PropertyKinds) -> Option<Value> {
    if !kinds.takes_other_than_text() || kinds.takes_anything() {
        return None;
    }
    let mut value: Value = serde_json::from_str(written.trim()).ok()?;
    let is_taken = match &value {
        Value::Null => kinds.takes_null(),
        Value::Bool(_) => kinds.takes_boolean(),
        Value::Number(number) => {
            kinds.takes_number() && (kinds.takes_fraction() || !number.is_f64())
        }
        Value::String(_) => false,
        Value::Array(_) => kinds.takes_list(),
        Value::Object(_) => kinds.takes_object(),
    };
    settle_numbers(&mut value);
    is_taken.then_some(value)
}

/// Text as JSON, more or less; the text itself where it is none.
pub(super) fn json(written: &str) -> Value {
    let trimmed = written.trim();
    if let Ok(mut value) = serde_json::from_str::<Value>(trimmed) {
        settle_numbers(&mut value);
        return value;
    }
    let is_python = matches!(trimmed, "True" | "False" | "None");
    if (is_python || trimmed.starts_with(['{', '[', '(']))
        && let Ok(read) = value::read_value(trimmed, false)
    {
        return read.value;
    }
    Value::String(written.to_owned())
}

/// The value that elements of one level make: a list where they repeat or are items, else an
/// object.
fn nested(text: &str, elements: &[Element], level: usize, view: Option<SchemaView<'_>>) -> Value {
    let kinds = view.map(SchemaView::kinds);
    let is_item = |name: &str| matches!(name, "item" | "items" | "element" | "li");
    let mut members: Vec<(String, Value)> = Vec::new();
    let mut rest = elements;
    let wants_list = kinds.is_some_and(|kinds| kinds.takes_list() && !kinds.takes_object());
    if let Some(item) = view.filter(|_| wants_list).and_then(SchemaView::item) {
        let at_level = elements.iter().filter(|element| element.level == level);
        let mut names = at_level.map(|element| text.get(element.key.clone()).unwrap_or_default());
        let are_members = names.clone().all(|name| item.property(name).is_some());
        // The members of its one item, without a tag around them.
        if are_members && !names.all(is_item) {
            return Value::Array(vec![nested(text, elements, level, Some(item))]);
        }
    }
    while let Some((first, more)) = rest.split_first() {
        let end = more
            .iter()
            .position(|element| element.level <= level)
            .unwrap_or(more.len());
        let (inside, after) = more.split_at(end);
        rest = after;
        let name = text.get(first.key.clone()).unwrap_or_default().to_owned();
        let below = view.and_then(|view| {
            if wants_list || is_item(&name) {
                view.item()
            } else {
                view.property(&name)
            }
        });
        let value = if first.has_children {
            nested(text, inside, level + 1, below)
        } else {
            let written = text.get(first.value.clone()).unwrap_or_default();
            let kinds = below.map(SchemaView::kinds);
            let none = written.trim_ascii().is_empty().then(|| empty(kinds));
            none.flatten().unwrap_or_else(|| by_kinds(written, kinds))
        };
        members.push((name, value));
    }
    let all_items = !members.is_empty() && members.iter().all(|(name, _)| is_item(name));
    if wants_list || all_items {
        return Value::Array(members.into_iter().map(|(_, value)| value).collect());
    }
    let mut map = Map::new();
    for (name, value) in members {
        match map.get_mut(&name) {
            Some(Value::Array(items)) => items.push(value),
            Some(first) => *first = Value::Array(vec![first.take(), value]),
            None => {
                map.insert(name, value);
            }
        }
    }
    Value::Object(map)
}

//! Arguments that tags make: raw text in the kinds of values that the schema wants.

use haft_core::Arguments;
use haft_schema::{CompiledSchema, PropertyKinds, SchemaView, settle_numbers};
use serde_json::{Map, Value};

use super::{BoundTool, object::place, value};
use crate::arguments::parameters::{self, Element, Parameter, ValueKind};
use crate::{Format, formats::Property};

/// The arguments that tags make, and whether tags inside of values were repaired.
pub(super) fn tags(
    text: &str,
    list: &[Parameter],
    tool: Option<&BoundTool>,
    format: Format,
) -> (Arguments, bool) {
    let mut tags = Tags {
        format,
        schema: tool.and_then(BoundTool::schema),
        is_single: list.len() == 1,
        repaired: false,
    };
    let mut arguments = Arguments::with_capacity(list.len());
    // The keys of lists whose items may be in tags of their own.
    let mut in_parts = Vec::new();
    for (at, parameter) in list.iter().enumerate() {
        let key = text.get(parameter.key.clone()).unwrap_or_default();
        let written = text.get(parameter.value.clone()).unwrap_or_default();
        let nameless = tags.schema.filter(|_| key.is_empty());
        let inside = nameless.and_then(|schema| named_inside(written, schema));
        let (key, written) = inside.unwrap_or((key, written));
        tags.repaired |= inside.is_some();
        let key = parameters::unescaped(key.trim());
        // A tag without a name and a value says nothing.
        if key.is_empty() && written.trim_ascii().is_empty() {
            continue;
        }
        let (value, is_part) = tags.value(parameter, &key, written);
        let key = Some(key.into_owned()).filter(|key| !key.is_empty());
        let key = key.unwrap_or_else(|| place(at));
        match arguments.get_mut(&key) {
            Some(earlier) if is_part && in_parts.contains(&key) => join(earlier, value),
            _ => {
                in_parts.extend(is_part.then(|| key.clone()));
                arguments.insert(key, value);
            }
        }
    }
    (arguments, tags.repaired)
}

/// The tags of one call.
struct Tags<'t> {
    format: Format,
    schema: Option<&'t CompiledSchema>,
    /// There is one parameter.
    is_single: bool,
    /// Tags inside of values were repaired.
    repaired: bool,
}

impl Tags<'_> {
    /// The value of a parameter, and whether it is one of the parts of a list.
    fn value(&mut self, parameter: &Parameter, key: &str, written: &str) -> (Value, bool) {
        let view = self.schema.and_then(|schema| schema.view().property(key));
        let similar = || Some(self.schema?.property_kinds(key));
        let kinds = view.map(SchemaView::kinds).or_else(similar);
        let is_list = kinds.is_some_and(|kinds| kinds.takes_list() && !kinds.takes_text());
        let is_known = kinds.is_some_and(PropertyKinds::is_known);
        // The arguments once more, under a name that is none of theirs.
        let is_whole = self.is_single && kinds.is_some() && written.trim_start().starts_with('{');
        let untyped = !is_known && (is_whole || self.format.has(Property::JsonValues));
        let value = match parameter.kind {
            ValueKind::Text => Value::String(written.to_owned()),
            ValueKind::Json => json(written),
            ValueKind::Schema if untyped => json(written),
            ValueKind::Schema | ValueKind::Elements => by_kinds(written, kinds),
        };
        let is_raw = parameter.kind == ValueKind::Schema && value.is_string();
        let may_hold_elements = parameter.kind == ValueKind::Elements
            || (is_raw && kinds.is_some_and(takes_parts_alone));
        if may_hold_elements && let Some(elements) = parameters::elements(written) {
            self.repaired |= elements.repaired;
            return (nested(&elements.list, view), is_list);
        }
        let is_blank = value.as_str().map(str::trim_ascii) == Some("");
        let empty = empty(kinds).filter(|_| is_blank && self.format == Format::MinimaxM3);
        let value = empty.unwrap_or(value);
        let is_part = is_list && !value.is_array();
        (value, is_part)
    }
}

/// True for a list or an object where no text is taken.
fn takes_parts_alone(kinds: PropertyKinds) -> bool {
    !kinds.takes_text() && (kinds.takes_object() || kinds.takes_list())
}

/// `<to>Ann</to><to>Bob</to>` for a list: each tag holds some of its items.
fn join(earlier: &mut Value, value: Value) {
    let mut items = items_of(earlier.take());
    items.extend(items_of(value));
    *earlier = Value::Array(items);
}

/// The items of a list; of what is none, itself.
pub(crate) fn items_of(value: Value) -> Vec<Value> {
    match value {
        Value::Array(items) => items,
        item => vec![item],
    }
}

/// `city` and `Oslo` of `<parameter>city</parameter>Oslo`: a tag without a name, around the name.
fn named_inside<'t>(written: &'t str, schema: &CompiledSchema) -> Option<(&'t str, &'t str)> {
    let (name, value) = written.split_once("</parameter>")?;
    let name = name.trim_ascii();
    let is_one = schema.properties().any(|known| known == name);
    is_one.then(|| (name, value.trim_matches(['\n', '\r'])))
}

/// The list or object that an element without members is, where no text is taken.
fn empty(kinds: Option<PropertyKinds>) -> Option<Value> {
    let kinds = kinds.filter(|kinds| takes_parts_alone(*kinds))?;
    Some(match kinds.takes_list() {
        true => Value::Array(Vec::new()),
        false => Value::Object(Map::new()),
    })
}

/// Raw text as the schema wants it.
pub(super) fn by_kinds(written: &str, kinds: Option<PropertyKinds>) -> Value {
    let value = match kinds.filter(|kinds| kinds.is_known()) {
        Some(kinds) if !kinds.takes_text() => return json(written),
        kinds => kinds.and_then(|kinds| other_than_text(written, kinds)),
    };
    value.unwrap_or_else(|| Value::String(written.to_owned()))
}

/// The value of another kind than text that raw text writes in JSON, where the schema names both
/// kinds: templates write text as it is and all else as JSON.
fn other_than_text(written: &str, kinds: PropertyKinds) -> Option<Value> {
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

/// The value that elements make: a list where they repeat or are items, else an object.
fn nested(elements: &[Element<'_>], view: Option<SchemaView<'_>>) -> Value {
    let is_item = |name: &str| matches!(name, "item" | "items" | "element" | "li");
    let takes_list = |kinds: PropertyKinds| kinds.takes_list() && !kinds.takes_object();
    let wants_list = view.map(SchemaView::kinds).is_some_and(takes_list);
    let mut names = elements.iter().map(|element| element.name);
    if let Some(item) = view.filter(|_| wants_list).and_then(SchemaView::item) {
        let are_members = names.clone().all(|name| item.property(name).is_some());
        // The members of its one item, without a tag around them.
        if are_members && !names.clone().all(is_item) {
            return Value::Array(vec![nested(elements, Some(item))]);
        }
    }
    let value_of = |element: &Element<'_>| {
        let name = element.name;
        let below = view.and_then(|view| match wants_list || is_item(name) {
            true => view.item(),
            false => view.property(name),
        });
        if !element.children.is_empty() {
            return nested(&element.children, below);
        }
        let written = element.value;
        let kinds = below.map(SchemaView::kinds);
        let none = empty(kinds).filter(|_| written.trim_ascii().is_empty());
        none.unwrap_or_else(|| by_kinds(written, kinds))
    };
    if wants_list || names.all(is_item) {
        return Value::Array(elements.iter().map(value_of).collect());
    }
    let mut map = Map::new();
    for element in elements {
        let value = value_of(element);
        match map.get_mut(element.name) {
            Some(earlier) => join(earlier, Value::Array(vec![value])),
            None => {
                map.insert(element.name.to_owned(), value);
            }
        }
    }
    Value::Object(map)
}

//! Unwraps arguments and values from structures that the schema does not ask for: `{"input":
//! {...}}`, a call around the arguments, or a copy of the schema with values filled in.

use haft_core::Arguments;
use serde_json::Value;

use super::key::match_key;
use super::reading::Wanted;
use super::scalar;
use crate::view::{Kinds, View};

/// Keys under which models nest the arguments. The first is from the specification of
/// `invoke({input})`, the others are from the APIs of providers and from common prompts.
pub(super) const ENVELOPES: [&str; 12] = [
    "input",
    "arguments",
    "args",
    "parameters",
    "params",
    "kwargs",
    "tool_input",
    "tool_args",
    "function_args",
    "function_arguments",
    "action_input",
    "function",
];

/// Keys that may stand beside the arguments in a call.
const LABELS: [&str; 9] = [
    "name",
    "tool_name",
    "function_name",
    "tool",
    "function",
    "action",
    "type",
    "id",
    "call_id",
];

/// Keywords that may stand beside the properties in the schema of an object.
const OBJECT_KEYWORDS: [&str; 8] = [
    "type",
    "required",
    "additionalProperties",
    "title",
    "description",
    "$schema",
    "$defs",
    "definitions",
];

/// Keywords that may stand beside a filled-in value in the schema of a value.
const VALUE_KEYWORDS: [&str; 13] = [
    "type",
    "title",
    "description",
    "format",
    "enum",
    "examples",
    "items",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "default",
    "required",
];

/// Unwraps the arguments from an envelope that the schema does not know; returns the description of
/// the envelope.
pub(super) fn unwrap(root: &Value, view: &View<'_>, map: &mut Arguments) -> Option<String> {
    let properties = view.properties();
    let is_expected = !properties.is_empty()
        && !map.is_empty()
        && (!view.is_open() || view.required().next().is_some());
    let is_foreign = |key: &String| {
        match_key(key, properties.iter().copied()).is_none() && !view.mentions(root, key)
    };
    if !is_expected || !map.keys().all(is_foreign) {
        return None;
    }
    let name = match inside(map) {
        Some(name) => name.to_owned(),
        None if is_filled_schema(map, &properties) => "properties".to_owned(),
        None => return None,
    };
    let inner = map.get_mut(&name)?;
    let parsed = inner.as_str().and_then(scalar::json_in);
    match parsed.unwrap_or_else(|| inner.take()) {
        Value::Object(arguments) => *map = arguments,
        _ => return None,
    }
    Some(name)
}

/// Lifts parameters out of an unknown object among the arguments: `{"options": {"city": "Oslo"},
/// "days": 2}`. All its members must be parameters that are not given beside it, at least one of
/// them must be missing for a complete call, and all other arguments must be parameters. Returns
/// the name of the object.
pub(super) fn lift(root: &Value, view: &View<'_>, map: &mut Arguments) -> Option<String> {
    let properties = view.properties();
    let named = |key: &str| match_key(key, properties.iter().copied());
    let is_foreign = |key: &str| named(key).is_none() && !view.mentions(root, key);
    let is_missing = |key: &str| {
        let name = named(key);
        name.is_some_and(|name| !map.keys().any(|given| named(given) == Some(name)))
    };
    let is_bundle = |value: &Value| {
        value.as_object().is_some_and(|inner| {
            !inner.is_empty()
                && inner.keys().all(|key| is_missing(key))
                && inner
                    .keys()
                    .any(|key| named(key).is_some_and(|name| view.requires(name)))
                && !inner.values().any(is_bare_schema)
        })
    };
    let mut bundles = map
        .iter()
        .filter(|(key, value)| is_foreign(key) && is_bundle(value));
    let (name, _) = bundles.next()?;
    let others = map.keys().filter(|key| *key != name);
    if view.is_open() || bundles.next().is_some() || others.into_iter().any(|key| is_foreign(key)) {
        return None;
    }
    let name = name.clone();
    let Some(Value::Object(inner)) = map.remove(&name) else {
        return None;
    };
    map.extend(inner);
    Some(name)
}

/// Moves all arguments into the only parameter, if that requires an object and none of the
/// arguments is a parameter: `{"maths": 5, "art": 3}` becomes `{"grades": {"maths": 5, "art": 3}}`.
/// Returns the name of the parameter.
pub(super) fn enclose<'s>(
    root: &'s Value,
    view: &View<'s>,
    map: &mut Arguments,
) -> Option<&'s str> {
    let properties = view.properties();
    let [name] = properties.as_slice() else {
        return None;
    };
    let places = view.property(name);
    let wanted = View::of(root, &places);
    let is_foreign = |key: &String| match_key(key, [*name]).is_none() && !view.mentions(root, key);
    let is_part = |key: &String| {
        let parts = wanted.properties();
        parts.is_empty() || match_key(key, parts).is_some()
    };
    let fits = view.requires(name)
        && !view.is_open()
        && wanted.kinds.and(Kinds::OBJECT) == wanted.kinds
        && !map.is_empty()
        && map.keys().all(|key| is_foreign(key) && is_part(key));
    if !fits {
        return None;
    }
    let inner = std::mem::take(map);
    map.insert((*name).to_owned(), Value::Object(inner));
    Some(name)
}

/// The only key in `map` that contains the arguments, if all others are labels of a call.
fn inside(map: &Arguments) -> Option<&str> {
    let holds = |value: &Value| match value {
        Value::Object(_) => true,
        Value::String(text) => scalar::json_in(text).is_some_and(|value| value.is_object()),
        _ => false,
    };
    let is_envelope =
        |(key, value): &(&String, &Value)| ENVELOPES.contains(&key.as_str()) && holds(value);
    let mut envelopes = map.iter().filter(is_envelope);
    let (name, _) = envelopes.next()?;
    let mut others = map.iter().filter(|(key, _)| *key != name);
    let is_label = |(key, value): (&String, &Value)| {
        LABELS.contains(&key.as_str()) && !value.is_object() && !value.is_array()
    };
    (envelopes.next().is_none() && others.all(is_label)).then_some(name.as_str())
}

/// True for a copy of the schema in which values replace the schemas of properties.
fn is_filled_schema(map: &Arguments, properties: &[&str]) -> bool {
    let Some(Value::Object(values)) = map.get("properties") else {
        return false;
    };
    let is_keyword = |key: &String| key == "properties" || OBJECT_KEYWORDS.contains(&key.as_str());
    let is_object = map.get("type").is_none_or(|name| name == "object");
    let is_known = |key: &String| match_key(key, properties.iter().copied()).is_some();
    is_object
        && map.keys().all(is_keyword)
        && values.keys().any(is_known)
        && !values.values().any(is_bare_schema)
}

/// True for the schema of a value without a filled-in value.
fn is_bare_schema(value: &Value) -> bool {
    let Some(map) = value.as_object() else {
        return false;
    };
    let is_schema = ["type", "$ref", "anyOf", "oneOf", "allOf", "enum"]
        .iter()
        .any(|keyword| map.contains_key(*keyword));
    let has_value = ["value", "const", "default"]
        .iter()
        .any(|keyword| map.contains_key(*keyword));
    is_schema && !has_value
}

/// The value that was filled into a schema, `{"type": "string", "value": "Oslo"}`, where no object
/// is allowed.
pub(super) fn filled_in(root: &Value, value: &Value, wanted: Wanted<'_, '_>) -> Option<Value> {
    let map = value.as_object()?;
    if wanted.overall.overlap(Kinds::OBJECT) || may_hold_objects(root, wanted) {
        return None;
    }
    // A value that the schema itself contains may be a mere copy.
    let is_own = |keyword: &str| wanted.view.keyword(keyword).is_some();
    let names_type = map.get("type").is_some_and(Value::is_string);
    let keyword = ["value", "const", "default"]
        .into_iter()
        .find(|keyword| map.contains_key(*keyword))?;
    let is_clear = keyword == "value" || (names_type && !is_own(keyword));
    let mut others = map.keys().filter(|key| *key != keyword);
    let inner = map.get(keyword).filter(|inner| !inner.is_object())?;
    (is_clear && others.all(|key| VALUE_KEYWORDS.contains(&key.as_str()))).then(|| inner.clone())
}

/// True if a list is allowed whose items may be objects: a single object may be meant as such an
/// item.
fn may_hold_objects(root: &Value, wanted: Wanted<'_, '_>) -> bool {
    let item = wanted.view.item(0);
    wanted.overall.overlap(Kinds::LIST)
        && (item.is_empty() || View::of(root, &item).may_be(root, Kinds::OBJECT))
}

//! Reading a tool's schema: which parameter is the device, which one the level.

use haft_core::{Arguments, Tool};
use serde_json::Value;

use super::Wanted;

/// Parameter names, best first and separated by `|`, compared without case, `_` and `-`.
pub(super) const DEVICE: &str = "devicename|device|name|entityid|entity|light|lightname|lamp|\
    switch|appliance|deviceid|target";
pub(super) const LEVEL: &str = "level|brightness|brightnesspct|brightnesspercent|percent|\
    percentage|intensity|dimlevel|value";
pub(super) const ZONE: &str = "timezone|tz|zone|location|place|city";

/// The name that goes on the wire.
pub(crate) fn wire_name(tool: &dyn Tool) -> &str {
    tool.lc_name().unwrap_or_else(|| tool.name())
}

pub(super) fn squeezed(name: &str) -> String {
    name.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

pub(crate) fn property<'t>(tool: &'t dyn Tool, name: &str) -> Option<&'t Value> {
    tool.schema().get("properties")?.get(name)
}

/// The tool's parameter for the first of `names`, if its type is one of `types` or not stated.
pub(super) fn parameter(tool: &dyn Tool, names: &str, types: &[&str]) -> Option<String> {
    let properties = tool.schema().get("properties")?.as_object()?;
    names.split('|').find_map(|name| {
        let (key, _) = properties.iter().find(|(key, schema)| {
            squeezed(key) == name && (types.is_empty() || has_type(schema, types))
        })?;
        Some(key.clone())
    })
}

pub(super) fn has_type(schema: &Value, types: &[&str]) -> bool {
    match schema.get("type") {
        Some(Value::String(kind)) => types.contains(&kind.as_str()),
        Some(Value::Array(kinds)) => {
            let mut kinds = kinds.iter().filter_map(Value::as_str);
            kinds.any(|kind| types.contains(&kind))
        }
        _ => true,
    }
}

/// True when the schema of parameter `key` takes `number`.
pub(crate) fn takes(tool: &dyn Tool, key: &str, number: f64) -> bool {
    let Some(schema) = property(tool, key) else {
        return true;
    };
    let limit = |name: &str| schema.get(name).and_then(Value::as_f64);
    let is_integer = schema.get("type").is_some_and(|kind| kind == "integer");
    (!is_integer || number.fract() == 0.0)
        && limit("minimum").is_none_or(|minimum| number >= minimum)
        && limit("maximum").is_none_or(|maximum| number <= maximum)
}

pub(super) fn required(tool: &dyn Tool) -> impl Iterator<Item = &str> {
    let names = tool.schema().get("required").and_then(Value::as_array);
    names.into_iter().flatten().filter_map(Value::as_str)
}

/// The call, unless a required argument is missing.
pub(crate) fn finished(tool: &dyn Tool, arguments: Arguments) -> Option<Wanted> {
    required(tool)
        .all(|name| arguments.contains_key(name))
        .then(|| Wanted {
            tool: wire_name(tool).to_owned(),
            arguments,
        })
}

/// Puts the device's name where the tool wants it; an enum must hold it.
pub(super) fn with_device(tool: &dyn Tool, device: &str) -> Option<Arguments> {
    let key = parameter(tool, DEVICE, &["string"])?;
    let choices = property(tool, &key)?.get("enum").and_then(Value::as_array);
    let value = match choices {
        None => device.to_owned(),
        Some(choices) => {
            let wanted = squeezed(device);
            let names = || choices.iter().filter_map(Value::as_str);
            let exact = names().find(|name| squeezed(name) == wanted);
            let mut partial = names().filter(|name| {
                let name = squeezed(name);
                name.contains(&wanted) || wanted.contains(&name)
            });
            exact
                .or_else(|| partial.next().filter(|_| partial.next().is_none()))?
                .to_owned()
        }
    };
    Some(Arguments::from_iter([(key, value.into())]))
}

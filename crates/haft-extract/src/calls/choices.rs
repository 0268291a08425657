//! Choices that a tool does not have, in an optional list that only narrows what a call is about:
//! `{"name": "Hall Fan", "kinds": ["fan"]}`, where the kinds of things do not include fans.
//!
//! Such an item is left out where the rest still says what is meant: other choices of the list, or
//! the name or the id of the one thing. Without these the call would be about more than the model
//! wrote, and stays invalid. A single choice, such as a mode or a unit, says what is to be done, and
//! is never left out; neither is text in place of the list.

use haft_core::Arguments;
use haft_schema::{Coerced, Repair, RepairKind};
use serde_json::Value;

use crate::ToolDefinition;

/// The arguments without such items; none where there are none, or where they may matter.
pub(super) fn without_unknown(arguments: &Arguments, tool: &ToolDefinition) -> Option<Coerced> {
    if tool.destructive {
        return None;
    }
    let mut narrowed = Coerced {
        arguments: arguments.clone(),
        repairs: Vec::new(),
    };
    for (key, value) in arguments {
        let Some(choices) = optional_choices(tool, key) else {
            continue;
        };
        let Value::Array(items) = value else {
            continue;
        };
        let (known, unknown): (Vec<&Value>, Vec<&Value>) =
            items.iter().partition(|item| choices.contains(item));
        if unknown.is_empty() || !unknown.iter().all(|item| item.is_string()) {
            continue;
        }
        if known.is_empty() {
            if !names_one_thing(arguments) {
                return None;
            }
            narrowed.arguments.remove(key);
        } else {
            let known = known.into_iter().cloned().collect();
            narrowed.arguments.insert(key.clone(), Value::Array(known));
        }
        let path = format!("/{}", key.replace('~', "~0").replace('/', "~1"));
        narrowed.repairs.extend(unknown.into_iter().map(|item| {
            let before = item.to_string();
            Repair::new(path.clone(), RepairKind::ChoiceDropped, before, "")
        }));
    }
    (!narrowed.repairs.is_empty()).then_some(narrowed)
}

/// The choices of a parameter that is an optional list of them.
fn optional_choices<'t>(tool: &'t ToolDefinition, key: &str) -> Option<&'t Vec<Value>> {
    let required = tool.parameters.get("required").and_then(Value::as_array);
    if required.is_some_and(|names| names.iter().any(|name| name == key)) {
        return None;
    }
    let parameter = tool.parameters.get("properties")?.get(key)?;
    parameter.get("items")?.get("enum")?.as_array()
}

/// True where an argument is the name or the id of a thing.
fn names_one_thing(arguments: &Arguments) -> bool {
    arguments.iter().any(|(key, value)| {
        let is_given = value.as_str().is_some_and(|text| !text.trim().is_empty());
        is_given && is_name_of_a_thing(key)
    })
}

/// True for `name`, `device_name`, `deviceName`, `id`, `entity_id` and `entityId`.
fn is_name_of_a_thing(key: &str) -> bool {
    const WORDS: [&str; 4] = ["name", "Name", "id", "Id"];
    WORDS.iter().any(|word| match key.strip_suffix(word) {
        Some(before) => {
            let is_humped = word.starts_with(|c: char| c.is_uppercase());
            before.is_empty() || is_humped || before.ends_with(['_', '-'])
        }
        None => false,
    })
}

#[cfg(test)]
mod tests;

//! Describes a schema in words: `a number from 0 to 100`, `one of "on", "off", "dim"`.

use serde_json::Value;

use crate::shorten::{clip, shorten};
use crate::view::{Kinds, Place, View};

/// The maximum length of the description of one value in characters.
const MAX_DESCRIPTION: usize = 240;

/// The maximum number of allowed values, alternatives or properties that are listed.
const MAX_LISTED: usize = 12;

/// The maximum nesting depth of a description.
const MAX_LEVELS: usize = 2;

/// Keywords that limit a count, and the words for what is counted.
struct Counted {
    least: &'static str,
    most: &'static str,
    single: &'static str,
    several: &'static str,
}

const ITEMS: Counted = Counted {
    least: "minItems",
    most: "maxItems",
    single: "item",
    several: "items",
};

const ENTRIES: Counted = Counted {
    least: "minProperties",
    most: "maxProperties",
    single: "entry",
    several: "entries",
};

const CHARACTERS: Counted = Counted {
    least: "minLength",
    most: "maxLength",
    single: "character",
    several: "characters",
};

/// The requirements of all `places` for one value.
pub(crate) fn describe(root: &Value, places: &[Place<'_>]) -> String {
    clip(&wanted(root, places, MAX_LEVELS), MAX_DESCRIPTION)
}

/// The properties of an object with their requirements: `action ("on" or "off"), level (...)`.
/// `None` without properties.
pub(crate) fn describe_properties(root: &Value, view: &View<'_>, levels: usize) -> String {
    let names = view.properties();
    let mut described: Vec<String> = Vec::new();
    for name in names.iter().take(MAX_LISTED) {
        let what = wanted(root, &view.property(name), levels);
        let optional = if view.requires(name) {
            ""
        } else {
            ", optional"
        };
        described.push(format!("{name} ({what}{optional})"));
    }
    if names.len() > MAX_LISTED {
        described.push(format!("and {} more", names.len() - MAX_LISTED));
    }
    described.join(", ")
}

fn wanted(root: &Value, places: &[Place<'_>], levels: usize) -> String {
    if places
        .iter()
        .any(|place| *place.schema == Value::Bool(false))
    {
        return "left out".to_owned();
    }
    let view = View::of(root, places);
    if let Some(list) = view.allowed_values().min_by_key(|list| list.len()) {
        return one_of(list);
    }
    if view.kinds == Kinds::ANY && !view.choices.is_empty() {
        return alternatives(root, &view, levels);
    }
    let mut sorts: Vec<String> = Vec::new();
    if view.kinds.overlap(Kinds::FRACTION) {
        sorts.push(format!("a number{}", range(&view)));
    } else if view.kinds.overlap(Kinds::INTEGER) {
        sorts.push(format!("a whole number{}", range(&view)));
    }
    if view.kinds.overlap(Kinds::TEXT) {
        sorts.push(format!("text{}", text_limits(&view)));
    }
    if view.kinds.overlap(Kinds::BOOLEAN) {
        sorts.push("true or false".to_owned());
    }
    if view.kinds.overlap(Kinds::LIST) {
        sorts.push(list(root, &view, levels));
    }
    if view.kinds.overlap(Kinds::OBJECT) {
        sorts.push(object(root, &view, levels));
    }
    if view.kinds.overlap(Kinds::NULL) {
        sorts.push("null".to_owned());
    }
    match view.kinds {
        Kinds::ANY => "any value".to_owned(),
        _ => sorts.join(" or "),
    }
}

fn one_of(list: &[Value]) -> String {
    let mut values: Vec<String> = list.iter().take(MAX_LISTED).map(shorten).collect();
    if list.len() > MAX_LISTED {
        values.push(format!("or {} more", list.len() - MAX_LISTED));
    }
    match values.as_slice() {
        [only] => only.clone(),
        _ => format!("one of {}", values.join(", ")),
    }
}

fn alternatives(root: &Value, view: &View<'_>, levels: usize) -> String {
    let Some(levels) = levels.checked_sub(1) else {
        return "one of several shapes".to_owned();
    };
    let branches = view
        .choices
        .iter()
        .take(1)
        .flat_map(|choice| &choice.branches);
    let mut described: Vec<String> = Vec::new();
    for branch in branches.take(MAX_LISTED) {
        let what = wanted(root, std::slice::from_ref(branch), levels);
        if !described.contains(&what) {
            described.push(what);
        }
    }
    described.join(" or ")
}

fn list(root: &Value, view: &View<'_>, levels: usize) -> String {
    let limits = counts(view, &ITEMS);
    let unique = match view.keyword("uniqueItems") {
        Some(Value::Bool(true)) => " without repeats",
        _ => "",
    };
    let item = view.item(0);
    match levels.checked_sub(1) {
        Some(levels) if !item.is_empty() => {
            let what = wanted(root, &item, levels);
            format!("a list{limits}{unique}, each item {what}")
        }
        _ => format!("a list{limits}{unique}"),
    }
}

fn object(root: &Value, view: &View<'_>, levels: usize) -> String {
    let limits = counts(view, &ENTRIES);
    let properties = match levels.checked_sub(1) {
        Some(levels) => describe_properties(root, view, levels),
        None => view.properties().join(", "),
    };
    if properties.is_empty() {
        format!("an object{limits}")
    } else {
        format!("an object{limits} with {properties}")
    }
}

fn range(view: &View<'_>) -> String {
    // Draft 4 marks a limit as exclusive with a boolean beside it.
    let strict = |name: &str| view.keyword(name).filter(|limit| !limit.is_boolean());
    let low = view.keyword("minimum");
    let high = view.keyword("maximum");
    let mut text = match (low, high) {
        (Some(low), Some(high)) => format!(" from {low} to {high}"),
        (Some(low), None) => format!(" of at least {low}"),
        (None, Some(high)) => format!(" of at most {high}"),
        (None, None) => String::new(),
    };
    if let Some(limit) = strict("exclusiveMinimum") {
        text.push_str(&format!(" above {limit}"));
    }
    if let Some(limit) = strict("exclusiveMaximum") {
        text.push_str(&format!(" below {limit}"));
    }
    if let Some(step) = view.keyword("multipleOf") {
        text.push_str(&format!(" that is a multiple of {step}"));
    }
    text
}

fn text_limits(view: &View<'_>) -> String {
    let mut text = counts(view, &CHARACTERS);
    if let Some(format) = view.keyword("format").and_then(Value::as_str) {
        text.push_str(&format!(" in the form of a {format}"));
    }
    if let Some(pattern) = view.keyword("pattern").and_then(Value::as_str) {
        text.push_str(&format!(" matching {}", clip(pattern, 60)));
    }
    text
}

/// Limits on a count, in words.
fn counts(view: &View<'_>, counted: &Counted) -> String {
    let several = counted.several;
    let count = |name: &str| view.keyword(name).and_then(Value::as_u64);
    let noun = |count: u64| if count == 1 { counted.single } else { several };
    let least = count(counted.least).filter(|least| *least > 0);
    match (least, count(counted.most)) {
        (Some(least), Some(most)) if least == most => format!(" of {least} {}", noun(least)),
        (Some(least), Some(most)) => format!(" of {least} to {most} {several}"),
        (Some(least), None) => format!(" of at least {least} {}", noun(least)),
        (None, Some(most)) => format!(" of at most {most} {}", noun(most)),
        (None, None) => String::new(),
    }
}

#[cfg(test)]
mod tests;

//! What a value of the wrong sort may be read as, given what is wanted in its place.
//!
//! The readings themselves are next door in `scalar`; here the wanted sort picks one.

use serde_json::Value;

use super::{misspelling, scalar};
use crate::repair::RepairKind;
use crate::view::{Kinds, View};

/// A number without a fraction as a whole number, where only those are wanted. JSON Schema sees
/// no difference, but a tool that reads an integer does.
pub(super) fn whole_number(value: &Value, view: &View<'_>) -> Option<(RepairKind, Value)> {
    let is_wanted = view.kinds.overlap(Kinds::INTEGER) && !view.kinds.overlap(Kinds::FRACTION);
    let number = value.as_number().filter(|_| is_wanted)?;
    let whole = scalar::whole(number)?;
    Some((RepairKind::FloatToInteger, Value::Number(whole)))
}

/// The one reading of a text, number or boolean that the view takes, though not the value.
pub(super) fn other_sort(value: &Value, view: &View<'_>) -> Option<(RepairKind, Value)> {
    let reading = match value {
        Value::String(text) => from_text(text, view),
        Value::Number(_) | Value::Bool(_) => scalar::text_of(value).map(|text| {
            let spelled = choice(&text, view).unwrap_or(Value::String(text));
            (RepairKind::ToText, spelled)
        }),
        _ => None,
    };
    reading.filter(|(_, read)| view.takes(read))
}

/// True for a value that can be meant as the only one of a list: neither a blank nor text that
/// begins like JSON, which was meant as the list itself.
pub(super) fn is_something(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::String(text) => !text.trim().is_empty() && !scalar::looks_like_json(text),
        _ => true,
    }
}

fn from_text(text: &str, view: &View<'_>) -> Option<(RepairKind, Value)> {
    let spelled = || Some((RepairKind::ChoiceSpelling, choice(text, view)?));
    let number = || {
        let whole = !view.kinds.overlap(Kinds::FRACTION);
        let is_wanted = view.kinds.overlap(Kinds::INTEGER.or(Kinds::FRACTION));
        let number = scalar::number_in(text, whole).filter(|_| is_wanted)?;
        Some((RepairKind::TextToNumber, Value::Number(number)))
    };
    let boolean = || {
        let is_wanted = view.kinds.overlap(Kinds::BOOLEAN);
        let boolean = scalar::boolean_in(text).filter(|_| is_wanted)?;
        Some((RepairKind::TextToBoolean, Value::Bool(boolean)))
    };
    let json = || Some((RepairKind::ParsedJson, scalar::json_in(text)?));
    spelled().or_else(number).or_else(boolean).or_else(json)
}

/// The allowed text that `text` spells.
fn choice(text: &str, view: &View<'_>) -> Option<Value> {
    view.allowed_values()
        .find_map(|list| scalar::spelled(text, list))
        .cloned()
}

/// The allowed text that `text` is a slip of, if it is the only one near.
pub(super) fn guessed(value: &Value, view: &View<'_>) -> Option<(RepairKind, Value)> {
    let text = value.as_str()?;
    let words = view.allowed_values().flatten().filter_map(Value::as_str);
    let word = misspelling::nearest(text, words)?;
    let read = Value::String(word.to_owned());
    view.takes(&read).then_some((RepairKind::Misspelling, read))
}

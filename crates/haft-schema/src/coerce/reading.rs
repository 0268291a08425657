//! Decides how a value of the wrong type is converted, depending on the required type.
//!
//! The conversions themselves are in `scalar`.

use serde_json::Value;

use super::{arithmetic, misspelling, scalar};
use crate::repair::RepairKind;
use crate::view::{Kinds, View};

/// A converted value.
pub(super) struct Reading {
    pub(super) kind: RepairKind,
    pub(super) value: Value,
}

impl Reading {
    fn new(kind: RepairKind, value: Value) -> Self {
        Self { kind, value }
    }
}

/// The requirements for one value.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'v, 's> {
    pub(super) view: &'v View<'s>,
    /// All accepted types, including those of other alternatives; a superset of the view's types.
    pub(super) overall: Kinds,
}

impl Wanted<'_, '_> {
    /// True if only `kinds` are accepted, besides `null`.
    fn is_only(self, kinds: Kinds) -> bool {
        self.overall.and(kinds.or_null()) == self.overall
    }
}

/// An integral number as an integer, if only integers are accepted. JSON Schema makes no
/// difference, but a tool that parses an integer does.
pub(super) fn whole_number(value: &Value, view: &View<'_>) -> Option<Reading> {
    let is_wanted = view.kinds.overlap(Kinds::INTEGER) && !view.kinds.overlap(Kinds::FRACTION);
    let number = value.as_number().filter(|_| is_wanted)?;
    let whole = scalar::whole(number)?;
    Some(Reading::new(
        RepairKind::FloatToInteger,
        Value::Number(whole),
    ))
}

/// The only conversion of a string, number or boolean that the view accepts, although it does not
/// accept the value itself.
pub(super) fn other_sort(value: &Value, wanted: Wanted<'_, '_>) -> Option<Reading> {
    let text = || {
        let text = scalar::text_of(value)?;
        let spelled = choice(&text, wanted.view).unwrap_or(Value::String(text));
        Some(Reading::new(RepairKind::ToText, spelled))
    };
    let reading = match value {
        Value::String(text) => from_text(text, wanted),
        Value::Number(_) => switch(value, wanted).or_else(text),
        Value::Bool(_) => text(),
        _ => None,
    };
    reading.filter(|reading| wanted.view.takes(&reading.value))
}

/// True for a value that may be meant as the only item of a list: not a blank, and not a string
/// that begins like JSON or has separated digits, which is meant as the list itself.
pub(super) fn is_something(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::String(text) => {
            !text.trim().is_empty()
                && !scalar::looks_like_json(text)
                && scalar::ungrouped(text).is_none()
        }
        _ => true,
    }
}

/// The object in a string, where a list of such objects may be required.
pub(super) fn object_in(value: &Value) -> Option<Value> {
    scalar::json_in(value.as_str()?).filter(Value::is_object)
}

/// The parts of a string between its commas, as strings.
pub(super) fn parts(value: &Value) -> Option<Vec<Value>> {
    let parts = value.as_str()?.split(',').map(str::trim);
    let parts: Vec<Value> = parts.map(Value::from).collect();
    (parts.len() > 1).then_some(parts)
}

/// The only allowed value that `value` may be a misspelling of.
pub(super) fn guessed(value: &Value, view: &View<'_>) -> Option<Reading> {
    let text = value.as_str()?;
    let words = view.allowed_values().flatten().filter_map(Value::as_str);
    let word = misspelling::nearest(text, words)?;
    let read = Value::String(word.to_owned());
    view.takes(&read)
        .then_some(Reading::new(RepairKind::Misspelling, read))
}

/// Converts 1 and 0 if only a boolean is accepted.
fn switch(value: &Value, wanted: Wanted<'_, '_>) -> Option<Reading> {
    let boolean = match value.as_u64()? {
        0 => false,
        1 => true,
        _ => return None,
    };
    wanted.is_only(Kinds::BOOLEAN).then_some(Reading::new(
        RepairKind::NumberToBoolean,
        Value::Bool(boolean),
    ))
}

fn from_text(text: &str, wanted: Wanted<'_, '_>) -> Option<Reading> {
    let quoted = || word_in_text(scalar::unquoted(text)?, wanted);
    let json = || Some(Reading::new(RepairKind::ParsedJson, scalar::json_in(text)?));
    word_in_text(text, wanted).or_else(quoted).or_else(json)
}

/// The allowed value, number or boolean in `text`.
fn word_in_text(text: &str, wanted: Wanted<'_, '_>) -> Option<Reading> {
    let view = wanted.view;
    let spelled = || {
        Some(Reading::new(
            RepairKind::ChoiceSpelling,
            choice(text, view)?,
        ))
    };
    let number = || {
        let numbers = Kinds::INTEGER.or(Kinds::FRACTION);
        let whole = !view.kinds.overlap(Kinds::FRACTION);
        let grouped = || {
            let together = scalar::ungrouped(text).filter(|_| wanted.is_only(numbers))?;
            scalar::number_in(&together, whole)
        };
        let worked_out = || {
            let sum = arithmetic::worked_out(text, whole);
            sum.filter(|_| wanted.is_only(numbers))
        };
        let number = scalar::number_in(text, whole)
            .or_else(grouped)
            .or_else(worked_out);
        let number = number.filter(|_| view.kinds.overlap(numbers))?;
        Some(Reading::new(
            RepairKind::TextToNumber,
            Value::Number(number),
        ))
    };
    let boolean = || {
        let answer = || scalar::answer_in(text).filter(|_| wanted.is_only(Kinds::BOOLEAN));
        let boolean = scalar::boolean_in(text).or_else(answer);
        let boolean = boolean.filter(|_| view.kinds.overlap(Kinds::BOOLEAN))?;
        Some(Reading::new(
            RepairKind::TextToBoolean,
            Value::Bool(boolean),
        ))
    };
    spelled().or_else(number).or_else(boolean)
}

/// The allowed value that `text` spells.
fn choice(text: &str, view: &View<'_>) -> Option<Value> {
    view.allowed_values()
        .find_map(|list| scalar::spelled(text, list))
        .cloned()
}

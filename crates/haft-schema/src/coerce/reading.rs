//! What a value of the wrong sort may be read as, given what is wanted in its place.
//!
//! The readings themselves are next door in `scalar`; here the wanted sort picks one.

use serde_json::Value;

use super::{arithmetic, misspelling, scalar};
use crate::repair::RepairKind;
use crate::view::{Kinds, View};

/// What is wanted of one value.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'v, 's> {
    pub(super) view: &'v View<'s>,
    /// Every sort that is taken, other alternatives included; as wide as the view's at least.
    pub(super) overall: Kinds,
}

impl Wanted<'_, '_> {
    /// True when nothing but `kinds` is wanted, `null` aside.
    fn is_only(self, kinds: Kinds) -> bool {
        self.overall.and(kinds.or_null()) == self.overall
    }
}

/// A number without a fraction as a whole number, where only those are wanted. JSON Schema sees
/// no difference, but a tool that reads an integer does.
pub(super) fn whole_number(value: &Value, view: &View<'_>) -> Option<(RepairKind, Value)> {
    let is_wanted = view.kinds.overlap(Kinds::INTEGER) && !view.kinds.overlap(Kinds::FRACTION);
    let number = value.as_number().filter(|_| is_wanted)?;
    let whole = scalar::whole(number)?;
    Some((RepairKind::FloatToInteger, Value::Number(whole)))
}

/// The one reading of a text, number or boolean that the view takes, though not the value.
pub(super) fn other_sort(value: &Value, wanted: Wanted<'_, '_>) -> Option<(RepairKind, Value)> {
    let text = || {
        let text = scalar::text_of(value)?;
        let spelled = choice(&text, wanted.view).unwrap_or(Value::String(text));
        Some((RepairKind::ToText, spelled))
    };
    let reading = match value {
        Value::String(text) => from_text(text, wanted),
        Value::Number(_) => switch(value, wanted).or_else(text),
        Value::Bool(_) => text(),
        _ => None,
    };
    reading.filter(|(_, read)| wanted.view.takes(read))
}

/// True for a value that can be meant as the only one of a list: neither a blank nor text that
/// begins like JSON or has separated digits, which was meant as the list itself.
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

/// The object that a text holds, where a list of such objects may be wanted.
pub(super) fn object_in(value: &Value) -> Option<Value> {
    scalar::json_in(value.as_str()?).filter(Value::is_object)
}

/// The parts of a text between its commas, each as text.
pub(super) fn parts(value: &Value) -> Option<Vec<Value>> {
    let parts = value.as_str()?.split(',').map(str::trim);
    let parts: Vec<Value> = parts.map(Value::from).collect();
    (parts.len() > 1).then_some(parts)
}

/// The allowed text that `value` is a slip of, if it is the only one near.
pub(super) fn guessed(value: &Value, view: &View<'_>) -> Option<(RepairKind, Value)> {
    let text = value.as_str()?;
    let words = view.allowed_values().flatten().filter_map(Value::as_str);
    let word = misspelling::nearest(text, words)?;
    let read = Value::String(word.to_owned());
    view.takes(&read).then_some((RepairKind::Misspelling, read))
}

/// 1 or 0 where nothing but a boolean is wanted.
fn switch(value: &Value, wanted: Wanted<'_, '_>) -> Option<(RepairKind, Value)> {
    let boolean = match value.as_u64()? {
        0 => false,
        1 => true,
        _ => return None,
    };
    wanted
        .is_only(Kinds::BOOLEAN)
        .then_some((RepairKind::NumberToBoolean, Value::Bool(boolean)))
}

fn from_text(text: &str, wanted: Wanted<'_, '_>) -> Option<(RepairKind, Value)> {
    let quoted = || word_in_text(scalar::unquoted(text)?, wanted);
    let json = || Some((RepairKind::ParsedJson, scalar::json_in(text)?));
    word_in_text(text, wanted).or_else(quoted).or_else(json)
}

/// The choice, number or boolean that `text` says.
fn word_in_text(text: &str, wanted: Wanted<'_, '_>) -> Option<(RepairKind, Value)> {
    let view = wanted.view;
    let spelled = || Some((RepairKind::ChoiceSpelling, choice(text, view)?));
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
        Some((RepairKind::TextToNumber, Value::Number(number)))
    };
    let boolean = || {
        let answer = || scalar::answer_in(text).filter(|_| wanted.is_only(Kinds::BOOLEAN));
        let boolean = scalar::boolean_in(text).or_else(answer);
        let boolean = boolean.filter(|_| view.kinds.overlap(Kinds::BOOLEAN))?;
        Some((RepairKind::TextToBoolean, Value::Bool(boolean)))
    };
    spelled().or_else(number).or_else(boolean)
}

/// The allowed text that `text` spells.
fn choice(text: &str, view: &View<'_>) -> Option<Value> {
    view.allowed_values()
        .find_map(|list| scalar::spelled(text, list))
        .cloned()
}

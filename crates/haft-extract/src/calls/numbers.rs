//! The letters of numbers: kept until it is known what each argument wants, since text wants all
//! of them (`3.10` is a version), and brought into one form where a number stays one.

use haft_core::Arguments;
use serde_json::{Number, Value};

use crate::value::{read_arguments, read_value, settle_numbers};

/// Brings the numbers of a call that is settled into their shortest form.
pub(super) fn settle(arguments: &mut Arguments) {
    arguments.values_mut().for_each(settle_numbers);
}

/// Gives `arguments` that were read on the quick way, which brings numbers into one form at once,
/// the letters back that stand in `text`.
pub(super) fn restore(arguments: &mut Arguments, text: &str) {
    if !arguments.values().any(has_fraction) {
        return;
    }
    let members = match read_value(text, false) {
        Ok(read) => read.value.as_object().cloned(),
        Err(_) => None,
    };
    let named = || {
        read_arguments(text, false)
            .ok()
            .map(|read| read.value.named)
    };
    if let Some(written) = members.or_else(named) {
        restore_members(arguments, &written);
    }
}

fn restore_members(arguments: &mut Arguments, written: &Arguments) {
    for (name, value) in arguments {
        if let Some(written) = written.get(name) {
            restore_value(value, written);
        }
    }
}

fn restore_value(value: &mut Value, written: &Value) {
    match (value, written) {
        (Value::Number(number), Value::Number(written)) if number.as_f64() == written.as_f64() => {
            *number = written.clone();
        }
        (Value::Array(items), Value::Array(written)) => {
            let pairs = items.iter_mut().zip(written);
            pairs.for_each(|(item, written)| restore_value(item, written));
        }
        (Value::Object(members), Value::Object(written)) => restore_members(members, written),
        _ => {}
    }
}

/// True where a number in `value` may have been written otherwise.
fn has_fraction(value: &Value) -> bool {
    let is_fraction = |number: &Number| number.as_str().contains(['.', 'e', 'E']);
    match value {
        Value::Number(number) => is_fraction(number),
        Value::Array(items) => items.iter().any(has_fraction),
        Value::Object(members) => members.values().any(has_fraction),
        Value::Null | Value::Bool(_) | Value::String(_) => false,
    }
}

#[cfg(test)]
mod tests;

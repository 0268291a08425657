//! Results of tools that somebody else called, in plain sentences.
//!
//! `answer` and `report` put the results of the engine's own calls into sentences. Here the calls
//! are those of a language model whose own sentence cannot be used: what the question asks for says
//! how a result of a known shape is read, and any other result is its own text.

use haft_core::{ToolMessage, ToolStatus};
use serde_json::Value;

use crate::answer::{done, failure, sentence, speakable};
use crate::device::{Listed, listed};
use crate::intent::{Intent, State, Target};
use crate::plan::{Reading, TimeAsked};
use crate::{clauses, report};

/// More values of a result without a known shape are not read out.
const MOST_VALUES: usize = 12;

/// The state of one device, as a result has it.
#[derive(Clone, Debug, PartialEq)]
pub struct DeviceState {
    /// The device's name as the tool writes it.
    pub name: String,
    /// One of on, off, open, closed, locked and unlocked.
    pub state: State,
}

/// The states of the devices in a result: of its data, or of the lines of its text.
#[must_use]
pub fn device_states(result: &ToolMessage) -> Vec<DeviceState> {
    let states = [
        State::Locked,
        State::Unlocked,
        State::Open,
        State::Closed,
        State::On,
        State::Off,
    ];
    let of = |device: Listed| {
        let state = states.into_iter().find(|state| device.is_in(*state))?;
        Some(DeviceState {
            name: device.name,
            state,
        })
    };
    listed(result).into_iter().filter_map(of).collect()
}

/// A result as a plain sentence that answers `question`: never JSON, and on one line.
///
/// ```
/// use haft_core::ToolMessage;
///
/// let result = ToolMessage::success(r#"{"name": "Hall Lamp", "state": "off"}"#, "call_1");
/// let said = haft_command::spoken(&result, "Is the hall lamp on?");
/// assert_eq!(said, "No, Hall Lamp is off.");
/// ```
#[must_use]
pub fn spoken(result: &ToolMessage, question: &str) -> String {
    if result.status == ToolStatus::Error {
        return failure(result);
    }
    let intents = clauses::intents(question, None);
    let said = match intents.as_slice() {
        [only] => read(only, result),
        _ => None,
    };
    let said = said.unwrap_or_else(|| speakable(result));
    match serde_json::from_str(&said) {
        Ok(json @ (Value::Object(_) | Value::Array(_))) => in_words(&json),
        _ => said,
    }
}

/// The result as the answer to this question or command; none where it is no such result.
fn read(intent: &Intent, result: &ToolMessage) -> Option<String> {
    Some(match intent {
        Intent::Question { about, targets } => match (targets.as_slice(), listed(result).len()) {
            ([_], 0) => return None,
            ([Target::Named(name)], 1) => report::device_answer(result, name, *about),
            ([target], _) => report::telling(result, *about, target),
            _ => return None,
        },
        Intent::Control { action, targets } => match targets.as_slice() {
            [Target::Named(name)] => done(result, name, *action),
            _ => return None,
        },
        Intent::Time {
            places,
            minutes,
            dated,
        } => {
            let asked = TimeAsked {
                place: places.first().filter(|_| places.len() == 1).cloned(),
                minutes: *minutes,
                dated: *dated,
            };
            sentence(&Reading::Time(asked), result)
        }
        Intent::Date { asked, when, place } => {
            let reading = Reading::Date {
                asked: *asked,
                when: when.clone(),
                place: place.clone(),
            };
            sentence(&reading, result)
        }
        _ => return None,
    })
}

/// "city: Oslo, temperature: 18.5".
fn in_words(json: &Value) -> String {
    let mut values = Vec::new();
    collect("", json, &mut values);
    values.truncate(MOST_VALUES);
    if values.is_empty() {
        return "The tool found nothing.".to_owned();
    }
    values.join(", ") + "."
}

fn collect(name: &str, json: &Value, values: &mut Vec<String>) {
    if values.len() > MOST_VALUES {
        return;
    }
    match json {
        Value::Object(fields) => {
            for (name, value) in fields {
                collect(name, value, values);
            }
        }
        Value::Array(items) => {
            for item in items {
                collect(name, item, values);
            }
        }
        Value::Null => {}
        Value::String(text) => values.push(named(name, text.trim())),
        value => values.push(named(name, &value.to_string())),
    }
}

fn named(name: &str, value: &str) -> String {
    if name.is_empty() {
        return value.to_owned();
    }
    format!("{}: {value}", name.replace(['_', '-'], " "))
}

#[cfg(test)]
mod tests;

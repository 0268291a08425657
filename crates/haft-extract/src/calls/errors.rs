//! What a model reads about a call that cannot be made.

use crate::arguments::value::ReadError;

/// How much of unreadable arguments a model is shown again, in characters.
const SHOWN: usize = 300;

pub(super) fn unknown(name: &str, nearest: &[String]) -> String {
    if nearest.is_empty() {
        return format!("There is no tool named \"{name}\"");
    }
    format!(
        "There is no tool named \"{name}\"; there is {}",
        nearest.join(", ")
    )
}

pub(super) fn failed(error: &ReadError, text: &str) -> String {
    match error {
        ReadError::CutOff => cut_off(text),
        ReadError::Unreadable { expected, .. } => format!(
            "The arguments cannot be read, {expected} was expected; this arrived: {}",
            shown(text)
        ),
    }
}

pub(super) fn no_object(text: &str) -> String {
    let expected = "an object";
    failed(&ReadError::Unreadable { at: 0, expected }, text)
}

pub(super) fn cut_off(text: &str) -> String {
    format!(
        "The call is cut off in the middle; this arrived: {}",
        shown(text)
    )
}

pub(crate) fn shown(text: &str) -> String {
    text.chars().take(SHOWN).collect()
}

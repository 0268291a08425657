//! What a model reads about a call that cannot be made.

use crate::arguments::value::ReadError;

/// How much of unreadable arguments a model is shown again, in characters.
const SHOWN: usize = 300;

pub(super) fn unknown(name: &str, nearest: &[String]) -> String {
    let unknown = format!("There is no tool named \"{name}\"");
    match nearest {
        [] => unknown,
        nearest => format!("{unknown}; there is {}", nearest.join(", ")),
    }
}

pub(super) fn failed(error: &ReadError, text: &str) -> String {
    match error {
        ReadError::CutOff => cut_off(text),
        ReadError::Unreadable { expected, .. } => {
            let what = format!("The arguments cannot be read, {expected} was expected");
            arrived(&what, text)
        }
    }
}

pub(super) fn no_object(text: &str) -> String {
    let expected = "an object";
    failed(&ReadError::Unreadable { at: 0, expected }, text)
}

pub(super) fn cut_off(text: &str) -> String {
    arrived("The call is cut off in the middle", text)
}

/// What is wrong with a call, and what stands there instead.
pub(super) fn arrived(what: &str, text: &str) -> String {
    format!("{what}; this arrived: {}", shown(text))
}

pub(crate) fn shown(text: &str) -> String {
    text.chars().take(SHOWN).collect()
}

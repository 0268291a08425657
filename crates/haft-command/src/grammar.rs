//! The grammar of one clause: a pure function from its words to an [`Intent`].
//!
//! One file for each subject: `device` and `change` are commands, `inquiry` and `listing` questions
//! about devices, `time`, `until`, `zone` and `date` questions about the clock, `conversion` those
//! about units, `politeness` and `remark`
//! what asks for nothing, `later` what puts a command off. Below them stand `target` (which devices
//! are meant), `state` and `nouns`. `clauses` cuts a text into clauses and settles what they are together.

use crate::intent::{Intent, Target};
use crate::tokens::{Phrase, words};

mod change;
mod conversion;
mod date;
mod device;
mod inquiry;
mod later;
mod listing;
mod nouns;
mod politeness;
mod remark;
mod state;
mod target;
mod time;
mod until;
mod zone;

pub(super) use device::{begins_command, is_acting_word};
pub(super) use later::begins_later;
pub(super) use nouns::has_device_noun;
pub(super) use politeness::{Polite, begins_courteously, is_request, minded, without_noise};
pub(super) use target::{HERE, looks_like_name};
pub(super) use time::{THERE, is_place};

impl Intent {
    /// True for what is meant as it is said: about the clock, or about a thing that is called
    /// what things in a home are called.
    pub(crate) fn is_plain(&self) -> bool {
        match self {
            Self::Time { .. }
            | Self::Zone { .. }
            | Self::Difference { .. }
            | Self::Until(_)
            | Self::Span { .. }
            | Self::Date { .. } => true,
            Self::Control { targets, .. } | Self::Question { targets, .. } => {
                targets.iter().all(Target::is_plain)
            }
            _ => false,
        }
    }
}

/// What `text`, a single clause, asks for. Every word of it counts: a clause that is understood
/// but for a word is [`Intent::Unknown`].
pub(super) fn classify(text: &str) -> Intent {
    let words = words(text);
    let phrase = Phrase::new(text, &words);
    if let Some(request) = minded(phrase) {
        return classify(&request);
    }
    // Alone, it announces that something else is meant.
    if phrase.is("well|no|oh? actually|but|wait|hold on?") {
        return Intent::Unknown;
    }
    if remark::is_remark(phrase) {
        return Intent::Nothing;
    }
    let Polite {
        rest: phrase,
        greeted,
        asks_to_know,
    } = without_noise(phrase);
    if phrase.is_empty() {
        return if greeted {
            Intent::Greeting
        } else {
            Intent::Nothing
        };
    }
    let intent = politeness::courtesy(phrase)
        .or_else(|| remark::is_remark(phrase).then_some(Intent::Nothing))
        .or_else(|| device::negated(phrase))
        .or_else(|| change::command(phrase))
        .or_else(|| device::command(phrase))
        .or_else(|| inquiry::question(phrase))
        .or_else(|| conversion::question(phrase))
        .or_else(|| until::question(phrase))
        .or_else(|| zone::question(phrase))
        .or_else(|| time::question(phrase))
        .or_else(|| date::question(phrase))
        .unwrap_or(Intent::Unknown);
    match intent {
        // "Any idea how to turn on the light" asks for no light.
        Intent::Control { .. } if asks_to_know => Intent::Unknown,
        Intent::Control { ref targets, .. }
            if targets.len() > 1 && !targets.iter().all(Target::is_thing) =>
        {
            Intent::Unknown
        }
        Intent::Control { ref targets, .. } | Intent::Question { ref targets, .. }
            if !targets.iter().all(Target::is_clear) =>
        {
            Intent::Unknown
        }
        Intent::Control { action, targets } if is_left_open(phrase, &targets) => Intent::Control {
            action,
            targets: vec![Target::Unnamed],
        },
        intent => intent,
    }
}

/// True where not all devices of a group are meant and it is not said which: "some lights", "the
/// lights in the kitchen or the bedroom".
fn is_left_open(phrase: Phrase<'_>, targets: &[Target]) -> bool {
    let is_some = |at: usize| {
        let rest = phrase.from(at);
        rest.starts("some|something") && !rest.starts("some more")
    };
    targets.iter().any(|target| match target {
        Target::All { rooms, .. } => {
            (0..phrase.len()).any(is_some) || rooms.len() > 1 && phrase.has("or")
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests;

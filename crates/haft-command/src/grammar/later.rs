//! Times and conditions that put a command off: the engine acts at once or not at all.

use haft_select::english::one_of;

use crate::numbers::integer;
use crate::tokens::Phrase;

/// True when `phrase` begins with the time at which a command is to be carried out.
pub(crate) fn begins_later(phrase: Phrase<'_>) -> bool {
    later(phrase) == Some(0) || phrase.starts("tomorrow|tonight|later|every")
}

/// Where a condition or a time begins that puts the command off.
pub(super) fn later(phrase: Phrase<'_>) -> Option<usize> {
    (0..phrase.len()).find(|at| {
        let rest = phrase.from(*at);
        let conjunction = "when|if|until|till|unless|whenever|once|after|before|while";
        let times = "every|each day|night|morning|evening|hour|minute|week|time|weekday|monday|\
            tuesday|wednesday|thursday|friday|saturday|sunday";
        let days = "tomorrow|tonight|later|daily|weekly|nightly";
        let moment = "at|by noon|midnight|sunset|sunrise|dawn|dusk|night";
        let units = "second|seconds|minute|minutes|min|mins|hour|hours|day|days|am|pm|o'clock";
        let span = || {
            let unit = (2..5).find(|end| one_of(rest.at(*end), units))?;
            integer(rest.to(unit).from(1))
        };
        (*at > 0 && (rest.starts(conjunction) || rest.starts(days) || rest.starts(times)))
            || rest.starts(moment)
            || (rest.starts("at|by") && is_clock_time(rest.at(1)))
            || (rest.starts("in|for|at|after") && span().is_some())
            || rest.starts("in half an hour")
            || rest.starts("on monday|tuesday|wednesday|thursday|friday|saturday|sunday")
    })
}

/// "... at seven": no level, but an hour.
pub(super) fn ends_at_hour(phrase: Phrase<'_>) -> bool {
    let Some(at) = phrase.position("at") else {
        return false;
    };
    integer(phrase.from(at + 1)).is_some_and(|hour| (0..=24).contains(&hour))
}

fn is_clock_time(word: &str) -> bool {
    let digits = word.trim_end_matches("am").trim_end_matches("pm");
    let is_marked = digits.len() < word.len() || word.contains(':');
    is_marked && !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit() || c == ':')
}

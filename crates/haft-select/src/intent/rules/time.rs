//! Rules for questions about the time, the date or the day of the week.

/// The current time, the date, or the day of the week.
pub(super) fn is_time(words: &[&str]) -> bool {
    let words = match words {
        ["tell" | "give" | "show", "me", rest @ ..] | ["say" | "tell", rest @ ..] => rest,
        words => words,
    };
    match words {
        ["what", "time", "is", "it", rest @ ..] | ["what", "time", "it", "is", rest @ ..] => {
            is_here_or_there(rest)
        }
        ["what", "is", "the", rest @ ..] | ["the", rest @ ..] | ["what", "is", rest @ ..] => {
            is_clock(rest)
        }
        ["current" | "todays" | "local", ..] => is_clock(words),
        [
            "what" | "which",
            "day" | "date" | "weekday" | "month" | "year",
            "is" | "are",
            "it" | "today" | "tomorrow" | "this" | "we",
            rest @ ..,
        ] => is_here_or_there(rest),
        [
            "what" | "which",
            "day",
            "of",
            "the",
            "week" | "month",
            "is",
            "it" | "today" | "this" | "tomorrow",
            ..,
        ] => true,
        ["do", "you", "have", "the", "time"] | ["have", "you", "got", "the", "time"] => true,
        ["what", "time" | "day" | "date", "do", "you", "have"] => true,
        _ => false,
    }
}

/// "current time", "date today", without an object that the time could belong to.
fn is_clock(words: &[&str]) -> bool {
    match words {
        ["today" | "todays", "date" | "day"] | ["today"] => true,
        [
            "current" | "exact" | "local" | "right" | "correct" | "todays" | "full",
            rest @ ..,
        ] => is_clock(rest),
        ["time" | "date", "and", "date" | "time", rest @ ..]
        | ["day", "of", "the", "week", rest @ ..]
        | ["time" | "date" | "day" | "weekday", rest @ ..] => is_here_or_there(rest),
        _ => false,
    }
}

/// Nothing, or words that may follow the question for the time: "today", "in New York".
fn is_here_or_there(words: &[&str]) -> bool {
    match words {
        [] => true,
        ["in" | "at" | "over", place @ ..] => !place.is_empty() && place.len() <= 5,
        [
            "now" | "right" | "today" | "here" | "there" | "currently" | "exactly" | "tomorrow"
            | "please" | "for" | "it" | "is" | "on",
            rest @ ..,
        ] => rest.len() <= 3,
        _ => false,
    }
}

/// Scheduling something for tomorrow requires today's date.
pub(super) fn is_relative_day(word: &str) -> bool {
    matches!(
        word,
        "today"
            | "tomorrow"
            | "tonight"
            | "yesterday"
            | "monday"
            | "tuesday"
            | "wednesday"
            | "thursday"
            | "friday"
            | "saturday"
            | "sunday"
            | "weekend"
    )
}

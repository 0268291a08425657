//! Which texts nobody can answer, or carry out, without a tool.
//!
//! The engine calls a tool for more than that: which weekday a date of next year is, or the time zone
//! of a city, a language model may know. The time, the date of today and the state of a device it
//! cannot know.

use crate::Builtin;
use crate::calendar::{Asked, When};
use crate::clauses;
use crate::intent::Intent;

impl Builtin {
    /// True when the engine [is sure](Self::is_sure_of) of `text`, and every part of it needs a
    /// tool whoever answers.
    ///
    /// ```
    /// use haft_command::Builtin;
    ///
    /// // Without a clock not even the time can be looked up.
    /// assert!(!Builtin::new().must_look_up("What time is it in Tokyo?"));
    /// ```
    #[must_use]
    pub fn must_look_up(&self, text: &str) -> bool {
        self.is_sure_of(text) && clauses::intents(text, None).iter().all(is_unknowable)
    }
}

/// True for what changes, and for what is to be done.
fn is_unknowable(intent: &Intent) -> bool {
    match intent {
        Intent::Time { .. }
        | Intent::Until(_)
        | Intent::Control { .. }
        | Intent::Question { .. } => true,
        Intent::Date { asked, when, .. } => {
            let is_relative = matches!(
                when,
                When::Today | When::Shift { .. } | When::Coming(_) | When::Last(_)
            );
            is_relative && !matches!(asked, Asked::MonthLength | Asked::LeapYear)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests;

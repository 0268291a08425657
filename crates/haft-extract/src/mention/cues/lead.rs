//! Words by which the sentence that leads to a call says that it is only mentioned.

use super::Words;
use crate::mention::search::Cues;

/// Words that look like cues and are none, as a whole.
pub(in crate::mention) static HARMLESS: Cues = Cues::new(include_str!("../words/harmless.txt"));

pub(super) static PROHIBITED: Cues = Cues::new(include_str!("../words/prohibited.txt"));

pub(super) static CONDITIONAL: Cues = Cues::new(include_str!("../words/conditional.txt"));

pub(in crate::mention) static EXAMPLE: Cues = Cues::new(include_str!("../words/example.txt"));

/// Words that explain how calls are written.
pub(in crate::mention) static FORMAT_EXPLAINED: Cues =
    Cues::new(include_str!("../words/format_explained.txt"));

pub(super) static DOCUMENTATION: Cues = Cues::new(include_str!("../words/documentation.txt"));

pub(super) static QUOTATION: Cues = Cues::new(include_str!("../words/quotation.txt"));

pub(super) static REVIEW: Cues = Cues::new(include_str!("../words/review.txt"));

pub(super) static REPORT: Cues = Cues::new(include_str!("../words/report.txt"));

pub(super) static PLAN: Cues = Cues::new(include_str!("../words/plan.txt"));

pub(super) static NUMBERED_OPTION: Cues = Cues::new(include_str!("../words/numbered_option.txt"));

pub(super) static OPTION: Cues = Cues::new(include_str!("../words/option.txt"));

/// Words that what waits for the user, or for something to happen, is not done now.
pub(in crate::mention) static AWAITED: Cues = Cues::new(include_str!("../words/awaited.txt"));

/// Conditions that hold for another call where what is done now follows: "Before I delete it, I
/// look for it".
pub(super) static BEFOREHAND: Cues = Cues::new(include_str!("../words/beforehand.txt"));

/// With what a sentence begins that says when something will be done.
pub(in crate::mention) const WHEN: Words = "
when, whenever, once, nachdem, quand, lorsque, après que, quando, cuando, wanneer, nadat, gdy, kiedy, когда,
";

/// Words that speak of the call as of a text: a line of code, a corrected or rewritten one, one
/// that somebody else made or is to make, the answer to an exercise.
pub(super) static AS_TEXT: Cues = Cues::new(include_str!("../words/as_text.txt"));

/// Verbs that only tell: what is announced with them is text.
pub(in crate::mention) static TELLING: Cues = Cues::new(include_str!("../words/telling.txt"));

/// Words by which what is about to be done is to show or to quote something.
pub(in crate::mention) static SHOWING: Cues = Cues::new(include_str!("../words/showing.txt"));

/// Verbs of what is done with the text of a call: seen, found, shown, converted, added to code.
pub(in crate::mention) static TEXT_VERB: Cues = Cues::new(include_str!("../words/text_verb.txt"));

/// What the text of a call is called.
pub(in crate::mention) static TEXT_OBJECT: Cues =
    Cues::new(include_str!("../words/text_object.txt"));

//! The words by which a text says what it makes of a call, in English, German, French, Spanish,
//! Italian, Portuguese, Dutch, Russian, Chinese and Japanese, and the plainest of them in Polish and
//! Turkish.
//!
//! A cue is a phrase in small letters. It matches whole words; with `*` at its end it matches the
//! beginning of one. Words that mean something else in another of the languages stand here only
//! in phrases ("se vuoi", not "se").

mod behind;
mod doing;
mod lead;

use super::Mention;
use super::search::Cues;
pub(super) use behind::{ALSO, GOING_AHEAD, INVITATION, OFFER, THE_CALL};
use behind::{
    AS_TEXT_BEHIND, EXAMPLE_BEHIND, FORMAT_BEHIND, OPTION_BEHIND, PLAN_BEHIND, PROHIBITED_BEHIND,
    REPORT_BEHIND,
};
pub(super) use doing::{
    ABLE, ANNOUNCED, ASKED, BEFORE_VERB, CONCLUSION, CONNECT, INTENT, MAY_BE_THING, NOT_DOING,
    NOT_DONE, NOT_I, NOW, OR, PLAIN_LEAD_IN, POINTING, PRESENTING, PURPOSE, RENDERING, ROMANCE,
    STEPS, WANTED, YES,
};
use lead::{
    AS_TEXT, BEFOREHAND, CONDITIONAL, DOCUMENTATION, NUMBERED_OPTION, OPTION, PLAN, PROHIBITED,
    QUOTATION, REPORT, REVIEW,
};
pub(super) use lead::{
    AWAITED, EXAMPLE, FORMAT_EXPLAINED, HARMLESS, SHOWING, TELLING, TEXT_OBJECT, TEXT_VERB, WHEN,
};

/// Cues, with a comma behind each; a line or more for each language.
pub(super) type Words = &'static str;

/// What a sentence beside a call may say of it.
#[derive(Debug)]
pub(super) struct Cue {
    pub(super) mention: Mention,
    /// What is said to be done now, behind it in its sentence, overrules it.
    pub(super) yields: bool,
    /// It holds for the sentences behind it too.
    pub(super) governs: bool,
    /// Behind words that announce calls it says what they are for.
    pub(super) may_be_purpose: bool,
    /// It names another text, which what is done may be about: "I look into the log".
    pub(super) may_be_object: bool,
    pub(super) words: &'static Cues,
}

impl Cue {
    const fn new(mention: Mention, words: &'static Cues) -> Self {
        Self {
            mention,
            yields: false,
            governs: false,
            may_be_purpose: false,
            may_be_object: false,
            words,
        }
    }

    const fn yields(mut self) -> Self {
        self.yields = true;
        self
    }

    const fn governs(mut self) -> Self {
        self.governs = true;
        self
    }

    const fn may_be_purpose(mut self) -> Self {
        self.may_be_purpose = true;
        self
    }

    const fn may_be_object(mut self) -> Self {
        self.may_be_object = true;
        self
    }
}

/// What the sentence that leads to a call may say of it; the first that matches counts.
pub(super) static LEADS: &[Cue] = &[
    Cue::new(Mention::Question, &AWAITED),
    Cue::new(Mention::Format, &AS_TEXT),
    Cue::new(Mention::Prohibited, &PROHIBITED)
        .yields()
        .governs(),
    Cue::new(Mention::Conditional, &CONDITIONAL),
    Cue::new(Mention::Conditional, &BEFOREHAND).yields(),
    Cue::new(Mention::Option, &NUMBERED_OPTION),
    Cue::new(Mention::Example, &EXAMPLE).governs(),
    Cue::new(Mention::Format, &FORMAT_EXPLAINED)
        .yields()
        .governs(),
    Cue::new(Mention::Documentation, &DOCUMENTATION)
        .yields()
        .governs()
        .may_be_purpose()
        .may_be_object(),
    Cue::new(Mention::Quotation, &QUOTATION)
        .yields()
        .governs()
        .may_be_purpose()
        .may_be_object(),
    Cue::new(Mention::Review, &REVIEW)
        .yields()
        .governs()
        .may_be_purpose()
        .may_be_object(),
    Cue::new(Mention::Report, &REPORT)
        .yields()
        .may_be_purpose()
        .may_be_object(),
    Cue::new(Mention::Plan, &PLAN).governs().may_be_purpose(),
    Cue::new(Mention::Option, &OPTION)
        .yields()
        .governs()
        .may_be_purpose(),
];

/// What the text behind a call may say of it; the first that matches counts.
pub(super) static BEHIND: &[Cue] = &[
    Cue::new(Mention::Prohibited, &PROHIBITED_BEHIND),
    Cue::new(Mention::Example, &EXAMPLE_BEHIND),
    Cue::new(Mention::Format, &FORMAT_BEHIND),
    Cue::new(Mention::Format, &AS_TEXT_BEHIND),
    Cue::new(Mention::Option, &OPTION_BEHIND).may_be_purpose(),
    Cue::new(Mention::Plan, &PLAN_BEHIND).may_be_purpose(),
    Cue::new(Mention::Report, &REPORT_BEHIND).may_be_purpose(),
];

/// What the word behind the opening of a fence says of its content.
pub(super) const FENCE_INFO: &[(&[&str], Mention)] = &[
    (&["diff", "patch"], Mention::Review),
    (&["log", "logs"], Mention::Report),
    (&["md", "markdown"], Mention::Quotation),
    (&["example"], Mention::Example),
];

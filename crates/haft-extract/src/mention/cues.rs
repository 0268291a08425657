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

/// What the sentence that leads to a call may say of it; the first that matches counts.
pub(super) static LEADS: &[Cue] = &[
    Cue {
        mention: Mention::Question,
        yields: false,
        governs: false,
        may_be_purpose: false,
        may_be_object: false,
        words: &AWAITED,
    },
    Cue {
        mention: Mention::Format,
        yields: false,
        governs: false,
        may_be_purpose: false,
        may_be_object: false,
        words: &AS_TEXT,
    },
    Cue {
        mention: Mention::Prohibited,
        yields: true,
        governs: true,
        may_be_purpose: false,
        may_be_object: false,
        words: &PROHIBITED,
    },
    Cue {
        mention: Mention::Conditional,
        yields: false,
        governs: false,
        may_be_purpose: false,
        may_be_object: false,
        words: &CONDITIONAL,
    },
    Cue {
        mention: Mention::Conditional,
        yields: true,
        governs: false,
        may_be_purpose: false,
        may_be_object: false,
        words: &BEFOREHAND,
    },
    Cue {
        mention: Mention::Option,
        yields: false,
        governs: false,
        may_be_purpose: false,
        may_be_object: false,
        words: &NUMBERED_OPTION,
    },
    Cue {
        mention: Mention::Example,
        yields: false,
        governs: true,
        may_be_purpose: false,
        may_be_object: false,
        words: &EXAMPLE,
    },
    Cue {
        mention: Mention::Format,
        yields: true,
        governs: true,
        may_be_purpose: false,
        may_be_object: false,
        words: &FORMAT_EXPLAINED,
    },
    Cue {
        mention: Mention::Documentation,
        yields: true,
        governs: true,
        may_be_purpose: true,
        may_be_object: true,
        words: &DOCUMENTATION,
    },
    Cue {
        mention: Mention::Quotation,
        yields: true,
        governs: true,
        may_be_purpose: true,
        may_be_object: true,
        words: &QUOTATION,
    },
    Cue {
        mention: Mention::Review,
        yields: true,
        governs: true,
        may_be_purpose: true,
        may_be_object: true,
        words: &REVIEW,
    },
    Cue {
        mention: Mention::Report,
        yields: true,
        governs: false,
        may_be_purpose: true,
        may_be_object: true,
        words: &REPORT,
    },
    Cue {
        mention: Mention::Plan,
        yields: false,
        governs: true,
        may_be_purpose: true,
        may_be_object: false,
        words: &PLAN,
    },
    Cue {
        mention: Mention::Option,
        yields: true,
        governs: true,
        may_be_purpose: true,
        may_be_object: false,
        words: &OPTION,
    },
];

/// What the text behind a call may say of it; the first that matches counts.
pub(super) static BEHIND: &[Cue] = &[
    Cue {
        mention: Mention::Prohibited,
        yields: false,
        governs: false,
        may_be_purpose: false,
        may_be_object: false,
        words: &PROHIBITED_BEHIND,
    },
    Cue {
        mention: Mention::Example,
        yields: false,
        governs: false,
        may_be_purpose: false,
        may_be_object: false,
        words: &EXAMPLE_BEHIND,
    },
    Cue {
        mention: Mention::Format,
        yields: false,
        governs: false,
        may_be_purpose: false,
        may_be_object: false,
        words: &FORMAT_BEHIND,
    },
    Cue {
        mention: Mention::Format,
        yields: false,
        governs: false,
        may_be_purpose: false,
        may_be_object: false,
        words: &AS_TEXT_BEHIND,
    },
    Cue {
        mention: Mention::Option,
        yields: false,
        governs: false,
        may_be_purpose: true,
        may_be_object: false,
        words: &OPTION_BEHIND,
    },
    Cue {
        mention: Mention::Plan,
        yields: false,
        governs: false,
        may_be_purpose: true,
        may_be_object: false,
        words: &PLAN_BEHIND,
    },
    Cue {
        mention: Mention::Report,
        yields: false,
        governs: false,
        may_be_purpose: true,
        may_be_object: false,
        words: &REPORT_BEHIND,
    },
];

/// What the word behind the opening of a fence says of its content.
pub(super) const FENCE_INFO: &[(&[&str], Mention)] = &[
    (&["diff", "patch"], Mention::Review),
    (&["log", "logs"], Mention::Report),
    (&["md", "markdown"], Mention::Quotation),
    (&["example"], Mention::Example),
];

//! What the words beside a call say of it; the words themselves are in [`words`](super::words).

use Trait::{Governs, Object, Purpose, Yields};

use super::Mention;
use super::search::Cues;
use super::words::{
    AS_TEXT, AS_TEXT_BEHIND, AWAITED, BEFOREHAND, CONDITIONAL, DOCUMENTATION, EXAMPLE,
    EXAMPLE_BEHIND, FORMAT_BEHIND, FORMAT_EXPLAINED, NUMBERED_OPTION, OPTION, OPTION_BEHIND, PLAN,
    PLAN_BEHIND, PROHIBITED, PROHIBITED_BEHIND, QUOTATION, REPORT, REPORT_BEHIND, REVIEW,
};

/// What a sentence beside a call may say of it.
#[derive(Debug)]
pub(super) struct Cue {
    pub(super) mention: Mention,
    pub(super) words: &'static Cues,
    traits: &'static [Trait],
}

/// What holds for a cue beyond its sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trait {
    /// What is said to be done now, behind it in its sentence, overrules it.
    Yields,
    /// It holds for the sentences behind it too.
    Governs,
    /// Behind words that announce calls it says what they are for.
    Purpose,
    /// It names another text, which what is done may be about: "I look into the log".
    Object,
}

impl Cue {
    const fn new(mention: Mention, words: &'static Cues, traits: &'static [Trait]) -> Self {
        Self {
            mention,
            words,
            traits,
        }
    }

    pub(super) fn has(&self, wanted: Trait) -> bool {
        self.traits.contains(&wanted)
    }
}

/// What the sentence that leads to a call may say of it; the first that matches counts.
pub(super) static LEADS: &[Cue] = &[
    Cue::new(Mention::Question, &AWAITED, &[]),
    Cue::new(Mention::Format, &AS_TEXT, &[]),
    Cue::new(Mention::Prohibited, &PROHIBITED, &[Yields, Governs]),
    Cue::new(Mention::Conditional, &CONDITIONAL, &[]),
    Cue::new(Mention::Conditional, &BEFOREHAND, &[Yields]),
    Cue::new(Mention::Option, &NUMBERED_OPTION, &[]),
    Cue::new(Mention::Example, &EXAMPLE, &[Governs]),
    Cue::new(Mention::Format, &FORMAT_EXPLAINED, &[Yields, Governs]),
    Cue::new(
        Mention::Documentation,
        &DOCUMENTATION,
        &[Yields, Governs, Purpose, Object],
    ),
    Cue::new(
        Mention::Quotation,
        &QUOTATION,
        &[Yields, Governs, Purpose, Object],
    ),
    Cue::new(
        Mention::Review,
        &REVIEW,
        &[Yields, Governs, Purpose, Object],
    ),
    Cue::new(Mention::Report, &REPORT, &[Yields, Purpose, Object]),
    Cue::new(Mention::Plan, &PLAN, &[Governs, Purpose]),
    Cue::new(Mention::Option, &OPTION, &[Yields, Governs, Purpose]),
];

/// What the text behind a call may say of it; the first that matches counts.
pub(super) static BEHIND: &[Cue] = &[
    Cue::new(Mention::Prohibited, &PROHIBITED_BEHIND, &[]),
    Cue::new(Mention::Example, &EXAMPLE_BEHIND, &[]),
    Cue::new(Mention::Format, &FORMAT_BEHIND, &[]),
    Cue::new(Mention::Format, &AS_TEXT_BEHIND, &[]),
    Cue::new(Mention::Option, &OPTION_BEHIND, &[Purpose]),
    Cue::new(Mention::Plan, &PLAN_BEHIND, &[Purpose]),
    Cue::new(Mention::Report, &REPORT_BEHIND, &[Purpose]),
];

/// What the word behind the opening of a fence says of its content.
pub(super) const FENCE_INFO: &[(&[&str], Mention)] = &[
    (&["diff", "patch"], Mention::Review),
    (&["log", "logs"], Mention::Report),
    (&["md", "markdown"], Mention::Quotation),
    (&["example"], Mention::Example),
];

//! What the words beside a call say of it; the words themselves are in [`words`](super::words).

use std::sync::LazyLock;

use super::{Mention, search::Cues, words};

/// What a sentence beside a call may say of it.
pub(super) struct Cue {
    pub(super) mention: Mention,
    pub(super) words: &'static LazyLock<Cues>,
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
    pub(super) fn has(&self, wanted: Trait) -> bool {
        self.traits.contains(&wanted)
    }
}

/// Makes lists of cues: for each the reason that it gives, its words and what else holds for it. The
/// first that matches counts.
macro_rules! lists {
    ($($(#[$doc:meta])* $list:ident { $($mention:ident $words:ident $($trait:ident)*;)+ })+) => {
        $($(#[$doc])* pub(super) static $list: &[Cue] = &[$(Cue {
            mention: Mention::$mention,
            words: &words::$words,
            traits: &[$(Trait::$trait),*],
        }),+];)+
    };
}

lists! {
    /// What the sentence that leads to a call may say of it.
    LEADS {
        Question AWAITED;
        Format AS_TEXT;
        Prohibited PROHIBITED Yields Governs;
        Conditional CONDITIONAL;
        Conditional BEFOREHAND Yields;
        Option NUMBERED_OPTION;
        Example EXAMPLE Governs;
        Format FORMAT_EXPLAINED Yields Governs;
        Documentation DOCUMENTATION Yields Governs Purpose Object;
        Quotation QUOTATION Yields Governs Purpose Object;
        Review REVIEW Yields Governs Purpose Object;
        Report REPORT Yields Purpose Object;
        Plan PLAN Governs Purpose;
        Option OPTION Yields Governs Purpose;
    }
    /// What the text behind a call may say of it.
    BEHIND {
        Prohibited PROHIBITED_BEHIND;
        Example EXAMPLE_BEHIND;
        Format FORMAT_BEHIND;
        Format AS_TEXT_BEHIND;
        Option OPTION_BEHIND Purpose;
        Plan PLAN_BEHIND Purpose;
        Report REPORT_BEHIND Purpose;
    }
}

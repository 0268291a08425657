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
/// words are a list of [`words`], or a file of the folder with that name. The first that matches counts.
macro_rules! lists {
    ($($(#[$doc:meta])* $list:ident { $($mention:ident $words:tt $($trait:ident)*;)+ })+) => {
        $($(#[$doc])* pub(super) static $list: &[Cue] = &[$(Cue {
            mention: Mention::$mention,
            words: lists!(@ $words),
            traits: &[$(Trait::$trait),*],
        }),+];)+
    };
    (@ $file:literal) => {{
        static WORDS: LazyLock<Cues> = words::cues!($file);
        &WORDS
    }};
    (@ $name:ident) => { &words::$name };
}

lists! {
    /// What the sentence that leads to a call may say of it.
    LEADS {
        Question AWAITED;
        // It speaks of the call as of a text: a line of code, a corrected or rewritten one, one that
        // somebody else made or is to make, the answer to an exercise.
        Format "as_text";
        Prohibited "prohibited" Yields Governs;
        Conditional "conditional";
        // It holds for another call where what is done now follows: "Before I delete it, I look for
        // it".
        Conditional "beforehand" Yields;
        Option "numbered_option";
        Example EXAMPLE Governs;
        Format FORMAT_EXPLAINED Yields Governs;
        Documentation "documentation" Yields Governs Purpose Object;
        Quotation "quotation" Yields Governs Purpose Object;
        Review "review" Yields Governs Purpose Object;
        Report "report" Yields Purpose Object;
        Plan "plan" Governs Purpose;
        Option "option" Yields Governs Purpose;
    }
    /// What the text behind a call may say of it.
    BEHIND {
        Prohibited "prohibited_behind";
        Example "example_behind";
        Format "format_behind";
        // It speaks of the call above as of a text, or of what would be done.
        Format "as_text_behind";
        Option "option_behind";
        Plan "plan_behind";
        Report "report_behind";
    }
}

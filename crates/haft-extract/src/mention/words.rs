//! The words by which a text says what it makes of a call, in English, German, French, Spanish,
//! Italian, Portuguese, Dutch, Russian, Chinese and Japanese, and the plainest of them in Polish and
//! Turkish.
//!
//! A cue is a phrase in small letters. It matches whole words; with `*` at its end it matches the
//! beginning of one. Words that mean something else in another of the languages stand here only
//! in phrases ("se vuoi", not "se").
//!
//! Each list is a file of its own or, where it is short, stands here. [`LEADS`] and [`BEHIND`] have what
//! the words beside a call say of it.

use std::sync::LazyLock;

use super::{Mention, search::Cues};

/// Cues, with a comma behind each; a line or more for each language.
pub(super) type Words = &'static str;

/// Makes lists of cues, each at its first use: a name, and the file in `words` that has them.
macro_rules! cues {
    ($($(#[$doc:meta])* $name:ident: $file:literal;)+) => {
        $($(#[$doc])* pub(super) static $name: LazyLock<Cues> = cues!($file);)+
    };
    ($file:literal) => {
        LazyLock::new(|| Cues::new(include_str!(concat!("words/", $file, ".txt"))))
    };
}

cues! {
    /// Words that look like cues and are none, as a whole.
    HARMLESS: "harmless";
    EXAMPLE: "example";
    /// Words that explain how calls are written.
    FORMAT_EXPLAINED: "format_explained";
    /// Words that a format was not kept to, and is so now.
    WRONG: "wrong";
    /// Words that a call is not to be made, though it has a marker.
    REFUSED: "refused";
    /// Words that a call is prepared, and not made yet.
    PREPARED: "prepared";
    /// Words with a colon behind them that say where the text below was written: a file, a log, a
    /// result, a call that was made before.
    REPORTED: "reported";
    /// Words that what waits for the user, or for something to happen, is not done now.
    AWAITED: "awaited";
    /// Verbs that only tell: what is announced with them is text.
    TELLING: "telling";
    /// Words by which what is about to be done is to show or to quote something.
    SHOWING: "showing";
    /// Verbs of what is done with the text of a call: seen, found, shown, converted, added to code.
    TEXT_VERB: "text_verb";
    /// What the text of a call is called.
    TEXT_OBJECT: "text_object";
    /// Words of an offer of further help, which is not about the call.
    OFFER: "offer";
    /// Words of a question or an offer about something beside the call.
    ALSO: "also";
    /// Words by which the user is invited to answer. Behind a call that is made they are about what may
    /// come next, unless [`THE_CALL`] says otherwise.
    INVITATION: "invitation";
    /// Words by which an invitation is about the call itself: whether it is right, and to be made.
    THE_CALL: "the_call";
    /// Words that ask the user to go ahead, or wait for the word to.
    GOING_AHEAD: "going_ahead";
    /// What is done now, or is about to be.
    INTENT: "intent";
    /// Words that tell Spanish, Italian and Portuguese from other languages.
    ROMANCE: "romance";
    /// Words that say when: now.
    NOW: "now";
    /// What is promised behind a yes: "Sí, puedo hacerlo".
    ABLE: "able";
    /// What joins two possibilities.
    OR: "or";
    /// Words that point to the call, or to the text of it, as to a thing.
    POINTING: "pointing";
    /// With these a sentence goes on that shows a thing: "Sure, this is what the old one said".
    PRESENTING: "presenting";
    /// What the user is shown because of having asked for it.
    WANTED: "wanted";
    /// What is done with a text, and with no tool.
    RENDERING: "rendering";
    /// Verbs of what is done to learn something, and harms nothing.
    LOOKING: "looking";
    /// Times and conditions by which what is said to be done is not done yet.
    DELAYED: "delayed";
    /// Words by which a time before them is over: "After your yes, I delete it now".
    AT_ONCE: "at_once";
    /// The call as the object of what is done.
    CALL_OBJECT: "call_object";
    /// What makes a call, where the call is the object of it.
    MAKING: "making";
    /// What says of "the call" behind it that it is not made now: it failed, or is for a script.
    ELSEWHERE: "elsewhere";
    /// With what a sentence begins that says when something will be done.
    WHEN: "when";
    /// With what a sentence begins that announces calls: what it says of them behind is their purpose.
    ANNOUNCED: "announced";
    /// With what a short text begins that only announces a call.
    PLAIN_LEAD_IN: "plain_lead_in";
    /// With what the label of a step begins.
    STEPS: "steps";
    /// With what a sentence goes on that says yes to what the user asked.
    YES: "yes";
    /// What may stand behind "here is the call".
    PURPOSES: "purposes";
    /// With what a sentence begins that says under which condition something is done.
    CONDITIONS: "conditional";
}

/// All phrases by which a text shows calls, and the labels of what a user says in a dialogue.
pub(super) const SHOWN: Words = concat!(
    include_str!("words/example.txt"),
    include_str!("words/format_explained.txt"),
    include_str!("words/refused.txt"),
    include_str!("words/prepared.txt"),
    include_str!("words/reported.txt"),
    include_str!("words/invented.txt"),
);

/// All others by which a sentence before a call may say that it is not made now.
pub(super) const NOT_NOW: Words = concat!(
    include_str!("words/as_text.txt"),
    include_str!("words/awaited.txt"),
    include_str!("words/beforehand.txt"),
    include_str!("words/conditional.txt"),
    include_str!("words/documentation.txt"),
    include_str!("words/going_ahead.txt"),
    include_str!("words/invitation.txt"),
    include_str!("words/numbered_option.txt"),
    include_str!("words/option.txt"),
    include_str!("words/plan.txt"),
    include_str!("words/prohibited.txt"),
    include_str!("words/quotation.txt"),
    include_str!("words/report.txt"),
    include_str!("words/review.txt"),
    include_str!("words/when.txt"),
);

/// Words that end in "ing" and say of nothing that it is done.
pub(super) const NOT_DOING: Words = include_str!("words/not_doing.txt");

/// Verbs in the first person that do not say that something is done, and words that look like one.
pub(super) const NOT_DONE: Words = include_str!("words/not_done.txt");

/// Words that stand before a verb in the first person in Spanish, Italian and Portuguese.
pub(super) const BEFORE_VERB: Words = include_str!("words/before_verb.txt");

/// What may stand behind "I" that does not say that something is done.
pub(super) const NOT_I: Words = include_str!("words/not_i.txt");

/// What opens an element whose content somebody else said, and what closes it.
pub(super) const QUOTING: Words = include_str!("words/quoting.txt");

/// What joins two calls.
pub(super) const CONNECT: Words = include_str!("words/connect.txt");

/// Words that end in "ing" and name a thing where they stand alone.
pub(super) const MAY_BE_THING: Words = "building, listing, setting,";

/// Words of the past that say what the user wants.
pub(super) const ASKED: Words = "asked, requested, wanted, needed, ordered,";

/// What leads to the conclusion of a sentence, with `|` between them.
pub(super) const CONCLUSION: &str = ", so |, therefore |, also |, deshalb |, daher |, donc |, je vais donc |, así que |\
    , por eso |, quindi |, perciò |, então |, поэтому |，所以";

/// With what a sentence begins that says what for something is done.
pub(super) static PURPOSE: LazyLock<Cues> =
    LazyLock::new(|| Cues::new("to, in order to, um, pour, afin de, para, per,"));

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
/// words are a list above, or a file of the folder with that name. The first that matches counts.
macro_rules! lists {
    ($($(#[$doc:meta])* $list:ident { $($mention:ident $words:tt $($trait:ident)*;)+ })+) => {
        $($(#[$doc])* pub(super) static $list: &[Cue] = &[$(Cue {
            mention: Mention::$mention,
            words: lists!(@ $words),
            traits: &[$(Trait::$trait),*],
        }),+];)+
    };
    (@ $file:literal) => {{
        static WORDS: LazyLock<Cues> = cues!($file);
        &WORDS
    }};
    (@ $name:ident) => { &$name };
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

//! Why a command is not carried out although it was said: something beside it was not understood,
//! or puts it off, takes it back, or only reports it.
//!
//! Safety does not rest on the words listed here: every clause that is not understood stops the
//! commands of a text. They only make the answer say more than that.

use haft_select::english::one_of;

use super::grammar::{has_device_noun, is_acting_word};
use super::intent::{Cause, Doubt};
use super::tokens::{Phrase, words};

/// Longer quotations of what was said are cut.
const LONGEST_QUOTE: usize = 80;
/// More clauses than this are not quoted.
const MOST_QUOTES: usize = 3;

const REPORT: &str = "say|says|said|saying|tells|told|asks|asked|writes|wrote|written|thinks|thought|\
    heard|claims|claimed|yelled|shouted|whispered|according|quote|reads";
const LATER: &str = "if|when|whenever|unless|until|till|once|case|event|provided|providing|assuming|\
    supposing|condition|should|otherwise|depending|tomorrow|tonight|later|soon|next|every|monday|\
    tuesday|wednesday|thursday|friday|saturday|sunday|weekend|weekdays|morning|evening|noon|midnight|\
    sunset|sunrise|dusk|dawn|minutes|minute|hour|hours|seconds|days|weeks|before|after|while|daily|\
    o'clock|pm|am|bedtime|night|afternoon";
const CORRECTION: &str = "sorry|oops|actually|rather|instead|scratch|wait|mean|meant|no|correction|stop|\
    cancel|nevermind|undo|strike|forget";
const NEGATION: &str = "not|never|nothing|nobody|none|neither|without|cannot|avoid|refuse";

impl Cause {
    /// What kind of words `phrase` has.
    pub(super) fn of(phrase: Phrase<'_>) -> Self {
        if phrase.words().iter().any(|word| word.quoted) {
            Self::Quotation
        } else if phrase.has(REPORT) {
            Self::Report
        } else if phrase.has(LATER) {
            Self::Later
        } else if phrase.has(CORRECTION) {
            Self::Correction
        } else if phrase.has(NEGATION)
            || phrase
                .words()
                .iter()
                .any(|word| word.lower.ends_with("n't"))
        {
            Self::Negation
        } else {
            Self::Unclear
        }
    }
}

impl Doubt {
    /// What is said about it.
    pub(super) fn sentence(&self) -> String {
        let said = self.quoted();
        if !self.acts {
            return format!("I did not understand {said}.");
        }
        match self.cause {
            Cause::Later => format!(
                "I can only act at once, not later or on a condition, and you said {said}, so I changed nothing."
            ),
            Cause::Report => format!(
                "I do not act on what somebody says or thinks, and you said {said}, so I changed nothing."
            ),
            Cause::Quotation => {
                format!("I do not act on words in quotation marks ({said}), so I changed nothing.")
            }
            Cause::Correction => format!(
                "You changed your mind on the way ({said}), so I changed nothing. Please say it once more."
            ),
            Cause::Negation => {
                format!("You said {said}, so I changed nothing. Please say only what I am to do.")
            }
            Cause::Question => format!(
                "You asked {said}, and a question changes nothing. Say it without the question mark and I do it."
            ),
            Cause::TooMany => {
                "Those are more commands than I take at once, so I changed nothing.".to_owned()
            }
            Cause::Unclear => format!("I did not understand {said}, so I changed nothing."),
        }
    }

    fn quoted(&self) -> String {
        let quotes = self.words.iter().take(MOST_QUOTES).map(|words| {
            let mut quote: String = words.chars().take(LONGEST_QUOTE).collect();
            if quote.len() < words.len() {
                quote += "...";
            }
            format!("\"{quote}\"")
        });
        quotes.collect::<Vec<_>>().join(" and ")
    }
}

/// True when `text` speaks of a command, so that the answer should say that nothing was done.
pub(super) fn mentions_command(phrase: Phrase<'_>) -> bool {
    let acts = |word: &str| is_acting_word(word) || one_of(word, "unlocked|turned");
    has_device_noun(phrase) && phrase.words().iter().any(|word| acts(&word.lower))
}

pub(super) fn mentions_command_in(text: &str) -> bool {
    let words = words(text);
    mentions_command(Phrase::new(text, &words))
}

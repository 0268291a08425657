//! Decides whether the user's own words ask for a call.
//!
//! Three rules. Only the user's own words count, not pasted, quoted or fenced text. A sentence asks
//! for a call if it contains the call, or the words of its name and all of its values. And the
//! sentence must be an order; a question is enough for a tool that only reads, a prohibition never
//! is.

mod own;
mod words;

use self::own::{Part, own_parts};
use self::words::{
    ABOUT, ABOUT_SIGNS, ACT, ACT_SIGNS, NOT, NOT_SIGNS, OPENING, OTHERS, PLEASE, PLEASE_SIGNS,
    POLITE, RUN_ENGLISH, YES,
};
pub(super) use self::words::{RUN, RUN_SIGNS};
use super::near::{Notation, Sought};
use super::text::{Words, is_one_of};

/// Words in names of tools that do not describe the action.
const EMPTY: &[&str] = &[
    "get", "set", "do", "the", "of", "a", "tool", "mcp", "api", "run", "my",
];

/// First words of names of tools that read, if nothing else is known about the tool.
const READING: &[&str] = &[
    "get|list|read|search|find|fetch|show|query|look|lookup|check|describe|count|weather|\
     calculate|convert",
];

/// The maximum length in words of a message that says yes.
const LONGEST_YES: usize = 4;

/// The possible effect of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// It only reads.
    Reads,
    /// It changes something, as far as is known.
    Changes,
    /// It may do harm, so the order must be unambiguous.
    Harms,
}

/// A call that may have been asked for.
pub(super) struct Asked<'a> {
    pub(super) name: &'a str,
    pub(super) sought: &'a Sought,
    pub(super) effect: Effect,
    /// Whether a text contains the call, according to the extractor.
    pub(super) stands_in: &'a dyn Fn(&str) -> bool,
}

/// What a sentence says about the call that it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stance {
    /// It asks for it.
    Order,
    /// It asks or informs about it.
    Question,
    /// It forbids it.
    Forbids,
    /// None of these.
    Says,
}

/// How a sentence names the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mention {
    /// It contains the call.
    Call,
    /// It contains its words.
    InWords,
    None,
}

/// Whether one of the user's messages, oldest first, asks for the call.
pub(super) fn is_asked_for(call: &Asked<'_>, messages: &[String]) -> bool {
    let mut latest_first = messages.iter().rev();
    if call.effect != Effect::Harms {
        return latest_first.any(|message| asks(call, message));
    }
    // An order applies to its own message, and to the yes to a question about it.
    for message in latest_first {
        if asks(call, message) {
            return true;
        }
        if !says_yes(message) {
            return false;
        }
    }
    false
}

fn says_yes(message: &str) -> bool {
    let words = Words::of(message);
    let count = words.texts().count();
    count > 0 && count <= LONGEST_YES && words.texts().all(|word| is_one_of(word, YES))
}

fn asks(call: &Asked<'_>, message: &str) -> bool {
    own_parts(message).into_iter().any(|part| match part {
        Part::Sentence(sentence) => is_order_for(call, sentence),
        // The text after "Run this:" names the call without a sentence of its own.
        Part::Handed(text) => {
            (call.stands_in)(text) || { call.sought.stands_in(&Words::of(text), Notation::Any) }
        }
    })
}

fn is_order_for(call: &Asked<'_>, sentence: &str) -> bool {
    let mention = mention(call, sentence);
    if mention == Mention::None {
        return false;
    }
    let reads = call.effect == Effect::Reads || call.effect == Effect::Changes && reads(call.name);
    match stance(sentence, call.name) {
        Stance::Order => true,
        Stance::Question => reads,
        Stance::Says => call.effect != Effect::Harms,
        Stance::Forbids => false,
    }
}

/// Whether a tool with this name most likely only reads.
pub(super) fn reads(name: &str) -> bool {
    let words = Words::of(name);
    words
        .texts()
        .next()
        .is_some_and(|first| is_one_of(first, READING))
}

fn mention(call: &Asked<'_>, sentence: &str) -> Mention {
    let words = Words::of(sentence);
    if (call.stands_in)(sentence) || call.sought.stands_in(&words, Notation::Any) {
        return Mention::Call;
    }
    let values = call.sought.values();
    if !values.iter().all(|value| words.hold(value)) {
        return Mention::None;
    }
    let name = Words::of(call.name);
    let mut telling = name.texts().filter(|word| !EMPTY.contains(word)).peekable();
    let is_told = match values.len() {
        _ if telling.peek().is_none() => false,
        0 => telling.all(|word| words.hold_form_of(word)),
        // Several values in one sentence describe what to do, such as a device and "on".
        1 => telling.any(|word| words.hold_form_of(word)),
        _ => true,
    };
    if is_told {
        Mention::InWords
    } else {
        Mention::None
    }
}

/// What the sentence says; quoted parts do not count.
fn stance(sentence: &str, name: &str) -> Stance {
    let said = without_call(&own::without_quotes(sentence), name);
    let words = Words::of(&said);
    let texts: Vec<&str> = words.texts().collect();
    let has = |lists: &[&str]| texts.iter().any(|word| is_one_of(word, lists));
    let holds = |signs: &[&str]| signs.iter().any(|sign| said.contains(sign));
    if has(NOT) || holds(NOT_SIGNS) && !holds(&["能不能"]) {
        return Stance::Forbids;
    }
    if has(ABOUT) || holds(ABOUT_SIGNS) {
        return Stance::Question;
    }
    let is_polite = has(PLEASE) || holds(PLEASE_SIGNS) || is_polite(&texts);
    let name = Words::of(name);
    let verb = name.texts().next().unwrap_or_default();
    let orders = orders(&words, is_polite)
        || holds(RUN_SIGNS)
        || holds(ACT_SIGNS)
        || words.begin_with_form_of(verb, OPENING);
    let whole = Words::of(sentence);
    let names_it = name.texts().any(|word| whole.hold_form_of(word));
    if is_polite && (orders || names_it) {
        return Stance::Order;
    }
    if said.contains(['?', '？', '吗', '嗎', '呢']) {
        return Stance::Question;
    }
    if orders { Stance::Order } else { Stance::Says }
}

/// The sentence without the name in the notation of a call: the verb in `reboot_server()` is not an
/// order.
fn without_call(sentence: &str, name: &str) -> String {
    if name.is_empty() {
        return sentence.to_owned();
    }
    let is_word = name.chars().all(char::is_lowercase);
    let written = if is_word {
        format!("{name}(")
    } else {
        name.to_owned()
    };
    sentence.replace(&written, "(")
}

/// Whether the sentence contains a verb of an order whose subject is not someone else.
fn orders(words: &Words, is_polite: bool) -> bool {
    let texts: Vec<&str> = words.texts().collect();
    texts.iter().enumerate().any(|(place, word)| {
        let before = place.checked_sub(1).and_then(|before| texts.get(before));
        let earlier = place.checked_sub(2).and_then(|earlier| texts.get(earlier));
        let begins = match before {
            None => true,
            // "I want you to run it"
            Some(&"to") => earlier == Some(&"you"),
            Some(before) => is_one_of(before, OPENING) || words.before(place).contains([',', ';']),
        };
        let is_others = before.is_some_and(|before| is_one_of(before, OTHERS));
        let is_verb = is_one_of(word, RUN_ENGLISH) || is_one_of(word, ACT);
        is_verb && begins
            || is_one_of(word, RUN) && !is_others
            || is_verb && is_polite && !is_others
    })
}

fn is_polite(texts: &[&str]) -> bool {
    texts.windows(2).any(|pair| match pair {
        [first, second] => POLITE
            .iter()
            .any(|(begin, whom)| begin.contains(first) && whom.contains(second)),
        _ => false,
    })
}

#[cfg(test)]
mod tests;

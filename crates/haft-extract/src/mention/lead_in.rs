//! Texts that lead to a call: those that say no more than that it comes, those that say so for
//! certain, those that explain how calls are written, and what counts in a sentence that gives its
//! reason first.

use std::sync::LazyLock;

use super::intent::{future, intent};
use super::search::Hints;
use super::sentence::{Plain, begins_with, begins_with_any, each};
use super::words::{
    ABLE, ANNOUNCED, CONCLUSION, CONNECT, EXAMPLE, FORMAT_EXPLAINED, INTENT, OR, PLAIN_LEAD_IN,
    POINTING, PURPOSE, RENDERING, Words, YES,
};

/// What may stand behind "here is the call".
const PURPOSES: Words = include_str!("words/purposes.txt");

/// True for a lead-in after which a tool that may do harm may run: it says that the call is made,
/// or no more than yes. "Here is the caption:" and "Sure, the page has this:" begin as lead-ins do,
/// and show a text.
pub(super) fn is_certain(lead: &str) -> bool {
    let lead = Plain::of(lead);
    let is_bare_yes = |sentence: &str| without_yes(sentence).is_empty();
    lead.sentences().all(is_bare_yes) || announces(lead.last())
}

/// The sentence without words such as "sure" and "here you go" at its beginning.
fn without_yes(sentence: &str) -> &str {
    let mut rest = trim(sentence);
    while let Some(shorter) = behind_any(rest, PLAIN_LEAD_IN) {
        rest = trim(shorter);
    }
    rest
}

fn trim(text: &str) -> &str {
    text.trim_matches(|c: char| !c.is_alphanumeric())
}

/// What stands behind the longest of these words that `text` begins with.
fn behind_any(text: &str, words: Words) -> Option<&str> {
    let known = each(words).filter(|words| begins_with(text, words));
    text.get(known.map(str::len).max()?..)
}

/// True for a sentence that says that the call is made, or that names what follows a call.
fn announces(sentence: &str) -> bool {
    if RENDERING.are_in(sentence) {
        return false;
    }
    let first = sentence.split_whitespace().next().unwrap_or_default();
    let gerunds = ["ing", "ando", "endo", "indo"];
    let is_gerund = gerunds.iter().any(|ending| first.ends_with(ending));
    let is_firm = !is_gerund && (INTENT.are_in(sentence) || future(sentence).is_some());
    let is_done = intent(sentence).is_some() && (is_firm || !POINTING.are_in(sentence));
    is_done || names_the_call(sentence)
}

/// "Here is the call", and maybe what it is for.
fn names_the_call(sentence: &str) -> bool {
    let mut from = trim(sentence);
    for yes in each(YES) {
        if let Some(rest) = from.strip_prefix(yes) {
            from = trim(rest);
        }
    }
    behind_any(from, ANNOUNCED).is_some_and(|rest| {
        let rest = trim(rest);
        rest.is_empty() || begins_with_any(rest, PURPOSES)
    })
}

/// The end of a sentence that says what is done for a reason: "The log is empty, so I'll look".
pub(super) fn conclusion(sentence: &str) -> &str {
    let joints = CONCLUSION.split('|');
    let ends = joints.filter_map(|joint| sentence.rfind(joint));
    let end = ends.max().and_then(|at| sentence.get(at..));
    end.filter(|end| intent(end).is_some()).unwrap_or(sentence)
}

/// The sentence without what it is done for: "To plan your trip, I'll get the weather".
pub(super) fn without_purpose(sentence: &str) -> &str {
    let done = intent(sentence).filter(|_| begins_with_any(sentence, PURPOSE));
    done.and_then(|done| sentence.get(done.start..))
        .unwrap_or(sentence)
}

/// True for a yes to what the user asked: "Sí, puedo hacerlo". A colon announces possibilities.
pub(super) fn is_promise(sentence: &str) -> bool {
    begins_with_any(sentence, YES)
        && ABLE.are_in(sentence)
        && !OR.are_in(sentence)
        && sentence.trim_end().ends_with(['.', '!', '。', '！'])
}

/// True when the text explains how calls are written: even a marked call behind it is an example.
pub(crate) fn explains_format(lead: &str) -> bool {
    static HINTS: LazyLock<Hints> = LazyLock::new(|| Hints::of(&[&FORMAT_EXPLAINED, &EXAMPLE]));
    // Most replies say nothing of it before their calls.
    if !HINTS.are_in(lead) {
        return false;
    }
    let lead = Plain::of(lead);
    let last = lead.last();
    let near = format!("{} {last}", lead.before_last(1));
    let example = EXAMPLE.last_in(last);
    let example = example.map(|at| near.len() - last.len() + at);
    let explained = FORMAT_EXPLAINED.last_in(&near).max(example);
    explained.is_some_and(|at| intent(&near).is_none_or(|done| done.start < at))
}

/// True for words that join two calls, and for none.
pub(crate) fn only_connects(text: &str) -> bool {
    if text.is_empty() {
        return true;
    }
    let plain = Plain::of(text);
    let words = plain.text().trim_matches(|c: char| !c.is_alphanumeric());
    words.is_empty() || each(CONNECT).any(|joint| joint == words)
}

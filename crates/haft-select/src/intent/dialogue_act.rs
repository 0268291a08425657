//! What the user wants with a text: to have something done, or to get information.
//!
//! Two kinds of certainty are needed, and [`DialogueAct::Unclear`] lies between them. A tool that
//! changes things is proposed to a model only for a [`DialogueAct::Command`], and a change that a
//! model wants by itself is refused only for a [`DialogueAct::Question`]. So negations, conditions,
//! reports, quotations and hints are neither. English only: texts in other languages are unclear.
//!
//! `sentences` cuts a text, `unmeant` knows what is no command though it sounds like one, `verbs` has
//! the words. What the text is about is the classifier's business, not this module's.

mod sentences;
mod unmeant;
mod verbs;

use self::sentences::{Sentence, sentences, without_quotations};
use self::unmeant::{is_negated, is_put_off, is_report};
use self::verbs::{is_action, is_inverting, is_wh};
use super::rules::{self, Rule, without_courtesy};
use super::words::Words;

/// In bytes: a longer text is a document, not a request.
const LONGEST: usize = 1000;

/// What the user wants with a text.
///
/// ```
/// use haft_select::DialogueAct;
///
/// assert_eq!(DialogueAct::of("Could you turn on the kitchen light?"), DialogueAct::Command);
/// assert_eq!(DialogueAct::of("Is the kitchen light on?"), DialogueAct::Question);
/// assert_eq!(DialogueAct::of("Never turn on the kitchen light."), DialogueAct::Unclear);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DialogueAct {
    /// A part of the text surely says that something is to be done now.
    Command,
    /// The text surely only asks, and no part of it says that something is to be done.
    Question,
    /// Neither is sure.
    Unclear,
}

/// What one sentence does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Command,
    Question,
    /// It speaks of doing something without saying that it is to be done now.
    Mention,
    /// A remark such as a greeting.
    Remark,
}

impl DialogueAct {
    /// Judges a text of the user.
    #[must_use]
    pub fn of(text: &str) -> Self {
        if text.len() > LONGEST || is_taken_back(text) {
            return Self::Unclear;
        }
        let unquoted = without_quotations(text);
        let parts: Vec<Part> = sentences(&unquoted).map(part_of).collect();
        if parts.contains(&Part::Command) {
            Self::Command
        } else if parts.contains(&Part::Question) && !parts.contains(&Part::Mention) {
            Self::Question
        } else {
            Self::Unclear
        }
    }
}

/// True where the user changes their mind.
fn is_taken_back(text: &str) -> bool {
    let words = Words::of(text);
    let words: Vec<&str> = words.iter().collect();
    words.windows(2).any(|pair| {
        matches!(
            pair,
            ["no", "wait"]
                | ["wait", "no"]
                | ["never", "mind"]
                | ["scratch" | "cancel" | "forget", "that"]
                | ["forget", "it"]
        )
    }) || words.contains(&"nevermind")
}

fn part_of(sentence: Sentence<'_>) -> Part {
    let words = Words::of(sentence.text);
    let all: Vec<&str> = words.iter().collect();
    let words = match without_courtesy(&all) {
        ["if", "possible", rest @ ..] => rest,
        words => words,
    };
    if is_mind(words) {
        return Part::Command;
    }
    if is_hint(words) || is_hint(&all) {
        return Part::Mention;
    }
    if asks(words, sentence) || is_question_to_you(&all, words) {
        return if holds_command(words) {
            Part::Command
        } else {
            Part::Question
        };
    }
    if is_put_off(words) || is_report(words) || is_negated(words) {
        return mention(words);
    }
    let is_asked = sentence.asks && !is_request(&all);
    if clauses(words).any(is_command) {
        return if is_asked {
            Part::Mention
        } else {
            Part::Command
        };
    }
    mention(words)
}

/// A remark, unless it has a word for doing something.
fn mention(words: &[&str]) -> Part {
    if words.iter().any(|word| is_action(word)) {
        Part::Mention
    } else {
        Part::Remark
    }
}

/// "Would you mind closing the door".
fn is_mind(words: &[&str]) -> bool {
    matches!(words, ["mind", verb, ..] | ["do", "you", "mind", verb, ..] if verb.ends_with("ing"))
}

/// Questions that may be meant as commands.
fn is_hint(words: &[&str]) -> bool {
    match words {
        ["what" | "how", "about", ..]
        | ["what", "if", ..]
        | ["why", "not", ..]
        | ["why", "do", "not", ..]
        | [
            "is",
            "it",
            "possible" | "ok" | "okay" | "alright" | "fine",
            ..,
        ]
        | ["is", "there", "a" | "any", "way" | "chance", ..]
        | ["are", "you", "able", ..]
        | ["would", "it", "be", ..] => true,
        // "And the hall light?" goes on with whatever was said before.
        ["and", second, ..] => !is_inverting(second) && !is_wh(second),
        ["can" | "could" | "may" | "shall" | "might", second, ..] => *second != "you",
        _ => false,
    }
}

/// True for "can you ...", "would you ..." and whatever else makes a question a request.
fn is_request(all: &[&str]) -> bool {
    let is_you = |pair: &[&str]| {
        matches!(
            pair,
            ["can" | "could" | "will" | "would", "you"] | ["you", "please"]
        )
    };
    all.windows(2).any(is_you) || all.contains(&"please")
}

/// "Can you tell me whether the light is on": politely asked, and still asked.
fn is_question_to_you(all: &[&str], words: &[&str]) -> bool {
    let is_knowing = all.windows(3).any(|three| {
        matches!(
            three,
            ["do", "you", "know"] | ["want" | "need", "to", "know"]
        )
    });
    match words {
        ["tell" | "show", "me", rest @ ..] | ["check" | "see" | "verify" | "say", rest @ ..] => {
            matches!(rest, [first, ..] if is_wh(first) || is_inverting(first) || matches!(*first, "if" | "whether"))
        }
        _ => is_knowing && words.first().is_some_and(|first| *first == "if"),
    }
}

/// True when a sentence begins as questions do.
fn asks(words: &[&str], sentence: Sentence<'_>) -> bool {
    match words {
        // "When it gets dark, turn on the light" asks for nothing.
        ["when", second, ..] => is_inverting(second),
        ["do", second, ..] => {
            matches!(
                *second,
                "i" | "you" | "we" | "they" | "any" | "all" | "these" | "those" | "my"
            ) || (sentence.asks && *second != "not")
        }
        ["have" | "had", second, ..] => {
            sentence.asks || matches!(*second, "i" | "you" | "we" | "they")
        }
        ["will" | "would" | "should", second, ..] => {
            *second != "you" || words.get(2) == Some(&"be")
        }
        ["what", "a" | "an", ..] => sentence.asks,
        [first, _, ..] => is_wh(first) || is_inverting(first),
        [first] => sentence.asks && is_wh(first),
        [] => false,
    }
}

/// True when a question goes on with a command of its own: "what time is it and turn off the
/// lamp", but not "what happens if I stop and restart it".
fn holds_command(words: &[&str]) -> bool {
    let is_open = matches!(
        words,
        [
            "what" | "which" | "who" | "where" | "is" | "are" | "how",
            ..
        ]
    );
    if !is_open {
        return false;
    }
    let joints = words
        .iter()
        .enumerate()
        .filter(|(_, word)| matches!(**word, "and" | "then" | "also"));
    joints.into_iter().any(|(index, _)| {
        let (before, after) = words.split_at_checked(index).unwrap_or((words, &[]));
        let is_bound = before.iter().any(|word| {
            matches!(
                *word,
                "if" | "to" | "would" | "should" | "happens" | "do" | "does" | "can" | "when"
            )
        });
        !is_bound && is_command(after.get(1..).unwrap_or_default())
    })
}

/// The clauses of a sentence, cut at joining words.
fn clauses<'a, 'b>(words: &'a [&'b str]) -> impl Iterator<Item = &'a [&'b str]> {
    words.split(|word| matches!(*word, "and" | "then" | "also" | "but"))
}

/// True for a clause that says what is to be done.
fn is_command(words: &[&str]) -> bool {
    let words = without_courtesy(words);
    match words {
        ["i" | "we", "want" | "need", rest @ ..]
        | ["i" | "we", "would", "like" | "love" | "prefer", rest @ ..]
        | ["id", "like" | "love" | "prefer", rest @ ..] => !asks_to_learn(rest),
        ["let", "us", rest @ ..] | ["let", rest @ ..] => is_command(rest),
        ["check", "in" | "out" | "off", _, ..] => true,
        [first, _, ..] if is_action(first) => true,
        _ => rules::apply(words).rule == Some(Rule::Command),
    }
}

/// "I want to know", "I need information".
fn asks_to_learn(words: &[&str]) -> bool {
    matches!(
        words,
        [
            "to",
            "know" | "see" | "hear" | "understand" | "learn" | "find" | "check" | "ask",
            ..
        ] | [
            "information" | "info" | "help" | "some" | "details" | "advice",
            ..
        ] | []
    )
}

#[cfg(test)]
mod tests;

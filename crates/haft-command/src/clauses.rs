//! Cuts what the user said into commands.
//!
//! A cut is made only where the right side is a command of its own ("..., and tell me the
//! time"). What merely continues ("... and the bedroom light", "... and Sydney") stays with the
//! command before it, which knows how to read lists of names. What the clauses of a text are
//! together stands in `clauses/settle.rs`: one that is not understood stops all commands.

use haft_select::english::one_of;

use super::assist::{self, Home};
use super::grammar::{
    begins_command, begins_courteously, begins_later, classify, is_acting_word, is_request,
};
use super::intent::{Cause, Intent};
use super::tokens::{Phrase, Stop, without_fillers, words};

mod cuts;
mod settle;
mod there;

use self::cuts::parts;
use assist::Part;

/// A longer text is no command; only its length is looked at.
const LONGEST_TEXT: usize = 1_000;

/// The commands of `text`, in order, without words of mere politeness. Where the client lists the
/// devices of the home, commands are read against them.
pub(super) fn intents(text: &str, home: Option<&Home>) -> Vec<Intent> {
    if text.chars().count() > LONGEST_TEXT {
        return vec![Intent::Unknown];
    }
    let text = without_fillers(text);
    let words = words(&text);
    let whole = Phrase::new(&text, &words);
    if let Some(at) = correction(whole)
        && (0..at).any(|start| begins_command(whole.from(start)))
    {
        return vec![Intent::Corrected];
    }
    let mut clauses = Vec::new();
    let mut start = 0;
    for (index, word) in words.iter().enumerate() {
        let is_end = index + 1 == words.len();
        if (word.stop.ends_sentence() && !word.quoted) || is_end {
            clauses.extend(sentence(whole.to(index + 1).from(start), home));
            start = index + 1;
        }
    }
    settle::settle(clauses, home)
}

/// Where the user takes back what came before: "..., no wait, the lamp".
fn correction(phrase: Phrase<'_>) -> Option<usize> {
    let words = phrase.words();
    (1..phrase.len()).find(|at| {
        let rest = phrase.from(*at);
        let is_quoted = words.get(*at).is_some_and(|word| word.quoted);
        let is_no = rest.starts("no")
            && (words.get(*at).is_some_and(|word| word.stop != Stop::None)
                || rest.starts("no wait|not|the|off|on|i|sorry|actually|that|stop")
                || rest.len() == 1);
        let is_taken_back = rest.starts("wait no|not|stop|sorry|actually")
            || rest.starts("i mean|meant")
            || rest.starts("scratch|forget|cancel that|it")
            || rest.starts("never mind")
            || rest.starts("nevermind")
            || rest.starts("or rather");
        !is_quoted && (is_no || is_taken_back)
    })
}

/// A clause and what it asks for.
#[derive(Debug)]
struct Clause {
    intent: Intent,
    /// As it was said.
    words: String,
    /// What it would be if it stopped others.
    cause: Cause,
}

impl Clause {
    fn new(phrase: Phrase<'_>, intent: Intent) -> Self {
        Self {
            intent,
            words: phrase.text(),
            cause: Cause::of(phrase),
        }
    }
}

fn sentence(phrase: Phrase<'_>, home: Option<&Home>) -> Vec<Clause> {
    let begins = |at: usize| {
        let rest = phrase.from(at);
        begins_command(rest) || (home.is_some() && assist::begins(rest))
    };
    if begins_later(phrase) && (1..phrase.len()).any(begins) {
        return vec![Clause::new(phrase, Intent::Later)];
    }
    if phrase.len() > 3 && is_conditional(phrase) {
        let acts = (0..phrase.len()).any(begins);
        let intent = if acts { Intent::Later } else { Intent::Unknown };
        return vec![Clause::new(phrase, intent)];
    }
    let parts = match home {
        Some(home) => assist::parts(phrase, home),
        None => parts(phrase),
    };
    let stop = phrase.words().last().map(|word| word.stop);
    let is_question = parts.iter().any(|part| is_question(&part.intent));
    let is_asked = stop == Some(Stop::Question) && !is_question && !is_request(phrase);
    let clause = |part: Part<'_>| match part.intent {
        Intent::Control { .. } | Intent::Order(_) if is_asked => asked(part.phrase),
        Intent::Control { .. } | Intent::Order(_) if has_quoted_command(part.phrase) => Clause {
            cause: Cause::Quotation,
            ..Clause::new(part.phrase, Intent::Unknown)
        },
        intent => Clause::new(part.phrase, intent),
    };
    let mut clauses: Vec<Clause> = parts.into_iter().map(clause).collect();
    if phrase.len() > 1 && one_of(phrase.last(), DANGLING) {
        // The rest was not heard, and may have been "... but the bedroom light".
        let last = phrase.from(phrase.len() - 1);
        clauses.push(Clause::new(last, Intent::Unknown));
    }
    clauses
}

/// With these words no sentence ends.
const DANGLING: &str = "and|but|or|nor|plus|&|the|a|an|my|every|each|except|without|excluding";

fn is_question(intent: &Intent) -> bool {
    matches!(
        intent,
        Intent::Question { .. }
            | Intent::Inquiry(_)
            | Intent::Time { .. }
            | Intent::Zone { .. }
            | Intent::Difference { .. }
            | Intent::Until(_)
            | Intent::Span { .. }
            | Intent::Convert(_)
            | Intent::Date { .. }
            | Intent::Health
            | Intent::Help
    )
}

/// A command with a question mark: "kitchen light on?" asks for its state, and "turn on the
/// kitchen light?" whether to do so.
fn asked(phrase: Phrase<'_>) -> Clause {
    let text = phrase.text();
    if let question @ Intent::Question { .. } = classify(&format!("is {text}")) {
        return Clause::new(phrase, question);
    }
    Clause {
        intent: Intent::Unknown,
        words: format!("{text}?"),
        cause: Cause::Question,
    }
}

/// True when what is to be done stands between quotation marks, so that it is only mentioned.
fn has_quoted_command(phrase: Phrase<'_>) -> bool {
    let first = phrase.words().first();
    let is_quoted = first.is_some_and(|word| word.quoted && assist::begins(phrase));
    is_quoted
        || phrase
            .words()
            .iter()
            .any(|word| word.quoted && is_acting_word(&word.lower))
}

/// "If it is dark, turn on the light" is nothing to do now.
fn is_conditional(phrase: Phrase<'_>) -> bool {
    if begins_courteously(phrase) {
        return false;
    }
    phrase.starts("please? if|unless|whenever|once|every|after|before")
        || (phrase.starts("please? when|as") && !phrase.starts("when is|was|are|does|do|did|will"))
}

#[cfg(test)]
mod tests;

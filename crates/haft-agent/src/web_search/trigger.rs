//! Detects replies in which the model says that it cannot look something up.
//!
//! Typical reasons are no access to current information, no search or browser, and a knowledge
//! cutoff. `refusal_phrases.rs` lists the phrases as words in order, with limited gaps between
//! them; the model must speak about itself. English only.

mod refusal_phrases;

use self::refusal_phrases::{Part, REFUSAL_PHRASES, RefusalPhrase};

/// The number of characters to check: a refusal comes first, later mentions are remarks.
const LOOKED_AT: usize = 500;

/// The maximum distance in words between "I" and its verb.
const SUBJECT_GAP: usize = 6;

/// Words that start another subject between "I" and a verb.
const OTHERS: [&str; 15] = [
    "you", "he", "she", "it", "they", "we", "people", "users", "who", "which", "that", "if",
    "whether", "your", "because",
];

/// Words that may precede a sentence without "I".
const OPENERS: [&str; 5] = ["sorry", "unfortunately", "currently", "apologies", "but"];

/// Words for private things, which a web search cannot find.
const PERSONAL: [&str; 5] = ["your", "my", "his", "her", "their"];

/// True when the reply says that a search would help.
pub(super) fn asks_for_search(reply: &str) -> bool {
    let beginning: String = reply.chars().take(LOOKED_AT).collect();
    let mut sentences = beginning.split(['.', '!', '?', ';', '\n']);
    sentences.any(|sentence| {
        let words = words(sentence);
        REFUSAL_PHRASES
            .iter()
            .any(|refusal_phrase| refusal_phrase.is_in(&words))
    })
}

impl RefusalPhrase {
    fn is_in(&self, words: &[String]) -> bool {
        (0..words.len()).any(|begin| {
            let (before, after) = words.split_at_checked(begin).unwrap_or((words, &[]));
            (!self.has_subject || speaks_of_itself(before)) && follows(after, self.parts)
        })
    }
}

/// True when the words before a phrase make the model its subject.
fn speaks_of_itself(before: &[String]) -> bool {
    if before.iter().all(|word| OPENERS.contains(&word.as_str())) {
        return true;
    }
    let between = before.iter().rev().take_while(|word| *word != "i");
    let between: Vec<_> = between.collect();
    between.len() < before.len()
        && between.len() <= SUBJECT_GAP
        && !between.iter().any(|word| OTHERS.contains(&word.as_str()))
}

fn follows(words: &[String], parts: &[Part]) -> bool {
    let Some((part, rest)) = parts.split_first() else {
        return !words.first().is_some_and(is_personal);
    };
    for skipped in 0..=part.gap {
        let Some((between, here)) = words.split_at_checked(skipped) else {
            return false;
        };
        if between.iter().any(is_personal) {
            return false;
        }
        let phrases = part.phrases.iter().copied().flatten();
        let behind = phrases.filter_map(|phrase| behind(here, phrase));
        if behind.into_iter().any(|behind| follows(behind, rest)) {
            return true;
        }
    }
    false
}

#[expect(clippy::ptr_arg, reason = "it is handed to iterators over words")]
fn is_personal(word: &String) -> bool {
    PERSONAL.contains(&word.as_str())
}

/// The words after a phrase, if they start with it.
fn behind<'a>(words: &'a [String], phrase: &str) -> Option<&'a [String]> {
    if phrase.is_empty() {
        return words.is_empty().then_some(words);
    }
    let mut rest = words;
    for expected in phrase.split(' ') {
        let (first, after) = rest.split_first()?;
        if first != expected {
            return None;
        }
        rest = after;
    }
    Some(rest)
}

/// The words of a sentence in lower case, with short forms written out.
fn words(sentence: &str) -> Vec<String> {
    let sentence = sentence.to_lowercase().replace(['’', '‘', 'ʼ', '`'], "'");
    let pieces = sentence.split(|c: char| !c.is_alphanumeric() && c != '\'');
    let mut words = Vec::new();
    for piece in pieces.map(|piece| piece.trim_matches('\'')) {
        let long: &[&str] = match piece {
            "" => &[],
            "cannot" | "can't" | "cant" => &["can", "not"],
            "won't" => &["will", "not"],
            "don't" | "dont" => &["do", "not"],
            "couldn't" => &["could", "not"],
            "didn't" => &["did", "not"],
            "isn't" => &["is", "not"],
            "aren't" => &["are", "not"],
            "wasn't" => &["was", "not"],
            "i'm" | "im" => &["i", "am"],
            "i've" | "ive" => &["i", "have"],
            other => &[other],
        };
        words.extend(long.iter().map(|word| (*word).to_owned()));
    }
    words
}

#[cfg(test)]
mod tests;

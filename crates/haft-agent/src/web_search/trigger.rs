//! Whether a reply says that the model does not know because it cannot look.
//!
//! Models say it in few ways: no access to current information, no way to search or browse, a
//! date at which their knowledge ends. Each is a saying in the table of `sayings`: words in order,
//! with some between them; the model must speak of itself. English only: in other languages nothing is recognised.

mod sayings;

use self::sayings::{Part, SAYINGS, Saying};

/// In characters: who cannot answer says so at once. What stands further behind is a remark.
const LOOKED_AT: usize = 500;

/// In words: how far the verb may stand from the "I" it belongs to.
const SUBJECT_GAP: usize = 6;

/// Who else may be spoken of between an "I" and a verb.
const OTHERS: [&str; 15] = [
    "you", "he", "she", "it", "they", "we", "people", "users", "who", "which", "that", "if",
    "whether", "your", "because",
];

/// What may stand before a sentence without "I".
const OPENERS: [&str; 5] = ["sorry", "unfortunately", "currently", "apologies", "but"];

/// Whose things are meant is no matter for the web.
const PERSONAL: [&str; 5] = ["your", "my", "his", "her", "their"];

/// True when the reply says that a search would help.
pub(super) fn asks_for_search(reply: &str) -> bool {
    let beginning: String = reply.chars().take(LOOKED_AT).collect();
    let mut sentences = beginning.split(['.', '!', '?', ';', '\n']);
    sentences.any(|sentence| {
        let words = words(sentence);
        SAYINGS.iter().any(|saying| saying.is_in(&words))
    })
}

impl Saying {
    fn is_in(&self, words: &[String]) -> bool {
        (0..words.len()).any(|begin| {
            let (before, after) = words.split_at_checked(begin).unwrap_or((words, &[]));
            (!self.has_subject || speaks_of_itself(before)) && follows(after, self.parts)
        })
    }
}

/// True when what follows these words of a sentence is about the one who speaks.
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

/// The words behind a phrase, where they begin with it.
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

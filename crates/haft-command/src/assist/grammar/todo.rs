//! Commands to lists: "add oat milk to the shopping list", "put call Ann on my tasks".
//!
//! What is written on a list is the only text of a command that nothing at home explains. So that
//! no other command hides in it, an item has few words and names no list itself.

use super::{Reading, spoken};
use crate::assist::act::Act;
use crate::assist::home::Domain;
use crate::tokens::{Phrase, Stop};

/// A longer item is a sentence that was not understood.
const MOST_WORDS: usize = 8;
/// Words that put an item off, take it back or tell of one.
const NO_ITEM: &str = "nothing|it|them|list|lists|if|when|unless|until|not|never|said|says|told|except|instead|\
    wait|sorry|actually|because|whenever|don't|should";

pub(super) fn readings(phrase: Phrase<'_>) -> Vec<Reading> {
    let verbs =
        "add|put|write|place|append|note|stick|pop|throw|jot|include|insert|enter|record down?";
    let wish = || phrase.strip("i|we need|want");
    let Some(rest) = phrase.strip(verbs).or_else(wish) else {
        return Vec::new();
    };
    let splits = (1..rest.len()).filter(|at| matches!(rest.at(*at), "to" | "on" | "onto" | "in"));
    splits
        .filter_map(|at| {
            let item = rest.to(at);
            let list = rest.from(at + 1);
            is_item(item)
                .then(|| Reading::new(Act::AddItem(item.text()), named(list)).only(Domain::Todo))
        })
        .collect()
}

/// The words of a list's name; "to do" is one word.
fn named(list: Phrase<'_>) -> Vec<String> {
    let mut words = spoken(list);
    let is_split = |pair: &[String]| matches!(pair, [to, end] if to == "to" && end == "do");
    if let Some(at) = words.windows(2).position(is_split) {
        words.splice(at..at + 2, ["todo".to_owned()]);
    }
    words
}

fn is_item(item: Phrase<'_>) -> bool {
    let words = item.words();
    let inner = words.iter().take(words.len().saturating_sub(1));
    let is_whole = inner.clone().all(|word| word.stop < Stop::Sentence);
    item.len() <= MOST_WORDS && is_whole && !item.has(NO_ITEM) && !item.starts("to|that")
}

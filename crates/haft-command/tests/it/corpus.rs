//! Sentences by the hundred: those that must change nothing, and those that must act with exactly
//! these calls.
//!
//! They stand in `corpus/`, one a line. Beside them every command is put behind and before the
//! words that govern it, with all the punctuation that people and recognisers of speech write.

use std::cell::RefCell;

use serde_json::Value;

use super::calls::expand;
use super::support::{home, turn, world};

const CHANGES_NOTHING: &str = include_str!("corpus/changes_nothing.txt");
const ACTS: &str = include_str!("corpus/acts.txt");

/// The sentences of a corpus, without its headings.
pub(super) fn lines(corpus: &str) -> impl Iterator<Item = String> + '_ {
    corpus
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| line.replace("\\n", "\n"))
}

/// All calls of a turn in the small home, and what is said at its end.
async fn played(text: &str) -> (Vec<String>, String) {
    let calls = RefCell::new(Vec::new());
    let noting = |tool: &str, arguments: &Value| {
        calls.borrow_mut().push(format!("{tool} {arguments}"));
        world(tool, arguments)
    };
    let (said, _) = turn(&home(), text, noting).await;
    (calls.into_inner(), said)
}

fn changes(calls: &[String]) -> bool {
    calls.iter().any(|call| call.starts_with("control_"))
}

/// The sentences among `texts` after which something was changed.
async fn acting(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut wrong = Vec::new();
    for text in texts {
        let (calls, said) = played(&text).await;
        assert!(!said.trim().is_empty(), "{text:?} is not answered");
        if changes(&calls) {
            wrong.push(format!("{text:?} made {calls:?}"));
        }
    }
    wrong
}

#[tokio::test]
async fn a_clause_that_is_not_understood_stops_the_sentence() {
    assert!(lines(CHANGES_NOTHING).count() >= 150);
    let wrong = acting(lines(CHANGES_NOTHING)).await;
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// As a recogniser of speech writes: no capitals, no punctuation.
#[tokio::test]
async fn no_punctuation_is_needed_to_stop_a_sentence() {
    // Without its question mark a command is one, and without its quotation marks, too.
    const SIGNS: [char; 12] = ['/', '[', '(', '"', '“', '„', '«', '‘', '>', '~', '{', '<'];
    let is_all_punctuation =
        |text: &String| text.ends_with('?') || text.starts_with('\'') || text.contains(SIGNS);
    let bare = |text: String| {
        let kept = text.replace('\n', " ").to_lowercase();
        let marks = [
            ',', '.', ':', ';', '—', '…', '!', '"', '“', '”', '„', '«', '»', '‘', '>',
        ];
        let words = kept.replace(marks, " ").replace(" - ", " ");
        words.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let texts = lines(CHANGES_NOTHING).filter(|text| !is_all_punctuation(text));
    let wrong = acting(texts.map(bare)).await;
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn what_is_understood_acts_with_exactly_these_calls() {
    assert!(lines(ACTS).count() >= 120);
    let mut wrong = Vec::new();
    for line in lines(ACTS) {
        let (text, calls) = line.split_once(" => ").unwrap();
        let expected: Vec<String> = calls.split(" | ").map(expand).collect();
        let (made, said) = played(text).await;
        if made != expected {
            wrong.push(format!(
                "{text:?}\n   made {made:?}\n   not  {expected:?}\n   said {said:?}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const COMMANDS: [&str; 8] = [
    "turn on the kitchen light",
    "unlock the front door",
    "set the thermostat to 24",
    "dim the reading light to 40 percent",
    "turn off all the lights",
    "make the reading light brighter",
    "kitchen light off",
    "turn the coffee machine on",
];
/// What governs a command from the front.
pub(super) const BEFORE: &[&str] = &[
    "in the event of a fire",
    "should it rain",
    "if it rains",
    "as soon as I leave",
    "unless I am home",
    "from next Monday on",
    "after sunset",
    "tomorrow",
    "my boss said",
    "he told me to",
    "the sign says",
    "in the film",
    "never",
    "I forbid you to",
    "don't ever",
    "imagine",
    "remind me to",
    "how would one",
    "I was going to",
    "translate",
    "he gave the order to",
    "the parrot likes to squawk",
    "it would be wrong to",
    "yesterday I had to",
];
/// What governs a command from behind.
pub(super) const BEHIND: &[&str] = &[
    "in the event of a fire",
    "should it rain",
    "if it rains",
    "once I have left",
    "from next Monday on",
    "in ten minutes",
    "at half past nine",
    "every day",
    "said my boss",
    "he told me",
    "is what the sign says",
    "not",
    "sorry no",
    "I mean the other one",
    "just kidding",
    "was what I dreamt",
    "blah blah he went",
    "and write a poem",
    "and the rest you know",
];
const BETWEEN: [&str; 9] = [" ", ", ", ". ", ": ", "; ", " - ", " — ", "... ", "\n"];

/// A third of what may stand between two clauses, another one for each `turn`.
pub(super) fn betweens(turn: usize) -> impl Iterator<Item = &'static str> {
    let third = BETWEEN.into_iter().skip(turn % 3);
    third.step_by(3)
}

#[tokio::test]
async fn a_condition_or_report_stops_a_command_at_any_place() {
    let mut texts = Vec::new();
    for (row, command) in COMMANDS.iter().enumerate() {
        for (column, before) in BEFORE.iter().enumerate() {
            for between in betweens(row + column) {
                texts.push(format!("{before}{between}{command}"));
            }
        }
        for (column, behind) in BEHIND.iter().enumerate() {
            for between in betweens(row + column) {
                texts.push(format!("{command}{between}{behind}"));
            }
        }
    }
    assert!(texts.len() > 1_000);
    let wrong = acting(texts.into_iter()).await;
    assert!(
        wrong.is_empty(),
        "{} of them\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

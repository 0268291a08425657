//! Expands our own sentences in `data/templates.txt`, which describes its format.

use std::collections::{BTreeMap, BTreeSet};

use crate::random::Random;

const BEGINNINGS: [&str; 22] = [
    "b", "br", "c", "ch", "d", "f", "g", "gr", "h", "j", "k", "l", "m", "n", "p", "r", "s", "st",
    "t", "v", "w", "z",
];
const MIDDLES: [&str; 10] = ["a", "e", "i", "o", "u", "ea", "oo", "ai", "ou", "y"];
const ENDS: [&str; 14] = [
    "", "", "", "n", "r", "l", "s", "t", "rd", "nd", "ck", "m", "st", "ll",
];

/// The sentences with the names of their classes, without duplicates.
pub(crate) fn expand(text: &str, seed: u64) -> Vec<(String, String)> {
    let mut slots: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut random = Random::new(seed);
    let mut known = BTreeSet::new();
    let mut sentences = Vec::new();
    for line in text.lines().map(str::trim) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some((name, choices)) = line.strip_prefix('$').and_then(|l| l.split_once('=')) {
            slots.insert(name.trim(), choices.split('|').map(str::trim).collect());
            continue;
        }
        let (head, template) = line
            .split_once(':')
            .expect("a template is `class number: text`");
        let (class, number) = head.split_once(' ').expect("a class, then a number");
        for _ in 0..number.parse().expect("a number of sentences") {
            let mut expansion = Expansion {
                slots: &slots,
                random: &mut random,
                text: String::new(),
            };
            expansion.expand(template);
            let words: Vec<_> = expansion.text.split_whitespace().collect();
            let sentence = words.join(" ");
            if known.insert(sentence.clone()) {
                sentences.push((class.to_owned(), sentence));
            }
        }
    }
    sentences
}

struct Expansion<'a> {
    slots: &'a BTreeMap<&'a str, Vec<&'a str>>,
    random: &'a mut Random,
    text: String,
}

impl Expansion<'_> {
    fn expand(&mut self, template: &str) {
        let mut rest = template;
        while let Some(first) = rest.chars().next() {
            let tail = &rest[first.len_utf8()..];
            match first {
                '(' => {
                    let (choices, after) = tail.split_once(')').expect("a closing bracket");
                    let choices: Vec<_> = choices.split('|').collect();
                    let choice = *self.random.pick(&choices);
                    self.expand(choice);
                    rest = after;
                }
                '$' => {
                    let end = tail.find(|c: char| !c.is_ascii_lowercase());
                    let (name, after) = tail.split_at(end.unwrap_or(tail.len()));
                    let choices = self.slots.get(name).expect("a known slot");
                    let choice = *self.random.pick(choices);
                    self.expand(choice);
                    rest = after;
                }
                '?' => {
                    self.make_up_a_word();
                    rest = tail;
                }
                other => {
                    self.text.push(other);
                    rest = tail;
                }
            }
        }
    }

    fn make_up_a_word(&mut self) {
        for _ in 0..=self.random.below(3) {
            for parts in [&BEGINNINGS[..], &MIDDLES, &ENDS] {
                let part = *self.random.pick(parts);
                self.text.push_str(part);
            }
        }
    }
}

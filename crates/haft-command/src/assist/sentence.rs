//! Cuts a sentence into clauses that are understood as wholes, against the devices of a home.
//!
//! A cut is tried at every "and", comma, and verb that may begin a command. Of all ways to cut, one
//! in which each clause is understood is taken, with the longest clauses first; so "the hall and
//! attic lights" stays together, and "the lamp and open the blinds" does not.

use std::collections::HashMap;

use haft_select::english::one_of;

use super::grammar::readings;
use super::home::Home;
use super::inquiry::inquiry;
use super::order::Order;
use super::resolve::{Meant, meant};
use crate::grammar::{HERE, Polite, classify, minded, without_noise};
use crate::intent::{Intent, Target};
use crate::tokens::{Phrase, Stop, words};

/// More places to cut than any command has.
const MOST_CUTS: usize = 24;
const JOINING: &str = "and|then|also|plus|but|&|afterwards";
/// Verbs with which a command may begin without a pause before it, as they are no nouns.
const RUNNING_ON: &str = "turn|switch|set|unlock|pause|resume|unpause|mute|unmute|activate|deactivate|\
    open|close|lock|start|stop|add";
/// Verbs with which a command begins.
const VERBS: &str = "turn|switch|set|dim|open|close|shut|lock|unlock|pause|resume|unpause|mute|unmute|\
    start|stop|activate|deactivate|enable|disable|raise|lower|play|skip|vacuum|clean|water|add|put|\
    return|send|dock|run|kill|roll|brighten|make|adjust|change|increase|decrease";

/// A clause of a sentence, with what it asks for.
#[derive(Debug)]
pub(crate) struct Part<'a> {
    pub(crate) phrase: Phrase<'a>,
    pub(crate) intent: Intent,
}

/// True when `phrase` begins like a command.
pub(crate) fn begins(phrase: Phrase<'_>) -> bool {
    one_of(phrase.at(0), VERBS)
}

/// True when `text` begins a command somewhere.
pub(crate) fn speaks_of_home(text: &str) -> bool {
    words(text).iter().any(|word| one_of(&word.lower, VERBS))
}

/// The clauses of `phrase`.
pub(crate) fn parts<'a>(phrase: Phrase<'a>, home: &Home) -> Vec<Part<'a>> {
    let ends = ends(phrase);
    let mut cutter = Cutter {
        phrase,
        home,
        ends: &ends,
        read: HashMap::new(),
        failed: Vec::new(),
        is_strict: true,
    };
    if ends.len() > MOST_CUTS {
        return cutter.atoms();
    }
    if let Some(parts) = cutter.from(0) {
        return parts;
    }
    cutter.is_strict = false;
    cutter.failed.clear();
    cutter.from(0).unwrap_or_else(|| cutter.atoms())
}

/// Where clauses may end.
fn ends(phrase: Phrase<'_>) -> Vec<usize> {
    let words = phrase.words().iter().enumerate().skip(1);
    let before = phrase.words().iter();
    let mut ends: Vec<usize> = words
        .zip(before)
        .filter(|((_, word), before)| {
            let is_open = !word.quoted || !before.quoted;
            let is_begin = one_of(&word.lower, JOINING) || one_of(&word.lower, RUNNING_ON);
            is_open && (before.stop != Stop::None || is_begin)
        })
        .map(|((at, _), _)| at)
        .collect();
    ends.push(phrase.len());
    ends
}

struct Cutter<'a, 'h> {
    phrase: Phrase<'a>,
    home: &'h Home,
    ends: &'h [usize],
    /// What was read already, by the first word and the end.
    read: HashMap<(usize, usize), Intent>,
    /// Where no clauses can go on.
    failed: Vec<usize>,
    /// Whether each clause must be clear, and not only lead to a question.
    is_strict: bool,
}

impl<'a> Cutter<'a, '_> {
    fn from(&mut self, start: usize) -> Option<Vec<Part<'a>>> {
        let start = start + joining(self.phrase.from(start));
        if start >= self.phrase.len() {
            return Some(Vec::new());
        }
        if self.failed.contains(&start) {
            return None;
        }
        for end in self.ends.iter().rev().copied().filter(|end| *end > start) {
            let phrase = self.phrase.to(end).from(start);
            let intent = self.read(start, end);
            if !is_understood(&intent, self.is_strict) {
                continue;
            }
            if let Some(mut rest) = self.from(end) {
                rest.insert(0, Part { phrase, intent });
                return Some(rest);
            }
        }
        self.failed.push(start);
        None
    }

    fn read(&mut self, start: usize, end: usize) -> Intent {
        let phrase = self.phrase.to(end).from(start);
        let known = self.read.entry((start, end));
        known.or_insert_with(|| read(phrase, self.home)).clone()
    }

    /// The clauses where they are not all understood.
    fn atoms(&mut self) -> Vec<Part<'a>> {
        let phrase = self.phrase;
        let is_one = !phrase.has(JOINING) && phrase.words().iter().all(|word| !word.quoted);
        let whole = self.read(joining(phrase), phrase.len());
        if is_one && whole != Intent::Unknown {
            return vec![Part {
                phrase,
                intent: whole,
            }];
        }
        let mut start = 0;
        let mut parts = Vec::new();
        for end in self.ends {
            let first = start + joining(phrase.to(*end).from(start));
            start = *end;
            if first >= *end {
                continue;
            }
            let intent = match self.read(first, *end) {
                Intent::Order(order) if !order.meant.is_clear() => Intent::Unknown,
                intent => intent,
            };
            parts.push(Part {
                phrase: phrase.to(*end).from(first),
                intent,
            });
        }
        parts
    }
}

/// How many words at the start of `phrase` only join it to what was before.
fn joining(phrase: Phrase<'_>) -> usize {
    let words = phrase.words().iter();
    let count = words
        .take_while(|word| one_of(&word.lower, JOINING))
        .count();
    // "First turn on the lamp", but not "first floor lights off".
    let is_first =
        one_of(phrase.at(count), "first|finally|lastly") && begins(phrase.from(count + 1));
    count + usize::from(is_first)
}

fn is_understood(intent: &Intent, is_strict: bool) -> bool {
    match intent {
        Intent::Unknown => false,
        Intent::Order(order) if is_strict => {
            order.meant.is_clear() || order.meant == Meant::Pronoun
        }
        Intent::Order(order) => !matches!(order.meant, Meant::Unknown | Meant::Nothing),
        _ => true,
    }
}

/// What `phrase`, a single clause, asks for.
fn read(phrase: Phrase<'_>, home: &Home) -> Intent {
    if let Some(request) = minded(phrase) {
        let words = words(&request);
        return read(Phrase::new(&request, &words), home);
    }
    let Polite {
        rest, asks_to_know, ..
    } = without_noise(phrase);
    // "Next" may be noise, and is a command to a player.
    let next = phrase.position("next").map(|at| phrase.from(at));
    let next = next.filter(|next| {
        let before = phrase.to(phrase.len() - next.len());
        without_noise(before).rest.is_empty()
    });
    let mut open: Option<Order> = None;
    let polite = (rest.len() < phrase.len()).then_some(rest);
    let stages = [Some(phrase), polite, next];
    for stage in stages.into_iter().flatten().filter(|_| !asks_to_know) {
        // What begins with no verb is a command only where its target is found.
        let is_plain = begins(stage);
        for reading in readings(stage) {
            let order = Order {
                meant: meant(home, &reading),
                act: reading.act,
                only: reading.only,
                target: reading.target.join(" "),
                said: phrase.text(),
            };
            if order.meant.is_clear() {
                return Intent::Order(order);
            }
            let is_near = is_plain || weight(&order) > 0;
            if is_near
                && open
                    .as_ref()
                    .is_none_or(|open| weight(&order) > weight(open))
            {
                open = Some(order);
            }
        }
    }
    if let Some(inquiry) = inquiry(rest).filter(|inquiry| inquiry.is_about(home)) {
        return Intent::Inquiry(inquiry);
    }
    let known = classify(&phrase.text());
    match (known, open) {
        (known @ Intent::Control { .. }, open) => relative(known, home)
            .or(open.map(Intent::Order))
            .unwrap_or(Intent::Unknown),
        (Intent::Unknown, Some(open)) => Intent::Order(open),
        (_, Some(open)) if weight(&open) > 1 => Intent::Order(open),
        (known, _) => known,
    }
}

/// How near an order is to being understood.
fn weight(order: &Order) -> u8 {
    match order.meant {
        Meant::Which(_) => 3,
        Meant::Pronoun => 2,
        Meant::Nothing => 1,
        _ => 0,
    }
}

/// True for a name, or for a group in rooms: all lights of the home are asked about.
fn is_told(target: &Target) -> bool {
    match target {
        Target::Named(_) => true,
        Target::All { rooms, .. } => !rooms.is_empty() && !rooms.iter().any(|room| room == HERE),
        Target::Unnamed => false,
    }
}

/// "Make the lamp brighter" needs to know how bright it is, and goes the way of other tools.
fn relative(known: Intent, home: &Home) -> Option<Intent> {
    match &known {
        Intent::Control { action, targets } if action.is_relative() => {
            let is_clear = !home.asks_for_area || targets.iter().all(is_told);
            is_clear.then_some(known)
        }
        _ => None,
    }
}

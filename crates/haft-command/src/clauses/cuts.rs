//! Cuts a sentence into parts, each a command or a question of its own.

use haft_select::english::one_of;

use crate::assist::Part;
use crate::grammar::{begins_command, classify, has_device_noun, is_place, looks_like_name};
use crate::intent::{Action, Intent};
use crate::tokens::{Phrase, Stop};

/// The parts of a sentence; what only goes on with the part before it belongs to that one.
pub(super) fn parts(phrase: Phrase<'_>) -> Vec<Part<'_>> {
    let mut parts: Vec<Part<'_>> = Vec::new();
    let mut start = 0;
    for atom in atoms(phrase) {
        let end = start + atom.skipped + atom.phrase.len();
        let next = Part {
            phrase: atom.phrase,
            intent: classify(&atom.phrase.text()),
        };
        if let Some(before) = parts.last_mut() {
            let first = start - before.phrase.len();
            let joined = phrase.to(end).from(first);
            if let Some(intent) = merge(before, &next, joined) {
                *before = Part {
                    phrase: joined,
                    intent,
                };
                start = end;
                continue;
            }
        }
        parts.push(Part {
            phrase: phrase.to(end).from(start + atom.skipped),
            ..next
        });
        start = end;
    }
    parts
}

/// A part between possible cuts, and how many joining words stand before it.
struct Atom<'a> {
    phrase: Phrase<'a>,
    skipped: usize,
}

fn atoms(phrase: Phrase<'_>) -> Vec<Atom<'_>> {
    let mut atoms = Vec::new();
    let (mut start, mut skipped) = (0, 0);
    for (index, word) in phrase.words().iter().enumerate() {
        let before = phrase.to(index).from(start);
        if !word.quoted && begins_command(before) && before.len() > 2 && runs_on(phrase.from(index))
        {
            atoms.push(Atom {
                phrase: before,
                skipped,
            });
            (start, skipped) = (index, 0);
            continue;
        }
        let joins = one_of(&word.lower, "and|then|also|plus|but|&") && !word.quoted;
        if joins {
            if index > start {
                atoms.push(Atom {
                    phrase: phrase.to(index).from(start),
                    skipped,
                });
                skipped = 0;
            }
            skipped += 1;
            start = index + 1;
        } else if word.stop == Stop::Comma && !word.quoted {
            atoms.push(Atom {
                phrase: phrase.to(index + 1).from(start),
                skipped,
            });
            skipped = 0;
            start = index + 1;
        }
    }
    if start < phrase.len() {
        atoms.push(Atom {
            phrase: phrase.from(start),
            skipped,
        });
    }
    atoms
}

/// True where a new command begins without a pause, as transcripts of speech have it.
fn runs_on(phrase: Phrase<'_>) -> bool {
    [
        "turn on|off",
        "turn|dim|lock|unlock|set the|my|all",
        "tell me the|what",
        "what time|day is",
    ]
    .iter()
    .any(|words| phrase.starts(words))
}

/// What two neighbours are together, where they are one command; `joined` are the words of both
/// and what stands between them.
fn merge(left: &Part<'_>, right: &Part<'_>, joined: Phrase<'_>) -> Option<Intent> {
    let (before, known) = (left.phrase, &left.intent);
    let (next, intent) = (right.phrase, &right.intent);
    if matches!(known, Intent::Nothing | Intent::Greeting) {
        return None;
    }
    // "what is the date | and time"
    if let both @ Intent::Time { dated: true, .. } = classify(&joined.text()) {
        return Some(both);
    }
    let together = || Some(classify(&joined.text())).filter(|intent| *intent != Intent::Unknown);
    match (known, intent) {
        // "remind me to call mum and turn off the oven" is one wish, and not ours.
        (Intent::Unknown, _) if is_speech(before) => Some(Intent::Unknown),
        // "turn the lamp | and the fan off", "in Tokyo | what time is it".
        (Intent::Unknown, _) if begins_command(before) || before.starts("in|at|for") => together(),
        // "two | and a half hours in minutes"
        (_, Intent::Convert(_)) => together(),
        // "July 20, | 1969"
        (Intent::Date { .. }, Intent::Unknown) => together(),
        // "dim the lamp | and the fan to 15%"
        (
            Intent::Control {
                action: Action::Brighter(_) | Action::Warmer(_),
                ..
            },
            Intent::Control { .. },
        ) if !begins_command(next) => together(),
        (Intent::Unknown, Intent::Unknown) => Some(together().unwrap_or(Intent::Unknown)),
        // "Does the lamp still respond, | or is it offline"
        (Intent::Question { .. }, Intent::Unknown) if next.starts("or") => together(),
        (Intent::Control { .. } | Intent::Question { .. }, Intent::Unknown) => {
            continues(before, next).then(together)?
        }
        (Intent::Negated, Intent::Unknown) => Some(Intent::Negated),
        (Intent::Later, Intent::Unknown) => Some(Intent::Later),
        (Intent::Time { places, .. }, Intent::Unknown) if !places.is_empty() => {
            let next = next.without("in");
            let is_short = next.len() <= 3 || next.is_capitalised();
            (is_short && is_place(next)).then(together)?
        }
        _ => None,
    }
}

/// True when `next` goes on naming devices where `before` stopped.
fn continues(before: Phrase<'_>, next: Phrase<'_>) -> bool {
    let short = !has_device_noun(before.from(before.len().saturating_sub(1))) && next.len() <= 2;
    looks_like_name(next) || next.starts("not") || next.starts("but|except") || short
}

/// True when `phrase` only speaks about what follows.
fn is_speech(phrase: Phrase<'_>) -> bool {
    phrase.starts(
        "please? can|could? you? remind|translate|say|repeat|explain|schedule|imagine|suppose|pretend|define|spell|summarize",
    )
}

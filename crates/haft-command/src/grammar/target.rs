//! Which devices a command means: names as the user said them, "all the lights", or "it".

use haft_select::english::{is_device_noun, kind_of_group, kind_of_noun, kind_of_one, one_of};

use super::nouns::{ROOMS, THINGS, ends_well, has_device_noun, has_room};
use crate::intent::{DeviceKind, Target};
use crate::name::is_clear;
use crate::tokens::{Phrase, Stop, words};

impl Target {
    /// True when every word of it may belong to a name: what was said holds nothing else.
    pub(crate) fn is_clear(&self) -> bool {
        match self {
            Self::Unnamed => true,
            Self::Named(name) => {
                let words = words(name);
                let phrase = Phrase::new(name, &words);
                // "salt and pepper lamp", but not "coffee and relax"
                let is_one = !phrase.has("and|&") || is_device_noun(phrase.last());
                is_clear(name) && is_one && ends_well(phrase)
            }
            Self::All { rooms, except, .. } => {
                rooms.iter().chain(except).all(|name| is_clear(name))
            }
        }
    }

    /// True when it is surely a thing at home: a list of several has nothing else.
    pub(crate) fn is_thing(&self) -> bool {
        let Self::Named(name) = self else { return true };
        let words = words(name);
        self.is_plain() || Phrase::new(name, &words).has(THINGS)
    }

    /// True when the words of it are those of a home: a kind of device, or a room.
    pub(crate) fn is_plain(&self) -> bool {
        match self {
            Self::Unnamed => false,
            Self::All { .. } => true,
            Self::Named(name) => {
                let words = words(name);
                let phrase = Phrase::new(name, &words);
                has_device_noun(phrase) || has_room(phrase)
            }
        }
    }

    /// The windows of a room, where a window is named: "kitchen window".
    pub(crate) fn windows(&self) -> Option<Self> {
        let Self::Named(name) = self else { return None };
        let words = words(name);
        let phrase = Phrase::new(name, &words);
        let room = phrase.strip_end("window")?;
        Some(Self::all(DeviceKind::Window, rooms(room)))
    }

    /// The lights of a room, where nothing but the room is named: what somebody means who sets
    /// "the bedroom" to 40 percent.
    pub(crate) fn lights_of_room(&self) -> Option<Self> {
        let Self::Named(name) = self else { return None };
        let words = words(name);
        let is_room = words.last().is_some_and(|word| one_of(&word.lower, ROOMS))
            && words.len() <= 2
            && !has_device_noun(Phrase::new(name, &words));
        is_room.then(|| Self::all(DeviceKind::Light, vec![name.clone()]))
    }
}

const PRONOUNS: &str = "it|that|this|them|those|these|one|him|her|same|thing|room|here";
const ARTICLES: &str = "the|a|an|my|our|your|this|that|of";
const HOUSE: &str = "house|home|apartment|flat|everywhere|building|place";
/// The room that the user is in, which the engine does not know.
pub(crate) const HERE: &str = "here";

/// True when `phrase`, said after "and", continues a list of devices.
pub(crate) fn looks_like_name(phrase: Phrase<'_>) -> bool {
    phrase.starts("the|my|our|all|every") || (has_device_noun(phrase) && phrase.len() <= 6)
}

/// The devices that `phrase` names; [`Target::Unnamed`] alone when it names none.
pub(super) fn targets(phrase: Phrase<'_>) -> Vec<Target> {
    if let Some(at) = phrase.position("except|but|besides|without|excluding")
        && at > 0
    {
        let kept = phrase.from(at + 1);
        let kept = match phrase.at(at) {
            "but" => kept.without("not"),
            _ => kept,
        };
        let except = kept.without("for|from");
        let except = names(except).into_iter().map(excepted).collect();
        return match one(phrase.to(at)) {
            Target::All { kind, rooms, .. } => vec![Target::All {
                kind,
                rooms,
                except,
            }],
            // One device has no exceptions: this is no list.
            _ => vec![Target::Named(phrase.text())],
        };
    }
    names(phrase).into_iter().map(one).collect()
}

/// What is left out: "the kitchen light", "the ones in the kitchen", but no other word.
fn excepted(phrase: Phrase<'_>) -> String {
    let name = bare(phrase);
    let room = name
        .strip("ones|one|those|lights|lamps? in|on|at")
        .map(bare);
    let is_device = has_device_noun(name) || has_room(name) || phrase.starts("the|my|our");
    match room {
        Some(room) => room.text(),
        None if is_device => name.text(),
        None => String::new(),
    }
}

/// Cuts a list of names: "the lamp, the fan and the TV", but not "salt and pepper lamp".
fn names(phrase: Phrase<'_>) -> Vec<Phrase<'_>> {
    let is_and = |word: &str| one_of(word, "and|or|&|plus");
    let mut parts = Vec::new();
    let mut start = 0;
    for (index, word) in phrase.words().iter().enumerate() {
        let comma = word.stop != Stop::None;
        let (left_end, right_start) = if is_and(&word.lower) {
            (index, index + 1)
        } else if comma {
            (index + 1, index + 1)
        } else {
            continue;
        };
        let left = phrase.to(left_end).from(start);
        let right = phrase.from(right_start);
        if left.is_empty() {
            start = right_start;
        } else if !right.is_empty() && is_complete(left, right) {
            parts.push(left);
            start = right_start;
        }
    }
    parts.push(phrase.from(start));
    parts
}

fn is_complete(left: Phrase<'_>, right: Phrase<'_>) -> bool {
    let plural_follows = has_plural(right);
    let ends_in_noun = is_device_noun(left.last()) || left.position("in|on").is_some();
    let lists_rooms = left.has("in|at") && !has_device_noun(right);
    if lists_rooms && has_plural(left) {
        return false;
    }
    let determined = right.starts("and|or? the|my|our|all|every");
    // Whatever else follows is no name: "the coffee and relax".
    let is_short = !has_device_noun(right) && !plural_follows && right.len() <= 2;
    determined || (ends_in_noun && has_device_noun(right)) || (is_short && has_room(right))
}

/// True when a word names several devices at once: "lights".
fn has_plural(phrase: Phrase<'_>) -> bool {
    let mut words = phrase.words().iter();
    words.any(|word| kind_of_group(&word.lower).is_some())
}

fn bare(phrase: Phrase<'_>) -> Phrase<'_> {
    let mut phrase = phrase;
    while let Some(rest) = phrase.strip(ARTICLES).filter(|rest| !rest.is_empty()) {
        phrase = rest;
    }
    phrase
}

fn one(phrase: Phrase<'_>) -> Target {
    let phrase = phrase.without_end("too|also|as well?|please|both");
    let plain = bare(phrase);
    if plain.is_empty() || plain.is(PRONOUNS) || phrase.is(PRONOUNS) || phrase.is(ARTICLES) {
        return Target::Unnamed;
    }
    if let Some(rest) = phrase.strip("all|every|each|everything|any|some|both|anything|something") {
        return all(bare(rest), DeviceKind::Anything);
    }
    if has_plural(plain) {
        return all(plain, DeviceKind::Anything);
    }
    match plain.position("in|on|at|of").filter(|at| *at > 0) {
        // The light in the kitchen is the kitchen light.
        Some(at) if is_device_noun(plain.at(at - 1)) || has_room(plain.from(at + 1)) => {
            let room = bare(plain.from(at + 1));
            if is_house(room) || is_here(room) {
                return Target::Named(plain.to(at).text());
            }
            if !is_clear(&room.text()) {
                return Target::Named(plain.text());
            }
            Target::Named(format!("{} {}", room.text(), plain.to(at).text()))
        }
        _ => Target::Named(plain.text()),
    }
}

/// The devices of the kind that `phrase` names: "light in the attic" means every such light.
pub(super) fn group(phrase: Phrase<'_>) -> Target {
    all(bare(phrase), DeviceKind::Anything)
}

/// "lights in the kitchen", "kitchen and bedroom lights", or "" for everything.
fn all(phrase: Phrase<'_>, otherwise: DeviceKind) -> Target {
    let words = phrase.words().iter();
    let noun = words.clone().enumerate().find_map(|(at, word)| {
        let kind = kind_of_group(&word.lower).or_else(|| kind_of_one(&word.lower))?;
        // "window sensors" are sensors
        let names_another = kind == DeviceKind::Window && kind_of_noun(phrase.at(at + 1)).is_some();
        (!names_another).then_some((at, kind))
    });
    let (kind, before, after) = match noun {
        Some((at, kind)) => (kind, phrase.to(at), phrase.from(at + 1)),
        None => (otherwise, phrase.to(0), phrase),
    };
    let mut rooms = rooms(before);
    rooms.extend(self::rooms(after));
    Target::all(kind, rooms)
}

/// "the whole house", but not "the neighbour's house".
fn is_house(phrase: Phrase<'_>) -> bool {
    let house = format!("the|my|our|this? whole|entire? {HOUSE}");
    phrase.is(&house)
        || phrase.is("whole|entire")
        || phrase.is("in house|home")
        || phrase
            .is("all? over|around|throughout|across the|my|our? whole|entire? house|home|place?")
}

fn is_every_room(phrase: Phrase<'_>) -> bool {
    phrase.is("all|every|each|any of? the|my|our? room|rooms|area|areas")
        || phrase.is("all|every|each|single")
}

pub(super) fn rooms(phrase: Phrase<'_>) -> Vec<String> {
    phrase
        .words()
        .split(|word| one_of(&word.lower, "and|or|&"))
        .map(|words| phrase.of(words))
        .map(|room| {
            let place = room.strip("of? in|on|at|inside|from");
            // "on" alone is no place.
            place.filter(|place| !place.is_empty()).unwrap_or(room)
        })
        .map(bare)
        .filter(|room| !room.is_empty() && !is_house(*room))
        .filter(|room| !is_every_room(*room))
        .map(|room| match is_here(room) {
            true => HERE.to_owned(),
            false => room.text(),
        })
        .collect()
}

/// "in here", "in this room"; "room" alone is a part of other rooms' names.
fn is_here(phrase: Phrase<'_>) -> bool {
    phrase.is("in|over? right? here") || phrase.is("the|this|my? room")
}

/// The targets of "lights" and "in the kitchen" together.
pub(super) fn in_room(devices: Phrase<'_>, room: Phrase<'_>) -> Vec<Target> {
    let mut targets = targets(devices);
    let places = rooms(room);
    if places.is_empty() || room.is("at the? moment") {
        return targets;
    }
    if places.iter().any(|place| !is_clear(place)) {
        // Unclear as a whole, too.
        return vec![Target::Named(format!(
            "{} in {}",
            devices.text(),
            room.text()
        ))];
    }
    if let [Target::Named(name)] = targets.as_slice() {
        let placed = |place: &String| match place.as_str() {
            HERE => Target::Named(name.clone()),
            place => Target::Named(format!("{place} {name}")),
        };
        return places.iter().map(placed).collect();
    }
    for target in &mut targets {
        match target {
            Target::Named(name) => *name = format!("{} {name}", places.join(" and ")),
            Target::All { rooms, .. } => rooms.extend(places.iter().cloned()),
            Target::Unnamed => {}
        }
    }
    targets
}

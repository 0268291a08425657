//! Which devices a command means: names as the user said them, "all the lights", or "it".

use crate::builtin::tokens::{Phrase, one_of, words};

/// One thing or group that a command is about.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::builtin) enum Target {
    /// A name, without articles.
    Named(String),
    /// All devices of a kind, perhaps only those of some rooms, perhaps without some.
    All {
        kind: Kind,
        /// Rooms, or parts of names; none for everywhere.
        rooms: Vec<String>,
        except: Vec<String>,
    },
    /// "it", "them", or nothing at all.
    Unnamed,
}

impl Target {
    /// True when the words of it are those of a home: a kind of device, or a room.
    pub(in crate::builtin) fn is_plain(&self) -> bool {
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

    /// The lights of a room, where nothing but the room is named: what somebody means who sets
    /// "the bedroom" to 40 percent.
    pub(in crate::builtin) fn lights_of_room(&self) -> Option<Self> {
        let Self::Named(name) = self else { return None };
        let words = words(name);
        let is_room = words.last().is_some_and(|word| one_of(&word.lower, ROOMS))
            && words.len() <= 2
            && !has_device_noun(Phrase::new(name, &words));
        is_room.then(|| Self::All {
            kind: Kind::Light,
            rooms: vec![name.clone()],
            except: Vec::new(),
        })
    }
}

/// Kinds of devices that can be meant together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::builtin) enum Kind {
    Anything,
    Light,
    Switch,
    Lock,
    Sensor,
    Thermostat,
    Fan,
    Cover,
}

const SINGULAR: &str = "light|lamp|bulb|chandelier|lantern|switch|plug|socket|outlet|fan|heater|\
    heating|thermostat|radiator|tv|television|dimmer|lock|door|gate|garage|blind|curtain|shutter|\
    shade|sensor|strip|spot|spotlight|kettle|humidifier|purifier|sprinkler|pump|valve|siren|boiler|\
    speaker|device|machine|dishwasher|washer|dryer|ac|conditioner|conditioning|oven|coffeemaker|sconce|downlight|led|window";
const PLURAL: [(&str, Kind); 8] = [
    (
        "lights|lamps|bulbs|lighting|spotlights|leds|downlights",
        Kind::Light,
    ),
    ("switches|plugs|sockets|outlets", Kind::Switch),
    ("locks|doors|gates", Kind::Lock),
    ("sensors", Kind::Sensor),
    ("thermostats|heaters|radiators", Kind::Thermostat),
    ("fans", Kind::Fan),
    ("blinds|curtains|shutters|shades|covers", Kind::Cover),
    (
        "devices|appliances|things|everything|gadgets",
        Kind::Anything,
    ),
];
const PRONOUNS: &str = "it|that|this|them|those|these|one|him|her|same|thing|room";
const ARTICLES: &str = "the|a|an|my|our|your|this|that|of";
const HOUSE: &str = "house|home|apartment|flat|everywhere|building|here|whole|entire|place";

const ROOMS: &str = "room|kitchen|bedroom|bathroom|bath|hall|hallway|corridor|lounge|office|study|\
    attic|basement|cellar|garden|balcony|terrace|patio|porch|nursery|toilet|laundry|pantry|closet|\
    upstairs|downstairs|outside|inside|house|home|flat|apartment|here|indoors|outdoors";

/// True when a word of `phrase` is what parts of a home are called.
pub(super) fn has_room(phrase: Phrase<'_>) -> bool {
    phrase.has(ROOMS)
}

/// True when a word of `phrase` is what devices are called.
pub(in crate::builtin) fn has_device_noun(phrase: Phrase<'_>) -> bool {
    phrase.words().iter().any(|word| is_noun(&word.lower))
}

fn is_noun(word: &str) -> bool {
    one_of(word, SINGULAR) || kind_of(word).is_some()
}

/// True when `phrase`, said after "and", continues a list of devices.
pub(in crate::builtin) fn looks_like_name(phrase: Phrase<'_>) -> bool {
    phrase.starts("the|my|our|all|every") || (has_device_noun(phrase) && phrase.len() <= 6)
}

pub(super) fn kind_of(word: &str) -> Option<Kind> {
    PLURAL
        .iter()
        .find(|(words, _)| one_of(word, words))
        .map(|(_, kind)| *kind)
}

/// The devices that `phrase` names; [`Target::Unnamed`] alone when it names none.
pub(super) fn targets(phrase: Phrase<'_>) -> Vec<Target> {
    if let Some(at) = phrase.position("except|but|besides|without|excluding")
        && at > 0
    {
        let kept = phrase.from(at + 1);
        let except = kept.strip("for|from|not").unwrap_or(kept);
        let except = names(except)
            .into_iter()
            .map(|name| bare(name).text())
            .collect();
        return match one(phrase.to(at)) {
            Target::All { kind, rooms, .. } => vec![Target::All {
                kind,
                rooms,
                except,
            }],
            other => vec![other],
        };
    }
    names(phrase).into_iter().map(one).collect()
}

/// Cuts a list of names: "the lamp, the fan and the TV", but not "salt and pepper lamp".
fn names(phrase: Phrase<'_>) -> Vec<Phrase<'_>> {
    let is_and = |word: &str| one_of(word, "and|or|&|plus");
    let mut parts = Vec::new();
    let mut start = 0;
    for (index, word) in phrase.words().iter().enumerate() {
        let comma = word.stop != crate::builtin::tokens::Stop::None;
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
    let plural_follows = right
        .words()
        .iter()
        .any(|word| kind_of(&word.lower).is_some());
    let ends_in_noun = is_noun(left.last()) || left.position("in|on").is_some();
    let lists_rooms = left.has("in|at") && !has_device_noun(right);
    if lists_rooms
        && left
            .words()
            .iter()
            .any(|word| kind_of(&word.lower).is_some())
    {
        return false;
    }
    let determined = right.starts("and|or? the|my|our|all|every");
    ends_in_noun || determined || (!has_device_noun(right) && !plural_follows && right.len() <= 2)
}

fn bare(phrase: Phrase<'_>) -> Phrase<'_> {
    let mut phrase = phrase;
    while let Some(rest) = phrase.strip(ARTICLES).filter(|rest| !rest.is_empty()) {
        phrase = rest;
    }
    phrase
}

fn one(phrase: Phrase<'_>) -> Target {
    let phrase = phrase
        .strip_end("too|also|as well?|please|both")
        .unwrap_or(phrase);
    let plain = bare(phrase);
    if plain.is_empty() || plain.is(PRONOUNS) || phrase.is(PRONOUNS) || phrase.is(ARTICLES) {
        return Target::Unnamed;
    }
    if let Some(rest) = phrase.strip("all|every|each|everything|any|some|both|anything|something") {
        return all(bare(rest), Kind::Anything);
    }
    let plural = plain
        .words()
        .iter()
        .any(|word| kind_of(&word.lower).is_some());
    if plural {
        return all(plain, Kind::Anything);
    }
    match plain.position("in|on|at|of").filter(|at| *at > 0) {
        // The light in the kitchen is the kitchen light.
        Some(at) if is_noun(plain.at(at - 1)) => {
            let room = bare(plain.from(at + 1));
            if room.is_empty() || room.has(HOUSE) {
                return Target::Named(plain.to(at).text());
            }
            Target::Named(format!("{} {}", room.text(), plain.to(at).text()))
        }
        _ => Target::Named(plain.text()),
    }
}

/// The devices of the kind that `phrase` names: "light in the attic" means every such light.
pub(super) fn group(phrase: Phrase<'_>) -> Target {
    all(bare(phrase), Kind::Anything)
}

/// "lights in the kitchen", "kitchen and bedroom lights", or "" for everything.
fn all(phrase: Phrase<'_>, otherwise: Kind) -> Target {
    let singular = |word: &str| match word {
        "light" | "lamp" | "bulb" => Some(Kind::Light),
        "switch" | "plug" | "outlet" | "socket" => Some(Kind::Switch),
        "door" | "lock" => Some(Kind::Lock),
        "sensor" => Some(Kind::Sensor),
        "thermostat" | "heater" => Some(Kind::Thermostat),
        "fan" => Some(Kind::Fan),
        _ => None,
    };
    let words = phrase.words().iter();
    let noun = words.clone().enumerate().find_map(|(at, word)| {
        let kind = kind_of(&word.lower).or_else(|| singular(&word.lower))?;
        Some((at, kind))
    });
    let (kind, before, after) = match noun {
        Some((at, kind)) => (kind, phrase.to(at), phrase.from(at + 1)),
        None => (otherwise, phrase.to(0), phrase),
    };
    let mut rooms = rooms(before);
    rooms.extend(self::rooms(after));
    Target::All {
        kind,
        rooms,
        except: Vec::new(),
    }
}

fn rooms(phrase: Phrase<'_>) -> Vec<String> {
    phrase
        .words()
        .split(|word| one_of(&word.lower, "and|or|&"))
        .map(|words| phrase.of(words))
        .map(|room| room.strip("of? in|on|at|inside|from").unwrap_or(room))
        .map(bare)
        .filter(|room| !room.is_empty() && !room.has(HOUSE))
        .filter(|room| !room.is("all|every|each|any of? the? room|rooms"))
        .map(Phrase::text)
        .collect()
}

//! Commands to devices; questions about them stand in `inquiry.rs`.
//!
//! A command begins with its verb or is a bare "kitchen light on"; a question never becomes a
//! command, and neither does what is forbidden, conditional or meant for later.

mod switched;

use haft_select::english::{kind_of_noun, one_of};

use self::switched::{Particle, Switched, split_amount, split_particle};

use super::later::{ends_at_hour, later};
use super::nouns::has_device_noun;
use super::state::{Declared, declared};
use super::target::{in_room, targets};
use crate::intent::{Action, DeviceKind, Intent, State, Target};
use crate::numbers::{Amount, Unit};
use crate::tokens::{Phrase, words};

/// What the first word of a command does.
#[derive(Clone, Copy, PartialEq)]
enum Verb {
    /// "turn", which needs "on" or "off".
    Turn,
    Set,
    Dim,
    /// What the verb alone says.
    Only(Action),
    /// What the verb says of devices; of anything else it means something else: "open a shop".
    OfDevice(Action),
}

const VERBS: [(&str, Verb); 12] = [
    ("turn|switch|put|flip|power|shut|flick", Verb::Turn),
    ("set|change|adjust|make|heat|cool|warm|get", Verb::Set),
    (
        "dim|brighten|lower|raise|reduce|increase|darken|lighten",
        Verb::Dim,
    ),
    ("activate|enable|illuminate", Verb::Only(Action::On)),
    (
        "deactivate|disable|extinguish|kill",
        Verb::Only(Action::Off),
    ),
    ("start|run", Verb::OfDevice(Action::On)),
    ("stop", Verb::OfDevice(Action::Off)),
    ("toggle", Verb::Only(Action::Toggle)),
    ("lock", Verb::Only(Action::Lock)),
    ("unlock", Verb::Only(Action::Unlock)),
    ("open", Verb::OfDevice(Action::Open)),
    ("close", Verb::OfDevice(Action::Close)),
];
pub(super) const CLIMATE: &str =
    "thermostat|temperature|heating|heat|heater|radiator|ac|climate|hvac";
/// What `set ... to 50` also says, of things that are no devices.
pub(super) const NO_DEVICES: &str = "volume|alarm|timer|reminder|variable|clock|time|date|language|meeting|\
    password|table|font|price|name|margin|x|y|sound|music|me|us|sense|difference|sure|song";

fn verb(phrase: Phrase<'_>) -> Option<Verb> {
    VERBS
        .iter()
        .find(|(words, _)| one_of(phrase.at(0), words))
        .map(|(_, verb)| *verb)
}

/// True when `phrase` begins like a command that may still miss its end.
pub(crate) fn begins_command(phrase: Phrase<'_>) -> bool {
    verb(phrase).is_some()
}

/// True when `word` is a verb or a particle of commands.
pub(crate) fn is_acting_word(word: &str) -> bool {
    VERBS.iter().any(|(words, _)| one_of(word, words)) || one_of(word, "on|off")
}

/// "Don't turn on the light", and also "I don't want you to turn on the light".
pub(super) fn negated(phrase: Phrase<'_>) -> Option<Intent> {
    // "Leave the lamp on" asks for nothing to happen.
    if let Some(rest) = phrase.strip("leave|keep") {
        return match bare_command(rest)? {
            Intent::Control { targets, .. } if targets.iter().all(Target::is_clear) => {
                Some(Intent::Keep)
            }
            _ => None,
        };
    }
    let at = phrase.position("not|never")?;
    let asks = phrase.starts("is|are|was|were|why|what|did|does|how|which|do you|we|they|i");
    let acts = (at..phrase.len()).any(|start| {
        let rest = phrase.from(start);
        verb(rest).is_some() && (command(rest).is_some() || verb(rest) != Some(Verb::Set))
    });
    (acts && !asks).then_some(Intent::Negated)
}

pub(super) fn command(phrase: Phrase<'_>) -> Option<Intent> {
    if let Some(wish) = wished(phrase) {
        return Some(wish);
    }
    let Some(verb) = verb(phrase) else {
        return bare_command(phrase);
    };
    let rest = phrase.from(1);
    if rest.starts("on|off? no|none|nothing") {
        return Some(Intent::Negated);
    }
    if let Some(at) = later(rest) {
        let now = phrase.to(at + 1);
        return command(now).map(|_| Intent::Later);
    }
    if verb != Verb::Set && ends_at_hour(rest) {
        return Some(Intent::Later);
    }
    let (rest, amount) = split_amount(rest);
    if verb == Verb::Set && rest.has(NO_DEVICES) {
        return None;
    }
    let switched = split_particle(rest);
    if let Some(amount) = amount {
        return (!matches!(verb, Verb::Only(_) | Verb::OfDevice(_)))
            .then(|| leveled(switched, amount));
    }
    let Switched {
        devices: rest,
        particle,
        room,
    } = switched;
    let action = match (verb, particle) {
        // Many tools lock with "on", which would light a lamp.
        (Verb::Only(Action::Lock | Action::Unlock), _) if !may_be_locked(rest) => return None,
        (Verb::Only(action), _) => action,
        (Verb::OfDevice(action), _) if has_device_noun(rest) => action,
        (Verb::Turn | Verb::Set, Some(Particle::On)) => Action::On,
        (Verb::Turn | Verb::Set, Some(Particle::Off)) => Action::Off,
        _ => return None,
    };
    let mut targets = in_room(rest, room);
    if targets.len() > 1 && rest.has("or") {
        // One of two is meant, and which is not guessed.
        targets = vec![Target::Unnamed];
    }
    Some(Intent::Control { action, targets })
}

/// "I want the lamp on", "the lamp should be on", "make sure the door is locked".
fn wished(phrase: Phrase<'_>) -> Option<Intent> {
    let wish = phrase
        .strip("i want|need to? have?")
        .or_else(|| phrase.strip("i would like|love|prefer to? have?"));
    if let Some(rest) = wish {
        // "the lights turned on"; as a sentence of its own it would be a report.
        let text = rest
            .text()
            .replace(" to be turned ", " ")
            .replace(" turned ", " ");
        let words = words(&text);
        return bare_command(Phrase::new(&text, &words));
    }
    if let Some(said) = phrase.strip("make|be sure that?") {
        if said.has("or") {
            return None;
        }
        if later(said).is_some() {
            return Some(Intent::Later);
        }
        let Declared { state, targets } = declared(said)?;
        let action = match state {
            State::On => Action::On,
            State::Off => Action::Off,
            State::Locked => Action::Lock,
            State::Unlocked => Action::Unlock,
            State::Open => Action::Open,
            State::Closed => Action::Close,
            State::Online | State::Offline | State::Any => return None,
        };
        return Some(Intent::Control { action, targets });
    }
    let at = phrase.position("should|must").filter(|at| *at > 0)?;
    let particle = phrase.from(at + 1).strip("be|stay turned|switched?")?;
    let action = match particle.text().as_str() {
        "on" => Action::On,
        "off" => Action::Off,
        _ => return None,
    };
    let devices = phrase.to(at);
    has_device_noun(devices).then(|| Intent::Control {
        action,
        targets: targets(devices),
    })
}

/// "Kitchen light on", "lights off in the hall", "bedroom lamp 40%".
fn bare_command(phrase: Phrase<'_>) -> Option<Intent> {
    let asks = "is|are|was|were|do|does|did|has|have|had|how|what|which|why|who|when|where|if|\
        should|shall|i|you|we|they|he|she|there|tell|show|list|say|check|not|be|could|can|leave|keep|sure|like|want|need|still";
    let is_late = later(phrase).is_some() || ends_at_hour(phrase);
    if phrase.has(asks) || phrase.starts("a|an|any|some") || phrase.len() > 12 || is_late {
        return None;
    }
    let (rest, amount) = split_amount(phrase);
    let switched = split_particle(rest);
    let everything = switched.devices.is("everything|all");
    if !has_device_noun(switched.devices) && !everything {
        return None;
    }
    if let Some(amount) = amount {
        return Some(leveled(switched, amount));
    }
    let action = match switched.particle? {
        Particle::On => Action::On,
        Particle::Off => Action::Off,
        Particle::Up | Particle::Down => return None,
    };
    Some(Intent::Control {
        action,
        targets: in_room(switched.devices, switched.room),
    })
}

fn leveled(switched: Switched<'_>, amount: Amount) -> Intent {
    let Switched {
        devices: phrase,
        room,
        ..
    } = switched;
    let is_climate = amount.unit != Unit::Percent && phrase.has(CLIMATE);
    let action = if amount.unit == Unit::Degrees || is_climate {
        Action::Temperature(amount.value)
    } else {
        Action::Level(amount.value)
    };
    // "the brightness of the lamp" and "the lamp brightness" are the lamp.
    let rest = phrase.without("the? brightness|level|temperature|intensity of|in|on|for|at?");
    let rest = rest.without_end("brightness|level|temperature|intensity");
    let is_room = phrase.has("temperature") && !has_device_noun(rest);
    let mut targets = in_room(rest, room);
    if let ([Target::Named(room)], true) = (targets.as_mut_slice(), is_room) {
        // A room has no temperature to set; its thermostat has.
        room.push_str(" thermostat");
    }
    if targets == [Target::Unnamed] && matches!(action, Action::Temperature(_)) {
        targets = vec![Target::Named("thermostat".to_owned())];
    }
    Intent::Control { action, targets }
}

fn may_be_locked(phrase: Phrase<'_>) -> bool {
    let mut words = phrase.words().iter();
    words.any(|word| kind_of_noun(&word.lower) == Some(DeviceKind::Lock))
        || phrase.has("window|windows|everything|devices")
        || !has_device_noun(phrase)
}

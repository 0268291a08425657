//! What kinds of devices and parts of a home are called in English, as far as their own names do
//! not say it.
//!
//! A word of a command is explained by a device if it stands in one of the device's names or
//! areas, if it is a noun of the device's kind, or if it means the same as such a word. How well it
//! is explained decides between devices.

use haft_select::english::one_of;

use super::home::{Device, Domain, Name};
use crate::name::may_be_in_name;

/// How a word of a command belongs to a device, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Explanation {
    /// A word of the name that its area and its kind do not have.
    Name,
    /// A word of the area.
    Area,
    /// A noun of its kind.
    Kind,
    /// Another word for one of the name or the area.
    Synonym,
    /// One letter away from such a word.
    Slip,
}

/// Nouns, as they are compared, that any device of a kind is called.
const NOUNS: [(&str, &[Domain]); 14] = [
    ("light|lamp|bulb|lighting", &[Domain::Light]),
    ("switch|plug|outlet|socket", &[Domain::Switch]),
    ("fan", &[Domain::Fan]),
    ("lock", &[Domain::Lock]),
    ("cover", &[Domain::Cover]),
    (
        "speaker|music|song|track|playback|audio|sound|media|player|tune|playlist|podcast",
        &[Domain::MediaPlayer],
    ),
    (
        "vacuum|robot|hoover|cleaner|vacuuming|hoovering",
        &[Domain::Vacuum],
    ),
    (
        "valve|water|irrigation|sprinkler|watering|tap|faucet",
        &[Domain::Valve],
    ),
    (
        "thermostat|heating|heat|climate|hvac|heater|ac",
        &[Domain::Climate],
    ),
    ("humidifier", &[Domain::Humidifier]),
    ("siren", &[Domain::Siren]),
    ("scene", &[Domain::Scene]),
    ("script", &[Domain::Script]),
    ("list", &[Domain::Todo]),
];
/// What covers are called. One that is named as one of these is none of the others: a curtain is
/// no garage door.
const COVERS: [&str; 5] = [
    "curtain|drape|drapery",
    "blind|shade|shutter|roller",
    "door|garage|gate",
    "window|skylight",
    "awning",
];
/// What no television is called.
const MUSIC: &str = "speaker|music|song|track|tune|playlist|podcast";
const SCREENS: &str = "tv|television|telly|projector|screen|chromecast";
/// What a lock is in.
const LOCKED: &str = "door|gate";
/// Words that mean the same in the name of a device or an area.
const SYNONYMS: [&str; 12] = [
    "garden|yard|backyard|lawn|frontyard",
    "front|entry|entrance|entryway|foyer",
    "rear|back",
    "tv|television|telly",
    "maker|machine",
    "fridge|refrigerator",
    "bath|bathroom",
    "hall|hallway|corridor",
    "ac|aircon",
    "couch|sofa",
    "todo|task|chore",
    "cellar|basement",
];
/// What is outdoors.
const OUTDOORS: &str = "outside|outdoor|yard|backyard|garden|terrace|patio|porch|balcony|deck|lawn|\
    driveway|rooftop|veranda";
/// Words for all of that.
const OUTSIDE: &str = "outside|outdoor";
/// Where the weekly shopping is done: a list of this name is the shopping list.
const SUPERMARKETS: &str = "trader|walmart|costco|kroger|safeway|publix|aldi|lidl|tesco|sainsbury|asda|\
    waitrose|rewe|edeka|carrefour|auchan|coop|migro|wholefood";
const SHOPPING: &str = "shopping|grocery|grocerie|supermarket";
/// Shorter words are not taken for a slip of another: "bed" is not "red".
const SHORTEST_SLIP: usize = 5;

/// How `word`, as it is compared, belongs to `device`.
pub(super) fn explanation(word: &str, device: &Device) -> Option<Explanation> {
    let in_area = has(&device.areas, word);
    let in_name = has(&device.names, word);
    let is_kind = is_noun_of(word, device);
    if in_name && !in_area && !is_kind {
        Some(Explanation::Name)
    } else if in_area {
        Some(Explanation::Area)
    } else if is_kind {
        Some(Explanation::Kind)
    } else if stems(device).any(|stem| means_same(word, stem)) {
        Some(Explanation::Synonym)
    } else if is_slip_of_any(word, device) {
        Some(Explanation::Slip)
    } else {
        None
    }
}

/// True when `word` is what devices of some kind are called.
pub(super) fn is_noun(word: &str) -> bool {
    NOUNS.iter().any(|(nouns, _)| one_of(word, nouns))
        || COVERS.iter().any(|nouns| one_of(word, nouns))
        || one_of(word, LOCKED)
}

fn stems(device: &Device) -> impl Iterator<Item = &str> {
    let names = device.names.iter().chain(&device.areas);
    names.flat_map(|name| name.stems.iter().map(String::as_str))
}

fn has(names: &[Name], word: &str) -> bool {
    // "livingroom" is the living room.
    let is_in =
        |name: &Name| name.stems.iter().any(|stem| stem == word) || name.stems.concat() == word;
    names.iter().any(is_in)
}

/// True when `word` is what devices of its kind are called.
pub(super) fn is_noun_of(word: &str, device: &Device) -> bool {
    let of_kind = |(nouns, domains): &(&str, &[Domain])| {
        domains.contains(&device.domain) && one_of(word, nouns)
    };
    let is_screen = || stems_of_names(device).any(|stem| one_of(stem, SCREENS));
    (NOUNS.iter().any(of_kind) && !(one_of(word, MUSIC) && is_screen()))
        || (device.domain == Domain::Lock && one_of(word, LOCKED))
        || (device.domain == Domain::Cover && is_cover(word, device))
}

fn is_cover(word: &str, device: &Device) -> bool {
    let Some(family) = COVERS.iter().find(|family| one_of(word, family)) else {
        return false;
    };
    let is_called = |family: &str| stems_of_names(device).any(|stem| one_of(stem, family));
    is_called(family) || !COVERS.iter().any(|other| is_called(other))
}

fn stems_of_names(device: &Device) -> impl Iterator<Item = &str> {
    let stems = device.names.iter().flat_map(|name| &name.stems);
    stems.map(String::as_str)
}

fn means_same(word: &str, stem: &str) -> bool {
    SYNONYMS
        .iter()
        .any(|words| one_of(word, words) && one_of(stem, words))
        || (one_of(word, OUTSIDE) && one_of(stem, OUTDOORS))
        || (one_of(word, SHOPPING) && one_of(stem, SUPERMARKETS))
        || (one_of(word, SHOPPING) && one_of(stem, SHOPPING))
}

fn is_slip_of_any(word: &str, device: &Device) -> bool {
    let nouns = NOUNS
        .iter()
        .filter(|(_, domains)| domains.contains(&device.domain));
    let mut nouns = nouns.flat_map(|(nouns, _)| nouns.split('|'));
    (stems(device).any(|stem| is_slip(word, stem)) || nouns.any(|noun| is_slip(word, noun)))
        && !is_noun(word)
        && may_be_in_name(word)
}

/// True when `word` is `meant` with one letter wrong, missing, too many, or two swapped.
fn is_slip(word: &str, meant: &str) -> bool {
    // Most words differ in their first letter or in length.
    if word.chars().next() != meant.chars().next() || word.len().abs_diff(meant.len()) > 2 {
        return false;
    }
    let (word, meant): (Vec<char>, Vec<char>) = (word.chars().collect(), meant.chars().collect());
    let is_long = word.len().min(meant.len()) + 1 >= SHORTEST_SLIP && meant.len() >= SHORTEST_SLIP;
    if !is_long || word.iter().any(char::is_ascii_digit) {
        return false;
    }
    let same = word.iter().zip(&meant).take_while(|(a, b)| a == b).count();
    let rest =
        |letters: &[char], skipped: usize| letters.get(same + skipped..).map(<[char]>::to_vec);
    let (Some(word), Some(meant)) = (rest(&word, 0), rest(&meant, 0)) else {
        return false;
    };
    let tail = |letters: &[char], skipped: usize| letters.get(skipped..).map(<[char]>::to_vec);
    let is_swapped = matches!((word.as_slice(), meant.as_slice()),
        ([a, b, rest @ ..], [c, d, other @ ..]) if a == d && b == c && rest == other);
    word != meant
        && (is_swapped
            || tail(&word, 1) == tail(&meant, 1)
            || tail(&word, 1).as_ref() == Some(&meant)
            || Some(&word) == tail(&meant, 1).as_ref())
}

#[cfg(test)]
mod tests;

//! Finds the time zone of a place by the name that people use for it.
//!
//! In this order: an IANA name, an offset from UTC, a place with several zones (answered with a
//! question), a known name, a name with its region ("Paris, France"). Anything else is not guessed:
//! the answer is a sentence with the nearest spellings.

use std::collections::HashMap;
use std::sync::LazyLock;

use jiff::tz::{Offset, TimeZone, TimeZoneDatabase};

use super::names::{PLACES, SEVERAL_ZONES};

/// A time zone and the user's name for it.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// The place's name for a sentence; `None` for the local zone.
    pub(super) label: Option<String>,
    pub(super) zone: TimeZone,
}

/// A name people use, and the IANA zone it stands for.
#[derive(Debug)]
struct Known {
    label: String,
    iana: String,
}

/// The maximum length of a name in characters. No place has a longer name, and an error would quote
/// it.
const LONGEST_NAME: usize = 80;

static DATABASE: LazyLock<TimeZoneDatabase> = LazyLock::new(TimeZoneDatabase::bundled);
static INDEX: LazyLock<HashMap<String, Known>> = LazyLock::new(index);

/// The zone that `text` means, or a sentence that says what is missing.
pub(super) fn find(text: &str) -> Result<Place, String> {
    let text: String = text.trim().chars().take(LONGEST_NAME).collect();
    if let Some(place) = iana(&text).or_else(|| offset(&text)) {
        return Ok(place);
    }
    let name = essential(&fold(&text));
    if let Some((place, cities)) = several_zones(&name) {
        return Err(format!(
            "{place} has more than one time zone. Please name a city, such as {cities}."
        ));
    }
    known(&name)
        .or_else(|| with_region(&name, &text))
        .ok_or_else(|| unknown(&text, &name))
}

/// An exact IANA name in any case, with spaces or underscores.
fn iana(text: &str) -> Option<Place> {
    let name = text.replace(' ', "_");
    // "EST" and similar abbreviations also name a zone, but "Factory" is a placeholder.
    let zone = DATABASE.get(&name).ok()?;
    let iana = zone.iana_name().filter(|name| *name != "Factory")?;
    Some(Place {
        label: Some(label(iana)),
        zone: zone.clone(),
    })
}

/// `UTC+2`, `GMT-03:30`, `+0545`: hours, or hours and minutes, east of Greenwich.
fn offset(text: &str) -> Option<Place> {
    let text = text.to_ascii_uppercase().replace(' ', "");
    let rest = text
        .strip_prefix("UTC")
        .or_else(|| text.strip_prefix("GMT"))
        .unwrap_or(&text);
    let (sign, digits) = match rest.strip_prefix('+') {
        Some(digits) => (1, digits),
        None => (-1, rest.strip_prefix(['-', '\u{2212}'])?),
    };
    let (hours, minutes) = match digits.split_once(':') {
        Some(pair) => pair,
        None if digits.len() == 4 => digits.split_at_checked(2)?,
        None => (digits, "0"),
    };
    let hours: i32 = hours
        .parse()
        .ok()
        .filter(|hours| (0..=14).contains(hours))?;
    let minutes: i32 = minutes.parse().ok().filter(|m| (0..60).contains(m))?;
    let offset = Offset::from_seconds(sign * (hours * 3600 + minutes * 60)).ok()?;
    let sign = if sign < 0 { '-' } else { '+' };
    Some(Place {
        label: Some(format!("UTC{sign}{hours:02}:{minutes:02}")),
        zone: TimeZone::fixed(offset),
    })
}

fn several_zones(name: &str) -> Option<(&'static str, &'static str)> {
    SEVERAL_ZONES
        .iter()
        .find(|(names, _)| names.split('|').any(|known| fold(known) == name))
        .map(|(names, cities)| (names.split('|').next().unwrap_or_default(), *cities))
}

fn known(name: &str) -> Option<Place> {
    let known = INDEX.get(name)?;
    Some(Place {
        label: Some(known.label.clone()),
        zone: DATABASE.get(&known.iana).ok()?,
    })
}

/// "paris france" is Paris; "nara japan" is somewhere in Japan, which has one zone.
fn with_region(name: &str, said: &str) -> Option<Place> {
    let splits = || {
        name.match_indices(' ').filter_map(|(at, _)| {
            let (left, right) = name.split_at_checked(at)?;
            Some((left, right.trim_start()))
        })
    };
    let is_region = |name: &str| INDEX.contains_key(name) || several_zones(name).is_some();
    splits()
        .filter(|(_, region)| is_region(region))
        .find_map(|(city, _)| known(city))
        .or_else(|| {
            let (_, region) = said.split_once(',')?;
            let place = known(&essential(&fold(region)))?;
            Some(Place {
                label: Some(said.to_owned()),
                ..place
            })
        })
}

fn unknown(text: &str, name: &str) -> String {
    let nearest = nearest(name, text.contains('/'));
    let Some((last, first)) = nearest.split_last() else {
        return format!(
            "I do not know the place \"{text}\". Please name a larger city, or a time zone such as Asia/Tokyo."
        );
    };
    if first.is_empty() {
        format!("I do not know the place \"{text}\". Did you mean {last}?")
    } else {
        let first = first.join(", ");
        format!("I do not know the place \"{text}\". Did you mean {first} or {last}?")
    }
}

/// The known names with the smallest edit distance to `name`, at most three.
fn nearest(name: &str, zones: bool) -> Vec<String> {
    let letters = name.chars().count();
    let mut near: Vec<(usize, &str)> = INDEX
        .iter()
        .map(|(key, known)| {
            let shown = if zones { &known.iana } else { &known.label };
            (strsim::damerau_levenshtein(key, name), shown.as_str())
        })
        .filter(|(errors, _)| *errors <= (letters / 3).max(1) && *errors < letters)
        .collect();
    near.sort_unstable();
    near.dedup_by(|a, b| a.1 == b.1);
    let best = near.first().map_or(0, |(errors, _)| *errors);
    near.iter()
        .take_while(|(errors, _)| *errors == best)
        .take(3)
        .map(|(_, shown)| (*shown).to_owned())
        .collect()
}

fn index() -> HashMap<String, Known> {
    let mut index = HashMap::new();
    let mut add = |name: &str, label: String, iana: &str| {
        let iana = iana.to_owned();
        index.insert(essential(&fold(name)), Known { label, iana });
    };
    for zone in DATABASE.available() {
        let iana = zone.as_str();
        let Some((region, city)) = iana.split_once('/') else {
            continue;
        };
        add(iana, label(iana), iana);
        let city = city.rsplit('/').next().unwrap_or(city);
        let is_direction = ["North", "South", "West", "Center"].contains(&city);
        if is_continent(region) && !is_direction {
            add(city, label(iana), iana);
        }
    }
    // After the database, so that "San Juan" means the place that most people mean.
    for (iana, names) in PLACES {
        for name in names.split('|') {
            add(name, name.to_owned(), iana);
        }
    }
    index
}

/// The database's own areas, as opposed to old names such as `US/Central`.
fn is_continent(region: &str) -> bool {
    matches!(
        region,
        "Africa"
            | "America"
            | "Antarctica"
            | "Arctic"
            | "Asia"
            | "Atlantic"
            | "Australia"
            | "Europe"
            | "Indian"
            | "Pacific"
    )
}

/// A readable name: "Buenos Aires" for `America/Argentina/Buenos_Aires`.
fn label(iana: &str) -> String {
    iana.rsplit('/').next().unwrap_or(iana).replace('_', " ")
}

/// Normalises a name: lower case without accents, and a single space for everything that is neither
/// a letter nor a digit.
pub(super) fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for character in text.chars().flat_map(char::to_lowercase) {
        match unaccented(character) {
            "" if character.is_alphanumeric() => folded.push(character),
            // An apostrophe or a dot joins ("St. John's"), and so does a combining accent.
            "" if matches!(character, '\'' | '’' | '.' | '\u{300}'..='\u{36f}') => {}
            "" if folded.ends_with(' ') || folded.is_empty() => {}
            "" => folded.push(' '),
            plain => folded.push_str(plain),
        }
    }
    folded.truncate(folded.trim_end().len());
    folded
}

/// A folded name without a leading "the" and a trailing "time", and with "st" for "saint".
fn essential(folded: &str) -> String {
    let name = folded.strip_prefix("the ").unwrap_or(folded);
    let name = name.strip_suffix(" time").unwrap_or(name);
    name.split(' ')
        .map(|word| if word == "saint" { "st" } else { word })
        .collect::<Vec<_>>()
        .join(" ")
}

fn unaccented(character: char) -> &'static str {
    match character {
        'à'..='å' | 'ā' | 'ă' | 'ą' | 'ạ' | 'ả' => "a",
        'æ' => "ae",
        'ç' | 'ć' | 'č' | 'ĉ' | 'ċ' => "c",
        'ð' | 'ď' | 'đ' => "d",
        'è'..='ë' | 'ē' | 'ė' | 'ę' | 'ě' => "e",
        'ğ' | 'ģ' => "g",
        'ì'..='ï' | 'ī' | 'į' | 'ı' => "i",
        'ķ' => "k",
        'ł' | 'ļ' | 'ľ' => "l",
        'ñ' | 'ń' | 'ň' | 'ņ' => "n",
        'ò'..='ö' | 'ø' | 'ō' | 'ő' => "o",
        'œ' => "oe",
        'ř' => "r",
        'ś' | 'š' | 'ş' | 'ș' => "s",
        'ß' => "ss",
        'ţ' | 'ť' | 'ț' => "t",
        'þ' => "th",
        'ù'..='ü' | 'ū' | 'ů' | 'ű' | 'ų' => "u",
        'ý' | 'ÿ' => "y",
        'ź' | 'ż' | 'ž' => "z",
        _ => "",
    }
}

#[cfg(test)]
mod tests;

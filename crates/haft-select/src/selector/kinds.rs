//! Detects the kinds of values in a query: a day, a place, an address. Parameters are named after
//! these kinds, but queries rarely are: "Sunny in Oslo on Friday?" needs a tool with a city and a
//! date.

/// Words that name a day or a month.
const DAYS: [&str; 24] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "today",
    "tomorrow",
    "tonight",
    "yesterday",
    "weekend",
];

/// Words that come before a place.
const BEFORE_PLACES: [&str; 7] = ["in", "at", "near", "for", "from", "to", "around"];

/// The words that are used as names of parameters for such values.
pub(super) fn kinds(query: &str) -> impl Iterator<Item = &'static str> {
    let words = || query.split(|c: char| !c.is_alphanumeric());
    let has_day = words().any(|word| is_day(word) || is_year(word));
    let has_place = has_place(query);
    let has_link = query.contains("http") || query.contains("www.");
    let found = [
        ("date", has_day),
        ("city", has_place),
        ("location", has_place),
        ("url", has_link),
    ];
    found
        .into_iter()
        .filter_map(|(kind, is_there)| is_there.then_some(kind))
}

fn is_day(word: &str) -> bool {
    DAYS.iter().any(|day| day.eq_ignore_ascii_case(word))
}

fn is_year(word: &str) -> bool {
    word.len() == 4
        && (word.starts_with("19") || word.starts_with("20"))
        && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// True for a name after "in", "near" and the like.
fn has_place(query: &str) -> bool {
    let mut before = "";
    query.split_whitespace().any(|word| {
        let joint = std::mem::replace(&mut before, word);
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        word.starts_with(char::is_uppercase)
            && !is_day(bare)
            && BEFORE_PLACES
                .iter()
                .any(|known| known.eq_ignore_ascii_case(joint))
    })
}

#[cfg(test)]
mod tests;

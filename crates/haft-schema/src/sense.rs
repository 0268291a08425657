//! Synonyms of parameters that share no letters: `city` where a tool has `timezone`.
//!
//! The table is short on purpose. Words with several meanings, such as `number` or `name`, are not
//! in it: a wrong guess would run a tool with an argument that was not meant.

use crate::normalize_key;

/// Parameters, and the words that models use for them.
struct Meaning {
    parameters: &'static [&'static str],
    words: &'static [&'static str],
}

impl Meaning {
    /// Words that are synonyms of each other.
    const fn mutual(words: &'static [&'static str]) -> Self {
        Self {
            parameters: words,
            words,
        }
    }
}

/// Names as normalised by [`normalize_key`]. A city is a place, but a place need not be a country,
/// so these words are not synonyms in all directions.
const MEANINGS: [Meaning; 14] = [
    Meaning {
        parameters: &["timezone", "timezonename", "timezoneid", "tz"],
        words: &[
            "timezone", "tz", "zone", "location", "place", "city", "country", "region",
        ],
    },
    Meaning {
        parameters: &["location", "place"],
        words: &["location", "place", "city", "country", "region"],
    },
    Meaning::mutual(&["city", "location", "place"]),
    Meaning::mutual(&["zone", "timezone", "tz"]),
    Meaning::mutual(&[
        "query",
        "q",
        "search",
        "searchquery",
        "searchterm",
        "searchterms",
        "searchtext",
        "term",
        "keyword",
        "keywords",
        "question",
        "text",
    ]),
    Meaning::mutual(&["text", "content", "message", "body"]),
    Meaning::mutual(&[
        "limit",
        "count",
        "maxresults",
        "maxcount",
        "maxitems",
        "numresults",
        "resultcount",
        "topk",
    ]),
    Meaning::mutual(&["path", "file", "filename", "filepath", "pathname"]),
    Meaning::mutual(&["directory", "dir", "folder", "folderpath", "directorypath"]),
    Meaning::mutual(&["url", "uri", "link", "href"]),
    Meaning::mutual(&["device", "devicename"]),
    Meaning::mutual(&["room", "area", "roomname", "areaname"]),
    Meaning::mutual(&["language", "lang"]),
    Meaning::mutual(&["unit", "units"]),
];

/// How a word and a parameter are related.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sense {
    /// They have different subjects.
    Other,
    /// They have the same subject, but the word does not determine the parameter.
    Related,
    /// The word may mean the parameter.
    Same,
}

/// How the unknown `word` and `parameter` are related.
pub(crate) fn sense(word: &str, parameter: &str) -> Sense {
    let (word, parameter) = (normalize_key(word), normalize_key(parameter));
    let names = |list: &[&str], name: &String| list.contains(&name.as_str());
    let knows = |meaning: &Meaning, name: &String| {
        names(meaning.parameters, name) || names(meaning.words, name)
    };
    let is_same =
        |meaning: &Meaning| names(meaning.parameters, &parameter) && names(meaning.words, &word);
    let is_related = |meaning: &Meaning| knows(meaning, &parameter) && knows(meaning, &word);
    if MEANINGS.iter().any(is_same) {
        Sense::Same
    } else if MEANINGS.iter().any(is_related) {
        Sense::Related
    } else {
        Sense::Other
    }
}

#[cfg(test)]
mod tests;

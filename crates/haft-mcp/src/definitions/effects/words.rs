//! Splits a name or a text into words: in lower case, without look-alikes, and with compound words
//! separated.

use super::fold::plain;
use super::lexicon::WORDS;
use crate::look_alikes::latin;

/// The maximum length in letters of a word that is split.
const LONGEST: usize = 48;

/// The minimum length in letters of a part of a compound word.
const SHORTEST: usize = 4;

/// The readings of a name: as written, with look-alikes replaced by Latin letters, with digits as
/// letters, and without case if case is used irregularly.
pub(super) fn readings(name: &str) -> Vec<Vec<String>> {
    let plain = plain(name);
    let latin: String = plain.chars().map(latin).collect();
    let digits: String = without_digits(&latin, 'l');
    let small = is_torn(&latin).then(|| latin.to_lowercase());
    let mut texts = vec![plain, latin, digits];
    texts.extend(small);
    texts.dedup();
    texts.iter().map(|text| words(text)).collect()
}

/// Additional readings of a name whose digits or capitals look like other letters: `k1ll`,
/// `deIete`.
pub(super) fn with_look_alikes(name: &str) -> Vec<String> {
    let latin: String = plain(name).chars().map(latin).collect();
    let digits = without_digits(&latin, 'i');
    let is_small = |letter: Option<char>| letter.is_some_and(char::is_lowercase);
    let letters: Vec<char> = latin.chars().collect();
    let upright = letters.iter().enumerate().map(|(index, letter)| {
        let before = index.checked_sub(1).and_then(|before| letters.get(before));
        let after = letters.get(index + 1);
        let is_inside = is_small(before.copied()) && is_small(after.copied());
        if *letter == 'I' && is_inside {
            'l'
        } else {
            *letter
        }
    });
    let upright: String = upright.collect();
    let mut texts = vec![digits, upright];
    texts.retain(|text| *text != latin);
    texts
}

/// Whether upper case is irregular, as in `dEleTe`, so that it does not mark word boundaries.
fn is_torn(name: &str) -> bool {
    let lengths = || split(name).into_iter().map(|word| word.chars().count());
    lengths().any(|length| length == 1) || lengths().filter(|length| *length == 2).count() > 1
}

/// `d3lete` as `delete`; digits that are not next to letters are kept. `one` is the letter for the
/// digit 1.
fn without_digits(text: &str, one: char) -> String {
    let letters: Vec<char> = text.chars().collect();
    let is_letter = |index: Option<usize>| {
        index
            .and_then(|index| letters.get(index))
            .is_some_and(|letter| letter.is_alphabetic())
    };
    let read = |(index, letter): (usize, &char)| {
        if !is_letter(index.checked_sub(1)) && !is_letter(Some(index + 1)) {
            return *letter;
        }
        match letter {
            '0' => 'o',
            '1' => one,
            '3' => 'e',
            '4' | '@' => 'a',
            '5' | '$' => 's',
            '7' => 't',
            other => *other,
        }
    };
    letters.iter().enumerate().map(read).collect()
}

/// The words of a name, with compound words split.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in spelled_out(split(name)) {
        match parts(&word) {
            Some(parts) => words.extend(parts),
            None => words.push(word),
        }
    }
    words
}

/// The words of a text, in lower case.
pub(super) fn text_words(text: &str) -> Vec<String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    words
        .map(|word| word.chars().map(latin).collect())
        .collect()
}

/// A verb and its possible base forms: for `deletes`, `modifies`, `deleting`, `running`.
pub(super) fn base(verb: &str) -> Vec<String> {
    let mut forms = vec![verb.to_owned()];
    if let Some(stem) = verb.strip_suffix("ies") {
        forms.push(format!("{stem}y"));
    }
    if let Some(stem) = verb.strip_suffix("es") {
        forms.push(stem.to_owned());
    }
    if let Some(stem) = verb.strip_suffix('s') {
        forms.push(stem.to_owned());
    }
    if let Some(stem) = verb.strip_suffix("ing") {
        forms.push(stem.to_owned());
        forms.push(format!("{stem}e"));
        let mut letters = stem.chars();
        if letters.next_back() == letters.clone().next_back() {
            forms.push(letters.as_str().to_owned());
        }
    }
    forms
}

/// The words of `delete_file`, `deleteFile` or `HTTPDelete`, in lower case.
fn split(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let letters: Vec<char> = name.chars().collect();
    for (index, letter) in letters.iter().enumerate() {
        let lower_after = letters
            .get(index + 1)
            .is_some_and(|next| next.is_lowercase());
        let lower_before = index
            .checked_sub(1)
            .and_then(|before| letters.get(before))
            .is_some_and(|before| before.is_lowercase());
        let begins = letter.is_uppercase() && (lower_before || lower_after);
        if !letter.is_alphabetic() || begins {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| letter.is_alphabetic()) {
            word.extend(letter.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Joins words that were separated: `d_e_l_e_t_e`, `shut_down`, `over-write`.
fn spelled_out(words: Vec<String>) -> Vec<String> {
    let mut joined: Vec<String> = Vec::new();
    let mut letters = false;
    for word in words {
        let is_letter = word.chars().count() == 1;
        match joined.last_mut() {
            Some(last) if is_letter && letters => last.push_str(&word),
            Some(last) if is_act(&format!("{last}{word}")) && !is_act(last) => last.push_str(&word),
            _ => joined.push(word),
        }
        letters = is_letter;
    }
    joined
}

fn is_act(word: &str) -> bool {
    WORDS.get(word).is_some_and(|word| word.acts.is_some())
}

/// The known words that compose `word`, as few as possible; `None` if it is a known word itself, or
/// is not composed of known words. A long verb counts with any following text, as in
/// `deletewidget`, but not with an ending, as in `deleted`.
fn parts(word: &str) -> Option<Vec<String>> {
    let length = word.chars().count();
    if WORDS.contains_key(word) || !word.is_ascii() || !(SHORTEST..=LONGEST).contains(&length) {
        return None;
    }
    // For each position, the smallest number of words that end there, and the start of the last
    // one.
    let mut best: Vec<Option<(usize, usize)>> = vec![None; length + 1];
    if let Some(start) = best.first_mut() {
        *start = Some((0, 0));
    }
    for end in 1..=length {
        let reach = (0..end).filter_map(|begin| {
            let (count, _) = (*best.get(begin)?)?;
            let part = word.get(begin..end)?;
            (part.len() > 1 && WORDS.contains_key(part)).then_some((count + 1, begin))
        });
        let found = reach.min();
        if let Some(place) = best.get_mut(end) {
            *place = found;
        }
    }
    let Some(Some(_)) = best.last() else {
        return known_verb(word);
    };
    let mut parts = Vec::new();
    let mut end = length;
    while end > 0 {
        let (_, begin) = (*best.get(end)?)?;
        parts.push(word.get(begin..end)?.to_owned());
        end = begin;
    }
    parts.reverse();
    Some(parts)
}

/// A long verb inside an otherwise unknown word.
fn known_verb(word: &str) -> Option<Vec<String>> {
    const VERBS: [&str; 14] = [
        "delete",
        "destroy",
        "execute",
        "uninstall",
        "unlock",
        "overwrite",
        "truncate",
        "shutdown",
        "terminate",
        "remove",
        "reboot",
        "poweroff",
        "erase",
        "purge",
    ];
    let found = VERBS.iter().find_map(|verb| {
        let (before, after) = word.split_once(verb)?;
        // `deleted`, `remover`, `overwritten`, `undelete` are not commands.
        let is_form = after.starts_with(['d', 'r', 'n']) || before.ends_with("un");
        (!is_form).then_some((before, *verb, after))
    });
    let (before, verb, after) = found?;
    let parts = [before, verb, after]
        .into_iter()
        .filter(|part| !part.is_empty());
    Some(parts.map(str::to_owned).collect())
}

//! Finds the cues of a list in a text, all at once.

use std::ops::Range;
use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use memchr::memchr3_iter;

use super::sentence::{each, is_dropped};

/// A list of cues, made ready for searching at its first use.
pub(super) struct Cues {
    cues: Vec<&'static str>,
    /// None for a list too long for it, which none is.
    automaton: OnceLock<Option<AhoCorasick>>,
}

impl Cues {
    /// The cues in `words`, with a comma behind each.
    pub(super) fn new(words: &'static str) -> Self {
        let (cues, automaton) = (each(words).collect(), OnceLock::new());
        Self { cues, automaton }
    }

    fn automaton(&self) -> Option<&AhoCorasick> {
        let letters = self.cues.iter().map(|cue| cue.trim_end_matches('*'));
        let build = || AhoCorasick::new(letters).ok();
        self.automaton.get_or_init(build).as_ref()
    }

    /// True when one of them stands in `text`.
    pub(super) fn are_in(&self, text: &str) -> bool {
        self.last_range_in(text).is_some()
    }

    /// The phrases themselves.
    pub(super) fn each(&self) -> impl Iterator<Item = &'static str> {
        self.cues.iter().copied()
    }

    /// True if the letters of one stand in the text, within a word or not.
    pub(super) fn may_be_in(&self, text: &str) -> bool {
        let automaton = self.automaton();
        automaton.is_none_or(|automaton| automaton.is_match(text))
    }

    /// Where the last of them in `text` stands.
    pub(super) fn last_range_in(&self, text: &str) -> Option<Range<usize>> {
        let matches = self.automaton()?.find_overlapping_iter(text);
        let stands = matches.filter(|found| {
            let cue = self.cues.get(found.pattern().as_usize());
            cue.is_some_and(|cue| stands_at(text, cue, found.start()))
        });
        let ranges = stands.map(|found| found.range());
        ranges.max_by_key(|range| range.start)
    }
}

/// One word of each cue of some lists: most texts hold none of them, and are not looked at closer.
pub(super) struct Hints {
    words: Vec<String>,
    automaton: Option<AhoCorasick>,
}

/// Words of many texts in which no cue stands.
const COMMON: [&str; 12] = [
    "call", "has", "is", "it", "like", "so", "that", "the", "this", "to", "use", "you",
];

impl Hints {
    pub(super) fn of(lists: &[&Cues]) -> Self {
        let cues = lists.iter().flat_map(|list| list.each());
        let words: Vec<_> = cues.flat_map(|cue| in_each_case(hint(cue))).collect();
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            // It reads a text three times as fast as the default, and is made once.
            .kind(Some(AhoCorasickKind::DFA))
            .build(words.iter().map(|word| word.trim_end_matches('*')))
            .ok();
        Self { words, automaton }
    }

    /// False for a text, as the model wrote it, that none of the cues stands in.
    pub(super) fn are_in(&self, text: &str) -> bool {
        let Some(automaton) = &self.automaton else {
            return true;
        };
        let mut found = automaton.find_overlapping_iter(text);
        let is_found = found.any(|found| {
            let word = self.words.get(found.pattern().as_usize());
            word.is_some_and(|word| is_whole(text, word, found.range()))
        });
        is_found || splits_a_word(text)
    }
}

/// True where a sign that [`Plain`](super::sentence::Plain) drops stands within a word: without it
/// the word may be one of a cue.
fn splits_a_word(text: &str) -> bool {
    let bytes = text.as_bytes();
    let marks = memchr3_iter(b'*', b'_', b'`', bytes);
    // The first bytes of the signs without width.
    let others = memchr3_iter(b'#', 0xE2, 0xEF, bytes);
    marks.chain(others).any(|at| {
        let (before, signs) = text.split_at_checked(at).unwrap_or_default();
        let behind = signs.trim_start_matches(is_dropped);
        // A full stop is a part of `e.g`.
        let is_inner = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '.');
        behind.len() < signs.len()
            && is_inner(before.chars().next_back())
            && is_inner(behind.chars().next())
    })
}

/// The longest word of a cue, if possible no common one. Where the words are single letters, all up
/// to the first blank: `e.g`.
fn hint(cue: &'static str) -> &'static str {
    let words = cue.split(|c: char| !c.is_alphanumeric() && c != '*');
    let longest = words.max_by_key(|word| (!COMMON.contains(word), word.len()));
    let all = cue.split(' ').next();
    longest.filter(|word| word.len() > 1).or(all).unwrap_or(cue)
}

/// A word, and how it is written in large letters if those are not ASCII, which the automaton
/// takes for the small ones.
fn in_each_case(word: &str) -> Vec<String> {
    if word.is_ascii() {
        return vec![word.to_owned()];
    }
    let mut letters = word.chars();
    let first = letters.next().map(char::to_uppercase);
    let capitalized = first.into_iter().flatten().chain(letters).collect();
    vec![word.to_owned(), capitalized, word.to_uppercase()]
}

/// True when a cue stands at this place: whole words, but for a cue that ends with `*`, which is
/// the beginning of one, and for scripts that put no blanks between words.
pub(super) fn stands_at(text: &str, cue: &str, at: usize) -> bool {
    let letters = cue.trim_end_matches('*');
    let is_there = text.get(at..).is_some_and(|rest| rest.starts_with(letters));
    is_there && is_whole(text, cue, at..at + letters.len())
}

/// True when nothing of the words of a cue lies outside of its place.
fn is_whole(text: &str, cue: &str, place: Range<usize>) -> bool {
    if cue.chars().next().is_some_and(is_unspaced) {
        return true;
    }
    let is_inner = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let before = text.get(..place.start).unwrap_or_default();
    let behind = text.get(place.end..).unwrap_or_default();
    let runs_on = is_inner(cue.chars().next()) && is_inner(before.chars().next_back());
    let goes_on = is_inner(cue.chars().next_back()) && is_inner(behind.chars().next());
    !runs_on && !goes_on
}

/// True for scripts that put no blanks between words: Chinese and Japanese.
pub(super) fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}')
}

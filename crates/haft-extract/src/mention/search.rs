//! Finds the cues of a list in a text, all at once.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::sentence::{self, each};
use super::words::{SAID, SHOWN};

/// A list of cues, made ready for searching.
pub(super) struct Cues {
    cues: Vec<&'static str>,
    /// None for a list too long for it, which none is.
    automaton: Option<AhoCorasick>,
}

impl Cues {
    /// The cues in `words`, with a comma behind each.
    pub(super) fn new(words: &'static str) -> Self {
        Self::with_signs(words, [].into_iter())
    }

    /// These cues, and signs that count wherever they stand.
    fn with_signs(words: &'static str, signs: impl Iterator<Item = String>) -> Self {
        let cues: Vec<&str> = each(words).collect();
        let texts = cues.iter().map(|cue| cue.trim_end_matches('*').to_owned());
        let automaton = automaton(texts.chain(signs));
        Self { cues, automaton }
    }

    /// True when one of them stands in `text`.
    pub(super) fn are_in(&self, text: &str) -> bool {
        self.ranges_in(text).next().is_some()
    }

    /// Where the last of them in `text` stands.
    pub(super) fn last_range_in(&self, text: &str) -> Option<Range<usize>> {
        self.ranges_in(text).max_by_key(|range| range.start)
    }

    fn ranges_in<'t>(&'t self, text: &'t str) -> impl Iterator<Item = Range<usize>> + 't {
        let automaton = self.automaton.iter();
        let found = automaton.flat_map(move |automaton| automaton.find_overlapping_iter(text));
        let stands = found.filter(move |found| {
            let cue = self.cues.get(found.pattern().as_usize());
            cue.is_none_or(|cue| is_whole(text, cue, found.range()))
        });
        stands.map(|found| found.range())
    }
}

/// What [`Plain`](super::sentence::Plain) changes, which may hide a cue: signs of Markdown, blanks,
/// capital letters beyond ASCII. In Latin and Cyrillic, and the signs and blanks of both.
fn hiding() -> impl Iterator<Item = String> {
    let signs = ('\0'..='я')
        .chain('\u{2000}'..='\u{206F}')
        .chain(['\u{3000}', '\u{FEFF}']);
    let signs = signs.filter(|c| sentence::is_changed(*c)).map(String::from);
    signs.chain(["  ".to_owned()])
}

static SHOWN_OR_HIDDEN: LazyLock<Cues> = LazyLock::new(|| Cues::with_signs(SHOWN, hiding()));

static SAID_OR_HIDDEN: LazyLock<Cues> = LazyLock::new(|| {
    let questions = ["?", "？"].map(str::to_owned);
    Cues::with_signs(SAID, hiding().chain(questions))
});

/// False for a text without words by which it shows calls, as most are.
pub(super) fn may_show_calls(text: &str) -> bool {
    SHOWN_OR_HIDDEN.are_in(text)
}

/// False for a sentence without words by which it says of a call that it is not made now, as most are.
pub(super) fn may_say_more(sentence: &str) -> bool {
    SAID_OR_HIDDEN.are_in(sentence)
}

/// One that finds these words, in small letters or large ones of ASCII; none for too many.
fn automaton(words: impl Iterator<Item = impl AsRef<[u8]>>) -> Option<AhoCorasick> {
    let mut builder = AhoCorasick::builder();
    builder.ascii_case_insensitive(true).build(words).ok()
}

/// True when a cue stands at this place.
pub(super) fn stands_at(text: &str, cue: &str, at: usize) -> bool {
    let word = cue.trim_end_matches('*');
    let rest = text.get(at..).unwrap_or_default();
    rest.starts_with(word) && is_whole(text, cue, at..at + word.len())
}

/// True where a cue stands as whole words, but for a cue that ends with `*`, which is the beginning of
/// one, and for scripts that put no blanks between words.
fn is_whole(text: &str, cue: &str, range: Range<usize>) -> bool {
    let before = text.get(..range.start).unwrap_or_default();
    let behind = text.get(range.end..).unwrap_or_default();
    let is_inner = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let first = cue.chars().next();
    let runs_on = || is_inner(first) && is_inner(before.chars().next_back());
    let goes_on = || is_inner(cue.chars().next_back()) && is_inner(behind.chars().next());
    first.is_some_and(is_unspaced) || (!runs_on() && !goes_on())
}

/// True for scripts that put no blanks between words: Chinese and Japanese.
pub(super) fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}')
}

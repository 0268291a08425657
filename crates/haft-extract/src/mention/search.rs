//! Finds the cues of a list in a text, all at once.

use std::cell::LazyCell;
use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::sentence::{self, each};
use super::words::{NOT_NOW, SHOWN, Words};

/// A list of cues, made ready for searching.
pub(super) struct Cues {
    cues: Vec<&'static str>,
    /// None for a list too long for it, which none is.
    automaton: Option<AhoCorasick>,
}

impl Cues {
    /// The cues in `words`, with a comma behind each.
    pub(super) fn new(words: Words) -> Self {
        Self::with_signs(each(words), [].into_iter())
    }

    /// These cues, and signs that count wherever they stand.
    fn with_signs(
        cues: impl Iterator<Item = &'static str>,
        signs: impl Iterator<Item = String>,
    ) -> Self {
        let cues: Vec<&str> = cues.collect();
        let texts = cues.iter().map(|cue| cue.trim_end_matches('*').to_owned());
        let automaton = automaton(texts.chain(signs));
        Self { cues, automaton }
    }

    /// True when one of them stands in `text`.
    pub(super) fn are_in(&self, text: &str) -> bool {
        self.found_in(text).next().is_some()
    }

    /// Where the last of them in `text` stands.
    pub(super) fn last_range_in(&self, text: &str) -> Option<Range<usize>> {
        let ranges = self.found_in(text).map(|(_, range)| range);
        ranges.max_by_key(|range| range.start)
    }

    /// The places of the cues in the list, and where they stand in `text`.
    fn found_in<'t>(&'t self, text: &'t str) -> impl Iterator<Item = (usize, Range<usize>)> + 't {
        let automaton = self.automaton.iter();
        let found = automaton.flat_map(move |automaton| automaton.find_overlapping_iter(text));
        let found = found.map(|found| (found.pattern().as_usize(), found.range()));
        found.filter(move |(place, range)| {
            let cue = self.cues.get(*place);
            cue.is_none_or(|cue| is_whole(text, cue, range.clone()))
        })
    }
}

/// What a text may say of the call behind it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Said {
    /// It has words of [`SHOWN`].
    pub(super) shows: bool,
    /// Its last sentence has words of [`NOT_NOW`].
    pub(super) is_not_now: bool,
}

/// The words of both, and what [`Plain`](super::sentence::Plain) changes, which may hide one: signs of
/// Markdown, blanks, capital letters beyond ASCII. In Latin and Cyrillic, and the signs and blanks of
/// both.
static SAID_OR_HIDDEN: LazyLock<Cues> = LazyLock::new(|| {
    let signs = ('\0'..='я')
        .chain('\u{2000}'..='\u{206F}')
        .chain(['\u{3000}', '\u{FEFF}', '?', '？']);
    let is_sign = |c: &char| matches!(c, '?' | '？') || sentence::is_changed(*c);
    let signs = signs.filter(is_sign).map(String::from);
    let cues = each(SHOWN).chain(each(NOT_NOW));
    Cues::with_signs(cues, signs.chain(["  ".to_owned()]))
});

/// How many of the cues are those by which a text shows calls.
static SHOWN_COUNT: LazyLock<usize> = LazyLock::new(|| each(SHOWN).count());

/// What `text` may say, in one look: nothing, as most texts before calls.
pub(super) fn said_in(text: &str) -> Said {
    let cues = &*SAID_OR_HIDDEN;
    let last = LazyCell::new(|| text.len() - sentence::last_of(text).len());
    let mut said = Said::default();
    for (place, range) in cues.found_in(text) {
        // A sign may hide words of both kinds.
        said.shows |= place < *SHOWN_COUNT || place >= cues.cues.len();
        said.is_not_now |= place >= *SHOWN_COUNT && range.start >= *last;
    }
    said
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

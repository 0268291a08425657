//! Finds the cues of a list in a text, all at once.

use std::ops::Range;
use std::sync::OnceLock;

use aho_corasick::AhoCorasick;

use super::sentence::each;

/// A list of cues, made ready for searching at its first use.
#[derive(Debug)]
pub(super) struct Cues {
    words: &'static str,
    prepared: OnceLock<Option<Prepared>>,
}

#[derive(Debug)]
struct Prepared {
    cues: Vec<&'static str>,
    automaton: AhoCorasick,
}

impl Cues {
    /// The cues in `words`, with a comma behind each.
    pub(super) const fn new(words: &'static str) -> Self {
        Self {
            words,
            prepared: OnceLock::new(),
        }
    }

    /// True when one of them stands in `text`.
    pub(super) fn are_in(&self, text: &str) -> bool {
        self.last_in(text).is_some()
    }

    /// The phrases themselves.
    pub(super) fn each(&self) -> impl Iterator<Item = &'static str> {
        each(self.words)
    }

    /// True if the letters of one stand in the text, within a word or not.
    pub(super) fn may_be_in(&self, text: &str) -> bool {
        let prepared = self.prepared.get_or_init(|| Prepared::new(self.words));
        let automaton = prepared.as_ref().map(|prepared| &prepared.automaton);
        automaton.is_none_or(|automaton| automaton.is_match(text))
    }

    /// Where the last of them in `text` begins.
    pub(super) fn last_in(&self, text: &str) -> Option<usize> {
        self.last_range_in(text).map(|range| range.start)
    }

    /// Where the last of them in `text` stands.
    pub(super) fn last_range_in(&self, text: &str) -> Option<Range<usize>> {
        let prepared = self.prepared.get_or_init(|| Prepared::new(self.words));
        let prepared = prepared.as_ref()?;
        let matches = prepared.automaton.find_overlapping_iter(text);
        let stands = matches.filter(|found| {
            let cue = prepared.cues.get(found.pattern().as_usize());
            cue.is_some_and(|cue| stands_at(text, cue, found.start()))
        });
        stands
            .map(|found| found.range())
            .max_by_key(|range| range.start)
    }
}

impl Prepared {
    /// Nothing for a list too long for the automaton, which none is.
    fn new(words: &'static str) -> Option<Self> {
        let cues: Vec<&str> = each(words).collect();
        let letters = cues.iter().map(|cue| cue.trim_end_matches('*'));
        let automaton = AhoCorasick::new(letters).ok()?;
        Some(Self { cues, automaton })
    }
}

/// True when a cue stands at this place: whole words, but for a cue that ends with `*`, which is
/// the beginning of one, and for scripts that put no blanks between words.
pub(super) fn stands_at(text: &str, cue: &str, at: usize) -> bool {
    let letters = cue.trim_end_matches('*');
    let Some(rest) = text.get(at..).and_then(|rest| rest.strip_prefix(letters)) else {
        return false;
    };
    if letters.chars().next().is_some_and(is_unspaced) {
        return true;
    }
    let is_inner = char::is_alphanumeric;
    let before = text.get(..at).and_then(|text| text.chars().next_back());
    let begins = letters.chars().next().is_some_and(is_inner);
    let ends = letters.chars().next_back().is_some_and(is_inner) && letters.len() == cue.len();
    let runs_on = begins && before.is_some_and(is_inner);
    let goes_on = ends && rest.chars().next().is_some_and(is_inner);
    !runs_on && !goes_on
}

/// True for scripts that put no blanks between words: Chinese and Japanese.
pub(super) fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}')
}

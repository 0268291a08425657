//! Finds the cues of a list in a text, all at once.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::sentence::{self, each};
use super::words::SHOWN;

/// A list of cues, made ready for searching.
pub(super) struct Cues {
    cues: Vec<&'static str>,
    /// None for a list too long for it, which none is.
    automaton: Option<AhoCorasick>,
}

impl Cues {
    /// The cues in `words`, with a comma behind each.
    pub(super) fn new(words: &'static str) -> Self {
        let cues: Vec<&str> = each(words).collect();
        let automaton = automaton(cues.iter().map(|cue| cue.trim_end_matches('*')));
        Self { cues, automaton }
    }

    /// True when one of them stands in `text`.
    pub(super) fn are_in(&self, text: &str) -> bool {
        self.last_range_in(text).is_some()
    }

    /// Where the last of them in `text` stands.
    pub(super) fn last_range_in(&self, text: &str) -> Option<Range<usize>> {
        let matches = self.automaton.as_ref()?.find_overlapping_iter(text);
        let stands = matches.filter(|found| {
            let cue = self.cues.get(found.pattern().as_usize());
            cue.is_some_and(|cue| stands_at(text, cue, found.start()))
        });
        let ranges = stands.map(|found| found.range());
        ranges.max_by_key(|range| range.start)
    }
}

/// The phrases by which a text shows calls, and what [`Plain`](super::sentence::Plain) changes, which
/// may hide one: signs of Markdown, blanks, capital letters beyond ASCII. The automaton has half a
/// megabyte. A DFA would have 5 MB, take 9 ms to make, and read a reply 5 % faster.
static SHOWN_OR_HIDDEN: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let cues = each(SHOWN).map(|cue| cue.trim_end_matches('*').to_owned());
    // In Latin and Cyrillic, and the signs and blanks of both.
    let signs = ('\0'..='я')
        .chain('\u{2000}'..='\u{206F}')
        .chain(['\u{3000}', '\u{FEFF}']);
    let signs = signs.filter(|c| sentence::is_changed(*c)).map(String::from);
    automaton(cues.chain(signs).chain(["  ".to_owned()]))
});

/// False for a text without words by which it shows calls, as most are.
pub(super) fn may_show_calls(text: &str) -> bool {
    let shown = SHOWN_OR_HIDDEN.as_ref();
    shown.is_none_or(|shown| shown.is_match(text))
}

/// One that finds these words, in small letters or large ones of ASCII; none for too many.
fn automaton(words: impl Iterator<Item = impl AsRef<[u8]>>) -> Option<AhoCorasick> {
    let mut builder = AhoCorasick::builder();
    builder.ascii_case_insensitive(true).build(words).ok()
}

/// True when a cue stands at this place: whole words, but for a cue that ends with `*`, which is
/// the beginning of one, and for scripts that put no blanks between words.
pub(super) fn stands_at(text: &str, cue: &str, at: usize) -> bool {
    let (before, rest) = text.split_at_checked(at).unwrap_or_default();
    let Some(behind) = rest.strip_prefix(cue.trim_end_matches('*')) else {
        return false;
    };
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

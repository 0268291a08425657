//! Finds the cues of a list in a text, and tells texts without any from those that need a closer look.
//!
//! In scripts that put blanks between words a cue can only begin where a word does. There the next
//! bytes are looked up in a table, which has the cues that begin with them.

use std::cell::LazyCell;
use std::ops::Range;
use std::sync::LazyLock;

use super::sentence::{self, each, from_letter};
use super::words::{NOT_NOW, SHOWN, Words};
use crate::scan::bytes::is_plain;

/// A list of cues, made ready for searching.
pub(super) struct Cues {
    /// Those with the same [slot](slot_of) stand side by side.
    cues: Vec<Phrase>,
    /// Where the cues of each slot stand.
    slots: Vec<Range<u16>>,
}

/// A cue, made ready for comparing.
struct Phrase {
    words: &'static str,
    /// It may go on within its last word.
    is_stem: bool,
    /// Its place in the list as written.
    place: usize,
    /// Its [first bytes](first_bytes), and which of them it has.
    first: u64,
    mask: u64,
}

impl Phrase {
    fn new(place: usize, written: &'static str) -> Self {
        let words = written.trim_end_matches('*');
        let missing = 8_usize.saturating_sub(words.len()) as u32;
        let mask = u64::MAX >> (8 * missing);
        Self {
            words,
            is_stem: words.len() < written.len(),
            place,
            first: first_bytes(words.as_bytes()) & mask,
            mask,
        }
    }

    /// True when it stands at this place: as whole words, but for a stem, and for scripts that put no
    /// blanks between words.
    #[inline]
    fn stands_at(&self, text: &str, at: usize) -> bool {
        let end = at + self.words.len();
        let found = text.as_bytes().get(at..end);
        found.is_some_and(|found| found.eq_ignore_ascii_case(self.words.as_bytes()))
            && self.is_whole(text, at..end)
    }

    fn is_whole(&self, text: &str, range: Range<usize>) -> bool {
        let before = text.get(..range.start).unwrap_or_default();
        let behind = text.get(range.end..).unwrap_or_default();
        let is_inner = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let (first, last) = (self.words.chars().next(), self.words.chars().next_back());
        let runs_on = || is_inner(first) && is_inner(before.chars().next_back());
        let goes_on = || !self.is_stem && is_inner(last) && is_inner(behind.chars().next());
        first.is_some_and(is_unspaced) || (!runs_on() && !goes_on())
    }
}

impl Cues {
    /// The cues in `words`, with a comma behind each.
    pub(super) fn new(words: Words) -> Self {
        Self::of(each(words))
    }

    fn of(words: impl Iterator<Item = &'static str>) -> Self {
        let phrases = words.enumerate();
        let phrases = phrases.map(|(place, written)| Phrase::new(place, written));
        let mut cues: Vec<Phrase> = phrases.collect();
        let count = (4 * cues.len()).next_power_of_two();
        let slot = |cue: &Phrase| match keys_of(first_bytes(cue.words.as_bytes())) {
            [_, letters] if cue.words.len() < 4 => slot_of(letters, count),
            [key, _] => slot_of(key, count),
        };
        cues.sort_by_cached_key(slot);
        let mut slots = vec![0..0; count];
        let mut start = 0;
        for chunk in cues.chunk_by(|one, other| slot(one) == slot(other)) {
            let end = start + chunk.len() as u16;
            if let Some(range) = chunk.first().and_then(|cue| slots.get_mut(slot(cue))) {
                *range = start..end;
            }
            start = end;
        }
        Self { cues, slots }
    }

    /// True when one of them stands in `text`, in small letters or large ones of ASCII.
    pub(super) fn are_in(&self, text: &str) -> bool {
        places(text).any(|at| self.longest_at(text, at).is_some())
    }

    /// Where the last of them in `text` stands.
    pub(super) fn last_range_in(&self, text: &str) -> Option<Range<usize>> {
        self.ranges_in(text).last()
    }

    /// Where they stand in `text`: at each place the longest.
    pub(super) fn ranges_in(&self, text: &str) -> impl Iterator<Item = Range<usize>> {
        places(text).filter_map(move |at| Some(at..at + self.longest_at(text, at)?))
    }

    /// True when `text` begins with one of them.
    pub(super) fn begin(&self, text: &str) -> bool {
        self.longest_at(from_letter(text), 0).is_some()
    }

    /// What stands behind the longest of them that `text` begins with.
    pub(super) fn behind<'t>(&self, text: &'t str) -> Option<&'t str> {
        let text = from_letter(text);
        text.get(self.longest_at(text, 0)?..)
    }

    /// The length of the longest of them at this place.
    fn longest_at(&self, text: &str, at: usize) -> Option<usize> {
        let mut longest = None;
        self.each_at(text, at, |cue| longest = longest.max(Some(cue.words.len())));
        longest
    }

    /// Takes all that stand at this place.
    #[inline]
    fn each_at(&self, text: &str, at: usize, mut take: impl FnMut(&Phrase)) {
        let first = first_bytes(text.as_bytes().get(at..).unwrap_or_default());
        for key in keys_of(first) {
            let may_stand = |cue: &&Phrase| first & cue.mask == cue.first;
            let standing = self.with_key(key).iter().filter(may_stand);
            standing
                .filter(|cue| cue.stands_at(text, at))
                .for_each(&mut take);
        }
    }

    /// The cues with this key.
    #[inline]
    fn with_key(&self, key: u64) -> &[Phrase] {
        let range = self.slots.get(slot_of(key, self.slots.len()));
        let range = range.map(|range| usize::from(range.start)..usize::from(range.end));
        range
            .and_then(|range| self.cues.get(range))
            .unwrap_or_default()
    }
}

/// The first eight bytes of a text, small letters and large ones of ASCII alike.
#[inline]
fn first_bytes(text: &[u8]) -> u64 {
    let bytes = text.first_chunk().copied().unwrap_or_else(|| {
        let mut bytes = text.iter().copied();
        std::array::from_fn(|_| bytes.next().unwrap_or(b' '))
    });
    u64::from_le_bytes(bytes) | 0x2020_2020_2020_2020
}

/// The two keys under which cues stand that a text with these first bytes may begin with: its first four
/// bytes; and for cues of fewer bytes its first letter, with the second where one follows.
#[inline]
fn keys_of(first: u64) -> [u64; 2] {
    let letters = match first.to_le_bytes() {
        [_, second, ..] if is_plain(second) => first & 0xFFFF,
        _ => first & 0xFF,
    };
    [first & 0xFFFF_FFFF, letters]
}

/// The slot of a key in a table of so many, a power of two.
#[inline]
fn slot_of(key: u64, count: usize) -> usize {
    // Multiplied with the golden ratio, as hashes are.
    let hash = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (hash >> 48) as usize & (count - 1)
}

/// What a text may say of the call behind it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Said {
    /// It has words of [`SHOWN`].
    pub(super) shows: bool,
    /// Its last sentence has words of [`NOT_NOW`].
    pub(super) is_not_now: bool,
}

/// What `text` may say: nothing, as most texts before calls. Where a sign or a capital letter hides a
/// cue that stands in the [plain](sentence::Plain) text, it may say anything.
pub(super) fn said_in(text: &str) -> Said {
    static CUES: LazyLock<Cues> = LazyLock::new(|| Cues::of(each(SHOWN).chain(each(NOT_NOW))));
    static SHOWN_COUNT: LazyLock<usize> = LazyLock::new(|| each(SHOWN).count());
    let (cues, shown_count) = (&*CUES, *SHOWN_COUNT);
    let last = LazyCell::new(|| text.len() - sentence::last_of(text).len());
    let mut said = Said::default();
    for at in places(text) {
        if sentence::is_changed_at(text, at) {
            said.shows = true;
            said.is_not_now |= at >= *last;
        }
        cues.each_at(text, at, |cue| {
            let is_shown = cue.place < shown_count;
            said.shows |= is_shown;
            said.is_not_now |= !is_shown && at >= *last;
        });
    }
    said
}

/// True when `text` begins with these words.
pub(super) fn begins_with(text: &str, words: &'static str) -> bool {
    Phrase::new(0, words).stands_at(from_letter(text), 0)
}

/// Where a cue may begin, or a blank follows another: not within a word in letters of ASCII.
#[inline]
fn places(text: &str) -> impl Iterator<Item = usize> {
    let mut before = 0;
    let begins = move |(_, byte): &(usize, u8)| match (std::mem::replace(&mut before, *byte), *byte)
    {
        (b' ', b' ') => true,
        // Some bytes are within a character.
        (_, b' ' | 0x80..=0xBF) => false,
        (before, byte) => !(is_plain(byte) && is_plain(before)),
    };
    text.bytes().enumerate().filter(begins).map(|(at, _)| at)
}

/// True for scripts that put no blanks between words: Chinese and Japanese.
pub(super) fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}')
}

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

/// Tells quickly that no cue of some lists stands in a text as a model wrote it, by the first
/// letters of a word of each.
#[derive(Debug)]
pub(super) struct Hints {
    /// Sorted.
    heads: Vec<[u8; HEAD]>,
    bits: Vec<u64>,
}

/// So many bytes at the beginning of a word are compared.
const HEAD: usize = 4;

/// How many bits of a hash choose a place in the table.
const BITS: u32 = 14;

/// Words that tell nothing of a cue.
const COMMON: [&str; 11] = [
    "", "has", "is", "it", "look", "looks", "takes", "that", "this", "to", "you",
];

impl Hints {
    pub(super) fn of(lists: &[&Cues]) -> Self {
        let mut hints = Self {
            heads: Vec::new(),
            bits: vec![0; 1 << (BITS - u64::BITS.ilog2())],
        };
        for cue in lists.iter().flat_map(|list| list.each()) {
            let parts = cue.split([' ', '\'', '*']);
            let rare = parts.filter(|part| !COMMON.contains(part));
            let word = rare.max_by_key(|part| part.len()).unwrap_or(cue);
            let mut letters = word.chars();
            let first = letters.next().map(char::to_uppercase);
            let capital: String = first.into_iter().flatten().chain(letters).collect();
            for word in [word.to_owned(), capital, word.to_uppercase()] {
                hints.add(word.as_bytes());
            }
        }
        // The signs that `Plain` drops, which may stand within a word.
        for sign in ["\u{200B}", "\u{200C}", "\u{200D}", "\u{FEFF}"] {
            hints.add(sign.as_bytes());
        }
        hints.heads.sort_unstable();
        hints
    }

    fn add(&mut self, word: &[u8]) {
        let head = head(word, word.len());
        let (at, bit) = place(head);
        if let Some(bits) = self.bits.get_mut(at) {
            *bits |= bit;
        }
        self.heads.push(head);
    }

    fn has(&self, head: [u8; HEAD]) -> bool {
        let (at, bit) = place(head);
        self.bits.get(at).is_none_or(|bits| bits & bit != 0)
            && self.heads.binary_search(&head).is_ok()
    }

    /// False if none of the cues stands in `text`.
    pub(super) fn are_in(&self, text: &str) -> bool {
        let bytes = text.as_bytes();
        let mut is_inside = false;
        bytes.iter().enumerate().any(|(at, byte)| {
            let is_letter = byte.is_ascii_alphanumeric();
            // Of a character beyond ASCII, its first byte.
            let begins = (is_letter && !is_inside) || *byte >= 0xC0;
            is_inside = is_letter;
            matches!(byte, b'*' | b'_' | b'`' | b'#') || (begins && self.begin(bytes, at))
        })
    }

    /// True if one of the words may begin here; they have two letters or more.
    fn begin(&self, bytes: &[u8], at: usize) -> bool {
        let rest = bytes.get(at..).unwrap_or_default();
        (2..=HEAD).any(|len| self.has(head(rest, len)))
    }
}

/// The first `len` bytes of a word, in small letters.
fn head(word: &[u8], len: usize) -> [u8; HEAD] {
    let mut head = [0; HEAD];
    for (to, from) in head.iter_mut().zip(word).take(len) {
        *to = from.to_ascii_lowercase();
    }
    head
}

/// Where the bit of a head stands.
fn place(head: [u8; HEAD]) -> (usize, u64) {
    const FACTOR: u32 = 0x9E37_79B1;
    let hash = u32::from_le_bytes(head).wrapping_mul(FACTOR) >> (u32::BITS - BITS);
    let (at, bit) = (hash / u64::BITS, hash % u64::BITS);
    (at as usize, 1 << bit)
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

//! Which lines may hold a call without markers, by the letters they begin with.
//!
//! It asks less than what reads the line, so that most lines of text need no second look.

use std::ops::Range;

use memchr::memchr;

use crate::scan::lexis::{BULLET_LEN, Ends, bullet};
use crate::scan::tag::may_be_tag;

/// How many blanks and list marks are passed at the beginning of a line.
const MAX_DECORATION: usize = 80;

/// The longest name before a parenthesis.
const MAX_NAME: usize = 128;

/// The words that markers of some formats begin with, and the labels before calls.
const WORDS: [&str; 13] = [
    "action",
    "api",
    "tool",
    "to=",
    "function",
    "call",
    "output",
    "request",
    "return",
    "print",
    "default",
    "section",
    "declaration",
];

/// The sign that Qwen-Agent puts around its labels, U+273F.
const FLOWER: [u8; 3] = [0xE2, 0x9C, 0xBF];

/// How names of tools begin, to find out fast that a text holds none.
pub(super) struct Names {
    /// The first words of the names, in small letters.
    words: Vec<String>,
    /// Which bytes are their first letters, and which stand inside of words.
    kinds: [u8; 256],
    /// One of them is not ASCII.
    has_others: bool,
}

/// Marks a letter or a digit.
const INSIDE: u8 = 1;

/// Marks the first letter of a name; the next bit after that of what may not stand before it.
const FIRST: u8 = INSIDE << 1;

/// So many bytes are looked at in one go.
const CHUNK: usize = 8;

impl Names {
    /// Of no tools.
    pub(super) fn new() -> Self {
        let mut names = Self {
            words: Vec::new(),
            kinds: [0; 256],
            has_others: false,
        };
        for byte in (0..=u8::MAX).filter(u8::is_ascii_alphanumeric) {
            names.mark(byte, INSIDE);
        }
        names
    }

    fn mark(&mut self, byte: u8, as_what: u8) {
        if let Some(kind) = self.kinds.get_mut(usize::from(byte)) {
            *kind |= as_what;
        }
    }

    /// A name by its words, in small letters.
    pub(super) fn add(&mut self, words: &str) {
        let word = words.split(' ').next().unwrap_or_default();
        let first = word.bytes().next().filter(u8::is_ascii);
        match first.filter(|_| word.is_ascii()) {
            Some(first) => {
                self.mark(first.to_ascii_lowercase(), FIRST);
                self.mark(first.to_ascii_uppercase(), FIRST);
            }
            None => self.has_others = true,
        }
        if !self.words.iter().any(|known| known == word) {
            self.words.push(word.to_owned());
        }
    }

    /// False when none of the names stands in `text`, however spelled.
    pub(super) fn may_stand_in(&self, text: &str) -> bool {
        let bytes = text.as_bytes();
        // A letter, or what stands before it, may be escaped.
        if memchr(b'\\', bytes).is_some() {
            return true;
        }
        let mut before = 0;
        let mut at = 0;
        for chunk in bytes.chunks(CHUNK) {
            let mut begins = 0;
            for byte in chunk {
                let kind = self.kind(*byte);
                begins |= kind & !(before << 1);
                before = kind;
            }
            if begins & FIRST != 0 && self.may_begin_in(bytes, at..at + chunk.len()) {
                return true;
            }
            at += chunk.len();
        }
        self.has_others
    }

    fn kind(&self, byte: u8) -> u8 {
        self.kinds.get(usize::from(byte)).copied().unwrap_or(0)
    }

    /// True when one of the names may begin at one of these places.
    #[inline(never)]
    fn may_begin_in(&self, bytes: &[u8], places: Range<usize>) -> bool {
        let before = places.start.checked_sub(1).and_then(|at| bytes.get(at));
        let mut before = before.map_or(0, |byte| self.kind(*byte));
        for at in places {
            let rest = bytes.get(at..).unwrap_or_default();
            let kind = rest.first().map_or(0, |byte| self.kind(*byte));
            let begins = |word: &String| {
                let head = rest.get(..word.len());
                head.is_some_and(|head| head.eq_ignore_ascii_case(word.as_bytes()))
            };
            if kind & !(before << 1) & FIRST != 0 && self.words.iter().any(begins) {
                return true;
            }
            before = kind;
        }
        false
    }
}

/// A name and a parenthesis, or what may become that.
fn may_be_called(text: &[u8]) -> bool {
    let is_letter = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let len = text.iter().take(MAX_NAME).take_while(is_letter).count();
    matches!(text.get(len), None | Some(b'('))
}

/// For each byte, the letters that may follow it: one bit for each, and one for everything else.
pub(super) struct Starts {
    after: [u32; 256],
    heads: Heads,
}

/// The first four letters of the words that lines may begin with: a bit for each, where their
/// hash says. Nearly all other words have another one.
struct Heads {
    bits: [u64; HEADS / 64],
}

/// How many bits there are: a hundred names leave most of them empty.
const HEADS: usize = 4096;

impl Heads {
    /// Of a word by its letters and digits.
    fn add(&mut self, word: &str) {
        let mut letters = word.chars().filter(|c| c.is_alphanumeric());
        let head = [(); 4].map(|()| letters.next().unwrap_or('.'));
        if head.iter().any(|c| !c.is_ascii() && c.is_alphabetic()) {
            // Some are other letters in small.
            self.bits = [u64::MAX; HEADS / 64];
        } else if let Some(bits) = self.place(head.map(|c| c as u8)) {
            *bits.0 |= bits.1;
        }
    }

    /// False when other letters begin `line` than any of the words, unless they are separated.
    fn fits(&self, line: &[u8]) -> bool {
        let Some(head) = line.first_chunk() else {
            return true;
        };
        hash(*head).is_none_or(|(at, bit)| self.bits.get(at).is_none_or(|bits| bits & bit != 0))
    }

    fn place(&mut self, head: [u8; 4]) -> Option<(&mut u64, u64)> {
        let (at, bit) = hash(head)?;
        self.bits.get_mut(at).map(|bits| (bits, bit))
    }
}

/// The place and the bit of four letters, small or not; nothing where one is none.
fn hash(head: [u8; 4]) -> Option<(usize, u64)> {
    const FACTOR: u32 = 0x9E37_79B1;
    if !head.iter().all(u8::is_ascii_alphabetic) {
        return None;
    }
    let small = u32::from_le_bytes(head) | 0x2020_2020;
    let place = small.wrapping_mul(FACTOR) >> (u32::BITS - HEADS.ilog2());
    Some(((place / 64) as usize, 1 << (place % 64)))
}

/// Something other than a letter.
const OTHER: u32 = 1 << 26;

const ANYTHING: u32 = u32::MAX;

impl Starts {
    /// Of the names that are added later.
    pub(super) fn new() -> Self {
        let mut starts = Self {
            after: [0; 256],
            heads: Heads {
                bits: [0; HEADS / 64],
            },
        };
        // The last one is the mark of a mail or of a section.
        for byte in *b"`~{[_\\>" {
            starts.allow(byte, ANYTHING);
        }
        for byte in (0..=u8::MAX).filter(|byte| is_mark(*byte)) {
            starts.allow(byte, ANYTHING);
        }
        starts.allow(FLOWER[0], OTHER);
        for word in WORDS {
            starts.add(word);
        }
        starts
    }

    /// Of any names.
    pub(super) fn any() -> Self {
        let mut starts = Self::new();
        for byte in 0..=u8::MAX {
            if byte.is_ascii_alphabetic() || byte >= 0x80 {
                starts.allow(byte, ANYTHING);
            }
        }
        starts.heads.bits = [u64::MAX; HEADS / 64];
        starts
    }

    /// Lines may begin with this name, however its letters are spelled and separated.
    pub(super) fn add(&mut self, name: &str) {
        self.heads.add(name);
        let mut letters = name.chars().filter(|c| c.is_alphanumeric());
        let Some(first) = letters.next() else {
            return;
        };
        let second = match letters.next().map(|c| c.to_ascii_lowercase()) {
            Some(letter) if letter.is_ascii_lowercase() => OTHER | bit(letter as u8),
            _ => OTHER,
        };
        for letter in first.to_lowercase().chain(first.to_uppercase()) {
            let mut bytes = [0; 4];
            match letter.encode_utf8(&mut bytes).as_bytes() {
                [byte] => self.allow(*byte, second),
                [byte, ..] => self.allow(*byte, ANYTHING),
                [] => {}
            }
        }
    }

    fn allow(&mut self, first: u8, second: u32) {
        if let Some(after) = self.after.get_mut(usize::from(first)) {
            *after |= second;
        }
    }

    /// True when a line that begins so may hold a call.
    pub(super) fn fits(&self, line: &[u8]) -> bool {
        match line {
            [first, second, ..] => self.fit(*first, *second) && self.fits_closely(line),
            _ => self.fits_behind_marks(line),
        }
    }

    /// The same by no more than two letters, which most lines are told by.
    #[inline]
    pub(super) fn fit(&self, first: u8, second: u8) -> bool {
        self.allows(first, bit(second))
    }

    /// The same of a line that is worth a second look.
    #[inline(never)]
    fn fits_closely(&self, line: &[u8]) -> bool {
        match line {
            // An object; more marks of a mail begin a section, more ticks a fence.
            [b'{', ..] | [b'>', b'>', ..] | [b'`', b'`', ..] | [b'~', b'~', ..] => true,
            [b'>' | b'`', ..] => self.fits_behind_marks(line),
            // A marker in square brackets is for whoever looks for tags.
            [b'[', ..] => may_be_tag(line) || self.fits_list(line),
            [first, ..] if is_mark(*first) => self.fits_behind_marks(line),
            // Nothing else in other letters, unless names have them.
            [0xE2, rest @ ..] if !self.allows(FLOWER[0], !OTHER) => match bullet(line) {
                Ends::Yes => self.fits_behind_marks(rest.get(BULLET_LEN - 1..).unwrap_or(rest)),
                Ends::Unclear => true,
                Ends::No => line.starts_with(&FLOWER) || FLOWER.starts_with(line),
            },
            _ => self.heads.fits(line),
        }
    }

    #[inline(never)]
    fn fits_behind_marks(&self, line: &[u8]) -> bool {
        let mut marks = 0;
        for byte in line.iter().take(MAX_DECORATION) {
            match byte {
                b'`' | b'~' if line.get(marks + 1) == Some(byte) => return true,
                b'`' | b'>' => {}
                byte if is_mark(*byte) => {}
                _ => break,
            }
            marks += 1;
        }
        match line.get(marks..) {
            Some([]) | None => true,
            Some(list @ [b'[', ..]) => self.fits_list(list),
            Some(words) => self.fits_words(words),
        }
    }

    /// The same behind what opens a list: a list of calls begins with a name or an object.
    fn fits_list(&self, list: &[u8]) -> bool {
        // What is shorter may go on.
        const LONG: usize = 8;
        let is_open = |byte: &&u8| matches!(byte, b'[' | b'(' | b' ' | b'\t' | b'\n' | b'\r');
        let opened = list.iter().take(MAX_DECORATION).take_while(is_open).count();
        let inner = list.get(opened..).unwrap_or_default();
        match inner {
            _ if inner.len() < LONG => true,
            [b'"' | b'\'', name @ ..] => self.fits_words(name),
            [b'_' | b'{' | 0x80.., ..] => true,
            // A heading of DSPy's.
            [b'#', b'#', ..] => true,
            [first, ..] if is_open(&first) => true,
            [first, ..] => {
                first.is_ascii_alphabetic() && (self.fits_words(inner) || may_be_called(inner))
            }
            [] => true,
        }
    }

    fn fits_words(&self, words: &[u8]) -> bool {
        let [first, rest @ ..] = words else {
            return true;
        };
        let second = rest.first().map_or(ANYTHING, |byte| bit(*byte));
        !is_mark(*first) && self.allows(*first, second) && self.heads.fits(words)
    }

    fn allows(&self, first: u8, second: u32) -> bool {
        let after = self.after.get(usize::from(first)).copied();
        after.unwrap_or(ANYTHING) & second != 0
    }
}

/// What may stand before a call in its line, as far as it is ASCII.
fn is_mark(byte: u8) -> bool {
    matches!(
        byte,
        b' ' | b'\t' | b'-' | b'*' | b'+' | b'0'..=b'9' | b'.' | b')'
    )
}

/// The bit of a letter, small or not.
const fn bit(byte: u8) -> u32 {
    match byte {
        b'a'..=b'z' => 1 << (byte - b'a'),
        b'A'..=b'Z' => 1 << (byte - b'A'),
        _ => OTHER,
    }
}

//! Which lines may hold a call without markers, by the letters they begin with.
//!
//! It asks less than what reads the line, so that most lines of text need no second look.

use memchr::memchr;

/// How many blanks and list marks are passed at the beginning of a line.
const MAX_DECORATION: usize = 80;

/// The words that markers of some formats begin with, and the labels before calls.
const WORDS: [&str; 12] = [
    "action", "api", "tool", "to=", "function", "call", "output", "request", "return", "print",
    "default", "section",
];

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

/// Marks the first letter of a name.
const FIRST: u8 = 2;

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
        let mut is_inside = false;
        for (at, &byte) in bytes.iter().enumerate() {
            let kind = self.kinds.get(usize::from(byte)).copied().unwrap_or(0);
            if kind & FIRST != 0 && !is_inside {
                let rest = bytes.get(at..).unwrap_or_default();
                let is_word = |word: &String| {
                    let head = rest.get(..word.len());
                    head.is_some_and(|head| head.eq_ignore_ascii_case(word.as_bytes()))
                };
                if self.words.iter().any(is_word) {
                    return true;
                }
            }
            is_inside = kind & INSIDE != 0;
        }
        self.has_others
    }
}

/// For each byte, the letters that may follow it: one bit for each, and one for everything else.
pub(super) struct Starts {
    after: [u32; 256],
}

/// Something other than a letter.
const OTHER: u32 = 1 << 26;

const ANYTHING: u32 = u32::MAX;

impl Starts {
    /// Of the names that are added later.
    pub(super) fn new() -> Self {
        let mut starts = Self { after: [0; 256] };
        // The last one is the mark of a mail or of a section.
        for byte in *b"`{[_\\>" {
            starts.allow(byte, ANYTHING);
        }
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
        starts
    }

    /// Lines may begin with this name, however its letters are spelled and separated.
    pub(super) fn add(&mut self, name: &str) {
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
            // Most lines.
            [first, second, ..] if !is_mark(*first) => self.allows(*first, bit_of(*second)),
            _ => self.fits_behind_marks(line),
        }
    }

    #[inline(never)]
    fn fits_behind_marks(&self, line: &[u8]) -> bool {
        let marks = line.iter().take(MAX_DECORATION);
        let marks = marks.take_while(|byte| is_mark(**byte)).count();
        match line.get(marks..) {
            Some([]) | None => true,
            Some([first, rest @ ..]) => {
                let second = rest.first().map_or(ANYTHING, |byte| bit_of(*byte));
                self.allows(*first, second)
            }
        }
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

fn bit_of(byte: u8) -> u32 {
    BITS.get(usize::from(byte)).copied().unwrap_or(OTHER)
}

static BITS: [u32; 256] = {
    let mut table = [OTHER; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        #[expect(clippy::indexing_slicing, reason = "evaluated while compiling")]
        {
            table[byte as usize] = bit(byte);
        }
        byte += 1;
    }
    table
};

/// The bit of a letter, small or not.
const fn bit(byte: u8) -> u32 {
    match byte {
        b'a'..=b'z' => 1 << (byte - b'a'),
        b'A'..=b'Z' => 1 << (byte - b'A'),
        _ => OTHER,
    }
}

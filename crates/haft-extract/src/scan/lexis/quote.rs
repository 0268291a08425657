//! The kinds of quotes that models put around strings, and where each closes.
//!
//! Whether a quote found inside ends the string is decided in the parent, [`lexis`](super).

use memchr::{memchr, memchr2, memchr3, memmem};

use super::{Ends, Place, quote_ends};

/// What opens a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Quote {
    /// Its length in bytes.
    pub(crate) open_len: usize,
    /// What closes it.
    pub(crate) kind: QuoteKind,
}

/// A kind of quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QuoteKind {
    /// `"`
    Double,
    /// `'`
    Single,
    /// A backtick.
    Back,
    /// `"""`
    TripleDouble,
    /// `'''`
    TripleSingle,
    /// `“`, `”`, `„`: closed by any of them or by `"`.
    CurlyDouble,
    /// `‘`, `’`: closed by either or by `'`.
    CurlySingle,
    /// `\"`, in text that was escaped once too often.
    Escaped,
    /// Gemma 4: `<|"|>`
    GemmaBar,
    /// FunctionGemma: `<escape>`
    GemmaEscape,
}

/// Where a string closes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Close {
    /// At byte `at`, with `len` bytes.
    At {
        /// Where the closing quote begins.
        at: usize,
        /// Its length.
        len: usize,
        /// Quotes inside were not escaped.
        inner: bool,
    },
    /// Undecided: more text is needed. Going on from this byte is enough.
    More(usize),
    /// Nowhere: the text is finished.
    Never,
}

/// The quotation mark of Gemma 4.
pub(crate) const GEMMA_BAR: &str = "<|\"|>";
const GEMMA_ESCAPE: &str = "<escape>";

/// The quote that `text` begins with. Of a text that may go on, three bytes are needed to tell
/// `"` from `"""`, and eight for a token. A `'` opens a string only where a key or a value may
/// begin.
pub(crate) fn quote_at(text: &str) -> Option<Quote> {
    let (open_len, kind) = match text.as_bytes() {
        [b'"', b'"', b'"', ..] => (3, QuoteKind::TripleDouble),
        [b'"', ..] => (1, QuoteKind::Double),
        [b'\'', b'\'', b'\'', ..] => (3, QuoteKind::TripleSingle),
        [b'\'', ..] => (1, QuoteKind::Single),
        [b'`', ..] => (1, QuoteKind::Back),
        [b'\\', b'"', ..] => (2, QuoteKind::Escaped),
        [0xE2, 0x80, 0x9C..=0x9E, ..] => (3, QuoteKind::CurlyDouble),
        [0xE2, 0x80, 0x98 | 0x99, ..] => (3, QuoteKind::CurlySingle),
        [b'<', ..] if text.starts_with(GEMMA_BAR) => (GEMMA_BAR.len(), QuoteKind::GemmaBar),
        [b'<', ..] if text.starts_with(GEMMA_ESCAPE) => {
            (GEMMA_ESCAPE.len(), QuoteKind::GemmaEscape)
        }
        _ => return None,
    };
    Some(Quote { open_len, kind })
}

/// Where the next `quote` or backslash stands: most strings are short, and calling a search costs
/// more than looking at their first words.
pub(crate) fn next_quote(quote: u8, text: &[u8]) -> Option<usize> {
    const SHORT: usize = 4;
    let quotes = u64::from_ne_bytes([quote; 8]);
    let backslashes = u64::from_ne_bytes([b'\\'; 8]);
    let mut rest = text;
    for at in 0..SHORT {
        let Some((word, more)) = rest.split_first_chunk::<8>() else {
            let is_sought = |byte: &u8| *byte == b'\\' || *byte == quote;
            return rest.iter().position(is_sought).map(|found| at * 8 + found);
        };
        let word = u64::from_le_bytes(*word);
        let found = zero_bytes(word ^ quotes) | zero_bytes(word ^ backslashes);
        if found != 0 {
            return Some(at * 8 + found.trailing_zeros() as usize / 8);
        }
        rest = more;
    }
    memchr2(quote, b'\\', rest).map(|found| found + SHORT * 8)
}

/// Behind the `quote` that ends the string whose content begins at `from`, if no other does.
pub(crate) fn string_end(bytes: &[u8], from: usize, quote: u8) -> Option<usize> {
    let mut at = from;
    loop {
        at += next_quote(quote, bytes.get(at..)?)?;
        if bytes.get(at) == Some(&quote) {
            return Some(at + 1);
        }
        at += 2;
    }
}

/// Marks the bytes of a word that are zero by their highest bits, exactly up to the first.
fn zero_bytes(word: u64) -> u64 {
    const ONES: u64 = u64::MAX / 255;
    word.wrapping_sub(ONES) & !word & (ONES << 7)
}

impl QuoteKind {
    /// Finds the quote that closes a string whose content begins at byte `from`, or that was
    /// looked through up to there.
    pub(crate) fn close_at(self, search: &Inside<'_>, from: usize) -> Close {
        match self {
            Self::Double => search.single_byte(b'"', from),
            Self::Single => search.single_byte(b'\'', from),
            Self::Back => search.single_byte(b'`', from),
            Self::CurlyDouble => search.curly(b'"', from),
            Self::CurlySingle => search.curly(b'\'', from),
            Self::TripleDouble => search.triple(b'"', from),
            Self::TripleSingle => search.triple(b'\'', from),
            Self::Escaped => search.escaped(from),
            Self::GemmaBar => search.token(GEMMA_BAR, from),
            Self::GemmaEscape => search.token(GEMMA_ESCAPE, from),
        }
    }

    /// True for the quotes of JSON.
    pub(crate) fn is_json(self) -> bool {
        self == Self::Double
    }

    /// The token that ends a call whose strings stand in these quotes.
    pub(crate) fn end_of_call(self) -> Option<&'static str> {
        match self {
            Self::GemmaBar => Some("<tool_call|>"),
            Self::GemmaEscape => Some("<end_function_call>"),
            _ => None,
        }
    }

    /// True for quotes that no backslash escapes.
    pub(crate) fn is_token(self) -> bool {
        matches!(self, Self::GemmaBar | Self::GemmaEscape)
    }
}

/// A text with a string in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inside<'t> {
    /// The text from before the string on.
    pub(crate) text: &'t [u8],
    /// Where the string stands.
    pub(crate) place: Place,
    /// Nothing follows the text.
    pub(crate) finished: bool,
}

impl Inside<'_> {
    fn rest(&self, from: usize) -> &[u8] {
        self.text.get(from..).unwrap_or_default()
    }

    /// The answer when the text is used up; `at` is where to go on.
    fn used_up(&self, at: usize) -> Close {
        if self.finished {
            Close::Never
        } else {
            Close::More(at)
        }
    }

    fn ends(&self, after: usize) -> Ends {
        quote_ends(self.rest(after), self.place, self.finished)
    }

    fn single_byte(&self, quote: u8, from: usize) -> Close {
        let (mut at, mut inner) = (from, false);
        loop {
            let Some(found) = next_quote(quote, self.rest(at)) else {
                return self.used_up(self.text.len());
            };
            at += found;
            if self.text.get(at) == Some(&b'\\') {
                if at + 1 >= self.text.len() {
                    return self.used_up(at);
                }
                at += 2;
                continue;
            }
            match self.ends(at + 1) {
                Ends::Yes => return Close::At { at, len: 1, inner },
                Ends::Unclear => return Close::More(at),
                Ends::No => inner = true,
            }
            at += 1;
        }
    }

    fn curly(&self, quote: u8, from: usize) -> Close {
        let (mut at, mut inner) = (from, false);
        loop {
            let Some(found) = memchr3(quote, 0xE2, b'\\', self.rest(at)) else {
                return self.used_up(self.text.len());
            };
            at += found;
            let len = match self.rest(at) {
                [b'\\', _, ..] => {
                    at += 2;
                    continue;
                }
                [0xE2, 0x80, last, ..] => match (quote, last) {
                    (b'"', 0x9C..=0x9E) | (b'\'', 0x98 | 0x99) => 3,
                    _ => 0,
                },
                [byte, ..] if *byte == quote => 1,
                [b'\\' | 0xE2] | [0xE2, 0x80] => return self.used_up(at),
                _ => 0,
            };
            if len == 0 {
                at += 1;
                continue;
            }
            match self.ends(at + len) {
                Ends::Yes => return Close::At { at, len, inner },
                Ends::Unclear => return Close::More(at),
                Ends::No => inner = true,
            }
            at += len;
        }
    }

    fn triple(&self, quote: u8, from: usize) -> Close {
        let mut at = from;
        loop {
            let Some(found) = memchr2(quote, b'\\', self.rest(at)) else {
                return self.used_up(self.text.len());
            };
            at += found;
            match self.rest(at) {
                [one, two, three, ..] if [*one, *two, *three] == [quote; 3] => {
                    let inner = false;
                    return Close::At { at, len: 3, inner };
                }
                [b'\\', _, ..] => at += 2,
                [_] | [_, _] => return self.used_up(at),
                _ => at += 1,
            }
        }
    }

    /// `\"` closes; `\\\"`, escaped one level deeper, does not.
    fn escaped(&self, from: usize) -> Close {
        let (mut at, mut inner) = (from, false);
        loop {
            let Some(found) = memchr(b'\\', self.rest(at)) else {
                return self.used_up(self.text.len());
            };
            at += found;
            match self.rest(at) {
                [b'\\', b'"', ..] => {}
                [b'\\', b'\\', b'\\', _, ..] => {
                    at += 4;
                    continue;
                }
                [b'\\'] | [b'\\', b'\\'] | [b'\\', b'\\', b'\\'] => return self.used_up(at),
                _ => {
                    at += 2;
                    continue;
                }
            }
            match self.escaped_ends(at + 2) {
                Ends::Yes => return Close::At { at, len: 2, inner },
                Ends::Unclear => return Close::More(at),
                Ends::No => inner = true,
            }
            at += 2;
        }
    }

    /// As [`quote_ends`]; the next key is in escaped quotes too, which its rule does not know.
    fn escaped_ends(&self, after: usize) -> Ends {
        let rest = self.rest(after);
        match rest.iter().position(|byte| !matches!(byte, b' ' | b',')) {
            Some(at) if rest.get(at) == Some(&b'\\') && at > 0 => Ends::Yes,
            None if !self.finished => Ends::Unclear,
            _ => quote_ends(rest, self.place, self.finished),
        }
    }

    fn token(&self, token: &str, from: usize) -> Close {
        match memmem::find(self.rest(from), token.as_bytes()) {
            Some(found) => Close::At {
                at: from + found,
                len: token.len(),
                inner: false,
            },
            None => self.used_up(from.max(self.text.len().saturating_sub(token.len() - 1))),
        }
    }
}

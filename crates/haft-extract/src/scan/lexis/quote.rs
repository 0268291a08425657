//! The kinds of quotes that models put around strings, and where each closes.
//!
//! Whether a quote found inside ends the string is decided in the parent, [`lexis`](super).

use std::ops::Range;

use memchr::{memchr_iter, memchr2, memchr3};

use super::{Place, only_ends_follow, quote_ends};
use crate::scan::{More, Seen, Text};
use crate::{limits, scan::bytes::first_of};

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

/// What closes a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Close {
    /// Where the closing quote begins.
    pub(crate) at: usize,
    /// Its length; 0 where it was left out.
    pub(crate) len: usize,
    /// Quotes inside were not escaped.
    pub(crate) inner: bool,
}

/// What closes a string, or from where on to look for it once there is more text.
pub(crate) type QuoteSearch = Result<Close, usize>;

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

impl QuoteKind {
    /// Finds the quote that closes a string, of which `known` was looked through already. Without it
    /// the text is used up, and going on from the byte that is returned is enough.
    #[inline]
    pub(crate) fn close_at(self, text: Text<'_>, place: Place, known: Range<usize>) -> QuoteSearch {
        let (start, is_begun) = (known.start, known.end > known.start);
        let (mut at, mut inner) = (known.end, false);
        while let Some(found) = self.next_sign(text.bytes(at)) {
            at += found;
            let may_be_code = place == Place::Member && (inner || is_begun);
            let sign = match self.sign_at(text, place, at) {
                Ok(Sign::Closer(len)) if may_be_code => self.sign_of_code(text, start..at, len),
                sign => sign,
            };
            at += match sign.map_err(|More| at)? {
                Sign::Closer(len) => return Ok(Close { at, len, inner }),
                Sign::Part(len) => len,
                Sign::Quote(len) => {
                    inner = true;
                    len
                }
            };
        }
        Err(text.text.len().max(at))
    }

    /// The sign at `at`. Most of a long string is read without a look at one.
    #[inline(never)]
    fn sign_at(self, text: Text<'_>, place: Place, at: usize) -> Seen<Sign> {
        match self.sign(text.bytes(at))? {
            Sign::Closer(len) if !self.ends(text, place, at + len)? => Ok(Sign::Quote(len)),
            sign => Ok(sign),
        }
    }

    /// What closes it.
    const fn closers(self) -> &'static [&'static str] {
        match self {
            Self::Double => &["\""],
            Self::Single => &["'"],
            Self::Back => &["`"],
            Self::TripleDouble => &["\"\"\""],
            Self::TripleSingle => &["'''"],
            Self::CurlyDouble => &["\"", "“", "”", "„"],
            Self::CurlySingle => &["'", "‘", "’"],
            Self::Escaped => &["\\\""],
            Self::GemmaBar => &[GEMMA_BAR],
            Self::GemmaEscape => &[GEMMA_ESCAPE],
        }
    }

    /// The one byte that opens and closes it.
    const fn byte(self) -> Option<u8> {
        match self {
            Self::Double => Some(b'"'),
            Self::Single => Some(b'\''),
            Self::Back => Some(b'`'),
            _ => None,
        }
    }

    /// Where the next byte stands that may begin what closes the string, or takes its meaning
    /// from what does.
    #[inline]
    fn next_sign(self, text: &[u8]) -> Option<usize> {
        if let Some(quote) = self.byte() {
            let find = |text: &[u8]| memchr2(quote, b'\\', text);
            return first_of([quote, b'\\'], text, find);
        }
        let first = |closer: Option<&&str>| closer?.bytes().next();
        let one = first(self.closers().first())?;
        let other = first(self.closers().last())?;
        let escape = if self.is_token() { one } else { b'\\' };
        memchr3(one, other, escape, text)
    }

    /// What `rest` begins with, inside a string.
    #[inline]
    fn sign(self, rest: &[u8]) -> Seen<Sign> {
        match (self.byte(), rest) {
            (Some(quote), [first, ..]) if *first == quote => return Ok(Sign::Closer(1)),
            (Some(_), [b'\\', _, ..]) => return Ok(Sign::Part(2)),
            _ => {}
        }
        let mut closers = self.closers().iter().map(|closer| closer.as_bytes());
        if let Some(closer) = closers.clone().find(|closer| rest.starts_with(closer)) {
            return Ok(Sign::Closer(closer.len()));
        }
        match (self, rest) {
            // `\"` closes; `\\\"`, escaped one level deeper, does not.
            (Self::Escaped, [b'\\', b'\\', b'\\', _, ..]) => Ok(Sign::Part(4)),
            (Self::Escaped, [b'\\', b'\\'] | [b'\\', b'\\', b'\\']) => Err(More),
            (_, [b'\\', _, ..]) => Ok(Sign::Part(2)),
            (_, [b'\\']) => Err(More),
            _ if closers.any(|closer| closer.starts_with(rest)) => Err(More),
            _ => Ok(Sign::Part(1)),
        }
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

    /// What the quote of `len` bytes behind the string `content` is. A string in which quotes are not
    /// escaped holds code mostly, which does not end before its brackets are closed.
    #[inline(never)]
    fn sign_of_code(self, text: Text<'_>, content: Range<usize>, len: usize) -> Seen<Sign> {
        let start = content.start.max(content.end.saturating_sub(limits::NEAR));
        let near = text.text.as_bytes().get(start..content.end);
        let near = near.unwrap_or_default();
        let is_escaped = |at: usize| {
            let before = near.get(..at).unwrap_or_default().iter().rev();
            let signs = before.take_while(|byte| **byte == b'\\').count();
            // One more may stand before the part that is looked at.
            signs % 2 == 1 || (signs == at && start > content.start)
        };
        let mut quotes = memchr_iter(self.byte().unwrap_or_default(), near);
        let open = open_bracket(near).filter(|_| quotes.any(|at| !is_escaped(at)));
        let after = text.bytes(content.end + len);
        match open {
            Some(open) if !only_ends_follow(open, after, text.finished)? => Ok(Sign::Quote(len)),
            _ => Ok(Sign::Closer(len)),
        }
    }

    /// Whether what closes a string of this kind, before `after`, ends it.
    fn ends(self, text: Text<'_>, place: Place, after: usize) -> Seen<bool> {
        let rest = text.bytes(after);
        match self {
            Self::TripleDouble | Self::TripleSingle => return Ok(true),
            Self::GemmaBar | Self::GemmaEscape => return Ok(true),
            // The next key is in escaped quotes too, which the rule does not know.
            Self::Escaped => match rest.iter().position(|byte| !matches!(byte, b' ' | b',')) {
                Some(at) if rest.get(at) == Some(&b'\\') && at > 0 => return Ok(true),
                None if !text.finished => return Err(More),
                _ => {}
            },
            _ => {}
        }
        quote_ends(rest, place, text.finished)
    }
}

/// What stands in a string where its end may be.
enum Sign {
    /// So many bytes of the string.
    Part(usize),
    /// A quote of so many bytes that ends the string.
    Closer(usize),
    /// A quote of so many bytes that is a part of the string.
    Quote(usize),
}

/// The innermost bracket that is open at the end of `text`.
fn open_bracket(text: &[u8]) -> Option<u8> {
    let mut closed = 0_usize;
    for byte in text.iter().rev() {
        match byte {
            b'}' | b']' | b')' => closed += 1,
            b'{' | b'[' | b'(' if closed == 0 => return Some(*byte),
            b'{' | b'[' | b'(' => closed -= 1,
            _ => {}
        }
    }
    None
}

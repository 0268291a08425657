//! Looks at text without knowing what it is for: where tags, strings and values in brackets begin
//! and end.
//!
//! `tag` cuts one tag or token out of a text, damaged or not. `balance` finds where a value in
//! brackets ends, in text that arrives in pieces, and `lexis` has the one rule for where a string in
//! it ends. `bytes` says what single bytes mean. All of them answer a question about a [`Text`] that
//! may go on with what they [have seen](Seen): yes, no, or that [`More`] of it is needed.

pub(crate) mod balance;
pub(crate) mod bytes;
pub(crate) mod lexis;
pub(crate) mod tag;

pub(crate) use balance::{Balance, Stop, closed, is_arguments_key, is_name_key};
pub(crate) use bytes::{is_word_of, may_be_word_of};
pub(crate) use lexis::{
    Close, GEMMA_BAR, Place, Quote, QuoteKind, Stray, closers_before, key_ahead, key_follows,
    quote_at, stray_closer, value_follows_half_key,
};
pub(crate) use tag::{Attributes, Tag, attribute, is_begun_tag, may_be_tag, tag_at, whole_tag};

/// More text is needed to tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct More;

/// What the text at hand tells, or that more of it is needed.
pub(crate) type Seen<T> = Result<T, More>;

/// A text that arrives in pieces, as far as it is there.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Text<'t> {
    pub(crate) text: &'t str,
    /// Nothing follows.
    pub(crate) finished: bool,
}

impl<'t> Text<'t> {
    /// A text that nothing follows.
    pub(crate) fn whole(text: &'t str) -> Self {
        let finished = true;
        Self { text, finished }
    }

    pub(crate) fn byte(self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    pub(crate) fn rest(self, at: usize) -> &'t str {
        self.text.get(at..).unwrap_or_default()
    }

    /// Whether `word` stands at `at`.
    pub(crate) fn begins(self, at: usize, word: &str) -> Seen<bool> {
        let rest = self.rest(at);
        match rest.starts_with(word) {
            false if !self.finished && word.starts_with(rest) => Err(More),
            begins => Ok(begins),
        }
    }

    /// The bytes from `at` on, which may be inside a character.
    pub(crate) fn bytes(self, at: usize) -> &'t [u8] {
        self.text.as_bytes().get(at..).unwrap_or_default()
    }
}

/// As much of the beginning of `text` as so many bytes hold.
pub(crate) fn near(text: &str, len: usize) -> &str {
    text.get(..text.floor_char_boundary(len)).unwrap_or(text)
}

/// What stands between two signs at the beginning and at the end of `text`.
pub(crate) fn within(text: &str, open: char, close: char) -> Option<&str> {
    text.strip_prefix(open)?.strip_suffix(close)
}

/// Splits `text` behind its first bytes that `is` accepts, at most `longest` of them.
pub(crate) fn split_run(text: &str, longest: usize, is: impl Fn(&u8) -> bool) -> (&str, &str) {
    let run = text.bytes().take(longest).take_while(is);
    text.split_at(text.floor_char_boundary(run.count()))
}

/// True for one of some words with blanks between them.
pub(crate) fn is_one_of(word: &str, words: &str) -> bool {
    words.split(' ').any(|known| known == word)
}

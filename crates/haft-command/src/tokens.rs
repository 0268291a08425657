//! A sentence as words, each with its place in what the user wrote, and small patterns over them.
//!
//! Words are compared in lower case; names are cut out of the original text. How a text is split
//! into words stands in `tokens/split.rs`.

use std::ops::Range;

use haft_select::english::one_of;

mod split;

pub(super) use split::words;

#[derive(Clone, Debug)]
pub(super) struct Word {
    /// In lower case, without surrounding punctuation.
    pub(super) lower: String,
    /// Where it stands in the source.
    span: Range<usize>,
    /// What follows it.
    pub(super) stop: Stop,
    /// Whether it stands between quotation marks.
    pub(super) quoted: bool,
}

/// The punctuation after a word, the strongest last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stop {
    None,
    /// A comma, and whatever else separates without ending: dashes, brackets.
    Comma,
    Sentence,
    /// A question mark.
    Question,
}

impl Stop {
    pub(super) fn ends_sentence(self) -> bool {
        self >= Self::Sentence
    }
}

/// Some consecutive words of a source.
#[derive(Clone, Copy, Debug)]
pub(super) struct Phrase<'a> {
    source: &'a str,
    words: &'a [Word],
}

/// `source` without the sounds and the swearing that speech has between its words.
pub(super) fn without_fillers(source: &str) -> String {
    const FILLERS: &str = "um|umm|uh|uhh|uhm|erm|er|hm|hmm|mmm|äh|ähm|euh|damn|damned|goddamn|bloody|\
        freaking|fucking|fricking";
    let is_filler = |piece: &str| {
        let bare = piece.trim_end_matches([',', '.', '…', '-']);
        one_of(&bare.to_lowercase(), FILLERS)
    };
    let pieces = source
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|piece| !piece.is_empty() && !is_filler(piece));
    pieces.collect::<Vec<_>>().join(" ")
}

impl<'a> Phrase<'a> {
    pub(super) fn new(source: &'a str, words: &'a [Word]) -> Self {
        Self { source, words }
    }

    pub(super) fn words(self) -> &'a [Word] {
        self.words
    }

    pub(super) fn len(self) -> usize {
        self.words.len()
    }

    pub(super) fn is_empty(self) -> bool {
        self.words.is_empty()
    }

    /// The word at `index`, or "" behind the end.
    pub(super) fn at(self, index: usize) -> &'a str {
        self.words.get(index).map_or("", |word| &word.lower)
    }

    pub(super) fn last(self) -> &'a str {
        self.words.last().map_or("", |word| &word.lower)
    }

    pub(super) fn from(self, index: usize) -> Self {
        let words = self.words.get(index..).unwrap_or_default();
        Self { words, ..self }
    }

    pub(super) fn to(self, index: usize) -> Self {
        let words = self.words.get(..index).unwrap_or(self.words);
        Self { words, ..self }
    }

    /// Other words of the same source.
    pub(super) fn of(self, words: &'a [Word]) -> Self {
        Self { words, ..self }
    }

    /// The first word that is one of `choices` (separated by `|`).
    pub(super) fn position(self, choices: &str) -> Option<usize> {
        self.words
            .iter()
            .position(|word| one_of(&word.lower, choices))
    }

    pub(super) fn has(self, choices: &str) -> bool {
        self.position(choices).is_some()
    }

    /// What follows `pattern` at the start: words separated by spaces, each a choice separated
    /// by `|`, and left out at will when it ends in `?`.
    pub(super) fn strip(self, pattern: &str) -> Option<Self> {
        let parts: Vec<&str> = pattern.split(' ').collect();
        match_at(self, &parts, 0).map(|end| self.from(end))
    }

    /// What follows the first of `patterns` that matches at the start.
    pub(super) fn strip_any(self, patterns: &[&str]) -> Option<Self> {
        patterns.iter().find_map(|pattern| self.strip(pattern))
    }

    /// What follows `pattern` at the start, or all of it without such a start.
    pub(super) fn without(self, pattern: &str) -> Self {
        self.strip(pattern).unwrap_or(self)
    }

    pub(super) fn starts(self, pattern: &str) -> bool {
        self.strip(pattern).is_some()
    }

    /// True when `pattern` matches all of it.
    pub(super) fn is(self, pattern: &str) -> bool {
        self.strip(pattern).is_some_and(Self::is_empty)
    }

    /// What stands before `pattern` at the end; the longest match wins.
    pub(super) fn strip_end(self, pattern: &str) -> Option<Self> {
        (0..self.len())
            .find(|start| self.from(*start).is(pattern))
            .map(|start| self.to(start))
    }

    /// What stands before `pattern` at the end, or all of it without such an end.
    pub(super) fn without_end(self, pattern: &str) -> Self {
        self.strip_end(pattern).unwrap_or(self)
    }

    /// What stands between `start` at the start and `end` at the end.
    pub(super) fn between(self, start: &str, end: &str) -> Option<Self> {
        self.strip(start)?.strip_end(end)
    }

    /// The original text, with single spaces.
    pub(super) fn text(self) -> String {
        let (Some(first), Some(last)) = (self.words.first(), self.words.last()) else {
            return String::new();
        };
        let text = self.source.get(first.span.start..last.span.end);
        let words: Vec<&str> = text.unwrap_or_default().split_whitespace().collect();
        words.join(" ")
    }

    /// True when every word but small ones begins with a capital or a digit.
    pub(super) fn is_capitalised(self) -> bool {
        self.words.iter().all(|word| {
            let text = self.source.get(word.span.clone()).unwrap_or_default();
            one_of(&word.lower, "of|the|es|de|la|del|au")
                || text.starts_with(|c: char| c.is_uppercase() || c.is_numeric())
        })
    }
}

fn match_at(phrase: Phrase<'_>, parts: &[&str], at: usize) -> Option<usize> {
    let Some((part, rest)) = parts.split_first() else {
        return Some(at);
    };
    let optional = part.ends_with('?');
    let choices = part.trim_end_matches('?');
    if one_of(phrase.at(at), choices)
        && at < phrase.len()
        && let Some(end) = match_at(phrase, rest, at + 1)
    {
        return Some(end);
    }
    if optional {
        match_at(phrase, rest, at)
    } else {
        None
    }
}

#[cfg(test)]
mod tests;

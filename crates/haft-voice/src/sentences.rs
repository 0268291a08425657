//! Splits a streamed reply into sentences, each as soon as it is complete.
//!
//! A push parser. Code in fences and reasoning in tags are skipped; every other line or sentence is
//! returned once, converted to speakable text. The result does not depend on how the text is split
//! into chunks, except for [`Sentences::pause`], which reports that the model has paused.

use crate::speakable::speakable;

/// The tags around reasoning, with their end tags.
const HIDDEN: [(&str, &str); 4] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<reasoning>", "</reasoning>"),
    ("<thought>", "</thought>"),
];

const FENCES: [&str; 2] = ["```", "~~~"];

/// Abbreviations whose full stop does not end a sentence.
const ABBREVIATIONS: [&str; 18] = [
    "mr", "mrs", "ms", "dr", "prof", "st", "vs", "etc", "e.g", "i.e", "no", "approx", "ca", "jr",
    "sr", "a.m", "p.m", "inc",
];

/// The maximum length of a sentence in bytes; longer text is cut.
const LONGEST: usize = 600;

/// The parser.
#[derive(Debug, Default)]
pub(crate) struct Sentences {
    /// Text that was not returned yet.
    rest: String,
    /// Whether the remaining text begins inside a line.
    is_in_line: bool,
    state: State,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Prose,
    /// Inside a code block, until this fence.
    Fence(&'static str),
    /// Inside reasoning, until this tag.
    Hidden(&'static str),
}

/// What the remaining text begins with.
enum Piece {
    /// A line or sentence of this many bytes.
    Text(usize),
    /// A start tag of this length, and the end tag that closes the reasoning.
    Hidden(usize, &'static str),
    /// Undecided until more text arrives.
    Open,
}

impl Sentences {
    /// Adds a chunk of the reply, and returns the sentences that are complete now.
    pub(crate) fn push(&mut self, text: &str) -> Vec<String> {
        self.rest.push_str(text);
        self.read(false)
    }

    /// True if the remaining text looks like a whole sentence, provided that no more text follows.
    pub(crate) fn may_be_complete(&self) -> bool {
        let rest = self.rest.trim_end();
        let Some(before) = rest.strip_suffix(['.', '!', '?', '…']) else {
            return false;
        };
        self.state == State::Prose
            && !FENCES.iter().any(|fence| self.begins_line_with(fence))
            && !before.ends_with(|last: char| last.is_ascii_digit())
            && !is_abbreviation(before)
    }

    /// Returns the remaining text as a sentence, because the model paused after it.
    pub(crate) fn pause(&mut self) -> Option<String> {
        if !self.may_be_complete() {
            return None;
        }
        self.is_in_line = true;
        let sentence = speakable(&std::mem::take(&mut self.rest));
        (!sentence.is_empty()).then_some(sentence)
    }

    /// Returns all remaining text.
    pub(crate) fn finish(&mut self) -> Vec<String> {
        let sentences = self.read(true);
        *self = Self::default();
        sentences
    }

    fn begins_line_with(&self, mark: &str) -> bool {
        !self.is_in_line && self.rest.trim_start().starts_with(mark)
    }

    fn read(&mut self, is_end: bool) -> Vec<String> {
        let mut sentences = Vec::new();
        while !self.rest.is_empty() && self.step(is_end, &mut sentences) {}
        sentences
    }

    /// Parses one piece; returns false if more text is needed first.
    fn step(&mut self, is_end: bool, sentences: &mut Vec<String>) -> bool {
        match self.state {
            State::Hidden(end) => return self.skip_past(end, is_end),
            State::Fence(fence) => return self.skip_line(fence, is_end),
            State::Prose => {}
        }
        // The start of a code block is detected by the first characters of its line.
        if !self.is_in_line && !is_end {
            let begin = self.rest.trim_start_matches([' ', '\n', '\r', '\t']);
            if begin.is_empty() || FENCES.iter().any(|fence| is_part(begin, fence)) {
                return false;
            }
        }
        for fence in FENCES {
            if self.begins_line_with(fence) {
                let blank = self.rest.len() - self.rest.trim_start().len();
                self.rest.drain(..blank);
                self.state = State::Fence(fence);
                return self.skip_opening(is_end);
            }
        }
        match self.piece(is_end) {
            Piece::Open => false,
            Piece::Hidden(at, end) => {
                self.take(at, sentences);
                self.state = State::Hidden(end);
                true
            }
            Piece::Text(length) => {
                self.take(length, sentences);
                true
            }
        }
    }

    /// What the rest of the text begins with.
    fn piece(&self, is_end: bool) -> Piece {
        let text = &self.rest;
        for (at, character) in text.char_indices() {
            let after = text.get(at + character.len_utf8()..).unwrap_or_default();
            match character {
                '\n' => return Piece::Text(at + 1),
                '<' => {
                    let from = text.get(at..).unwrap_or_default();
                    if let Some((_, end)) = HIDDEN.iter().find(|(begin, _)| from.starts_with(begin))
                    {
                        return Piece::Hidden(at, end);
                    }
                    if !is_end && HIDDEN.iter().any(|(begin, _)| is_part(from, begin)) {
                        return Piece::Open;
                    }
                }
                '。' | '！' | '？' => return Piece::Text(at + character.len_utf8()),
                '.' | '!' | '?' | '…' => match ends_sentence(text, at, self.is_in_line) {
                    Some(true) => return Piece::Text(at + character.len_utf8()),
                    Some(false) => {}
                    None if is_end => {}
                    None => return Piece::Open,
                },
                ' ' if at >= LONGEST => return Piece::Text(at + 1),
                _ if at >= LONGEST * 2 => return Piece::Text(at),
                _ => {}
            }
            if after.is_empty() && is_end {
                return Piece::Text(text.len());
            }
        }
        Piece::Open
    }

    fn take(&mut self, length: usize, sentences: &mut Vec<String>) {
        let text: String = self.rest.drain(..length).collect();
        if let Some(last) = text.chars().last() {
            self.is_in_line = last != '\n' && (self.is_in_line || !text.trim().is_empty());
        }
        let sentence = speakable(&text);
        if !sentence.is_empty() {
            sentences.push(sentence);
        }
    }

    fn skip_past(&mut self, end: &str, is_end: bool) -> bool {
        match self.rest.find(end) {
            Some(at) => {
                self.rest.drain(..at + end.len());
                self.state = State::Prose;
                true
            }
            None if is_end => {
                self.rest.clear();
                false
            }
            None => {
                // Reasoning may be long; only a possible start of the end tag is kept.
                let keep = (1..end.len())
                    .rev()
                    .find(|length| {
                        end.get(..*length)
                            .is_some_and(|part| self.rest.ends_with(part))
                    })
                    .unwrap_or(0);
                self.rest.drain(..self.rest.len() - keep);
                false
            }
        }
    }

    /// Skips the rest of the line that opens a fence.
    fn skip_opening(&mut self, is_end: bool) -> bool {
        match self.rest.find('\n') {
            Some(at) => {
                self.rest.drain(..=at);
                true
            }
            None => {
                if is_end {
                    self.rest.clear();
                } else {
                    // The start of the line has not been examined yet.
                    self.state = State::Prose;
                }
                false
            }
        }
    }

    fn skip_line(&mut self, fence: &str, is_end: bool) -> bool {
        let is_closing = self.rest.trim_start().starts_with(fence);
        match self.rest.find('\n') {
            Some(at) => {
                self.rest.drain(..=at);
                self.is_in_line = false;
                if is_closing {
                    self.state = State::Prose;
                }
                true
            }
            None => {
                if is_end {
                    self.rest.clear();
                }
                false
            }
        }
    }
}

/// True if `text` may be an incomplete `whole`.
fn is_part(text: &str, whole: &str) -> bool {
    text.len() < whole.len() && whole.starts_with(text)
}

/// Whether the punctuation mark at `at` ends a sentence; `None` if that depends on the next text.
fn ends_sentence(text: &str, at: usize, is_in_line: bool) -> Option<bool> {
    let (before, from) = text.split_at(at);
    let mut after = from.chars();
    let stop = after.next()?;
    let next = after.next()?;
    if !next.is_whitespace() {
        return Some(false);
    }
    if stop != '.' || next == '\n' {
        return Some(true);
    }
    let is_number = !before.trim().is_empty() && before.trim().chars().all(|c| c.is_ascii_digit());
    if is_abbreviation(before) || (is_number && !is_in_line) {
        return Some(false);
    }
    // "approx. twice" continues; "Done. It is on." does not.
    let following = after.find(|character| !character.is_whitespace())?;
    Some(!following.is_lowercase())
}

fn is_abbreviation(before: &str) -> bool {
    let word = before
        .rsplit(|character: char| character.is_whitespace() || character == '(')
        .next()
        .unwrap_or_default();
    let word = word.to_lowercase();
    ABBREVIATIONS.contains(&word.as_str())
}

#[cfg(test)]
mod tests;

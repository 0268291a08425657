//! Plain sentences of a text in Markdown, and words in them.

use super::words::{HARMLESS, Words};
use crate::scan::within;

/// A text in small letters without marks, in sentences.
pub(super) struct Plain {
    pub(super) text: String,
    /// Where its sentences end.
    ends: Vec<usize>,
}

impl Plain {
    pub(super) fn of(text: &str) -> Self {
        let mut chars = text.chars().peekable();
        let (text, ends) = (String::with_capacity(text.len()), Vec::new());
        let mut plain = Self { text, ends };
        while let Some(c) = chars.next() {
            match c {
                c if is_dropped(c) => {}
                c if is_apostrophe(c) => plain.text.push('\''),
                c if c.is_whitespace() => {
                    if c == '\n' {
                        plain.end();
                    }
                    if !plain.text.is_empty() && !plain.text.ends_with(' ') {
                        plain.text.push(' ');
                    }
                }
                c => {
                    match c.is_ascii() {
                        true => plain.text.push(c.to_ascii_lowercase()),
                        false => plain.text.extend(c.to_lowercase()),
                    }
                    let is_last = chars.peek().is_none_or(|next| next.is_whitespace());
                    if is_end(c) || (c == '.' && is_last && is_full_stop(&plain.text)) {
                        plain.end();
                    }
                }
            }
        }
        plain.end();
        // Phrases that look like cues and are none are blotted out.
        let phrases: Vec<_> = HARMLESS.ranges_in(&plain.text).collect();
        for phrase in phrases {
            let blank = " ".repeat(phrase.len());
            plain.text.replace_range(phrase, &blank);
        }
        plain
    }

    fn end(&mut self) {
        let from = self.ends.last().copied().unwrap_or(0);
        let sentence = self.text.get(from..).unwrap_or_default();
        // Marks alone belong to the sentence before.
        if sentence.contains(char::is_alphanumeric) || self.ends.pop().is_some() {
            self.ends.push(self.text.len());
        }
    }

    /// All sentences.
    pub(super) fn sentences(&self) -> impl Iterator<Item = &str> {
        let mut from = 0;
        self.ends.iter().map(move |end| {
            let sentence = self.text.get(std::mem::replace(&mut from, *end)..*end);
            sentence.unwrap_or_default().trim()
        })
    }

    /// The last sentence.
    pub(super) fn last(&self) -> &str {
        self.sentences().last().unwrap_or(self.text.trim())
    }

    /// So many sentences before the last.
    pub(super) fn before_last(&self, count: usize) -> String {
        let last = self.ends.len().saturating_sub(1);
        let sentences = self.sentences().take(last);
        let sentences = sentences.skip(last.saturating_sub(count));
        sentences.collect::<Vec<_>>().join(" ")
    }

    /// So many sentences from the beginning.
    pub(super) fn first_sentences(&self, count: usize) -> String {
        self.sentences().take(count).collect::<Vec<_>>().join(" ")
    }

    /// It is a word in brackets, such as the name of a tool before its arguments.
    pub(super) fn is_in_brackets(&self) -> bool {
        within(self.text.trim(), '[', ']').is_some_and(|word| !word.contains(' '))
    }

    /// The first sentence is a question.
    pub(super) fn first_asks(&self) -> bool {
        self.sentences().next().is_some_and(is_question)
    }

    /// The last sentence is a question.
    pub(super) fn asks(&self) -> bool {
        is_question(self.last())
    }
}

/// True where a sign or a letter stands that is another one or none in a [plain](Plain) text, but for
/// capital letters of ASCII.
#[inline]
pub(super) fn is_changed_at(text: &str, at: usize) -> bool {
    let first = text.as_bytes().get(at);
    let is_changed = |c: char| {
        let is_capital = !c.is_ascii() && c.is_uppercase();
        is_dropped(c) || is_apostrophe(c) || is_question_mark(c) || is_capital || c.is_whitespace()
    };
    let at = at..text.len();
    !first.is_some_and(u8::is_ascii_alphanumeric)
        && text
            .get(at)
            .is_some_and(|rest| rest.starts_with(is_changed))
}

/// True for apostrophes other than that of ASCII.
fn is_apostrophe(c: char) -> bool {
    matches!(c, '’' | '‘' | 'ʼ')
}

/// True for signs of Markdown, and for those without width.
pub(super) fn is_dropped(c: char) -> bool {
    matches!(c, '*' | '_' | '`' | '#') || matches!(c, '\u{200B}'..='\u{200D}' | '\u{FEFF}')
}

/// Marks, and a particle of Japanese, that go on with a sentence or close it or what stands in it.
const GOES_ON: &[char] = &[
    ':', ',', ';', '…', '?', ')', '”', '»', '，', '、', '：', '？', '）', 'を',
];

/// True for a text that goes on with a sentence: it begins with a small letter or a mark.
pub(super) fn begins_within(text: &str) -> bool {
    let first = text.trim_start().chars().next();
    first.is_some_and(|first| first.is_lowercase() || GOES_ON.contains(&first))
}

/// True for a line that begins as a row of a table does, or as one of a log, with a time or a date.
pub(super) fn is_record(line: &str) -> bool {
    let line = line.trim_start_matches(['[', '(', ' ']);
    let digit = |c: char| if c.is_ascii_digit() { '0' } else { c };
    let shape: String = line.chars().take(12).map(digit).collect();
    let dates = ["0000-00-00 0", "0000-00-00T0", "0000/00/00 0"];
    line.starts_with("| ") || shape.starts_with("00:00:00") || dates.contains(&shape.as_str())
}

/// True for marks that end a sentence wherever they stand.
fn is_end(c: char) -> bool {
    ['?', '!', '。', '！', '？', '؟', '।', '…', ';', '；'].contains(&c)
}

/// True for a full stop that ends a sentence, the last letter of `text`: not behind a number or a
/// short word such as `e.g`.
fn is_full_stop(text: &str) -> bool {
    let before = text.trim_end_matches('.');
    let mut words = before.rsplit(|c: char| !c.is_alphanumeric());
    let word = words.next().unwrap_or_default();
    let is_word = word.chars().filter(|c| c.is_alphabetic()).count() > 1;
    is_word || before.ends_with([')', ']', '"', '\'', '”', '»'])
}

/// True for a sentence that ends or begins as a question does.
pub(super) fn is_question(sentence: &str) -> bool {
    // A question in quotes is somebody else's.
    let is_around = |c: char| {
        !c.is_alphanumeric() && !is_question_mark(c) && !matches!(c, '.' | '"' | '”' | '»' | '\'')
    };
    let end = sentence.trim_end_matches(is_around);
    end.ends_with(is_question_mark) || sentence.starts_with('¿')
}

fn is_question_mark(c: char) -> bool {
    matches!(c, '?' | '？' | '؟' | '⁇')
}

/// The words of a text, which letters, digits and `sign` make, and where they begin.
pub(super) fn words_with(text: &str, sign: char) -> impl Iterator<Item = (usize, &str)> {
    let is_outer = move |c: char| !c.is_alphanumeric() && c != sign;
    let mut next = 0;
    text.split_inclusive(is_outer).filter_map(move |piece| {
        let word = piece.trim_end_matches(is_outer);
        let at = next;
        next += piece.len();
        (!word.is_empty()).then_some((at, word))
    })
}

/// The cues in a list.
pub(super) fn each(cues: Words) -> impl Iterator<Item = &'static str> {
    let cues = cues.split([',', '\n']).map(str::trim);
    cues.filter(|cue| !cue.is_empty())
}

/// The text from its first letter on.
pub(super) fn from_letter(text: &str) -> &str {
    text.trim_start_matches(|c: char| !c.is_alphabetic())
}

/// The last sentence of a text, or more of it.
pub(super) fn last_of(text: &str) -> &str {
    let ends = |(at, c): &(usize, char)| {
        let (before, rest) = text.split_at(at + c.len_utf8());
        let is_stop = || *c == '.' && rest.starts_with(' ') && is_full_stop(before);
        (*c == '\n' || is_end(*c) || is_stop()) && rest.contains(char::is_alphanumeric)
    };
    let end = text.char_indices().rev().find(ends);
    text.get(end.map_or(0, |(at, c)| at + c.len_utf8())..)
        .unwrap_or_default()
}

/// True for text that begins as an item of a list does.
pub(super) fn is_list_item(text: &str) -> bool {
    let text = text.trim_start();
    let number = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = number.len() < text.len() && number.starts_with(['.', ')']);
    let begins = |c: char| c.is_whitespace() || c.is_alphanumeric() || c == '`';
    let item = text.strip_prefix(['-', '*', '+', '•']);
    is_numbered || item.is_some_and(|item| item.starts_with(begins))
}

//! Splits a text into words, and keeps what stands between them: stops and quotation marks.
//!
//! No sign of punctuation is lost: what separates two words without a space ("light...no",
//! "said:turn") separates them here, too. Contractions that matter are written out ("what's" is
//! "what is"), possessives are left alone ("kid's lamp").

use haft_select::english::written_out;

use super::{Stop, Word};

/// Splits `source` at white space and at what separates without it.
pub(crate) fn words(source: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut quotes = Quotes::default();
    let mut start = None;
    let mut before = None;
    for (at, c) in source.char_indices() {
        let rest = source.get(at + c.len_utf8()..).unwrap_or_default();
        let after = rest.chars().next();
        let is_mark = is_mark(c) || quotes.is_single(before, c, after);
        let word = source.get(start.unwrap_or(at)..at).unwrap_or_default();
        if is_mark || c.is_whitespace() || separates(word, c, rest) {
            if let Some(start) = start.take() {
                push(&mut words, word, start, quotes.is_open());
            }
            if is_mark {
                quotes.turn(c);
            } else if !c.is_whitespace() {
                match stop_of(c) {
                    Some(sign) => stop(&mut words, sign),
                    None => words.push(sign(c, at, quotes.is_open())),
                }
            }
        } else if start.is_none() {
            start = Some(at);
        }
        before = Some(c);
    }
    if let Some(start) = start {
        let word = source.get(start..).unwrap_or_default();
        push(&mut words, word, start, quotes.is_open());
    }
    words
}

/// Whether the text stands between quotation marks.
#[derive(Default)]
struct Quotes {
    double: bool,
    single: bool,
}

impl Quotes {
    fn is_open(&self) -> bool {
        self.double || self.single
    }

    /// True where an apostrophe is a quotation mark: it opens before a word, and closes behind one
    /// what was opened. "The kids' lamp" opens nothing.
    fn is_single(&self, before: Option<char>, c: char, after: Option<char>) -> bool {
        let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        match c {
            '\u{2018}' | '\u{201a}' | '\u{2039}' | '\u{203a}' => true,
            '\'' | '\u{2019}' | '`' if self.single => !is_letter(after),
            '\'' | '`' => !is_letter(before) && is_letter(after),
            _ => false,
        }
    }

    fn turn(&mut self, c: char) {
        if is_mark(c) {
            self.double = !self.double;
        } else {
            self.single = !self.single;
        }
    }
}

fn is_mark(c: char) -> bool {
    matches!(
        c,
        '"' | '\u{201c}'
            | '\u{201d}'
            | '\u{201e}'
            | '\u{201f}'
            | '«'
            | '»'
            | '\u{ff02}'
            | '「'
            | '」'
    )
}

/// True when `c` ends the `word` before it though no space follows.
fn separates(word: &str, c: char, rest: &str) -> bool {
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let next = rest.chars().next();
    match c {
        // "12:30", "1,000"
        ',' | ':' => !(is_digit(word.chars().next_back()) && is_digit(next)),
        '.' => {
            let letters = |text: &str| text.chars().take_while(|c| c.is_alphabetic()).count();
            let reversed: String = word.chars().rev().collect();
            next == Some('.') || word.is_empty() || (letters(&reversed) > 1 && letters(rest) > 1)
        }
        '-' => next == Some('-') || (word.is_empty() && !is_digit(next)),
        '\'' | '\u{2019}' | '/' | '_' | '%' | '°' | '+' | '&' => false,
        _ => !c.is_alphanumeric() && !is_mark_of_letter(c),
    }
}

/// Accents that are written as signs of their own.
fn is_mark_of_letter(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

/// What a sign of punctuation says; nothing for signs that are none.
fn stop_of(c: char) -> Option<Stop> {
    Some(match c {
        '?' | '\u{ff1f}' | '\u{37e}' | '\u{61f}' => Stop::Question,
        '.' | '!' | ';' | ':' | '…' | '。' | '！' | '；' | '：' => Stop::Sentence,
        ',' | '，' | '、' | '-' | '‐' | '‑' | '–' | '—' | '―' | '(' | ')' | '[' | ']' | '\''
        | '\u{2019}' | '`' | '*' | '•' | '·' | '_' | '¿' | '¡' => Stop::Comma,
        // Marks without a width, and what people add to be nice.
        '\u{200b}'..='\u{200f}' | '\u{feff}' | '\u{fe0f}' | '\u{2060}' => Stop::Comma,
        '🙂' | '😀' | '😃' | '😄' | '😁' | '😊' | '☺' | '🙏' | '👍' | '❤' | '💡' | '👋' => {
            Stop::Comma
        }
        _ => return None,
    })
}

/// A sign that may mean anything, as a struck-out or forbidding one: a word that nobody knows.
fn sign(c: char, at: usize, quoted: bool) -> Word {
    Word {
        lower: c.to_string(),
        span: at..at + c.len_utf8(),
        stop: Stop::None,
        quoted,
    }
}

/// Notes that `stop` follows the last word.
fn stop(words: &mut [Word], stop: Stop) {
    if let Some(last) = words.last_mut() {
        last.stop = last.stop.max(stop);
    }
}

fn push(words: &mut Vec<Word>, piece: &str, start: usize, quoted: bool) {
    let is_edge = |c: char| !c.is_alphanumeric() && !matches!(c, '%' | '°' | '+' | '&');
    let bare = piece.trim_end_matches(is_edge);
    let core = bare.trim_start_matches(|c| is_edge(c) && c != '-');
    let begin = start + bare.len() - core.len();
    if core.is_empty() {
        // "the light / the lamp" leaves open which.
        match piece.chars().next() {
            Some('/') if words.is_empty() || piece.len() > 1 => {
                words.push(sign('/', start, quoted));
            }
            Some('/') => stop(words, Stop::Sentence),
            Some('-' | '_') => stop(words, Stop::Comma),
            _ => {}
        }
        return;
    }
    let lower = core.to_lowercase().replace('’', "'");
    let tail = piece.get(bare.len()..).unwrap_or_default();
    words.extend(parts(&lower).into_iter().map(|part| Word {
        lower: part.to_owned(),
        span: begin..begin + core.len(),
        stop: Stop::None,
        quoted,
    }));
    stop(words, stop_after(&lower, tail));
}

/// What the end of a piece says: a full stop, unless it ends an abbreviation.
fn stop_after(word: &str, tail: &str) -> Stop {
    let is_abbreviation = matches!(word, "st" | "mt" | "ft" | "dr") || word.contains('.');
    if tail.contains('.') && !is_abbreviation {
        Stop::Sentence
    } else {
        Stop::None
    }
}

/// The parts of a word that is short for two, or is misspelt often.
fn parts(word: &str) -> Vec<&str> {
    match word {
        "todays" => vec!["today's"],
        "tomorrows" => vec!["tomorrow's"],
        _ => written_out(word).map_or_else(|| vec![word], Vec::from),
    }
}

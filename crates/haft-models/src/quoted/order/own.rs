//! Separates the user's own words in a message from text that is pasted, quoted or fenced.
//!
//! A line that ends in a colon introduces everything after it as foreign text; so does one that
//! asks something about a text. If such a line is an order ("Run this:"), the text is part of the
//! order.

use super::words::{ABOUT, ABOUT_SIGNS, RUN, RUN_ENGLISH, RUN_SIGNS};
use super::{Stance, stance};
use crate::quoted::text::{Words, is_one_of};

/// The maximum length in bytes of a message that a user types.
const LONGEST: usize = 4096;

/// Beginnings of lines that separate pasted text: a fence, a tag, a rule, a heading.
const BORDERS: [&str; 7] = ["```", "~~~", "<", "---", "===", "***", "#"];

/// A part of a message that is the user's own, or that the user orders to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part<'a> {
    /// A sentence of the user.
    Sentence(&'a str),
    /// The text after an order such as "Run this:".
    Handed(&'a str),
}

/// The parts of a message that count.
pub(super) fn own_parts(message: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut rest = message;
    while !rest.trim().is_empty() && message.len() - rest.len() < LONGEST {
        let (line, behind) = rest.split_once('\n').unwrap_or((rest, ""));
        rest = behind;
        let line = line.trim();
        if BORDERS.iter().any(|border| line.starts_with(border)) {
            // The block and everything after it may have been pasted together.
            return parts;
        }
        if line.starts_with('>') || line.is_empty() {
            continue;
        }
        let (said, handed) = handed_over(line);
        let lead = said.unwrap_or(line);
        parts.extend(sentences(lead).into_iter().map(Part::Sentence));
        if said.is_some() {
            let is_order = stance(lead, "") == Stance::Order && is_to_run(lead);
            if is_order && handed.is_empty() {
                parts.push(Part::Handed(block(rest)));
            } else if is_order {
                parts.push(Part::Handed(handed));
            }
            return parts;
        }
        if is_about(line) && !rest.trim().is_empty() {
            return parts;
        }
    }
    parts
}

/// The line up to a colon that introduces foreign text, and the rest after it.
fn handed_over(line: &str) -> (Option<&str>, &str) {
    for colon in [": ", "："] {
        if let Some((lead, rest)) = line.split_once(colon)
            && !lead.contains(['(', '{', '<'])
        {
            return (Some(lead), rest.trim());
        }
    }
    match line.strip_suffix(':') {
        Some(lead) => (Some(lead), ""),
        None => (None, ""),
    }
}

/// The first block of a text: up to its first blank line, or the end of its fence.
fn block(text: &str) -> &str {
    let text = text.trim_start();
    if let Some(fenced) = text.strip_prefix("```") {
        let (_, inside) = fenced.split_once('\n').unwrap_or_default();
        return inside
            .split_once("```")
            .map_or(inside, |(inside, _)| inside);
    }
    text.split_once("\n\n").map_or(text, |(block, _)| block)
}

fn is_about(line: &str) -> bool {
    let words = Words::of(line);
    let is_about = words.texts().any(|word| is_one_of(word, ABOUT));
    is_about || ABOUT_SIGNS.iter().any(|sign| line.contains(sign))
}

fn is_to_run(line: &str) -> bool {
    let words = Words::of(line);
    let is_verb = |word: &str| is_one_of(word, RUN) || is_one_of(word, RUN_ENGLISH);
    let is_to_run = words.texts().any(is_verb);
    is_to_run || RUN_SIGNS.iter().any(|sign| line.contains(sign))
}

/// The sentences of a line. A full stop inside a word or a call does not end one.
fn sentences(line: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut begin = 0;
    let mut signs = line.char_indices().peekable();
    while let Some((at, sign)) = signs.next() {
        let is_wide = matches!(sign, '。' | '！' | '？');
        let ends_word = signs.peek().is_none_or(|(_, next)| next.is_whitespace());
        if is_wide || matches!(sign, '.' | '!' | '?') && ends_word {
            let end = at + sign.len_utf8();
            sentences.extend(line.get(begin..end));
            begin = end;
        }
    }
    sentences.extend(line.get(begin..).filter(|rest| !rest.trim().is_empty()));
    sentences
}

/// The sentence without its quoted parts.
pub(super) fn without_quotes(sentence: &str) -> String {
    let mut said = String::with_capacity(sentence.len());
    let mut closing = None;
    let mut before = ' ';
    for sign in sentence.chars() {
        match closing {
            Some(end) if sign == end => closing = None,
            Some(_) => {}
            None => {
                closing = match sign {
                    '"' => Some('"'),
                    '“' | '„' => Some('”'),
                    '«' => Some('»'),
                    '「' => Some('」'),
                    '`' => Some('`'),
                    // An apostrophe inside a word is not a quote.
                    '\'' if !before.is_alphanumeric() => Some('\''),
                    _ => None,
                };
                said.push(if closing.is_some() { ' ' } else { sign });
            }
        }
        before = sign;
    }
    said
}

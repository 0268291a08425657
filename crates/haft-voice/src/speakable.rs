//! Converts a sentence to speakable text, without markup.
//!
//! Models write Markdown, addresses, tags and emoji without being asked; read aloud, they are
//! noise. `sentences.rs` splits the text and removes code and reasoning before.

use std::iter::Peekable;
use std::str::Chars;

/// Characters that are only used as markup.
const MARKS: [char; 4] = ['`', '|', '~', '\\'];

/// `text` as it is spoken; empty if nothing is left.
pub(crate) fn speakable(text: &str) -> String {
    let text = without_line_marks(text);
    let text = without_links(text);
    let mut spoken = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        let word = plain_word(word);
        if word.is_empty() {
            continue;
        }
        // The rest of "(https://example.org)." is appended to the word before.
        let is_stop = word.chars().all(|character| ".,;:!?".contains(character));
        if is_stop && (spoken.is_empty() || spoken.ends_with(['.', '!', '?'])) {
            continue;
        }
        if !spoken.is_empty() && !is_stop {
            spoken.push(' ');
        }
        spoken.push_str(&word);
    }
    match spoken.chars().any(char::is_alphanumeric) {
        true => spoken,
        false => String::new(),
    }
}

/// The text after the marker of a heading, a quotation or a list item.
fn without_line_marks(text: &str) -> &str {
    let text = text.trim();
    let text = text.trim_start_matches(['#', '>']).trim_start();
    let bullet = ["- ", "* ", "+ ", "• "]
        .iter()
        .find_map(|mark| text.strip_prefix(mark));
    let text = bullet.unwrap_or(text);
    let digits = text.trim_start_matches(|character: char| character.is_ascii_digit());
    match digits.strip_prefix(". ").or(digits.strip_prefix(") ")) {
        Some(rest) if digits.len() < text.len() => rest,
        _ => text,
    }
}

/// Replaces `[words](address)` by its words, and removes images and tags.
fn without_links(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['[', '<', '!']) {
        let (before, from) = rest.split_at(at);
        plain.push_str(before);
        let (said, length) = link(from).or_else(|| tag(from)).unwrap_or_else(|| {
            let first = from.chars().next().map_or(1, char::len_utf8);
            (from.get(..first).unwrap_or_default(), first)
        });
        plain.push_str(said);
        rest = from.get(length..).unwrap_or_default();
    }
    plain.push_str(rest);
    plain
}

/// The words of a link or image at the beginning of `text`, and its length in bytes.
fn link(text: &str) -> Option<(&str, usize)> {
    let (is_picture, inner) = match text.strip_prefix("![") {
        Some(inner) => (true, inner),
        None => (false, text.strip_prefix('[')?),
    };
    let (words, target) = inner.split_once("](")?;
    let (address, rest) = target.split_once(')')?;
    let is_one = !words.contains('[') && !address.contains(char::is_whitespace);
    is_one.then_some((if is_picture { "" } else { words }, text.len() - rest.len()))
}

/// Removes a tag; `a < b` is not one.
fn tag(text: &str) -> Option<(&'static str, usize)> {
    let inner = text.strip_prefix('<')?;
    let is_tag = inner.starts_with(|first: char| first.is_ascii_alphabetic() || first == '/');
    let (_, rest) = inner.split_once('>').filter(|_| is_tag)?;
    Some(("", text.len() - rest.len()))
}

/// A word without markup and emoji. An address is removed except for the punctuation mark after it.
fn plain_word(word: &str) -> String {
    let bare = word.trim_start_matches(['(', '"', '\'']);
    let is_address = ["http://", "https://", "www.", "mailto:"]
        .iter()
        .any(|begin| bare.starts_with(begin));
    if is_address {
        let stop = word.chars().last().filter(|last| ".,;:!?".contains(*last));
        return stop.map(String::from).unwrap_or_default();
    }
    let mut plain = String::with_capacity(word.len());
    let mut characters = word.chars().peekable();
    while let Some(character) = characters.next() {
        if !is_mark(character, &plain, &mut characters) && !is_picture(character) {
            plain.push(character);
        }
    }
    plain
}

fn is_mark(character: char, before: &str, after: &mut Peekable<Chars<'_>>) -> bool {
    let is_between = |kind: fn(char) -> bool, after: Option<&char>| {
        before.ends_with(kind) && after.is_some_and(|next| kind(*next))
    };
    match character {
        // "snake_case" and "5*3" are kept; "_word_" and "*word*" are emphasis.
        '_' => !is_between(char::is_alphanumeric, after.peek()),
        '*' => !is_between(|digit| digit.is_ascii_digit(), after.peek()),
        // "C#" is kept, but "#1" becomes "1".
        '#' => before.is_empty(),
        other => MARKS.contains(&other),
    }
}

/// True for emoji (Unicode's blocks of emoji, dingbats, symbols and arrows), for their joiners, and
/// for invisible characters.
fn is_picture(character: char) -> bool {
    matches!(u32::from(character),
        0x200B..=0x200F | 0x2060..=0x2064 | 0x20E3 | 0x2190..=0x21FF | 0x2300..=0x23FF
        | 0x2500..=0x27BF | 0x2900..=0x297F | 0x2B00..=0x2BFF | 0xFE00..=0xFE0F | 0xFEFF
        | 0x1F000..=0x1FAFF | 0xE0000..=0xE007F)
        || character.is_control()
}

#[cfg(test)]
mod tests;

//! Splits text into stemmed words, in the same way for queries and tools.
//!
//! `getWeather_v2` becomes "get", "weather", "v", "2". Words that are too frequent to distinguish
//! tools are omitted; `stem` removes endings.

mod stem;

pub(crate) use self::stem::stem;

/// The maximum number of bytes of a text that are read. Descriptions of real tools are far shorter,
/// and a hostile one must not take up the time for the others.
pub(crate) const MAX_TEXT: usize = 4 * 1024;

/// The maximum length of a word in bytes; longer ones are cut.
const MAX_WORD: usize = 64;

/// Frequent words of questions that say nothing about a tool, chosen by hand.
const STOP_WORDS: &[&str] = &[
    "a", "about", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "been",
    "being", "by", "can", "could", "d", "did", "do", "does", "for", "from", "get", "give", "given",
    "had", "has", "have", "he", "her", "his", "how", "i", "if", "in", "into", "is", "it", "its",
    "just", "let", "like", "ll", "m", "many", "me", "much", "my", "need", "no", "not", "of", "on",
    "or", "our", "please", "re", "s", "she", "so", "t", "that", "the", "their", "them", "there",
    "these", "they", "this", "those", "to", "us", "use", "using", "ve", "want", "was", "we",
    "were", "what", "which", "who", "will", "with", "would", "you", "your",
];

/// Calls `each` with every informative word of a text: in lower case, not stemmed. Numbers are
/// omitted, because in a query they are values and in a tool they are versions.
pub(crate) fn words(text: &str, mut each: impl FnMut(&str)) {
    let mut word = String::with_capacity(MAX_WORD);
    let mut before = None;
    let mut chars = beginning(text).chars().peekable();
    while let Some(c) = chars.next() {
        if !c.is_alphanumeric() {
            finish(&mut word, &mut each);
            before = None;
            continue;
        }
        let next_is_lower = chars.peek().is_some_and(|next| next.is_lowercase());
        if is_boundary(before, c, next_is_lower) {
            finish(&mut word, &mut each);
        }
        if word.len() < MAX_WORD {
            word.extend(c.to_lowercase());
        }
        before = Some(c);
    }
    finish(&mut word, &mut each);
}

/// The words of a text that tell something, without their endings: "Turning the lamps on" is
/// "turn" and "lamp". Names are cut as in the selection of tools, and numbers are left out.
///
/// ```
/// assert_eq!(haft_select::stems("getWeather of the cities"), ["weath", "citi"]);
/// ```
#[must_use]
pub fn stems(text: &str) -> Vec<String> {
    let mut stems = Vec::new();
    words(text, |word| stems.push(stem(word)));
    stems
}

/// True at the start of a new word inside letters and digits: `getWeather`, `HTTPServer`.
fn is_boundary(before: Option<char>, c: char, next_is_lower: bool) -> bool {
    let Some(before) = before else { return false };
    c.is_uppercase() && (!before.is_uppercase() || next_is_lower)
}

fn finish(word: &mut String, each: &mut impl FnMut(&str)) {
    let is_number = word.starts_with(|c: char| c.is_ascii_digit());
    if !word.is_empty() && !is_number && STOP_WORDS.binary_search(&word.as_str()).is_err() {
        each(word);
    }
    word.clear();
}

/// The part of a text that is read.
fn beginning(text: &str) -> &str {
    text.get(..text.floor_char_boundary(MAX_TEXT))
        .unwrap_or(text)
}

#[cfg(test)]
mod tests;

//! Invisible characters, which can make a text look different to a person than to a model.

use std::borrow::Cow;
use std::fmt::Write;

/// `text` with every invisible character replaced by its code point, so that nothing is hidden in
/// it and it cannot affect the terminal that shows it. Line ends and tabs are replaced as well.
///
/// ```
/// let shown = haft_tools::escape_unseen("rm\u{202e} a\u{1b}[2J\u{200b}");
/// assert_eq!(shown, "rm\\u{202e} a\\u{1b}[2J\\u{200b}");
/// ```
#[must_use]
pub fn escape_unseen(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if is_unseen(character) || matches!(character, '\n' | '\t') {
            // Writing to a string cannot fail.
            let _ = write!(escaped, "\\u{{{:x}}}", u32::from(character));
        } else {
            escaped.push(character);
        }
    }
    escaped
}

/// `text` without invisible characters; borrowed if there are none. Variation selectors and joiners
/// are kept after a character that they can apply to.
#[must_use]
pub fn without_unseen(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unseen) {
        return text.into();
    }
    let mut before = None;
    let mut keeps = |character: &char| {
        let forms = matches!(character, '\u{200c}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}');
        let behind_picture = before.is_some_and(|c: char| !c.is_ascii() && !is_unseen(c));
        before = Some(*character);
        !is_unseen(*character) || (forms && behind_picture)
    };
    let clean: String = text.chars().filter(|character| keeps(character)).collect();
    if clean.len() == text.len() {
        return text.into();
    }
    clean.into()
}

/// True for control characters except line ends and tabs, for characters that change the direction
/// of text, and for characters without a shape of their own: the default ignorable and format
/// characters of Unicode 17.0 (`DerivedCoreProperties.txt`, `UnicodeData.txt`).
#[must_use]
pub fn is_unseen(character: char) -> bool {
    if matches!(character, '\n' | '\t') {
        return false;
    }
    character.is_control()
        || matches!(
            character,
            '\u{ad}'
                | '\u{34f}'
                | '\u{600}'..='\u{605}'
                | '\u{61c}'
                | '\u{6dd}'
                | '\u{70f}'
                | '\u{890}'..='\u{891}'
                | '\u{8e2}'
                | '\u{115f}'..='\u{1160}'
                | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{2800}'
                | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff0}'..='\u{fffb}'
                | '\u{110bd}'
                | '\u{110cd}'
                | '\u{13430}'..='\u{1343f}'
                | '\u{1bca0}'..='\u{1bca3}'
                | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

#[cfg(test)]
mod tests;

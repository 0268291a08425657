//! The sentences of a request, without what is only quoted in it.

/// The text with one word in place of what stands between quotation marks: it is only mentioned.
pub(super) fn without_quotations(text: &str) -> String {
    let text = text.replace(['“', '”', '„', '«', '»'], "\"");
    let pieces = text.split('"').enumerate();
    let spoken = pieces.map(|(index, piece)| if index % 2 == 0 { piece } else { "quotation" });
    spoken.collect::<Vec<_>>().join(" ")
}

/// A sentence, and whether it ends with a question mark.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sentence<'a> {
    pub(super) text: &'a str,
    pub(super) asks: bool,
}

/// The sentences of a text. A point within a number or an address ends none.
pub(super) fn sentences(text: &str) -> impl Iterator<Item = Sentence<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            if rest.trim().is_empty() {
                return None;
            }
            let end = end_of_sentence(rest);
            let (sentence, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
            let mark = after.chars().next();
            let skipped = mark.map_or(0, char::len_utf8);
            rest = after.get(skipped..).unwrap_or_default();
            if !sentence.trim().is_empty() {
                return Some(Sentence {
                    text: sentence,
                    asks: mark == Some('?'),
                });
            }
        }
    })
}

fn end_of_sentence(text: &str) -> usize {
    let mut chars = text.char_indices().peekable();
    while let Some((index, c)) = chars.next() {
        let is_inner = chars.peek().is_some_and(|(_, next)| !next.is_whitespace());
        if matches!(c, '?' | '!' | ';' | '\n') || (c == '.' && !is_inner) {
            return index;
        }
    }
    text.len()
}

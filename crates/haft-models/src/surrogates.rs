//! Lone surrogates in JSON: `"\\ud83d"` without its other half, which is no character. Some tokenizers
//! and clients write them when they cut a text in the middle of an emoji.

/// The JSON `text` with each escaped lone surrogate replaced by U+FFFD, the replacement character;
/// `None` if there is none.
pub(crate) fn without_lone_surrogates(text: &str) -> Option<String> {
    let mut repaired = String::with_capacity(text.len());
    let mut rest = text;
    let mut is_repaired = false;
    while let Some((before, from)) = rest.find('\\').and_then(|at| rest.split_at_checked(at)) {
        repaired.push_str(before);
        let (escape, after) = match (unit(from), from.get(6..).and_then(unit)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => from.split_at_checked(12)?,
            (Some(0xD800..=0xDFFF), _) => {
                is_repaired = true;
                ("\\ufffd", from.get(6..)?)
            }
            // The escaped character may be a backslash, or begin no escape of its own.
            _ => {
                let length = from.chars().take(2).map(char::len_utf8).sum();
                from.split_at_checked(length)?
            }
        };
        repaired.push_str(escape);
        rest = after;
    }
    repaired.push_str(rest);
    is_repaired.then_some(repaired)
}

/// The UTF-16 unit of an escape `\\uXXXX` at the start of `text`.
fn unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lone_surrogates_are_replaced() {
        let repaired = |text| without_lone_surrogates(text);
        assert_eq!(repaired(r#"{"a":"\ud83d\ude00 \n \u00e9"}"#), None);
        assert_eq!(repaired(r#""\ud83d x""#).as_deref(), Some(r#""\ufffd x""#));
        assert_eq!(
            repaired(r#""\uDE00\ud83d\uD83D\ude00\ud83d""#).as_deref(),
            Some(r#""\ufffd\ufffd\uD83D\ude00\ufffd""#)
        );
        assert_eq!(repaired(r#""\\ud83d é \"#), None);
    }
}

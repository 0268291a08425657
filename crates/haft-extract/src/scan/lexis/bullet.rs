//! List marks beyond ASCII: `•` and its like, which stand before calls as `-` does.

use super::Ends;

/// The length of each.
pub(crate) const BULLET_LEN: usize = 3;

const BULLETS: [&str; 6] = ["•", "‣", "–", "▪", "●", "◦"];

/// Whether `text` begins with a list mark beyond ASCII.
pub(crate) fn bullet(text: &[u8]) -> Ends {
    let begins = |mark: &&str| mark.as_bytes().starts_with(text);
    if BULLETS.iter().any(|mark| text.starts_with(mark.as_bytes())) {
        return Ends::Yes;
    }
    match !text.is_empty() && BULLETS.iter().any(begins) {
        true => Ends::Unclear,
        false => Ends::No,
    }
}

#[cfg(test)]
mod tests {
    use super::{Ends, bullet};

    #[test]
    fn list_marks_are_told_at_their_last_byte() {
        for mark in ["•", "‣", "–", "▪", "●", "◦"] {
            assert_eq!(bullet(mark.as_bytes()), Ends::Yes, "{mark}");
            assert_eq!(bullet(&mark.as_bytes()[..2]), Ends::Unclear, "{mark}");
        }
        for text in ["", "a", "- ", "“", "✿", "é"] {
            assert_eq!(bullet(text.as_bytes()), Ends::No, "{text}");
        }
    }
}

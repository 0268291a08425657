use super::{More, bullet};

#[test]
fn list_marks_are_told_at_their_last_byte() {
    for mark in ["•", "‣", "–", "▪", "●", "◦"] {
        assert_eq!(bullet(mark.as_bytes()), Ok(true), "{mark}");
        assert_eq!(bullet(&mark.as_bytes()[..2]), Err(More), "{mark}");
    }
    for text in ["", "a", "- ", "“", "✿", "é"] {
        assert_eq!(bullet(text.as_bytes()), Ok(false), "{text}");
    }
}

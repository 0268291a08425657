//! List marks beyond ASCII: `•` and its like, which stand before calls as `-` does.

/// The length of each.
pub(crate) const BULLET_LEN: usize = 3;

/// `•`, `‣`, `–`, `▪`, `●`, `◦`.
const BULLETS: [[u8; BULLET_LEN]; 6] = [
    [0xE2, 0x80, 0xA2],
    [0xE2, 0x80, 0xA3],
    [0xE2, 0x80, 0x93],
    [0xE2, 0x96, 0xAA],
    [0xE2, 0x97, 0x8F],
    [0xE2, 0x97, 0xA6],
];

/// Whether a text begins with a list mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bullet {
    /// It does.
    Yes,
    /// It does not.
    No,
    /// It may, if it goes on.
    More,
}

/// Whether `text` begins with a list mark beyond ASCII.
pub(crate) fn bullet(text: &[u8]) -> Bullet {
    if text.first() != Some(&0xE2) {
        return Bullet::No;
    }
    match text.first_chunk() {
        Some(mark) if BULLETS.contains(mark) => Bullet::Yes,
        Some(_) => Bullet::No,
        None if BULLETS.iter().any(|mark| mark.starts_with(text)) => Bullet::More,
        None => Bullet::No,
    }
}

#[cfg(test)]
mod tests {
    use super::{Bullet, bullet};

    #[test]
    fn list_marks_are_told_at_their_last_byte() {
        for mark in ["•", "‣", "–", "▪", "●", "◦"] {
            assert_eq!(bullet(mark.as_bytes()), Bullet::Yes, "{mark}");
            assert_eq!(bullet(&mark.as_bytes()[..2]), Bullet::More, "{mark}");
        }
        for text in ["", "a", "- ", "“", "✿", "é"] {
            assert_eq!(bullet(text.as_bytes()), Bullet::No, "{text}");
        }
    }
}

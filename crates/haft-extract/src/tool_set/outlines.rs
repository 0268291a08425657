//! Tells quickly that a word resembles no bound tool: nearly every word that begins a line does
//! not, and to take a name apart costs a hundred times as much.

/// One for each first letter, and one for digits.
const FIRSTS: usize = 27;

/// The first letters of names and how many letters they have.
#[derive(Debug, Default)]
pub(super) struct Outlines {
    /// By first letter: a bit for each number of letters.
    lengths: [u64; FIRSTS],
    /// Some name has letters that are not ASCII.
    is_wide: bool,
}

impl Outlines {
    pub(super) fn add(&mut self, name: &str) {
        match outline(name) {
            Some((first, bit)) => {
                if let Some(lengths) = self.lengths.get_mut(first) {
                    *lengths |= bit;
                }
            }
            None => self.is_wide = true,
        }
    }

    /// True unless no name has the letters of `written`, whatever their case and separators.
    pub(super) fn may_have(&self, written: &str) -> bool {
        match outline(written) {
            Some((first, bit)) => {
                self.is_wide
                    || self
                        .lengths
                        .get(first)
                        .is_none_or(|lengths| lengths & bit != 0)
            }
            None => true,
        }
    }
}

/// The place of the first letter of a name and the bit for its number of letters; nothing for a
/// name that is not ASCII or has no letters.
fn outline(name: &str) -> Option<(usize, u64)> {
    let mut first = None;
    let mut count = 0_u32;
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' => {
                first.get_or_insert(usize::from(byte.to_ascii_lowercase() - b'a'));
                count += 1;
            }
            b'0'..=b'9' => {
                first.get_or_insert(FIRSTS - 1);
                count += 1;
            }
            0x80.. => return None,
            _ => {}
        }
    }
    first.map(|first| (first, 1 << count.min(63)))
}

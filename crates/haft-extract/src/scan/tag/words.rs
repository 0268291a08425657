//! Tokens whose name has blanks, as some tokenizers write DeepSeek's `<｜tool▁calls▁begin｜>`:
//! `<｜tool calls begin｜>`.

use std::ops::Range;

use super::letters::{Letters, MAX_NAME};
use super::{Found, Scan, Tag};

impl Scan<'_> {
    /// The rest of a tag with bars behind the first word of its name, where a blank follows that.
    #[inline(never)]
    pub(super) fn spaced(
        &self,
        name: Range<usize>,
        mut letters: Letters,
        close: bool,
    ) -> Found<Tag> {
        match self.words(name.end, &mut letters) {
            Found::More => Found::More,
            Found::Yes(end) => self.after_name(name.start..end, letters, (close, true)),
            Found::No => self.after_name(name, letters, (close, true)),
        }
    }

    /// Takes in the letters of the words that begin at `at`, if nothing but the end of a token
    /// follows them; their end.
    fn words(&self, at: usize, letters: &mut Letters) -> Found<usize> {
        let rest = self.text.get(at..).unwrap_or_default();
        let is_word = |byte: &&u8| byte.is_ascii_alphabetic() || matches!(byte, b' ' | b'_');
        let end = at + rest.iter().take(MAX_NAME).take_while(is_word).count();
        let Some(len) = self.bar(end) else {
            let may_go_on = self.text.len() <= end && !self.finished && end < at + MAX_NAME;
            return if may_go_on { Found::More } else { Found::No };
        };
        match self.byte(end + len) {
            Ok(b'>') => {}
            Err(true) => return Found::More,
            _ => return Found::No,
        }
        let mut at = at;
        while at < end {
            at = self.name(at, letters).max(at + 1);
        }
        Found::Yes(end)
    }
}

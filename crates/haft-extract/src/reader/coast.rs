//! Chunks that decide nothing, as most of a stream do: more of a string in a call's arguments,
//! more of a line of text. The states of [`reader`](super) would do the same with them, and take
//! longer.

use memchr::memchr;

use super::{Reader, State, Step, Turn};

impl Reader {
    /// Takes in what came after the first `known` bytes of the text, if it decides nothing.
    pub(super) fn coast(&mut self, turn: &mut Turn<'_, '_>, known: usize) -> Option<Step> {
        let text = turn.text;
        let fresh = text.as_bytes().get(known..)?;
        let len = text.len();
        match &mut self.state {
            State::Prose if known == 0 && !turn.options.text_mode => {
                let may_decide = fresh.iter().any(|byte| may_decide(*byte));
                if may_decide || self.glued_name(turn, text).is_some() {
                    return None;
                }
                self.tell_words(turn, text);
                self.quiet = self.quiet.saturating_sub(len);
                self.scan = 0;
                Some(Step::Take(len))
            }
            State::Prose => is_more_of_tag(text, known).then_some(Step::More),
            State::Inside(inside) => {
                let lead = inside.lead;
                let rest = text.get(lead..)?;
                let tag = lead + memchr(b'<', rest.as_bytes()).unwrap_or(0);
                let is_more = match text.get(tag..).filter(|_| tag < known) {
                    Some(tag_text) if tag_text.starts_with('<') => {
                        is_more_of_tag(tag_text, known - tag)
                    }
                    _ => is_name(rest),
                };
                is_more.then_some(Step::More)
            }
            State::Object(_) if len <= super::arguments::MAX_CALL => {
                self.balance.coast(text, known).then_some(Step::More)
            }
            State::Arguments(open) if len <= super::arguments::MAX_CALL => {
                if !self.balance.coast(text, known) {
                    return None;
                }
                open.show(turn, self.balance.at().min(len));
                Some(Step::More)
            }
            State::Tags(open) if len <= super::arguments::MAX_CALL => {
                let at = self.parameters.at();
                let tag = text.get(at..).filter(|_| at < known);
                if tag.is_some_and(|tag| is_more_of_tag(tag, known - at)) {
                    return Some(Step::More);
                }
                if !self.parameters.coast(fresh, known) {
                    return None;
                }
                open.show(turn, len);
                Some(Step::More)
            }
            State::Block(block) if len <= turn.options.hold_limit => {
                block.coast(turn, known).then_some(Step::More)
            }
            _ => None,
        }
    }
}

/// What DeepSeek writes for a blank inside a token.
const LOWER_BLOCK: char = '▁';
const LOWER_BLOCK_BYTES: &[u8] = "▁".as_bytes();

/// What DeepSeek writes for a bar.
const FULL_WIDTH_BAR: &[u8] = "｜".as_bytes();

/// How long the beginnings of tags and names are that need no closer look.
const SHORT: usize = 64;

/// True when `text` is a name with prefix and counter, which may go on.
fn is_name(text: &str) -> bool {
    let is_sign = |byte: u8| matches!(byte, b'_' | b'.' | b':');
    let mut bytes = text.bytes();
    text.len() < SHORT
        && bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic())
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || is_sign(byte))
}

/// True when `text` is the beginning of a tag, whose name or attribute went on after its first
/// `known` bytes and may go on.
fn is_more_of_tag(text: &str, known: usize) -> bool {
    let kind = |byte: &u8| TAG_BYTES.get(usize::from(*byte)).copied().unwrap_or(0);
    let is_letter = |byte: &u8| kind(byte) == LETTER;
    let is_in_tag = |byte: &u8| kind(byte) != 0;
    let bytes = text.as_bytes();
    let (Some(b'<'), Some(tag), Some(fresh)) =
        (bytes.first(), bytes.get(1..known), bytes.get(known..))
    else {
        return false;
    };
    // Of the tag nothing was there but its bracket and a bar.
    let begins = [&b""[..], b"|", b"/", FULL_WIDTH_BAR].contains(&tag)
        && fresh.first().is_some_and(u8::is_ascii_alphabetic);
    bytes.len() < SHORT
        && (tag.last().is_some_and(is_letter) || tag.ends_with(LOWER_BLOCK_BYTES) || begins)
        && (fresh.iter().all(is_letter) || is_more_of_name(text, known))
        && tag.iter().all(is_in_tag)
}

/// Marks a letter, a digit or an underscore.
const LETTER: u8 = 2;

/// The bytes that may stand in a tag without attributes, by more than 0.
static TAG_BYTES: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0_u8;
    loop {
        #[expect(clippy::indexing_slicing, reason = "evaluated while compiling")]
        {
            table[byte as usize] = match byte {
                b'_' => LETTER,
                byte if byte.is_ascii_alphanumeric() => LETTER,
                b'/' | b'|' | b'=' | 0x80.. => 1,
                _ => 0,
            };
        }
        if byte == u8::MAX {
            break table;
        }
        byte += 1;
    }
};

/// True for letters, and for what DeepSeek writes between them.
fn is_more_of_name(text: &str, known: usize) -> bool {
    let is_more = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == LOWER_BLOCK;
    text.get(known..)
        .is_some_and(|fresh| fresh.chars().all(is_more))
}

/// True for bytes that may end a line or begin a marker.
fn may_decide(byte: u8) -> bool {
    matches!(byte, b'\n' | b'<' | b'[' | b']')
}

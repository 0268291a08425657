//! Which lines may hold a call without markers, by the letters they begin with.
//!
//! It asks less than what reads the line, so that most lines of text need no second look.

use std::collections::HashSet;

use crate::scan::bytes::{bullet, is_list_mark};
use crate::{limits, scan::may_be_tag};

/// The words that markers of some formats begin with, and the labels before calls.
const WORDS: &str =
    "action api tool to= function call output request return print default section declaration";

/// The sign that Qwen-Agent puts around its labels, U+273F.
const FLOWER: [u8; 3] = [0xE2, 0x9C, 0xBF];

/// A name and a parenthesis, or what may become that.
fn may_be_called(text: &[u8]) -> bool {
    let is_letter = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let len = text.iter().take(limits::NAME).take_while(is_letter).count();
    matches!(text.get(len), None | Some(b'('))
}

/// For each byte, the letters that may follow it: one bit for each, and one for everything else.
pub(super) struct Starts {
    after: [u32; 256],
    /// The first four letters of the words that lines may begin with; none where any may.
    heads: Option<HashSet<[u8; 4]>>,
}

/// Four letters in small ones; nothing where one is none.
fn head_of(line: &[u8]) -> Option<[u8; 4]> {
    let head = line.first_chunk::<4>()?.map(|it| it.to_ascii_lowercase());
    head.iter().all(u8::is_ascii_lowercase).then_some(head)
}

/// Something other than a letter.
const OTHER: u32 = 1 << 26;

const ANYTHING: u32 = u32::MAX;

impl Default for Starts {
    /// Of the names that are added later.
    fn default() -> Self {
        let mut starts = Self {
            after: [0; 256],
            heads: Some(HashSet::new()),
        };
        // The last one is the mark of a mail or of a section.
        let is_any = |byte: &u8| is_list_mark(*byte) || b"`~{[_\\>\"'".contains(byte);
        for byte in (0..=u8::MAX).filter(is_any) {
            starts.allow(byte, ANYTHING);
        }
        starts.allow(FLOWER[0], OTHER);
        for word in WORDS.split(' ') {
            starts.add(word);
        }
        starts
    }
}

impl Starts {
    /// Of any names.
    pub(super) fn any() -> Self {
        let mut starts = Self::default();
        let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || !byte.is_ascii();
        for byte in (0..=u8::MAX).filter(is_letter) {
            starts.allow(byte, ANYTHING);
        }
        starts.heads = None;
        starts
    }

    /// Lines may begin with this name, however its letters are spelled and separated.
    pub(super) fn add(&mut self, name: &str) {
        let plain: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
        // Some other letters are letters of ASCII in small.
        if !plain.chars().take(4).all(|c| c.is_ascii()) {
            self.heads = None;
        }
        if let Some(heads) = &mut self.heads {
            heads.extend(head_of(plain.as_bytes()));
        }
        let mut letters = plain.chars();
        let first = letters.next().into_iter();
        let second = letters.next().filter(char::is_ascii);
        let second = second.map_or(OTHER, |letter| OTHER | bit(letter as u8));
        for letter in first.flat_map(|it| it.to_lowercase().chain(it.to_uppercase())) {
            let mut bytes = [0; 4];
            letter.encode_utf8(&mut bytes);
            let [lead, ..] = bytes;
            self.allow(lead, if letter.is_ascii() { second } else { ANYTHING });
        }
    }

    fn allow(&mut self, first: u8, second: u32) {
        if let Some(after) = self.after.get_mut(usize::from(first)) {
            *after |= second;
        }
    }

    /// True when a line that begins so may hold a call.
    pub(super) fn fits(&self, line: &[u8]) -> bool {
        let is_around =
            |byte: &&u8| is_list_mark(**byte) || matches!(byte, b'`' | b'>' | b'"' | b'\'');
        let marks = line.iter().take(limits::DECORATION).take_while(is_around);
        let (marks, words) = line.split_at(marks.count());
        match words {
            // More marks of a mail begin a section, more ticks a fence.
            _ if marks.windows(2).any(|pair| pair == b">>" || pair == b"``") => true,
            [] => true,
            // A marker in square brackets is for whoever looks for tags.
            [b'[', ..] => (marks.is_empty() && may_be_tag(words)) || self.fits_list(words),
            // Nothing else in other letters, unless names have them.
            [0xE2, ..] if !self.allows(FLOWER[0], !OTHER) => {
                let is_flower = words.starts_with(&FLOWER) || FLOWER.starts_with(words);
                is_flower || bullet(words) != Ok(false)
            }
            words => self.fits_words(words),
        }
    }

    /// True when a list may hold calls: it begins with a name or an object.
    fn fits_list(&self, list: &[u8]) -> bool {
        let is_open = |byte: &&u8| matches!(byte, b'[' | b'(' | b' ' | b'\t' | b'\n' | b'\r');
        let near = list.iter().take(limits::DECORATION);
        let opened = near.take_while(is_open).count();
        let inner = list.get(opened..).unwrap_or_default();
        match inner {
            // It may go on.
            _ if inner.len() < 8 => true,
            [b'"' | b'\'', name @ ..] => self.fits_words(name),
            // A heading of DSPy's, and letters that names may have.
            [b'_' | b'{' | 0x80.., ..] | [b'#', b'#', ..] | [] => true,
            [first, ..] => {
                first.is_ascii_alphabetic() && (self.fits_words(inner) || may_be_called(inner))
            }
        }
    }

    fn fits_words(&self, words: &[u8]) -> bool {
        let [first, rest @ ..] = words else {
            return true;
        };
        let second = rest.first().map_or(ANYTHING, |byte| bit(*byte));
        // Other letters than any of the words begin with, unless they are separated.
        let known = || self.heads.as_ref().zip(head_of(words));
        let is_known = || known().is_none_or(|(heads, head)| heads.contains(&head));
        !is_list_mark(*first) && self.allows(*first, second) && is_known()
    }

    /// True when a line may hold a call by its first two letters, which most lines are told by.
    #[inline]
    pub(super) fn allows(&self, first: u8, second: u32) -> bool {
        let after = self.after.get(usize::from(first)).copied();
        after.unwrap_or(ANYTHING) & second != 0
    }
}

/// The bit of a letter, small or not.
pub(super) const fn bit(byte: u8) -> u32 {
    match byte {
        b'a'..=b'z' => 1 << (byte - b'a'),
        b'A'..=b'Z' => 1 << (byte - b'A'),
        _ => OTHER,
    }
}

//! The quick way through well-formed JSON: the bytes that need no second look, in one loop.
//!
//! It does what the careful way in the parent, [`balance`](super), does with them, and leaves it
//! everything else: what it meets first that it does not know stops it there.

use std::ops::Range;

use memchr::memchr;

use super::{Balance, Class, Skip, Stop, class_of};
use crate::scan::lexis::{Ends, Place, QuoteKind, is_letter, next_quote, quote_ends, string_end};

impl Balance {
    /// Goes on in what came after the first `known` bytes of a text that goes on; false if
    /// something is to be told, which [`run`](Self::run) tells next.
    pub(crate) fn coast(&mut self, text: &str, known: usize) -> bool {
        let bytes = text.as_bytes();
        let fresh = bytes.get(known..).unwrap_or_default();
        let is_more = match self.skip {
            Some(Skip::String(kind)) if kind.is_token() && self.has_no_token(bytes) => {
                self.pass_all(bytes)
            }
            _ if self.at != known => self.waits(bytes),
            Some(Skip::String(QuoteKind::Double)) => match next_quote(b'"', fresh) {
                Some(at) if fresh.get(at) == Some(&b'"') => {
                    self.at += at;
                    self.waits(bytes)
                }
                Some(_) => false,
                None => self.pass_all(bytes),
            },
            Some(Skip::String(QuoteKind::Single)) if next_quote(b'\'', fresh).is_none() => {
                self.pass_all(bytes)
            }
            Some(Skip::Key(_)) if fresh.iter().all(|byte| is_letter(*byte)) => self.pass_all(bytes),
            _ => false,
        };
        if is_more {
            return true;
        }
        let stop = self.run(text, false);
        let goes_on = stop == Stop::More;
        self.stop = (!goes_on).then_some(stop);
        goes_on
    }

    /// True when nothing that is left can begin what ends a string between tokens.
    fn has_no_token(&self, bytes: &[u8]) -> bool {
        bytes
            .get(self.at..)
            .is_some_and(|rest| memchr(b'<', rest).is_none())
    }

    fn pass_all(&mut self, bytes: &[u8]) -> bool {
        self.at = bytes.len();
        true
    }

    /// True when a quote may end its string, and only a comma and letters in quotes came behind it:
    /// whether they are a key, what follows them would tell.
    fn waits(&self, bytes: &[u8]) -> bool {
        const SHORT: usize = 64;
        let is_member = self.skip == Some(Skip::String(QuoteKind::Double));
        let is_member = is_member && self.place == Place::Member;
        let behind = bytes.get(self.at..).filter(|behind| behind.len() < SHORT);
        let key = match behind {
            Some([b'"', b',', b' ', b'"', key @ ..] | [b'"', b',', b'"', key @ ..]) => key,
            Some([b'"'] | [b'"', b','] | [b'"', b',', b' ']) => &[],
            _ => return false,
        };
        let key = key.strip_suffix(b"\"").unwrap_or(key);
        is_member && key.iter().all(|byte| is_letter(*byte))
    }

    /// Steps over what is plain.
    pub(super) fn pass_plain(&mut self, bytes: &[u8], finished: bool) {
        // Where these brackets are closed, something is to be told.
        let outer = self.around_arguments.unwrap_or(0);
        // The name and the arguments of a call are looked for.
        while !self.is_watched()
            && let Some(&byte) = bytes.get(self.at)
        {
            let is_passed = match class_of(byte) {
                Class::Blank => {
                    self.at += 1;
                    continue;
                }
                Class::Word => true,
                Class::Mark => matches!(byte, b',' | b':'),
                Class::Open => self.brackets.open(byte),
                Class::Close => self.brackets.close_inner(byte, outer),
                Class::Quote if byte == b'"' => {
                    if self.pass_string(bytes, finished) {
                        continue;
                    }
                    return;
                }
                _ => false,
            };
            if !is_passed {
                return;
            }
            self.last = byte;
            self.at += 1;
        }
    }

    /// True where members are told of.
    pub(super) fn is_watched(&self) -> bool {
        self.brackets.depth() <= self.level && self.level > 0 && self.around_arguments.is_none()
    }

    /// Steps over a string that is plainly one; false if it is not, or goes on.
    fn pass_string(&mut self, bytes: &[u8], finished: bool) -> bool {
        let start = self.at + 1;
        let content = bytes.get(start..).unwrap_or_default();
        // Empty, or one of three quotes.
        if content.first().is_none_or(|first| *first == b'"') {
            return false;
        }
        let place = match self.last {
            b'{' | b',' if self.brackets.is_in_object() => return self.pass_key(content, start),
            b':' if self.brackets.is_in_object() => Place::Member,
            b'[' | b',' if self.brackets.is_in_list() => Place::Item,
            _ => return false,
        };
        // The careful way takes over where it does not end, or not surely.
        let end = match next_quote(b'"', content) {
            Some(at) if content.get(at) == Some(&b'"') => Some(start + at + 1),
            Some(at) => string_end(bytes, start + at, b'"'),
            None => {
                self.begin_string(Skip::String(QuoteKind::Double), 1, place);
                self.at = bytes.len();
                return false;
            }
        };
        let Some(end) = end else {
            self.begin_string(Skip::String(QuoteKind::Double), 1, place);
            return false;
        };
        let after = bytes.get(end..).unwrap_or_default();
        if quote_ends(after, place, finished) != Ends::Yes {
            self.begin_string(Skip::String(QuoteKind::Double), 1, place);
            self.at = end - 1;
            return false;
        }
        self.end_plain_string(start..end - 1, place);
        true
    }

    /// Steps over a key of letters.
    fn pass_key(&mut self, content: &[u8], start: usize) -> bool {
        let Some(len) = content.iter().position(|byte| !is_letter(*byte)) else {
            self.begin_string(Skip::Key(b'"'), 1, Place::Key);
            self.at += content.len();
            return false;
        };
        let is_plain = matches!(content.get(len..), Some([b'"', b':', ..]));
        if is_plain {
            self.end_plain_string(start..start + len, Place::Key);
        }
        is_plain
    }

    fn end_plain_string(&mut self, string: Range<usize>, place: Place) {
        self.at = string.end + 1;
        self.string = string;
        self.place = place;
        self.last = b'"';
    }
}

//! The open brackets of a scan, two bits each.
//!
//! Closers that do not fit follow the rule of [`lexis`](crate::scan::lexis).

use std::ops::Range;

use crate::scan::lexis::{Around, Stray, stray_closer};

/// How deep brackets may be nested; one level takes two bits.
const MAX_DEPTH: u32 = 64;

const ROUND: u128 = 1;
const SQUARE: u128 = 2;
const CURLY: u128 = 3;

/// The open brackets.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Brackets {
    /// Their kinds, the innermost in the lowest two bits.
    kinds: u128,
    depth: u32,
    /// The lowest of them are not seen by what is read: it stands in them.
    around: u32,
}

impl Brackets {
    /// One brace.
    pub(super) fn of_object() -> Self {
        Self {
            kinds: CURLY,
            depth: 1,
            around: 0,
        }
    }

    pub(super) fn depth(&self) -> u32 {
        self.depth
    }

    pub(super) fn is_in_object(&self) -> bool {
        self.kinds & 3 == CURLY
    }

    pub(super) fn is_in_list(&self) -> bool {
        self.kinds & 3 == SQUARE
    }

    pub(super) fn is_in_parentheses(&self) -> bool {
        self.kinds & 3 == ROUND
    }

    /// How many of the last bytes in this part of `text` close what is open, with blanks among
    /// them, and whether they close all of it.
    pub(super) fn closers_before(&self, text: &str, part: Range<usize>) -> (usize, bool) {
        let part = text.as_bytes().get(part).unwrap_or_default();
        let (mut closed, mut len) = (0, 0);
        // The last closes the outermost.
        for (at, byte) in part.iter().rev().enumerate() {
            if byte.is_ascii_whitespace() {
                continue;
            }
            let outermost = (closed < self.depth).then(|| 2 * (self.depth - 1 - closed));
            let is_closer = matches!(byte, b'}' | b']' | b')');
            if !is_closer || outermost.is_none_or(|shift| self.kinds >> shift & 3 != kind(*byte)) {
                break;
            }
            closed += 1;
            len = at + 1;
        }
        (len, closed == self.depth)
    }

    /// Says how many of the outermost ones are around what is read.
    pub(super) fn set_around(&mut self, around: u32) {
        self.around = around;
    }

    /// Opens one more; false when they are too many.
    pub(super) fn open(&mut self, byte: u8) -> bool {
        if self.depth >= MAX_DEPTH {
            return false;
        }
        self.kinds = (self.kinds << 2) | kind(byte);
        self.depth += 1;
        true
    }

    /// Closes what the closer `byte` closes, if anything; false when only the text after it will
    /// tell.
    pub(super) fn close(&mut self, byte: u8, after: &[u8], finished: bool) -> bool {
        if self.kinds & 3 == kind(byte) {
            self.pop();
            return true;
        }
        self.close_stray(byte, after, finished)
    }

    /// Closes the innermost bracket if `byte` fits it and more than `outer` others stand around it;
    /// false if not.
    pub(super) fn close_inner(&mut self, byte: u8, outer: u32) -> bool {
        let fits = self.kinds & 3 == kind(byte) && self.depth > outer + 1;
        if fits {
            self.pop();
        }
        fits
    }

    #[cold]
    fn close_stray(&mut self, byte: u8, after: &[u8], finished: bool) -> bool {
        let mut left = *self;
        while left.depth > 0 && left.kinds & 3 != kind(byte) {
            let mut outer = left;
            outer.pop();
            let around = Around {
                innermost: left.closer(0),
                parent: left.closer(1),
                grandparent: left.closer(2),
                fits_outer: outer.holds(byte),
            };
            match stray_closer(byte, around, after, finished) {
                Stray::Unclear => return false,
                Stray::Nothing => {
                    *self = left;
                    return true;
                }
                Stray::Instead => break,
                Stray::Outer => left = outer,
            }
        }
        left.pop();
        *self = left;
        true
    }

    /// True when `byte` closes one of them.
    fn holds(mut self, byte: u8) -> bool {
        while self.depth > 0 {
            if self.kinds & 3 == kind(byte) {
                return true;
            }
            self.pop();
        }
        false
    }

    /// What closes the bracket so many levels around the innermost; 0 when none is open there.
    fn closer(&self, levels: u32) -> u8 {
        if self.depth <= self.around + levels {
            return 0;
        }
        match (self.kinds >> (2 * levels)) & 3 {
            ROUND => b')',
            SQUARE => b']',
            _ => b'}',
        }
    }

    fn pop(&mut self) {
        self.kinds >>= 2;
        self.depth = self.depth.saturating_sub(1);
    }
}

fn kind(byte: u8) -> u128 {
    match byte {
        b'(' | b')' => ROUND,
        b'[' | b']' => SQUARE,
        _ => CURLY,
    }
}

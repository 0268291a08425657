//! Where the next sign stands in text that is worth a look: a line that may hold a call, a marker,
//! and in text mode a parenthesis.

use memchr::{memchr, memchr3};

use crate::ToolSet;
use crate::scan::tag::may_be_tag;

/// Where the next line or tag stands that is worth a look, at `at` or behind it.
#[inline]
pub(super) fn next_sign(bytes: &[u8], mut at: usize, tools: &ToolSet) -> Option<usize> {
    loop {
        let rest = bytes.get(at..)?;
        at += match rest.first() {
            // Many lines are empty.
            Some(b'\n') => 0,
            _ => memchr3(b'\n', b'<', b'[', rest)?,
        };
        match bytes.get(at..) {
            Some([b'\n', first, second, ..]) if !tools.may_begin_with(*first, *second) => at += 1,
            Some(tag @ [b'[', ..]) if !may_be_tag(tag) => at += 1,
            _ => return Some(at),
        }
    }
}

/// How far the next line, marker or parenthesis is from `at`. `wall` keeps where the next line or
/// marker is, so that many parentheses before it cost one search.
pub(super) fn next_of_four(bytes: &[u8], at: usize, wall: &mut Option<usize>) -> Option<usize> {
    let rest = bytes.get(at..)?;
    let stands = match *wall {
        Some(stands) if stands >= at => stands,
        _ => memchr3(b'\n', b'<', b'[', rest).map_or(bytes.len(), |found| at + found),
    };
    *wall = Some(stands);
    let parenthesis = memchr(b'(', bytes.get(at..stands)?);
    parenthesis.or_else(|| (stands < bytes.len()).then(|| stands - at))
}

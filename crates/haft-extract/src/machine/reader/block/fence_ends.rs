//! Where a fence that may hold calls ends.

use std::ops::ControlFlow;

use memchr::memrchr;

use super::super::fence::{Closing, FenceMark};
use super::super::line::{is_name, is_name_whole, may_be_label, name_length};
use super::ends::{End, Ended};
use super::{super::Cursor, Block, python::TOOL_CODE};
use crate::limits;
use crate::scan::{More, Seen, near};

/// What calls in a fence may begin with, beside names.
const WORDS: [&str; 4] = ["print", "return", "functools", "Action:"];

/// Where a fence ends: its content before the closing one, and the line of that.
#[inline(never)]
pub(super) fn fence_end(here: &Cursor<'_>, block: &mut Block) -> Ended {
    if !block.is_opened {
        if let ControlFlow::Break(end) = fence_opening(here, block)? {
            return Ok(end);
        }
        block.is_opened = true;
    }
    // No further than a fence is held back, however much of it is at hand.
    let bound = here.options.hold_limit.saturating_add(limits::NEAR);
    let near = here.head(here.text.floor_char_boundary(bound));
    let is_all = near.len() == here.text.len();
    let Some(mark) = FenceMark::at_start(here.tail(block.lead)) else {
        return Ok(None);
    };
    // The last line may have been looked at in part.
    let known = near.get(..block.at).unwrap_or(near);
    let from = memrchr(b'\n', known.as_bytes()).map_or(block.lead, |line| line.max(block.lead));
    let (close, closing) = mark.find_closing(near, from, here.finished && is_all);
    block.at = close;
    match closing {
        Closing::Line(len) | Closing::Mark(len) => Ok(Some(End::at(close, close + 1 + len))),
        _ if !is_all => Ok(None),
        _ => here.at_end(Some(End::cut(here))),
    }
}

/// Looks at the first line of a fence, and for what its content begins with: goes on where that may
/// be calls, and breaks off where the fence ends in that line, or is text.
fn fence_opening(here: &Cursor<'_>, block: &mut Block) -> Seen<ControlFlow<Option<End>>> {
    const TEXT: ControlFlow<Option<End>> = ControlFlow::Break(None);
    let text = here.tail(block.lead);
    let line = block.line_end(here.text, block.lead);
    let first = line.unwrap_or(here.text.len());
    let content = || fence_content(near(text, limits::NAME)).trim_start();
    if first - block.lead > limits::NAME && !may_begin_content(here, content()) {
        return Ok(TEXT);
    }
    let lead = block.lead;
    let end_in_line = || {
        let close = lead + 3 + here.part(lead + 3, first).find("```")?;
        Some(End::at(close, close + 3))
    };
    here.wait_if(line.is_none())?;
    if line.is_none() {
        return Ok(ControlFlow::Break(end_in_line()));
    }
    if block.at < first {
        let info = here.part(block.lead, first).trim_start_matches(['`', '~']);
        if info.trim() == "diff" {
            return Ok(TEXT);
        }
        if info.contains("```") {
            return Ok(ControlFlow::Break(end_in_line()));
        }
        block.at = first;
    }
    let is_run = text.starts_with(TOOL_CODE) && !here.tools.is_any();
    let inner = here.tail(block.at).trim_start();
    block.at = here.text.len() - inner.len();
    match inner.chars().next() {
        None => here.at_end(TEXT),
        Some('#' | '/') => Ok(ControlFlow::Continue(())),
        Some(_) if !is_run && !may_begin_content(here, inner) => Ok(TEXT),
        // Only the whole name tells.
        Some(c) if is_name(c) && !is_name_whole(inner, here.finished) => Err(More),
        Some(_) => Ok(ControlFlow::Continue(())),
    }
}

/// True when the content of a fence that begins with `inner` may begin with a call.
fn may_begin_content(here: &Cursor<'_>, inner: &str) -> bool {
    if inner.starts_with(['{', '[', '<', '-', '*', '`']) {
        return true;
    }
    let is_word = inner.starts_with(|c: char| c.is_ascii_alphabetic());
    if inner.is_empty() || (is_word && !here.tools.may_begin_line(inner.as_bytes())) {
        return false;
    }
    let begins = |word: &&str| word.starts_with(inner) || inner.starts_with(*word);
    let (name, _) = inner.split_at(name_length(inner));
    WORDS.iter().any(begins)
        || may_be_label(inner)
        || match is_name_whole(inner, here.finished) {
            true => here.tools.binds(name),
            false => here.tools.may_bind(inner),
        }
}

/// What stands inside of a fence, without its first line.
pub(super) fn fence_content(text: &str) -> &str {
    let text = text.trim_end().trim_end_matches(['`', '~']);
    let mark = FenceMark::at_start(text).map_or(0, |mark| mark.len);
    let inner = text.get(mark..).unwrap_or_default();
    let is_info = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+');
    let info = inner.find(|c| !is_info(c)).unwrap_or(0);
    let rest = inner.get(info..).unwrap_or_default();
    // What may follow the first word of a fence: ` title="x" linenums=1`.
    let are_attributes = |line: &str| {
        line.starts_with(' ') && line.contains('=') && !line.contains(['(', '{', '[', '<'])
    };
    match rest.split_once('\n') {
        Some((line, content)) if are_attributes(line) => content,
        _ if rest.starts_with(['\n', ' ', '\r', '{', '[']) => rest,
        _ => inner,
    }
}

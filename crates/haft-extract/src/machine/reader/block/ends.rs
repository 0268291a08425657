//! Where a candidate without markers ends: by its brackets and the rest of its line, or by the fence
//! that closes.

use memchr::memmem;
use memchr::{memchr, memchr2_iter, memrchr};

use super::super::Turn;
use super::super::fence::{Closing, FenceMark};
use super::super::line::{MAX_NAME, beginning, is_name, is_name_whole, may_be_label, name_length};
use super::assigned::TOOL_CODE;
use super::bracketed::{Request, request_end};
use super::{Block, End, LOOK_AHEAD, Shape};
use crate::ToolSet;
use crate::interpret;
use crate::scan::balance::{Balance, Stop};

/// The line that closes a fence.
pub(super) const CLOSING: &str = "\n```";

/// Where a candidate in brackets ends, with the rest of its line.
pub(super) fn bracket_end(turn: &mut Turn<'_, '_>, block: &mut Block) -> End {
    loop {
        let open = block.at;
        if block.balance.is_none() {
            let rest = turn.tail(open);
            let Some(bracket) = opening(rest, block.shape) else {
                return if turn.finished { End::None } else { End::More };
            };
            let balance = scan(turn, block, open + bracket);
            block.balance = Some(balance);
        }
        let Some(balance) = block.balance.as_mut() else {
            return End::None;
        };
        let line = ends_with_line(turn.tools, block.shape)
            .then(|| block.line.find(turn.text, open))
            .flatten();
        let text = line.map_or(turn.text, |end| turn.head(end));
        let finished = line.is_some() || turn.finished;
        let stop = match block.close {
            Some(close) => Stop::Closed(close),
            None => loop {
                let stop = balance.run(text, finished);
                block.preview.follow(turn, balance, &stop);
                if !matches!(stop, Stop::ArgumentsOpen(_) | Stop::ArgumentsClosed(_)) {
                    break stop;
                }
            },
        };
        let close = match stop {
            Stop::More => return End::More,
            Stop::Closed(end) => end,
            Stop::Marker(at) => return End::At(at, at, false),
            Stop::End if turn.tools.is_any() => return End::None,
            Stop::End => return End::At(turn.text.len(), turn.text.len(), true),
            _ => return End::None,
        };
        block.close = Some(close);
        match rest_of_candidate(turn, block, close) {
            Rest::More => return End::More,
            Rest::End(whole) => return End::At(close, whole, false),
            Rest::Call(next) => {
                block.at = next;
                block.balance = None;
                block.close = None;
            }
            Rest::Text => return End::None,
        }
    }
}

/// True where only one line is looked at: the specification's calls.
pub(super) fn ends_with_line(tools: &ToolSet, shape: Shape) -> bool {
    tools.is_any() && shape == Shape::Call
}

/// The scan of the brackets that open at `open`; it tells of calls where they are shown.
fn scan(turn: &mut Turn<'_, '_>, block: &mut Block, open: usize) -> Balance {
    let balance = match block.shape {
        _ if !block.is_shown => Balance::new(),
        Shape::Object => Balance::of_call(),
        Shape::List => Balance::of_calls(),
        _ => {
            let head = turn.text.get(block.at..open).unwrap_or_default();
            let head = head.strip_prefix('[').unwrap_or(head);
            if turn.byte(open) != Some(b'<') {
                let name = head.get(..name_length(head)).unwrap_or_default();
                block.preview.open(turn, name, open);
            }
            Balance::new()
        }
    };
    balance.starting_at(open)
}

/// Where the first bracket of a candidate stands.
fn opening(text: &str, shape: Shape) -> Option<usize> {
    match shape {
        Shape::Call => memchr(b'(', text.as_bytes()),
        Shape::Named => text.find(['{', '<']),
        _ => Some(0),
    }
}

/// What follows a candidate in its line.
enum Rest {
    More,
    /// Nothing that counts; it belongs to the candidate up to here.
    End(usize),
    /// Another call, here.
    Call(usize),
    /// Text.
    Text,
}

/// What follows a candidate whose last bracket is closed before `close`.
fn rest_of_candidate(turn: &Turn<'_, '_>, block: &Block, close: usize) -> Rest {
    let rest = rest_of_call(turn, block, close);
    let Rest::End(next) = rest else {
        return rest;
    };
    let is_before_another = block.shape == Shape::Object
        && !block.in_sentence
        && turn.byte(next) == Some(b'{')
        && calls_another(turn, block, close);
    match is_before_another {
        true => Rest::Call(next),
        false => rest,
    }
}

/// True for an object that calls a tool which is not bound: it stands before a call in its line.
fn calls_another(turn: &Turn<'_, '_>, block: &Block, close: usize) -> bool {
    let name = block.balance.as_ref().and_then(Balance::name);
    let name = name.and_then(|name| turn.text.get(name));
    let object = turn.text.get(block.at..close).unwrap_or_default();
    !name.is_some_and(|name| turn.tools.binds(name)) && interpret::is_unknown(object, turn.tools)
}

/// The same of a candidate that is known to be a call.
fn rest_of_call(turn: &Turn<'_, '_>, block: &Block, close: usize) -> Rest {
    if block.shape == Shape::Named && turn.byte(block.lead) == Some(b'[') {
        return match request_end(turn, close) {
            Request::More => Rest::More,
            Request::End(end) => Rest::End(end),
            Request::Text => Rest::Text,
        };
    }
    if block.shape == Shape::Named
        && let Some(rest) = rest_of_fence(turn, block, close)
    {
        return rest;
    }
    match rest_of_line(turn, close, block.shape) {
        // In a sentence what follows the call belongs to the sentence.
        _ if block.in_sentence => Rest::End(close),
        Rest::Text if turn.options.text_mode => Rest::End(close),
        rest => rest,
    }
}

/// The end of the fence that opened between a name and its object.
fn rest_of_fence(turn: &Turn<'_, '_>, block: &Block, close: usize) -> Option<Rest> {
    const MARK: &str = "```";
    let call = turn.text.get(block.lead..close)?;
    let head = call.split('{').next()?;
    let rest = turn.tail(close);
    let near = beginning(rest);
    let mark = near.trim_start_matches([' ', '\t', '\r', '\n']);
    let blanks = near.len() - mark.len();
    if !head.contains(MARK) {
        None
    } else if mark.starts_with(MARK) {
        Some(Rest::End(close + blanks + MARK.len()))
    } else {
        let may_come = MARK.starts_with(mark) && near.len() == rest.len() && !turn.finished;
        may_come.then_some(Rest::More)
    }
}

fn rest_of_line(turn: &Turn<'_, '_>, close: usize, shape: Shape) -> Rest {
    let rest = turn.tail(close);
    match rest.as_bytes().first() {
        None if turn.finished => return Rest::End(turn.text.len()),
        None => return Rest::More,
        Some(b'\n') => return Rest::End(close),
        // What Llama writes between two calls needs no closer look.
        Some(b';') if shape == Shape::Object && rest.starts_with("; {") => {
            return Rest::End(close + 2);
        }
        Some(_) => {}
    }
    // Endless decoration would be looked through again with each chunk.
    let near = rest.floor_char_boundary(LOOK_AHEAD);
    let near = rest.get(..near).unwrap_or(rest);
    let ticks = near.trim_start_matches([
        ' ', '\t', '\r', '`', ',', ';', '*', '.', ']', ')', '}', '+', '|', '\'', '"', '\\',
    ]);
    // A list that opens between two calls.
    let ticks = match shape {
        Shape::Call => ticks.trim_start_matches([' ', ',', '[', ']']),
        _ => ticks,
    };
    let skipped = near.len() - ticks.len();
    let decoration = near.get(..skipped).unwrap_or_default();
    if decoration.contains("```") {
        // The fence is not part of the line.
        let fence = decoration.find("```").unwrap_or(0);
        return Rest::End(close + fence);
    }
    let ticks = rest.get(skipped..).unwrap_or_default();
    if skipped == near.len() && !ticks.is_empty() {
        return match shape {
            Shape::Call => Rest::Text,
            _ => Rest::End(close),
        };
    }
    match ticks.as_bytes().first() {
        None if turn.finished => Rest::End(turn.text.len()),
        None => Rest::More,
        Some(b'\n') => Rest::End(close + skipped),
        Some(b'#') => Rest::End(close),
        // The tick that closes the call, before a token of the frame.
        Some(b'<') if decoration.trim() == "`" => Rest::End(close + skipped),
        Some(b'<') => Rest::End(close),
        Some(b'{' | b'[') if matches!(shape, Shape::Object | Shape::List) => {
            Rest::End(close + skipped)
        }
        Some(_) if shape == Shape::Call => {
            let len = name_length(ticks);
            let name = ticks.get(..len).unwrap_or_default();
            let after = ticks.get(len..).unwrap_or_default();
            if !is_name_whole(ticks, turn.finished) && turn.tools.may_bind(ticks) {
                return Rest::More;
            }
            if turn.tools.binds(name) && after.starts_with('(') {
                return Rest::Call(close + skipped);
            }
            Rest::Text
        }
        // A list of calls, and a call beside it.
        Some(byte) if shape == Shape::List && byte.is_ascii_alphabetic() => {
            let len = name_length(ticks);
            let name = ticks.get(..len).unwrap_or_default();
            let after = ticks.get(len..).unwrap_or_default();
            if !is_name_whole(ticks, turn.finished) && turn.tools.may_bind(ticks) {
                return Rest::More;
            }
            let is_call = !turn.tools.is_any() && turn.tools.binds(name) && after.starts_with('(');
            Rest::End(if is_call { close + skipped } else { close })
        }
        // An object that names a tool and its arguments is meant, whatever is said after it.
        Some(_) if matches!(shape, Shape::Object | Shape::List | Shape::Named) => Rest::End(close),
        Some(_) => Rest::Text,
    }
}

/// Where a fence ends: its content before the closing one, and the line of that.
pub(in crate::machine::reader) fn fence_end(turn: &Turn<'_, '_>, block: &mut Block) -> End {
    if !block.is_opened {
        if let Some(end) = fence_opening(turn, block) {
            return end;
        }
        block.is_opened = true;
    }
    // No further than a fence is held back, however much of it is at hand.
    let bound = turn.options.hold_limit.saturating_add(LOOK_AHEAD);
    let near = turn.head(turn.text.floor_char_boundary(bound));
    let is_all = near.len() == turn.text.len();
    let Some(mark) = FenceMark::at_start(turn.tail(block.lead)) else {
        return End::None;
    };
    // The last line may have been looked at in part.
    let known = near.get(..block.at).unwrap_or(near);
    let from = memrchr(b'\n', known.as_bytes()).map_or(block.lead, |line| line.max(block.lead));
    let (close, closing) = mark.find_closing(near, from, turn.finished && is_all);
    block.at = close;
    match closing {
        Closing::Line(len) => End::At(close, close + 1 + len, false),
        Closing::Mark(len) => End::At(close, close + 1 + len, false),
        Closing::More | Closing::No if !is_all => End::None,
        Closing::More | Closing::No if turn.finished => {
            End::At(turn.text.len(), turn.text.len(), true)
        }
        Closing::More | Closing::No => End::More,
    }
}

/// Looks at the first line of a fence, and for what its content begins with; nothing when that may
/// be a call.
fn fence_opening(turn: &Turn<'_, '_>, block: &mut Block) -> Option<End> {
    let text = turn.tail(block.lead);
    let line = block.line.find(turn.text, block.lead);
    let first = line.unwrap_or(turn.text.len());
    if first - block.lead > MAX_NAME && !may_hold_call(turn, text) {
        return Some(End::None);
    }
    if line.is_none() {
        return Some(match turn.finished {
            true => one_line_fence(turn, block),
            false => End::More,
        });
    }
    if block.at < first {
        let info = turn.text.get(block.lead..first).unwrap_or_default();
        let info = info.trim_start_matches(['`', '~']);
        if info.trim() == "diff" {
            return Some(End::None);
        }
        if memmem::find(info.as_bytes(), b"```").is_some() {
            return Some(one_line_fence(turn, block));
        }
        block.at = first;
    }
    let is_run = turn.tail(block.lead).starts_with(TOOL_CODE) && !turn.tools.is_any();
    let inner = turn.tail(block.at).trim_start();
    block.at = turn.text.len() - inner.len();
    match inner.chars().next() {
        None if turn.finished => Some(End::None),
        None => Some(End::More),
        Some('#' | '/') => None,
        Some(c) if !is_run && !may_begin_content(turn, inner, c) => Some(End::None),
        // Only the whole name tells.
        Some(c) => (is_name(c) && !is_name_whole(inner, turn.finished)).then_some(End::More),
    }
}

/// A fence that opens and closes in one line.
fn one_line_fence(turn: &Turn<'_, '_>, block: &Block) -> End {
    let text = turn.tail(block.lead);
    let line = text.split('\n').next().unwrap_or_default();
    let inner = line.get(3..).unwrap_or_default();
    match inner.find("```") {
        Some(close) => {
            let close = block.lead + 3 + close;
            End::At(close, close + 3, false)
        }
        None => End::None,
    }
}

/// True when a call may begin in the first line of the fence at the beginning of `text`.
fn may_hold_call(turn: &Turn<'_, '_>, text: &str) -> bool {
    let line = text.get(..text.floor_char_boundary(MAX_NAME));
    let content = fence_content(line.unwrap_or_default()).trim_start();
    let first = content.chars().next();
    first.is_some_and(|first| may_begin_content(turn, content, first))
}

fn may_begin_content(turn: &Turn<'_, '_>, inner: &str, first: char) -> bool {
    if matches!(first, '{' | '[' | '<' | '-' | '*' | '`') {
        return true;
    }
    if first.is_ascii_alphabetic() && !turn.tools.may_begin_line(inner.as_bytes()) {
        return false;
    }
    let len = name_length(inner);
    let name = inner.get(..len).unwrap_or_default();
    let is_whole = is_name_whole(inner, turn.finished);
    let is_action = "Action:".starts_with(inner) || inner.starts_with("Action:");
    matches!(name, "print" | "return")
        || is_action
        || may_be_label(inner)
        || inner.starts_with("functools")
        || (is_whole && turn.tools.binds(name))
        || (!is_whole
            && (turn.tools.may_bind(inner)
                || "functools".starts_with(inner)
                || "print".starts_with(inner)
                || "return".starts_with(inner)))
}

/// What stands inside of a fence, without its first line.
pub(super) fn fence_content(text: &str) -> &str {
    let text = text.trim_end().trim_end_matches(['`', '~']);
    let inner = match FenceMark::at_start(text) {
        Some(mark) => text.get(mark.len..).unwrap_or_default(),
        None => text,
    };
    let info = inner
        .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+')))
        .unwrap_or(0);
    let rest = inner.get(info..).unwrap_or_default();
    match rest.split_once('\n') {
        Some((line, content)) if is_attributes(line) => content,
        _ if rest.starts_with(['\n', ' ', '\r', '{', '[']) => rest,
        _ => inner,
    }
}

/// True for what may follow the first word of a fence: ` title="x" linenums=1`.
fn is_attributes(line: &str) -> bool {
    line.starts_with(' ') && line.contains('=') && !line.contains(['(', '{', '[', '<'])
}

/// False when nothing in `text` looks like a marker.
pub(in crate::machine::reader) fn may_hold_marker(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_token = |at| {
        bytes
            .get(at + 1)
            .is_none_or(|byte| !matches!(byte, b'0'..=b'9' | b'"'))
    };
    memchr2_iter(b'<', b'[', bytes).any(|at| bytes.get(at) == Some(&b'<') || is_token(at))
}

/// What stands between the parentheses at the beginning of `text`, where they end, and whether
/// they do.
pub(super) fn parenthesised(text: &str) -> (&str, usize, bool) {
    let mut balance = Balance::new();
    let (inner, end, is_whole) = match balance.run(text, true) {
        Stop::Closed(end) => (end - 1, end, true),
        Stop::Marker(at) => (at, at, true),
        _ => (text.len(), text.len(), false),
    };
    (text.get(1..inner).unwrap_or_default(), end, is_whole)
}

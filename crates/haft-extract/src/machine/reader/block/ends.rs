//! Where a candidate without markers ends, by its brackets and the rest of its line.

use memchr::memchr;

use super::super::line::{FENCE, begins_call, is_name_whole};
use super::{super::Cursor, Block, Shape};
use crate::scan::{Balance, More, Stop, near};
use crate::{interpret, limits};

/// What ends LM Studio's form without its first token, `[get_weather]⏎{"city": "Oslo"}`.
const END_OF_REQUEST: &str = "[END_TOOL_REQUEST]";

/// The line that closes a fence.
pub(super) const CLOSING: &str = "\n```";

/// Where a candidate ends.
#[derive(Clone, Copy)]
pub(super) struct End {
    /// Its content ends before here.
    pub(super) content: usize,
    /// What belongs to it ends before here.
    pub(super) whole: usize,
    /// The reply ended before it did.
    pub(super) cut: bool,
}

/// Where a candidate ends, once that can be told; nothing where it is none.
pub(super) type Ended = Result<Option<End>, More>;

impl End {
    pub(super) fn at(content: usize, whole: usize) -> Self {
        Self {
            content,
            whole,
            cut: false,
        }
    }

    /// At the end of a reply that ends too early.
    pub(super) fn cut(here: &Cursor<'_>) -> Self {
        Self {
            cut: true,
            ..Self::at(here.text.len(), here.text.len())
        }
    }
}

/// Where a candidate in brackets ends, with the rest of its line.
pub(super) fn bracket_end(here: &mut Cursor<'_>, block: &mut Block) -> Ended {
    loop {
        let stop = match block.close {
            Some(close) => Stop::Closed(close),
            None => last_bracket(here, block)?,
        };
        let close = match stop {
            Stop::More => return Err(More),
            Stop::Closed(end) => end,
            Stop::Marker(at) => return Ok(Some(End::at(at, at))),
            Stop::End if !here.tools.is_any() => return Ok(Some(End::cut(here))),
            _ => return Ok(None),
        };
        block.close = Some(close);
        match rest_of_candidate(here, block, close)? {
            Rest::End(whole) => return Ok(Some(End::at(close, whole))),
            Rest::Call(next) => {
                block.at = next;
                block.balance = None;
                block.close = None;
            }
            Rest::Text => return Ok(None),
        }
    }
}

/// Where the brackets of a candidate are closed; too deep where there are none.
fn last_bracket(here: &mut Cursor<'_>, block: &mut Block) -> Result<Stop, More> {
    let open = block.at;
    if block.balance.is_none() {
        let rest = here.tail(open);
        let bracket = match block.shape {
            Shape::Call => memchr(b'(', rest.as_bytes()),
            Shape::Named => rest.find(['{', '<']),
            _ => Some(0),
        };
        let Some(bracket) = bracket else {
            return here.at_end(Stop::TooDeep(open));
        };
        let balance = match block.shape {
            Shape::Object => Balance::of_call(),
            Shape::List => Balance::of_calls(),
            _ => Balance::default(),
        };
        block.balance = Some(balance.starting_at(open + bracket));
    }
    // Of the specification's calls only one line is looked at.
    let is_line = here.tools.is_any() && block.shape == Shape::Call;
    let line = is_line.then(|| block.line_end(here.text, open)).flatten();
    let text = line.map_or(here.text, |end| here.head(end));
    let balance = block.balance.get_or_insert_default();
    loop {
        let stop = balance.run(text, line.is_some() || here.finished);
        // Nothing is shown ahead of what is decided at once.
        let is_shown = !here.finished || block.preview.has_shown();
        if is_shown && matches!(block.shape, Shape::Object | Shape::List) {
            block.preview.show_ahead(here, balance, &stop);
        }
        if !matches!(stop, Stop::ArgumentsOpen(_) | Stop::ArgumentsClosed(_)) {
            return Ok(stop);
        }
    }
}

/// What follows a candidate in its line.
enum Rest {
    /// Nothing that counts; it belongs to the candidate up to here.
    End(usize),
    /// Another call, here.
    Call(usize),
    /// Text.
    Text,
}

/// What follows a candidate whose last bracket is closed before `close`.
#[inline(never)]
fn rest_of_candidate(here: &Cursor<'_>, block: &Block, close: usize) -> Result<Rest, More> {
    if block.shape == Shape::Named {
        let in_brackets = here.byte(block.lead) == Some(b'[');
        let head = here.part(block.lead, close).split('{').next();
        // The fence opened between a name and its object.
        let is_fenced = head.is_some_and(|head| head.contains(FENCE));
        let closer = if in_brackets { END_OF_REQUEST } else { FENCE };
        if in_brackets || is_fenced {
            let (body, start) = here.body(close)?;
            if here.begins(body, closer)? {
                return Ok(Rest::End(start + closer.len()));
            }
        }
        if in_brackets {
            return Ok(Rest::Text);
        }
    }
    Ok(match rest_of_line(here, close, block.shape) {
        // In a sentence what follows the call belongs to the sentence.
        _ if block.in_sentence => Rest::End(close),
        Ok(Rest::Text) if here.options.text_mode => Rest::End(close),
        // An object that calls a tool which is not bound stands before a call in its line.
        Ok(Rest::End(next))
            if block.shape == Shape::Object
                && here.byte(next) == Some(b'{')
                && !names_a_tool(here, block)
                && interpret::is_unknown(here.part(block.at, close), here.tools) =>
        {
            Rest::Call(next)
        }
        rest => rest?,
    })
}

/// True for an object that is known by its scan to name a bound tool.
fn names_a_tool(here: &Cursor<'_>, block: &Block) -> bool {
    let name = block.balance.as_ref().and_then(Balance::name);
    let name = name.and_then(|name| here.text.get(name));
    name.is_some_and(|name| here.tools.binds_exactly(name))
}

fn rest_of_line(here: &Cursor<'_>, close: usize, shape: Shape) -> Result<Rest, More> {
    let rest = here.tail(close);
    // Endless decoration would be looked through again with each chunk.
    let near = near(rest, limits::NEAR);
    let ticks = near.trim_start_matches(|c| " \t\r`,;*.])}+|'\"\\".contains(c));
    // A list that opens between two calls.
    let ticks = match shape {
        Shape::Call => ticks.trim_start_matches([' ', ',', '[', ']']),
        _ => ticks,
    };
    let skipped = near.len() - ticks.len();
    let decoration = near.get(..skipped).unwrap_or_default();
    // A fence is not part of the line.
    if let Some(fence) = decoration.find(FENCE) {
        return Ok(Rest::End(close + fence));
    }
    let end = Rest::End(close + skipped);
    let ticks = rest.get(skipped..).unwrap_or_default();
    match ticks.as_bytes() {
        [] => here.at_end(end),
        _ if skipped == near.len() && shape == Shape::Call => Ok(Rest::Text),
        _ if skipped == near.len() => Ok(Rest::End(close)),
        [b'\n', ..] => Ok(end),
        // The tick that closes the call, before a token of the frame.
        [b'<', ..] if decoration.trim() == "`" => Ok(end),
        [b'#' | b'<', ..] => Ok(Rest::End(close)),
        [b'{' | b'[', ..] if matches!(shape, Shape::Object | Shape::List) => Ok(end),
        [byte, ..]
            if shape == Shape::Call || (shape == Shape::List && byte.is_ascii_alphabetic()) =>
        {
            // Another call, beside a list of calls too.
            here.wait_if(!is_name_whole(ticks, here.finished) && here.tools.may_bind(ticks))?;
            let is_call = begins_call(ticks, here.tools);
            Ok(match shape {
                Shape::Call if is_call => Rest::Call(close + skipped),
                Shape::Call => Rest::Text,
                _ if is_call && !here.tools.is_any() => end,
                _ => Rest::End(close),
            })
        }
        // An object that names a tool and its arguments is meant, whatever is said after it.
        _ => Ok(Rest::End(close)),
    }
}

/// What stands between the parentheses at the beginning of `text`, what stands behind them, and
/// whether they are closed.
pub(super) fn parenthesised(text: &str) -> (&str, &str, bool) {
    let (inner, end, is_whole) = match Balance::default().run(text, true) {
        Stop::Closed(end) => (end - 1, end, true),
        Stop::Marker(at) => (at, at, true),
        _ => (text.len(), text.len(), false),
    };
    let inner = text.get(1..inner).unwrap_or_default();
    (inner, text.get(end..).unwrap_or_default(), is_whole)
}

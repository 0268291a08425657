//! Calls in a line or a list that is neither Python nor JSON as a whole: a string lost its closing
//! quote, `f(unit="m), g(unit="m")`, or a name stands in quotes or beside its arguments,
//! `['f'(a=1), 'g', {"b": 2}]`, `[f, a=1]`.
//!
//! Nothing here is tried before the plain readings have failed or swallowed one call into another,
//! and all of the text must come out as calls of bound tools, or nothing does.

mod arguments;

use haft_schema::{Repair, RepairKind};

use super::super::line::name_length;
use super::{is_code, is_comment, is_signature};
use crate::calls::name_before;
use crate::interpret;
use crate::machine::raw_call::{RawCall, Written};
use crate::scan::balance::closed;
use crate::{Format, ToolSet};
use arguments::{Scanned, as_members, scan};

/// True when the plain readings leave a doubt: a call that was not closed, or that lacks a quote,
/// or one that another call stands in.
pub(super) fn is_doubtful(readings: &[RawCall<'_>], tools: &ToolSet) -> bool {
    let is_doubtful =
        |call: &RawCall<'_>| call.cut || is_doubtful_text(call.arguments.text(), tools);
    readings.iter().any(is_doubtful)
}

/// The same of the arguments of a call that was closed.
pub(super) fn is_doubtful_text(text: &str, tools: &ToolSet) -> bool {
    is_odd(text) || holds_call(text, tools)
}

/// True when a quote has no twin.
fn is_odd(text: &str) -> bool {
    // Too short for a search to be worth its call.
    text.bytes().fold(false, |odd, byte| odd ^ (byte == b'"'))
}

/// True when the name of a bound tool and a parenthesis stand in `text`.
fn holds_call(text: &str, tools: &ToolSet) -> bool {
    memchr::memchr_iter(b'(', text.as_bytes()).any(|at| {
        let name = name_before(text, at);
        !name.is_empty() && tools.binds(name)
    })
}

/// The calls in `text`, if it holds nothing else.
pub(super) fn calls(text: &str, tools: &ToolSet) -> Option<Vec<RawCall<'static>>> {
    if tools.is_any() {
        return None;
    }
    let mut readings = Vec::new();
    let mut rest = text;
    // A call before lost the closing quote of a string.
    let mut lost = false;
    loop {
        rest = rest.trim_start_matches([
            ' ', '\t', '\n', '\r', ',', ';', '[', ']', '(', ')', '}', '+', '|', '&', '`',
        ]);
        if rest.is_empty() || is_comment(rest) {
            break;
        }
        let end = match element(rest, tools, lost) {
            Some((found, end)) => {
                lost |= has_lost(&found);
                readings.extend(found);
                end
            }
            // A remark in quotes among the calls.
            None if !readings.is_empty() => remark(rest, tools)?,
            None => return None,
        };
        rest = rest.get(end..)?;
    }
    (!readings.is_empty()).then_some(readings)
}

/// True when a string of these calls, read here, lost its closing quote.
fn has_lost(readings: &[RawCall<'_>]) -> bool {
    let has_lost =
        |call: &RawCall<'_>| matches!(call.arguments, Written::Call(_)) && !call.repairs.is_empty();
    readings.iter().any(has_lost)
}

/// The calls in the part of a list that `text` begins with, and where it ends.
fn element(text: &str, tools: &ToolSet, lost: bool) -> Option<(Vec<RawCall<'static>>, usize)> {
    if let Some(inner) = text.strip_prefix('{') {
        let blanks = inner.len() - inner.trim_start().len();
        // Braces around a call that is written otherwise.
        if let Some((found, end)) = one(inner.trim_start(), tools, lost) {
            return Some((vec![found], 1 + blanks + end));
        }
        let end = closed(text)?;
        return Some((interpret::object(text.get(..end)?, false, tools)?, end));
    }
    let (found, end) = one(text, tools, lost)?;
    Some((vec![found], end))
}

/// The call that `text` begins with, and where it ends.
fn one(text: &str, tools: &ToolSet, lost: bool) -> Option<(RawCall<'static>, usize)> {
    let quote = text.chars().next().filter(|c| matches!(c, '\'' | '"'));
    let start = usize::from(quote.is_some());
    let len = name_length(text.get(start..)?);
    let name = text.get(start..start + len)?;
    if len == 0 || !tools.binds(name) {
        return None;
    }
    let mut at = start + len;
    let is_quoted = quote.is_some_and(|quote| text.get(at..).is_some_and(|t| t.starts_with(quote)));
    at += usize::from(is_quoted);
    let after = text.get(at..)?;
    let body = after.trim_start_matches([' ', '\t', '\n', '\r']);
    at += after.len() - body.len();
    if body.starts_with('(') {
        let scanned = scan(text, (at + 1, b")"), (name, tools), lost)?;
        if is_signature(name, &scanned.text, tools) || is_code(&scanned.text, after != body) {
            return None;
        }
        let mut end = scanned.end;
        if let Some(quote) = quote.filter(|_| !is_quoted) {
            // The quote around the whole call.
            let closes = text.get(end..).is_some_and(|rest| rest.starts_with(quote));
            end += usize::from(closes);
        }
        return Some((found(name, scanned, tools), end));
    }
    let beside = body
        .strip_prefix(',')
        .filter(|_| is_quoted || quote.is_none())?;
    let arguments = beside.trim_start_matches([' ', '\t', '\n', '\r']);
    at += body.len() - arguments.len();
    if arguments.starts_with('{') {
        let end = closed(arguments)?;
        let object = arguments.get(..end)?.to_owned();
        let written = Written::Object(object.into());
        return Some((call(name, written, Vec::new()), at + end));
    }
    let scanned = scan(text, (at, b")]"), (name, tools), lost)?;
    let end = scanned.end;
    let found = found(name, scanned, tools);
    let is_named = matches!(&found.arguments, Written::Call(text) if text.contains(['=', ':']));
    is_named.then_some((found, end))
}

fn found(name: &str, scanned: Scanned, tools: &ToolSet) -> RawCall<'static> {
    let text = as_members(&scanned.text, (name, tools)).unwrap_or(scanned.text);
    let repair = scanned.repaired.map(|before| {
        let after = format!("{before}\"");
        Repair::new("", RepairKind::QuotesRepaired, before, after)
    });
    call(
        name,
        Written::Call(text.into()),
        repair.into_iter().collect(),
    )
}

fn call(name: &str, arguments: Written<'static>, repairs: Vec<Repair>) -> RawCall<'static> {
    RawCall {
        repairs,
        ..RawCall::new(name.to_owned(), arguments, Format::PlainCall)
    }
}

/// The end of a text in quotes that is no call.
fn remark(text: &str, tools: &ToolSet) -> Option<usize> {
    let quote = text.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    let inner = text.get(1..)?;
    let end = inner.find(quote)?;
    let remark = inner.get(..end)?;
    let is_apart = inner
        .get(end + 1..)?
        .trim_start()
        .chars()
        .next()
        .is_none_or(|next| matches!(next, ',' | ']' | ')'));
    (is_apart && !holds_call(remark, tools)).then_some(end + 2)
}

#[cfg(test)]
mod tests;

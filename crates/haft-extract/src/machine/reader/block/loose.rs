//! Calls in a line or a list that is neither Python nor JSON as a whole: a string lost its closing
//! quote, `f(unit="m), g(unit="m")`, or a name stands in quotes or beside its arguments,
//! `['f'(a=1), 'g', {"b": 2}]`, `[f, a=1]`.
//!
//! Nothing here is tried before the plain readings have failed or swallowed one call into another,
//! and all of the text must come out as calls of bound tools, or nothing does.

mod arguments;

use haft_schema::{Repair, RepairKind};

use super::super::line::{BLANKS, name_length};
use super::{is_code, is_comment, is_signature};
use crate::machine::{Calls, FoundCall, Written};
use crate::{Format, ToolSet, calls::name_before, interpret, scan::closed};
use arguments::{Callee, Scanned, as_members, scan};

/// True when the plain readings leave a doubt: a call that was not closed, or that lacks a quote,
/// or one that another call stands in.
pub(super) fn is_doubtful(readings: &[FoundCall<'_>], tools: &ToolSet) -> bool {
    // A quote without its twin; such texts are too short for a search to be worth its call.
    let is_odd = |text: &str| text.bytes().fold(false, |odd, byte| odd ^ (byte == b'"'));
    readings.iter().any(|call| {
        let text = call.arguments.text();
        call.cut || is_odd(text) || holds_call(text, tools)
    })
}

/// True when the name of a bound tool and a parenthesis stand in `text`.
fn holds_call(text: &str, tools: &ToolSet) -> bool {
    memchr::memchr_iter(b'(', text.as_bytes()).any(|at| {
        let name = name_before(text.split_at(at).0);
        !name.is_empty() && tools.binds(name)
    })
}

/// The calls in `text`, if it holds nothing else.
pub(super) fn calls(text: &str, tools: &ToolSet) -> Option<Calls> {
    if tools.is_any() {
        return None;
    }
    let mut calls = Vec::new();
    let mut rest = text;
    // A call before lost the closing quote of a string.
    let mut lost = false;
    loop {
        rest = rest.trim_start_matches(|c| " \t\n\r,;[]()}+|&`".contains(c));
        if rest.is_empty() || is_comment(rest) {
            return (!calls.is_empty()).then_some(calls);
        }
        rest = match element(rest, tools, lost) {
            Some((found, behind)) => {
                // Quotes of a call are repaired.
                lost |= found.iter().any(|call| {
                    matches!(call.arguments, Written::Call(_)) && !call.repairs.is_empty()
                });
                calls.extend(found);
                behind
            }
            // A remark in quotes among the calls.
            None => (!calls.is_empty()).then(|| behind_remark(rest, tools))??,
        };
    }
}

/// The calls in the part of a list that `text` begins with, and what stands behind it.
fn element<'t>(text: &'t str, tools: &ToolSet, lost: bool) -> Option<(Calls, &'t str)> {
    // Braces around a call that is written otherwise.
    let inner = text.strip_prefix('{').map(str::trim_start);
    if let Some((found, rest)) = one(inner.unwrap_or(text), tools, lost) {
        return Some((vec![found], rest));
    }
    let (object, rest) = text.split_at(closed(inner.and(Some(text))?)?);
    Some((interpret::object(object, false, tools)?, rest))
}

/// The call that `text` begins with, and what stands behind it.
fn one<'t>(text: &'t str, tools: &ToolSet, lost: bool) -> Option<(FoundCall<'static>, &'t str)> {
    let quote = text.chars().next().filter(|c| matches!(c, '\'' | '"'));
    let inner = quote.map_or(Some(text), |quote| text.strip_prefix(quote))?;
    let (name, after) = inner.split_at(name_length(inner));
    if name.is_empty() || !tools.binds(name) {
        return None;
    }
    let behind_quote = quote.and_then(|quote| after.strip_prefix(quote));
    let after = behind_quote.unwrap_or(after);
    let body = after.trim_start_matches(BLANKS);
    let callee = Callee { name, tools };
    if let Some(arguments) = body.strip_prefix('(') {
        let scanned = scan(arguments, b")", callee, lost)?;
        if is_signature(name, &scanned.text, tools) || is_code(&scanned.text, after != body) {
            return None;
        }
        let rest = arguments.get(scanned.end..)?;
        // The quote around the whole call.
        let open = quote.filter(|_| behind_quote.is_none());
        let closed = open.and_then(|quote| rest.strip_prefix(quote));
        return Some((found(callee, scanned), closed.unwrap_or(rest)));
    }
    let beside = body.strip_prefix(',');
    let beside = beside.filter(|_| quote.is_none() || behind_quote.is_some())?;
    let arguments = beside.trim_start_matches(BLANKS);
    if arguments.starts_with('{') {
        let (object, rest) = arguments.split_at(closed(arguments)?);
        let written = Written::Object(object.to_owned().into());
        let call = FoundCall::whole(name.to_owned(), written, Format::PlainCall);
        return Some((call, rest));
    }
    let scanned = scan(arguments, b")]", callee, lost)?;
    let rest = arguments.get(scanned.end..)?;
    let found = found(callee, scanned);
    let is_named = found.arguments.text().contains(['=', ':']);
    is_named.then_some((found, rest))
}

fn found(callee: Callee<'_>, scanned: Scanned) -> FoundCall<'static> {
    let text = as_members(&scanned.text, callee).unwrap_or(scanned.text);
    let repair = scanned.repaired.map(|before| {
        let after = format!("{before}\"");
        Repair::new("", RepairKind::QuotesRepaired, before, after)
    });
    let repairs = repair.into_iter().collect();
    let written = Written::Call(text.into());
    let call = FoundCall::whole(callee.name.to_owned(), written, Format::PlainCall);
    FoundCall { repairs, ..call }
}

/// What stands behind a text in quotes that is no call.
fn behind_remark<'t>(text: &'t str, tools: &ToolSet) -> Option<&'t str> {
    let quote = text.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    let (remark, rest) = text.strip_prefix(quote)?.split_once(quote)?;
    let next = rest.trim_start();
    let is_apart = next.is_empty() || next.starts_with([',', ']', ')']);
    (is_apart && !holds_call(remark, tools)).then_some(rest)
}

#[cfg(test)]
mod tests;

//! Plain calls that stand one behind the other, such as `f(x=1), g()`, in a line or in brackets.

use super::{is_code, is_comment, is_signature, name_length, parenthesised};
use crate::arguments::value;
use crate::machine::raw_call::{RawCall, Written};
use crate::{Format, ToolSet};

/// What may stand between two calls.
const BETWEEN: [char; 15] = [
    ' ', '\t', ',', ';', '`', '*', '[', ']', '\n', '\r', '+', '|', '\'', '"', '\\',
];

/// Calls such as `f(x=1), g()`, `print(f(x=1))` or, in a fence, `return f(x=1)`, if `text` holds
/// nothing else. With `cut` the last one may lack its end.
pub(super) fn calls_in_line(
    text: &str,
    cut: bool,
    tools: &ToolSet,
) -> Option<Vec<RawCall<'static>>> {
    let printed = text.strip_prefix("print(");
    let printed = printed.map(|inner| inner.trim_end().strip_suffix(')').unwrap_or(inner));
    let returned = || text.strip_prefix("return ");
    plain_calls(
        printed.or_else(returned).unwrap_or(text),
        cut,
        tools,
        Format::PlainCall,
    )
}

/// The calls in `text`. In brackets, which are Python's, some may be of no bound tool: those are
/// answered with an error. They have named values only, as calls of functions in a program seldom
/// do.
pub(super) fn plain_calls(
    text: &str,
    cut: bool,
    tools: &ToolSet,
    format: Format,
) -> Option<Vec<RawCall<'static>>> {
    let mut calls = Vec::new();
    let mut has_bound = false;
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(BETWEEN);
        if rest.is_empty() || is_comment(rest) {
            return has_bound.then_some(calls);
        }
        let (name, behind) = rest.split_at(name_length(rest));
        let after = behind.trim_start_matches(' ');
        let is_bound = tools.binds(name);
        let may_be_call = is_bound || (format == Format::Pythonic && !name.is_empty());
        if !may_be_call || !after.starts_with('(') {
            return None;
        }
        let (arguments, end, is_whole) = parenthesised(after);
        let is_apart = after.len() < behind.len();
        let is_meant = match is_bound {
            true => !is_signature(name, arguments, tools) && !is_code(arguments, is_apart),
            false => has_names_only(arguments),
        };
        if !is_meant || !(is_whole || cut) {
            return None;
        }
        has_bound |= is_bound;
        let arguments = Written::Call(arguments.to_owned().into());
        calls.push(RawCall {
            cut: !is_whole,
            ..RawCall::new(name.to_owned(), arguments, format)
        });
        rest = after.get(end..)?;
    }
}

fn has_names_only(arguments: &str) -> bool {
    let read = value::read_arguments(arguments, false);
    read.is_ok_and(|read| read.value.positional.is_empty() && !read.value.named.is_empty())
}

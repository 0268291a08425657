//! Calls in the arguments of a call that cannot run: `sqrt(lcm(36, 48))`. Their results are what
//! the outer one waits for, so they are calls of their own.

use haft_core::Arguments;
use haft_schema::{RepairKind, refers_to, stands_for_a_result, unresolved_argument};

use super::has;
use crate::ToolSet;
use crate::arguments::value::Read;
use crate::machine::{Calls, FoundCall, Written};
use crate::scan::{closed, is_one_of, within};

/// The calls of bound tools that stand where values belong in the arguments of `found`, outermost
/// first and in order.
pub(crate) fn inner_calls(found: &FoundCall<'_>, tools: &ToolSet) -> Calls {
    let mut calls = Vec::new();
    let text = match &found.arguments {
        Written::Call(text) | Written::Object(text) if !tools.is_any() && !found.cut => text,
        _ => return calls,
    };
    let mut quote = None;
    // Everything before belongs to a call that was found, or is escaped.
    let mut from = 0;
    for (at, byte) in text.bytes().enumerate() {
        match (byte, quote) {
            _ if at < from => {}
            (b'\\', _) => from = at + 2,
            (b'"' | b'\'', None) => quote = Some(byte),
            (byte, Some(open)) if byte == open => quote = None,
            (b'(', None) => {
                if let Some((name, end)) = call_at(text, at, tools) {
                    let arguments = text.get(at + 1..end - 1).unwrap_or_default();
                    let arguments = Written::Call(arguments.to_owned().into());
                    calls.push(FoundCall::whole(name.to_owned(), arguments, found.format));
                    from = end;
                }
            }
            _ => {}
        }
    }
    calls
}

/// True where a value is, or is taken from, the result of another call: `f(a=1)["id"]`, `f.id`,
/// `{{f.id}}`; or where only a program could work it out. What stands there is not that value.
pub(super) fn needs_a_result(
    found: &FoundCall<'_>,
    read: &Read<Arguments>,
    tools: &ToolSet,
) -> bool {
    let names_a_tool = |text: &str| {
        let mut tools = tools.tools().iter();
        tools.any(|tool| refers_to(text, &tool.definition.name))
    };
    // In quotes, the text of a call is a text.
    let written = found.arguments.text();
    let is_bare = |text: &str| {
        let mut places = written.match_indices(text);
        places.any(|(at, _)| !written.get(..at).unwrap_or_default().ends_with(['"', '\'']))
    };
    let has_bare_text = has(&read.repairs, RepairKind::BareText);
    let unresolved = unresolved_argument(&read.value, |text| {
        stands_for_a_result(text, names_a_tool)
            || (has_bare_text && (names_a_tool(text) || is_computed(text)) && is_bare(text))
    });
    unresolved.is_some() || (has_bare_text && !inner_calls(found, tools).is_empty())
}

/// Functions of Python whose argument is a variable more often than a text.
const BUILT_IN: &str = "str int float len open input list";

/// True for what only a program could work out: `files[0]`, `os.getcwd()`, `get_path()`, `str(p)`,
/// `base + "/x"`. A formula such as `sin(x)` may be meant as text.
fn is_computed(text: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let rest = text.trim_start_matches(is_name);
    let name = text.get(..text.len() - rest.len()).unwrap_or_default();
    let item = within(rest, '[', ']');
    let is_item = item.is_some_and(|item| {
        item.starts_with(['"', '\'']) || item.bytes().all(|byte| byte.is_ascii_digit())
    });
    let is_call = rest.starts_with('(') && rest.ends_with(')');
    let begins = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let is_formula = name.starts_with("math.") || name.starts_with("np.");
    let is_known = (name.contains('.') && !is_formula) || is_one_of(name, BUILT_IN);
    let is_sum = rest.trim_start().starts_with('+') && rest.contains(['"', '\'']);
    begins && (is_item || rest == "()" || (is_call && is_known) || is_sum)
}

/// The name that `before` ends with.
pub(crate) fn name_before(before: &str) -> &str {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-');
    let start = before.trim_end_matches(is_name).len();
    before.get(start..).unwrap_or_default()
}

/// The name of the call whose parenthesis opens at `open`, and where it ends.
fn call_at<'t>(text: &'t str, open: usize, tools: &ToolSet) -> Option<(&'t str, usize)> {
    let (before, rest) = text.split_at(open);
    let name = name_before(before);
    // A value begins here.
    let begins = before.strip_suffix(name)?.trim_end().chars().next_back();
    let is_value = begins.is_none_or(|c| "=:,[({+-*/".contains(c));
    let is_call = !name.is_empty() && is_value && tools.binds(name);
    let end = closed(is_call.then_some(rest)?)?;
    Some((name, open + end))
}

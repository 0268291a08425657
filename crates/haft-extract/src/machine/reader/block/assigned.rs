//! Gemma's `tool_code` is run as Python: calls whose results are kept for a later `print` are meant
//! as much as others, and so are those whose `print` lost a parenthesis.

use std::borrow::Cow;

use super::super::line::name_length;
use super::ends::parenthesised;
use crate::ToolSet;

/// How a fence begins whose content a model wants to be run.
pub(super) const TOOL_CODE: &str = "```tool_code";

/// `content` without the variables that take the results of calls, without the lines that only
/// print them, and without `print` around a call.
pub(super) fn without_assignments<'t>(content: &'t str, tools: &ToolSet) -> Cow<'t, str> {
    if tools.is_any() {
        return content.into();
    }
    let mut variables = Vec::new();
    let mut plain = String::with_capacity(content.len());
    for line in content.split_inclusive('\n') {
        let is_printed = printed(line).is_some_and(|name| variables.contains(&name));
        if let Some((name, call)) = assigned(line, tools) {
            variables.push(name);
            plain.push_str(call);
        } else if let Some(call) = printed_call(line, tools) {
            plain.push_str(call);
            plain.push('\n');
        } else {
            plain.push_str(if is_printed { "\n" } else { line });
        }
    }
    plain.into()
}

/// The call of `print(f(a=1))`, where one of the parentheses around it may be missing.
fn printed_call<'t>(line: &'t str, tools: &ToolSet) -> Option<&'t str> {
    let inner = line.trim().strip_prefix("print")?;
    let call = inner.trim_start_matches(['(', ' ']);
    let (name, arguments) = call.split_at(name_length(call));
    let is_call = arguments.starts_with('(') && tools.binds(name);
    let (_, end, is_whole) = parenthesised(is_call.then_some(arguments)?);
    let (call, rest) = call.split_at(name.len() + end);
    (is_whole && matches!(rest, "" | ")")).then_some(call)
}

/// The variable and the call of `result = f(a=1)`.
fn assigned<'t>(line: &'t str, tools: &ToolSet) -> Option<(&'t str, &'t str)> {
    let (name, call) = line.split_once('=')?;
    let (name, call) = (name.trim(), call.trim_start_matches(' '));
    let tool = call.get(..name_length(call))?;
    let is_call = call.get(tool.len()..)?.starts_with('(') && tools.binds(tool);
    (is_call && is_variable(name)).then_some((name, call))
}

/// The variable of `print(result)`.
fn printed(line: &str) -> Option<&str> {
    let inner = line.trim().strip_prefix("print(")?.strip_suffix(')')?;
    is_variable(inner.trim()).then(|| inner.trim())
}

fn is_variable(name: &str) -> bool {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    name.starts_with(|c: char| c.is_alphabetic() || c == '_') && name.chars().all(is_letter)
}

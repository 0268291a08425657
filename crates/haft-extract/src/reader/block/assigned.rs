//! Gemma's `tool_code` is run as Python: calls whose results are kept for a later `print` are meant
//! as much as others.

use std::borrow::Cow;

use super::super::line::name_length;
use crate::ToolSet;

/// How a fence begins whose content a model wants to be run.
pub(super) const TOOL_CODE: &str = "```tool_code";

/// `content` without the variables that take the results of calls, and without the lines that only
/// print them.
pub(super) fn without_assignments<'t>(content: &'t str, tools: &ToolSet) -> Cow<'t, str> {
    if !content.contains('=') || tools.is_any() {
        return content.into();
    }
    let mut variables = Vec::new();
    let mut plain = String::with_capacity(content.len());
    for line in content.split_inclusive('\n') {
        let is_printed = printed(line).is_some_and(|name| variables.contains(&name));
        match assigned(line, tools) {
            Some((name, call)) => {
                variables.push(name);
                plain.push_str(call);
            }
            None if is_printed => plain.push('\n'),
            None => plain.push_str(line),
        }
    }
    match variables.is_empty() {
        true => content.into(),
        false => plain.into(),
    }
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

//! A call as `Action: name` and `Action Input: ...`, as ReAct has it. The first agents wrote the input
//! beside the name, `Action: search[fjords]`, `Action: search: fjords` and, below it, `PAUSE`; others
//! below it under another label.

use serde_json::{Map, Value};

use super::super::line::{is_name, name_length};
use super::super::stray::before_token;
use super::action_ends::{INPUT, behind_label};
use super::{fence_ends::fence_content, python::calls_in_line};
use crate::machine::{Calls, FoundCall, Written};
use crate::scan::{is_word_of, within};
use crate::{Format, ToolSet, interpret};

/// What may stand around the name of a tool.
const DECORATION: [char; 6] = [' ', '\r', '*', '`', '"', '.'];

/// What may stand before the label of an input.
pub(crate) const BEFORE_INPUT: [char; 4] = [' ', '*', '\n', '\r'];

/// The calls of an action, if it is one.
pub(super) fn action(text: &str, cut: bool, tools: &ToolSet) -> Option<Calls> {
    let body = text.strip_prefix("Action:")?.trim_start();
    let body = without_frame(body).trim_start_matches(['*', ' ']);
    let body = in_brackets(body, tools).unwrap_or(body);
    let is_fenced = body.starts_with("```");
    if is_fenced || body.starts_with(['[', '{']) {
        let content = if is_fenced { fence_content(body) } else { body };
        let cut = cut && !content.trim_end().ends_with([']', '}']);
        // `{"action": "Final Answer", "action_input": "..."}`: what the agents of LangChain end with.
        let is_answer = |call: &FoundCall<'_>| call.name.eq_ignore_ascii_case("final answer");
        return interpret::list(content, cut, tools)
            .or_else(|| interpret::object(content, cut, tools))
            .or_else(|| interpret::meant_list(content, cut))
            .filter(|readings| !readings.iter().any(is_answer));
    }
    let body = body.trim_start_matches(['`', '*', '"']);
    let (name, after) = body.split_at_checked(name_length(body))?;
    let beside = beside_name(tools, name, after);
    let in_words = beside.is_none() && is_sentence(after);
    let (name, after) = match in_words {
        true => named_in_words(body, tools)?,
        false => (name, after),
    };
    let arguments = match behind_label(after).or_else(|| under_other_label(after)) {
        Some(input) => {
            // What stands between ticks, if that is all.
            let inner = within(input.trim(), '`', '`').filter(|inner| !inner.contains('`'));
            inner.unwrap_or(input.trim())
        }
        None if after.trim_start().starts_with('(') => {
            return calls_in_line(first_step(body).trim_end(), cut, tools);
        }
        None if beside.is_none() && after.starts_with('[') => return None,
        None => beside.unwrap_or_default(),
    };
    let arguments = match arguments.starts_with("```") {
        true => fence_content(arguments).trim(),
        false => arguments,
    };
    if in_words && is_word_of("none null n/a", arguments.trim_matches(['.', '"'])) {
        return None;
    }
    let is_cut = cut && arguments.starts_with('{') && !arguments.ends_with('}');
    let arguments = written(tools, name, arguments);
    let call = FoundCall::whole(name.to_owned(), arguments, Format::React);
    Some(vec![call.cut(is_cut)])
}

/// The one tool that a line in words names, with what follows the line, if that is its input:
/// `Use the search tool`, `Search Tool`.
pub(crate) fn named_in_words<'t>(text: &'t str, tools: &ToolSet) -> Option<(&'t str, &'t str)> {
    let (line, after) = text.split_once('\n')?;
    let begins_input = after.trim_start_matches(BEFORE_INPUT).starts_with(INPUT);
    if tools.is_any() || !begins_input {
        return None;
    }
    // `Search Tool` for `search_tool`.
    let label = line.split('(').next()?.trim_matches(DECORATION);
    if tools.definition(label).is_some() {
        return Some((label, after));
    }
    let words = line.split(|c| !is_name(c));
    let names = words.filter_map(|word| word.get(..name_length(word)));
    let mut bound = names.filter_map(|name| Some((name, &tools.definition(name)?.name)));
    let (name, tool) = bound.next()?;
    let is_one = bound.all(|(_, other)| other == tool);
    is_one.then_some((name, after))
}

/// `calculate]` of `[calculate]`: the brackets around the tools in the prompt are repeated.
fn in_brackets<'t>(text: &'t str, tools: &ToolSet) -> Option<&'t str> {
    let inner = text.strip_prefix('[')?;
    let (name, after) = inner.split_at(name_length(inner));
    (after.starts_with(']') && tools.binds(name) && !tools.is_any()).then_some(inner)
}

/// The input of an action of the tool `name`.
fn written(tools: &ToolSet, name: &str, input: &str) -> Written<'static> {
    let is_text = tools.takes_one_text(name);
    // `{"a": 1}` of `Tool({"a": 1})`: the input of an action, within the call of something else.
    let behind = input.get(name_length(input)..).unwrap_or_default();
    let inner = within(behind, '(', ')').filter(|inner| within(inner, '{', '}').is_some());
    let inner = inner.filter(|inner| !is_text || holds_parameters(tools, name, inner));
    let input = inner.unwrap_or(input);
    let key = input.split(['=', ':']).next().unwrap_or_default();
    let is_member = tools.has_parameter(name, key.trim_end());
    let is_value = is_text && !is_member && !input.starts_with(['"', '\'', '(']);
    let text = input.to_owned().into();
    match input {
        "" | "None" | "null" => Written::Nothing,
        _ if input.starts_with('{') => Written::Object(text),
        _ if is_value => Written::Value(input.into(), text),
        _ => Written::Call(text),
    }
}

/// True for an object whose names are all those of parameters of the tool `name`.
fn holds_parameters(tools: &ToolSet, name: &str, object: &str) -> bool {
    let object: Result<Map<String, Value>, _> = serde_json::from_str(object);
    let is_own = |key: &String| tools.has_parameter(name, key);
    object.is_ok_and(|object| !object.is_empty() && object.keys().all(is_own))
}

/// Without the tokens at its end that some servers leave, `<|im_end|>`, `</s>`, and without the tag
/// that smolagents end their actions with.
fn without_frame(text: &str) -> &str {
    let text = text.trim_end();
    let mut text = text.strip_suffix("<end_action>").unwrap_or(text);
    while let Some(before) = before_token(text.trim_end()) {
        text = before;
    }
    text
}

/// True when words follow the name in its line: something is to be done, in plain words.
pub(crate) fn is_sentence(after: &str) -> bool {
    let line = after.lines().next().unwrap_or_default();
    let rest = line.trim_matches([' ', '\t', '\r', '*', '`', '"', '\'', '.', ',', ':']);
    rest.starts_with(char::is_alphanumeric) && !rest.starts_with("Action Input")
}

/// The input in the line behind the name of the tool.
fn beside_name<'t>(tools: &ToolSet, name: &str, after: &'t str) -> Option<&'t str> {
    let line = first_step(after).trim();
    if tools.is_any() || line.contains('\n') {
        return None;
    }
    if let Some(inner) = line.strip_prefix('[') {
        return inner.strip_suffix(']').map(str::trim);
    }
    let input = line.strip_prefix(':')?;
    let is_apart = input.starts_with([' ', '"', '\'']);
    let input = input.trim();
    let is_text = is_apart && !input.starts_with(['{', '[']);
    (is_text && !input.is_empty() && tools.takes_one_text(name)).then_some(input)
}

/// The input in the line below the name, under another label, in letters of any case:
/// `Input: fjords`, `action input: fjords`.
fn under_other_label(after: &str) -> Option<&str> {
    const LABELS: &str = "toolinput input arguments args parameters actioninput";
    let (line, below) = after.split_once('\n')?;
    let below = below.trim_start_matches([' ', '*', '\r']);
    let (label, input) = below.split_once(':')?;
    let label = label.strip_suffix("**").unwrap_or(label);
    let label = label.replace([' ', '_', '-'], "");
    let is_name_alone = !line.contains(char::is_alphanumeric);
    let is_label = is_name_alone && is_word_of(LABELS, &label);
    is_label.then(|| input.trim_start_matches([':', ' ', '*']))
}

/// Without the word that such agents wait with.
fn first_step(text: &str) -> &str {
    let text = text.trim_end();
    text.strip_suffix("\nPAUSE").map_or(text, str::trim_end)
}

//! A call as `Action: name` and `Action Input: ...`, as ReAct has it.

use super::super::line::name_length;
use super::super::{Reader, Turn};
use super::ends::{INPUT, fence_content};
use crate::ToolSet;
use crate::interpret;
use crate::markers::Role;
use crate::reading::{Found as FoundCall, Reading, Written};
use crate::tag::{Found, read_tag};

impl Reader {
    pub(super) fn action(
        &self,
        turn: &Turn<'_, '_>,
        text: &str,
        cut: bool,
    ) -> Option<Vec<Reading<'static>>> {
        let body = text.strip_prefix("Action:")?.trim_start();
        let body = without_frame(body);
        let body = body.trim_start_matches(['*', ' ']);
        let body = in_brackets(body, turn.tools).unwrap_or(body);
        if body.starts_with("```") || body.starts_with(['[', '{']) {
            let content = if body.starts_with("```") {
                fence_content(body)
            } else {
                body
            };
            let cut = cut && !content.trim_end().ends_with([']', '}']);
            return interpret::list(content, cut, turn.tools)
                .or_else(|| interpret::object(content, cut, turn.tools))
                .or_else(|| interpret::meant_list(content, cut))
                .filter(|readings| !readings.iter().any(is_answer));
        }
        let body = body.trim_start_matches(['`', '*', '"']);
        let len = name_length(body);
        let name = body.get(..len)?;
        let after = body.get(len..)?;
        if is_sentence(after) {
            return None;
        }
        let input = after.split_once(INPUT).map(|(_, input)| input);
        let arguments = match input {
            Some(input) => input.trim_start_matches([':', ' ', '*']).trim(),
            None if after.trim_start().starts_with('(') => {
                return self.calls_in_line(turn, body.trim_end(), cut);
            }
            None => "",
        };
        let arguments = if arguments.starts_with("```") {
            fence_content(arguments)
        } else {
            arguments
        };
        let is_object = arguments.starts_with('{');
        Some(vec![Reading::Call(FoundCall {
            name: name.to_owned().into(),
            tool: None,
            arguments: if matches!(arguments, "" | "None" | "null") {
                Written::Nothing
            } else if is_object {
                Written::Object(arguments.to_owned().into())
            } else {
                Written::Call(arguments.to_owned().into())
            },
            format: "react",
            cut: cut && is_object && !arguments.ends_with('}'),
            mended: false,
            repairs: Vec::new(),
        })])
    }
}

/// `calculate]` of `[calculate]`: the brackets around the tools in the prompt are repeated.
fn in_brackets<'t>(text: &'t str, tools: &ToolSet) -> Option<&'t str> {
    let inner = text.strip_prefix('[')?;
    let (name, after) = inner.split_at(name_length(inner));
    (after.starts_with(']') && tools.binds(name) && !tools.is_any()).then_some(inner)
}

/// Without the tokens of the frame at its end, which some servers leave: `<|im_end|>`.
fn without_frame(text: &str) -> &str {
    let mut text = text;
    while let Some(at) = text.rfind('<') {
        let rest = text.get(at..).unwrap_or_default().trim_end();
        let is_frame = match read_tag(rest, true) {
            Found::Yes(tag) => {
                let role = tag.marker.map(|marker| marker.role);
                tag.barred && tag.len == rest.len() && role == Some(Role::Noise)
            }
            _ => false,
        };
        if !is_frame {
            break;
        }
        text = text.get(..at).unwrap_or_default();
    }
    text
}

/// `{"action": "Final Answer", "action_input": "..."}`: what the agents of LangChain end with.
fn is_answer(reading: &Reading<'_>) -> bool {
    let Reading::Call(found) = reading else {
        return false;
    };
    found.name.eq_ignore_ascii_case("final answer")
}

/// True when words follow the name in its line: something is to be done, in plain words.
fn is_sentence(after: &str) -> bool {
    let line = after.lines().next().unwrap_or_default();
    let rest = line.trim_matches([' ', '\t', '\r', '*', '`', '"', '\'', '.', ',', ':']);
    rest.starts_with(char::is_alphanumeric) && !rest.starts_with("Action Input")
}

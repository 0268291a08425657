//! A call as `Action: name` and `Action Input: ...`, as ReAct has it.

use super::super::line::name_length;
use super::super::{Reader, Turn};
use super::ends::{INPUT, fence_content};
use crate::interpret;
use crate::reading::{Found, Reading, Written};

impl Reader {
    pub(super) fn action(
        &self,
        turn: &Turn<'_, '_>,
        text: &str,
        cut: bool,
    ) -> Option<Vec<Reading<'static>>> {
        let body = text.strip_prefix("Action:")?.trim_start();
        let body = body.trim_start_matches(['*', ' ']);
        if body.starts_with("```") || body.starts_with(['[', '{']) {
            let content = if body.starts_with("```") {
                fence_content(body)
            } else {
                body
            };
            return interpret::list(content, cut, turn.tools)
                .or_else(|| interpret::object(content, cut, turn.tools))
                .or_else(|| interpret::meant_list(content, cut));
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
        Some(vec![Reading::Call(Found {
            name: name.to_owned().into(),
            tool: None,
            arguments: if arguments.is_empty() {
                Written::Nothing
            } else if arguments.starts_with('{') {
                Written::Object(arguments.to_owned().into())
            } else {
                Written::Call(arguments.to_owned().into())
            },
            format: "react",
            cut: false,
            mended: false,
            repairs: Vec::new(),
        })])
    }
}

/// True when words follow the name in its line: something is to be done, in plain words.
fn is_sentence(after: &str) -> bool {
    let line = after.lines().next().unwrap_or_default();
    let rest = line.trim_matches([' ', '\t', '\r', '*', '`', '"', '\'', '.', ',', ':']);
    rest.starts_with(char::is_alphanumeric) && !rest.starts_with("Action Input")
}

//! An object that holds nothing but the name of a tool, and was closed too early: the arguments
//! stand behind it, `{"name": "get_weather"}, {"city": "Oslo"}`.

use serde_json::{Map, Value};

use super::inside::{Inside, Kind};
use super::line::beginning;
use super::{Reader, State, Step, Turn};
use crate::ToolSet;
use crate::scan::balance::{is_arguments_key, is_name_key};
use crate::scan::lexis::Ends;

impl Reader {
    /// The step into the arguments behind an object, `text`, which ends at `end`; nothing where it
    /// is no name alone, or no arguments of that tool follow.
    pub(super) fn name_before_arguments(
        &mut self,
        turn: &mut Turn<'_, '_>,
        (inside, text): (&Inside, &str),
        end: usize,
    ) -> Option<Step> {
        let name = lone_name(text, turn.tools)?;
        let rest = beginning(turn.tail(end));
        let body = rest.trim_start_matches([' ', '\t', '\r', '\n']);
        let body = body.strip_prefix(',').unwrap_or(body).trim_start();
        let start = end + (rest.len() - body.len());
        let may_come = !turn.finished && rest.len() == turn.tail(end).len();
        match arguments_follow(turn.tools, &name, body) {
            Ends::Unclear if may_come => Some(self.wait(State::Inside(inside.clone()))),
            Ends::Yes => {
                let object = start + body.find('{')?;
                Some(self.open_arguments(turn, (&name, Kind::Object), object))
            }
            _ => None,
        }
    }
}

/// The bound tool that an object names, if it says nothing else.
fn lone_name(text: &str, tools: &ToolSet) -> Option<String> {
    const LONGEST: usize = 256;
    if tools.is_any() || text.len() > LONGEST {
        return None;
    }
    let map: Map<String, Value> = serde_json::from_str(text).ok()?;
    let (key, name) = map.iter().next().filter(|_| map.len() == 1)?;
    let name = name.as_str().filter(|name| tools.binds_exactly(name))?;
    is_name_key(key).then(|| name.to_owned())
}

/// Whether `text` begins with an object whose first member is a parameter of `tool`, or with the
/// arguments under their key.
fn arguments_follow(tools: &ToolSet, tool: &str, text: &str) -> Ends {
    let (is_object, inner) = match text.strip_prefix('{') {
        Some(inner) => (true, inner.trim_start()),
        None => (false, text),
    };
    let Some(inner) = inner.strip_prefix('"') else {
        return may_follow(inner);
    };
    let Some((key, behind)) = inner.split_once('"') else {
        return Ends::Unclear;
    };
    let Some(value) = behind.trim_start().strip_prefix(':') else {
        return may_follow(behind.trim_start());
    };
    let is_arguments = match is_object {
        true => !is_name_key(key) && tools.has_parameter(tool, key),
        false => is_arguments_key(key),
    };
    match value.trim_start().chars().next() {
        _ if !is_arguments => Ends::No,
        None => Ends::Unclear,
        Some(sign) if is_object || sign == '{' => Ends::Yes,
        Some(_) => Ends::No,
    }
}

/// No, where something else stands there.
fn may_follow(text: &str) -> Ends {
    match text.is_empty() {
        true => Ends::Unclear,
        false => Ends::No,
    }
}

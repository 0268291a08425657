//! An object that holds nothing but the name of a tool, and was closed too early: the arguments
//! stand behind it, `{"name": "get_weather"}, {"city": "Oslo"}`.

use serde_json::{Map, Value};

use super::inside::{Inside, Kind};
use super::line::beginning;
use super::{Cursor, Reader, State, Step};
use crate::ToolSet;
use crate::scan::More;
use crate::scan::balance::{is_arguments_key, is_name_key};

impl Reader {
    /// The step into the arguments behind an object, `text`, which ends at `end`; nothing where it
    /// is no name alone, or no arguments of that tool follow.
    pub(super) fn name_before_arguments(
        &mut self,
        here: &mut Cursor<'_>,
        (inside, text): (&Inside, &str),
        end: usize,
    ) -> Option<Step> {
        let name = lone_name(text, here.tools)?;
        let rest = beginning(here.tail(end));
        let body = rest.trim_start_matches([' ', '\t', '\r', '\n']);
        let body = body.strip_prefix(',').unwrap_or(body).trim_start();
        let start = end + (rest.len() - body.len());
        let may_come = !here.finished && rest.len() == here.tail(end).len();
        match arguments_follow(here.tools, &name, body) {
            Err(More) if may_come => Some(self.wait(State::Inside(inside.clone()))),
            Ok(true) => {
                let object = start + body.find('{')?;
                Some(self.open_arguments(here, (&name, Kind::Object), object))
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
fn arguments_follow(tools: &ToolSet, tool: &str, text: &str) -> Result<bool, More> {
    let object = text.strip_prefix('{');
    let Some(inner) = behind(object.unwrap_or(text), "\"")? else {
        return Ok(false);
    };
    let (key, rest) = inner.split_once('"').ok_or(More)?;
    let Some(value) = behind(rest, ":")? else {
        return Ok(false);
    };
    let is_arguments = match object {
        Some(_) => !is_name_key(key) && tools.has_parameter(tool, key),
        None => is_arguments_key(key),
    };
    let first = value.trim_start().chars().next();
    match is_arguments {
        true => first
            .ok_or(More)
            .map(|sign| object.is_some() || sign == '{'),
        false => Ok(false),
    }
}

/// What stands behind a sign, and blanks before it.
fn behind<'t>(text: &'t str, sign: &str) -> Result<Option<&'t str>, More> {
    match text.trim_start() {
        "" => Err(More),
        text => Ok(text.strip_prefix(sign)),
    }
}

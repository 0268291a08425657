//! What stands behind the arguments in the object of a call, most often its brace, and behind an
//! object that is closed too early.
//!
//! Where a model closed the arguments too early, more of them follow: `"arguments": {"a": 1}, "b": 2}`.
//! Where it closed an object behind the name of the tool, the arguments stand behind it:
//! `{"name": "get_weather"}, {"city": "Oslo"}`.

use serde_json::{Map, Value};

use super::arguments::Body;
use super::cursor::behind_blanks;
use super::line::beginning;
use super::{Attempt, Cursor, Reader, Step};
use crate::machine::{ParseEvent, RawCall, Written};
use crate::scan::balance::{is_arguments_key, is_name_key};
use crate::scan::{More, near};
use crate::{ToolSet, interpret};

/// The longest name of a parameter.
const MAX_KEY: usize = 128;

impl Reader {
    /// Right behind the arguments, which end at `end` and are reported as they came.
    pub(super) fn behind_arguments(&mut self, here: &mut Cursor<'_>, end: usize) -> Step {
        let object = here.head(end);
        if !argument_follows(here, &self.name, end)? {
            let call = self.begun_call(Written::Object(object.into()));
            here.tell(ParseEvent::Call(call, object));
            self.call_ended();
            return self.rest_after(end);
        }
        self.balance.unwatch();
        let (close, next) = self.object_end(here)?;
        let members = here.part(end, close);
        let read = interpret::arguments_with(object, members, &self.name, here.tools);
        let (arguments, repairs) = match read {
            Some((value, repairs)) => (Written::Value(value, here.head(close).into()), repairs),
            None => (Written::Object(object.into()), Vec::new()),
        };
        let call = self.begun_call(arguments);
        here.tell(ParseEvent::Call(RawCall { repairs, ..call }, object));
        self.call_ended();
        here.markup(members);
        self.take(close, next)
    }

    /// The step into the arguments behind an object, `text`, which ends at `end`; nothing where it
    /// is no name alone, or no arguments of that tool follow.
    pub(super) fn name_before_arguments(
        &mut self,
        here: &mut Cursor<'_>,
        text: &str,
        end: usize,
    ) -> Attempt {
        let Some(name) = lone_name(text, here.tools) else {
            return Ok(None);
        };
        let rest = beginning(here.tail(end));
        let body = rest.trim_start_matches([' ', '\t', '\r', '\n']);
        let body = body.strip_prefix(',').unwrap_or(body).trim_start();
        let start = end + (rest.len() - body.len());
        let may_come = !here.finished && rest.len() == here.tail(end).len();
        let follow = match arguments_follow(here.tools, &name, body) {
            Err(More) if may_come => return Err(More),
            follow => follow.unwrap_or(false),
        };
        let Some(brace) = body.find('{').filter(|_| follow) else {
            return Ok(None);
        };
        let object = Body::Object(start + brace);
        self.open_call(here, &name, object).map(Some)
    }
}

/// Whether another argument of the tool `name` follows behind `end`.
fn argument_follows(here: &Cursor<'_>, name: &str, end: usize) -> Result<bool, More> {
    let mut body = here.body(end)?.0;
    for sign in [",", "\""] {
        let Some(rest) = body.strip_prefix(sign) else {
            return Ok(false);
        };
        body = behind_blanks(rest);
        here.wait_if(body.is_empty())?;
    }
    let near = near(body, MAX_KEY);
    match near.split_once('"') {
        Some((key, _)) => Ok(interpret::is_argument(key, name, here.tools)),
        None if near.len() < MAX_KEY => here.at_end(false),
        None => Ok(false),
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
    let Some(inner) = behind_sign(object.unwrap_or(text), "\"")? else {
        return Ok(false);
    };
    let (key, rest) = inner.split_once('"').ok_or(More)?;
    let Some(value) = behind_sign(rest, ":")? else {
        return Ok(false);
    };
    let is_arguments = match object {
        Some(_) => !is_name_key(key) && tools.has_parameter(tool, key),
        None => is_arguments_key(key),
    };
    match value.trim_start().chars().next() {
        _ if !is_arguments => Ok(false),
        Some(sign) => Ok(object.is_some() || sign == '{'),
        None => Err(More),
    }
}

/// What stands behind a sign, and blanks before it.
fn behind_sign<'t>(text: &'t str, sign: &str) -> Result<Option<&'t str>, More> {
    match text.trim_start() {
        "" => Err(More),
        text => Ok(text.strip_prefix(sign)),
    }
}

//! Objects that are read when they are whole: their members stand in another order than the name and
//! then the arguments, or they are no call of the plain form. Where a model closed one behind the name of
//! the tool, the arguments stand behind it: `{"name": "get_weather"}, {"city": "Oslo"}`.

use serde_json::{Map, Value};

use super::cursor::behind_blanks;
use super::open_call::Body;
use super::{Attempt, Cursor, Inside, Preview, Reader, State, Step};
use crate::machine::{Calls, FoundCall, ParseEvent, Written};
use crate::scan::balance::{Balance, is_arguments_key, is_name_key};
use crate::scan::{Seen, near};
use crate::{ToolSet, interpret, limits};

impl Reader {
    /// The members of an object without its brace.
    pub(super) fn inside_members(&mut self, here: &Cursor<'_>, at: usize) -> Attempt {
        let inner = here.tail(at + 1);
        let Some((key, _)) = inner.split_once(|c: char| !c.is_alphanumeric() && c != '_') else {
            return here.at_end(None);
        };
        if !is_name_key(key) && !is_arguments_key(key) {
            return Ok(None);
        }
        self.balance.restart(Balance::of_members().starting_at(at));
        self.preview = Preview::default();
        self.advance(0, State::Object).map(Some)
    }

    /// An object that is whole, or as whole as it will get.
    pub(super) fn whole_object(&mut self, here: &mut Cursor<'_>, end: usize, cut: bool) -> Step {
        let text = here.part(self.inside.lead, end);
        if !cut && let Some(taken) = self.name_before_arguments(here, text, end)? {
            return Ok(taken);
        }
        let readings = interpret::object(text, cut, here.tools)
            .or_else(|| self.addressed(here, text, cut))
            .or_else(|| interpret::meant(text, cut).filter(|_| !self.inside.is_worded));
        if let Some(readings) = readings {
            return self.told_object(here, readings, end);
        }
        if std::mem::take(&mut self.preview).has_shown() {
            here.tell(ParseEvent::Decided);
        }
        self.leave(here)
    }

    /// Tells of the calls in an object that ends at `end`.
    fn told_object(&mut self, here: &mut Cursor<'_>, mut calls: Calls, end: usize) -> Step {
        for call in &mut calls {
            call.format = self.format;
        }
        self.take_calls(here, calls, self.inside.lead..end)?;
        if std::mem::take(&mut self.preview).has_shown() {
            here.tell(ParseEvent::Decided);
        }
        self.wrapped = true;
        self.advance(end, State::Inside(Inside::between_calls()))
    }

    /// The call of the tool that the message is addressed to, with `text` as its arguments.
    fn addressed(&self, here: &Cursor<'_>, text: &str, cut: bool) -> Option<Calls> {
        let is_bound = !self.addressee.is_empty() && here.tools.binds(&self.addressee);
        is_bound.then(|| {
            let arguments = Written::Object(text.to_owned().into());
            vec![FoundCall::whole(self.addressee.clone(), arguments, self.format).cut(cut)]
        })
    }

    /// The step into the arguments behind an object, `text`, which ends at `end`; nothing where it
    /// is no name alone, or no arguments of that tool follow.
    fn name_before_arguments(&mut self, here: &mut Cursor<'_>, text: &str, end: usize) -> Attempt {
        let Some(name) = lone_name(text, here.tools) else {
            return Ok(None);
        };
        let (rest, _) = here.body(end)?;
        let body = behind_blanks(rest.strip_prefix(',').unwrap_or(rest));
        let inner = body.strip_prefix('{');
        let Some((key, value)) = member(here, inner.unwrap_or(body))? else {
            return Ok(None);
        };
        let is_argument = !is_name_key(key) && here.tools.has_parameter(&name, key);
        let (follow, object) = match inner {
            Some(_) => (is_argument, body),
            None => (is_arguments_key(key) && value.starts_with('{'), value),
        };
        let object = Body::Object(here.text.len() - object.len());
        let step = follow.then(|| self.open_call(here, &name, object));
        step.transpose()
    }
}

/// The bound tool that an object names, if it says nothing else.
fn lone_name(text: &str, tools: &ToolSet) -> Option<String> {
    if tools.is_any() || text.len() > limits::AHEAD {
        return None;
    }
    let map: Map<String, Value> = serde_json::from_str(text).ok()?;
    let (key, name) = map.iter().next().filter(|_| map.len() == 1)?;
    let name = name.as_str().filter(|name| tools.binds_exactly(name))?;
    is_name_key(key).then(|| name.to_owned())
}

/// The name in quotes that `text`, which ends as the text at hand does, begins with, and its value
/// with what follows.
pub(super) fn member<'t>(here: &Cursor<'t>, text: &'t str) -> Seen<Option<(&'t str, &'t str)>> {
    let text = behind_blanks(text);
    here.wait_if(text.is_empty())?;
    let Some(inner) = text.strip_prefix('"') else {
        return Ok(None);
    };
    let Some((key, _)) = near(inner, limits::KEY).split_once('"') else {
        here.wait_if(inner.len() < limits::KEY)?;
        return Ok(None);
    };
    let colon = behind_blanks(inner.get(key.len() + 1..).unwrap_or_default());
    let value = behind_blanks(colon.strip_prefix(':').unwrap_or_default());
    here.wait_if(colon.is_empty() || (value.is_empty() && colon.starts_with(':')))?;
    Ok((!value.is_empty()).then_some((key, value)))
}

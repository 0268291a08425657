//! Calls whose name and arguments stand in one object. Where a model closed it behind the name of the
//! tool, the arguments stand behind it: `{"name": "get_weather"}, {"city": "Oslo"}`.

use haft_schema::{Repair, RepairKind};
use serde_json::{Map, Value};

use super::arguments::{Body, Brackets};
use super::cursor::{beginning, behind_blanks};
use super::quotes::without_quotes;
use super::{Attempt, Cursor, Inside, Preview, Reader, State, Step};
use crate::machine::{Calls, FoundCall, ParseEvent, Written};
use crate::scan::balance::{Balance, Stop, is_arguments_key, is_name_key};
use crate::scan::{More, Seen, near};
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
        self.advance(0, State::Object(self.inside)).map(Some)
    }

    pub(super) fn open_object(&mut self, here: &mut Cursor<'_>, at: usize) -> Attempt {
        let rest = here.tail(at + 1);
        let near = beginning(rest);
        let inner = near.trim_start_matches([' ', '\t', '\n', '\r', '{']);
        // `{tool => "f", args => {...}}`
        if inner.starts_with('t')
            && let Some(taken) = self.call_with_arrows(here, at)?
        {
            return Ok(Some(taken));
        }
        let is_sign = inner.starts_with(['"', '\'', '_', '}', '“', '‘', '\\']);
        here.wait_if(inner.is_empty() && near.len() == rest.len())?;
        if !is_sign && !inner.starts_with(char::is_alphabetic) {
            return Ok(None);
        }
        self.balance.restart(Balance::of_call().starting_at(at));
        self.preview = Preview::starting_at(at);
        self.advance(0, State::Object(self.inside)).map(Some)
    }

    /// In an object that holds a call: as soon as its name is known its arguments are reported as
    /// they come; in any other order it is read when it is whole.
    #[inline(never)]
    pub(super) fn object(&mut self, here: &mut Cursor<'_>, inside: Inside) -> Step {
        self.inside = inside;
        let step = loop {
            let stop = self.balance.run(here.text, here.finished);
            match stop {
                Stop::ArgumentsOpen(at) if is_arguments_key(self.balance.key(here.text)) => {
                    let Some(name) = self.called_tool(here) else {
                        self.balance.unwatch();
                        continue;
                    };
                    name.clone_into(&mut self.name);
                    self.balance.enter_arguments();
                    self.balance.cut_front(at);
                    self.begin_call(here, at, Brackets::InObject);
                    return self.advance(at, State::Arguments);
                }
                Stop::More if here.text.len() > limits::CALL => return self.leave(here),
                // What opened as arguments before a name came is shown ahead.
                Stop::More => {
                    self.preview.show_ahead(here, &mut self.balance, &stop);
                    return Err(More);
                }
                Stop::ArgumentsOpen(_) | Stop::ArgumentsClosed(_) => {
                    self.preview.show_ahead(here, &mut self.balance, &stop);
                }
                Stop::Closed(end) => break self.closed_object(here, end),
                Stop::Marker(at) | Stop::TooDeep(at) => break self.whole_object(here, at, false),
                Stop::End => break self.whole_object(here, here.text.len(), true),
            }
        };
        if step.is_err() {
            // What a whole object means depends on what follows: it is read once more then.
            self.balance
                .restart(Balance::of_call().starting_at(inside.lead));
            self.preview = Preview::default();
        }
        step
    }

    /// The tool that the object has named so far, whose arguments open here.
    fn called_tool<'t>(&self, here: &Cursor<'t>) -> Option<&'t str> {
        let name = here.text.get(self.balance.name()?)?;
        // `{"name": "f", "params": [1]}` of a tool with a parameter `params`.
        let is_own = here.tools.has_exactly(name, self.balance.key(here.text));
        (here.tools.binds(name) && !is_own).then_some(name)
    }

    /// An object whose brackets are closed, if not too early.
    fn closed_object(&mut self, here: &mut Cursor<'_>, end: usize) -> Step {
        let text = here.part(self.inside.lead, end);
        let quoted = without_quotes(text, here.tail(end), here.finished)?;
        let calls = quoted.and_then(|(repaired, rest)| {
            let calls = interpret::object(&repaired, false, here.tools);
            Some((calls.or_else(|| interpret::meant(&repaired, false))?, rest))
        });
        let Some((mut calls, rest)) = calls else {
            return self.whole_object(here, end, false);
        };
        if let Some(call) = calls.first_mut() {
            let repair = Repair::new("", RepairKind::QuotesRepaired, "\"{", "{");
            call.repairs.push(repair);
        }
        self.told_object(here, calls, end + rest)
    }

    /// An object that is whole, or as whole as it will get.
    fn whole_object(&mut self, here: &mut Cursor<'_>, end: usize, cut: bool) -> Step {
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

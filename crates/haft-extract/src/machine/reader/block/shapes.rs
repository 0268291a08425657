//! The calls in a candidate whose end is known, and whether an object behind a name is meant as the
//! arguments of one: `get_weather {"city": "Oslo"}`, `get_weather: {"city": "Oslo"}`.

use std::borrow::Cow;

use super::fence_ends::fence_content;
use super::python::{
    TOOL_CODE, calls_in_brackets, calls_in_line, without_assignments, without_brackets,
};
use super::signature::{is_comment, is_signature};
use super::{Block, Shape, action::action, ends::End, loose};
use crate::machine::reader::line::name_length;
use crate::machine::reader::{Cursor, FenceMark, Inside, Reader, State, fields};
use crate::machine::{Calls, FoundCall, ParseEvent, Written};
use crate::scan::{Text, key_follows, near};
use crate::{ToolSet, arguments::value, calls, interpret, limits};

impl Reader {
    /// The calls in a candidate that ends there, if it holds nothing else.
    pub(super) fn read_block(&self, here: &Cursor<'_>, block: &Block, end: End) -> Option<Calls> {
        let text = here.part(block.lead, end.content);
        let mut calls = self.read_shape(here, block, end);
        let is_doubtful = |calls: &Vec<_>| loose::is_doubtful(calls, here.tools);
        if matches!(block.shape, Shape::Call | Shape::List)
            && calls.as_ref().is_none_or(is_doubtful)
        {
            calls = loose::calls(text, here.tools)
                .or_else(|| calls_in_brackets(text, here.tools))
                .or(calls);
        }
        // None of `get_weather(city="...")` and its like: they only show how a call is written.
        let is_meant = |call: &FoundCall<'_>| !calls::is_example(call, here.tools);
        calls.filter(|calls| {
            (block.shape != Shape::Named || is_named_call(here, block, end, calls))
                && (calls.is_empty() || calls.iter().any(is_meant))
        })
    }

    fn read_shape(&self, here: &Cursor<'_>, block: &Block, end: End) -> Option<Calls> {
        let (text, cut) = (here.part(block.lead, end.content), end.cut);
        let inside = State::Inside(Inside::between_calls());
        match block.shape {
            Shape::Object | Shape::List => {
                let read = match block.shape {
                    Shape::List => interpret::list,
                    _ => interpret::object,
                };
                // A call of a bound tool that the end of the reply cut in the middle.
                let is_bound = |name: &str| here.tools.binds(name) && !here.tools.is_any();
                let broken = || cut.then(|| interpret::broken(text, is_bound))?;
                read(text, cut, here.tools).or_else(broken).or_else(|| {
                    let inner = text.trim_start_matches(['[', ' ', '\n', '\r', '\t']);
                    let (name, _) = inner.split_at(name_length(inner));
                    let is_calls = !name.is_empty() && here.tools.binds(name);
                    is_calls.then(|| self.nested(inside)?.only_calls(here, text, false))?
                })
            }
            Shape::Call => calls_in_line(text, cut, here.tools),
            Shape::Named => self
                .nested(inside)?
                .only_calls(here, &without_brackets(text), false),
            Shape::Fence => {
                let content = fence_content(text);
                // No template puts DeepSeek's tokens or another fence into a fence: they are quoted.
                let inner = content.trim_start();
                let is_quoted = inner.starts_with("<｜") || FenceMark::at_start(inner).is_some();
                // The fence is closed, so the last value in it is whole.
                let ended = match !cut && content.trim_end().ends_with(char::is_alphanumeric) {
                    true => Cow::from(format!("{}\n", content.trim_end())),
                    false => content.into(),
                };
                let content = match text.starts_with(TOOL_CODE) {
                    true => without_assignments(&ended, here.tools),
                    false => ended,
                };
                (!is_quoted).then(|| self.nested(State::Line)?.only_calls(here, &content, cut))?
            }
            Shape::Action => action(text, cut, here.tools),
        }
    }

    /// The calls in `text`, if it holds nothing else; with `cut` the last may be incomplete.
    fn only_calls(&mut self, here: &Cursor<'_>, text: &str, cut: bool) -> Option<Calls> {
        let mut calls = Vec::new();
        let mut holds_more = false;
        self.read(Text::whole(text), here.about(), &mut |event| {
            holds_more |= match event {
                ParseEvent::Text(text) => !is_comment(text),
                ParseEvent::Reasoning(_) | ParseEvent::ThinkingEnded => true,
                ParseEvent::Call(call, _) => {
                    let is_call = match &call.arguments {
                        Written::Call(text) => !is_signature(&call.name, text, here.tools),
                        Written::Unreadable(..) => cut,
                        _ => true,
                    };
                    calls.push(call.into_owned());
                    !is_call
                }
                _ => false,
            };
        });
        (!holds_more && !calls.is_empty()).then_some(calls)
    }
}

/// True when the calls in a candidate, which ends at `end`, are meant.
fn is_named_call(here: &Cursor<'_>, block: &Block, end: End, calls: &[FoundCall<'_>]) -> bool {
    let text = here.part(block.lead, end.content);
    // No further than the end of the candidate was looked for.
    let rest = near(here.tail(end.content), limits::NEAR);
    if is_labelled(text) {
        return ends_line(rest)
            && have_only_parameters(calls, here.tools)
            && calls.iter().all(|call| calls::can_run(call, here.tools));
    }
    // The line goes on with a word or a text.
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '"' | '\'' | '$');
    let is_glued = block.in_sentence || rest.trim_start_matches([' ', '\t']).starts_with(is_word);
    begins_as_object(text) && (!is_glued || have_only_parameters(calls, here.tools))
}

/// False where the braces behind a name are those of a program, `import { f }`, and of no object,
/// `f {"a": 1}`; without braces there is nothing to say.
fn begins_as_object(text: &str) -> bool {
    let (_, inner) = text.split_once('{').unwrap_or_default();
    let inner = inner.trim_start();
    inner.is_empty() || inner.starts_with(['}', '/', '#']) || key_follows(inner.as_bytes())
}

/// True where a colon stands between a name and its object, as in notes and settings too, or a
/// label with one below the name, as in transcripts.
fn is_labelled(text: &str) -> bool {
    let behind = text.get(name_length(text)..).unwrap_or_default();
    let behind = behind.trim_start_matches([' ', '\t', '\r', '\n', '*', '`']);
    let label = fields::label_before_object(behind, true);
    behind.starts_with(':') || label != Ok(None)
}

/// True when nothing follows in the line but what may stand around a call.
fn ends_line(rest: &str) -> bool {
    let behind = rest.trim_start_matches([' ', '\t', '\r', '`', '*']);
    let (decoration, _) = rest.split_at(rest.len() - behind.len());
    // A fence is no part of the line.
    behind.is_empty() || behind.starts_with('\n') || decoration.contains("```")
}

/// True when all calls have arguments, and none but parameters of their tools.
fn have_only_parameters(readings: &[FoundCall<'_>], tools: &ToolSet) -> bool {
    readings.iter().all(|found| {
        let Written::Object(text) = &found.arguments else {
            return false;
        };
        let read = value::read_value(text, false).ok();
        let members = read.as_ref().and_then(|read| read.value.as_object());
        let is_known = |key: &String| tools.has_parameter(&found.name, key);
        members.is_some_and(|members| !members.is_empty() && members.keys().all(is_known))
    })
}

//! The calls in a candidate whose end is known.

use std::borrow::Cow;

use super::action::action;
use super::ends::End;
use super::fence_ends::{fence_content, may_hold_marker};
use super::named::is_named_call;
use super::python::{TOOL_CODE, calls_in_line, without_assignments};
use super::signature::{is_comment, is_signature};
use super::{Block, Shape, bracketed, loose};
use crate::calls::is_example;
use crate::interpret;
use crate::machine::reader::line::name_length;
use crate::machine::reader::{Cursor, FenceMark, Inside, Reader, State};
use crate::machine::{Calls, ParseEvent, RawCall, Written};

impl Reader {
    /// The calls in a candidate that ends there, if it holds nothing else.
    pub(super) fn read_block(&self, here: &Cursor<'_>, block: &Block, end: End) -> Option<Calls> {
        let text = here.part(block.lead, end.content);
        // Markers count in a fence whatever tool they name.
        let needs_name = match block.shape {
            Shape::Fence => !may_hold_marker(text),
            shape => matches!(shape, Shape::Object | Shape::List),
        };
        if needs_name && !here.tools.may_be_named_in(text) {
            return None;
        }
        let mut calls = self.read_shape(here, block, end);
        let is_doubtful = |calls: &Vec<_>| loose::is_doubtful(calls, here.tools);
        if matches!(block.shape, Shape::Call | Shape::List)
            && calls.as_ref().is_none_or(is_doubtful)
        {
            calls = loose::calls(text, here.tools)
                .or_else(|| bracketed::calls(text, here.tools))
                .or(calls);
        }
        // None of `get_weather(city="...")` and its like: they only show how a call is written.
        let is_meant = |call: &RawCall<'_>| !is_example(call, here.tools);
        calls.filter(|calls| {
            let is_named =
                block.shape != Shape::Named || is_named_call(here, block, end.content, calls);
            is_named && (calls.is_empty() || calls.iter().any(is_meant))
        })
    }

    fn read_shape(&self, here: &Cursor<'_>, block: &Block, end: End) -> Option<Calls> {
        let (text, cut) = (here.part(block.lead, end.content), end.cut);
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
                    let inside = State::Inside(Inside::open());
                    is_calls.then(|| self.only_calls(here, (text, false), inside))?
                })
            }
            Shape::Call => calls_in_line(text, cut, here.tools),
            Shape::Named => {
                let inside = State::Inside(Inside::open());
                self.only_calls(here, (&bracketed::without_brackets(text), false), inside)
            }
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
                (!is_quoted).then(|| self.only_calls(here, (&content, cut), State::Line))?
            }
            Shape::Action => action(text, cut, here.tools),
        }
    }

    /// The calls in `text`, if it holds nothing else; with `cut` the last may be incomplete.
    fn only_calls(
        &self,
        here: &Cursor<'_>,
        (text, cut): (&str, bool),
        state: State,
    ) -> Option<Calls> {
        let mut calls = Vec::new();
        let mut holds_more = false;
        self.nested(here, (text, state), &mut |event| {
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

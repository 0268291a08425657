//! Calls whose name stands before their arguments: in an element, a header, an attribute, or alone.
//!
//! The name, and the scan of the brackets or tags, are kept in the [`Reader`], so that one call after
//! the other uses the same memory.

use std::borrow::Cow;
use std::sync::Arc;

use super::object::Brackets;
use super::{Cursor, Inside, Reader, State, Step};
use crate::arguments::parameters::{Parameters, Style};
use crate::limits;
use crate::machine::{FoundCall, ParseEvent, Written};
use crate::scan::{More, balance::Balance};

/// How arguments are written, and where they begin.
#[derive(Clone, Copy, Debug)]
pub(super) enum Body {
    /// As an object.
    Object(usize),
    /// Between parentheses.
    Call(usize),
    /// As tags.
    Tags(usize, Style),
}

impl Reader {
    /// Tells that a call begins whose arguments stand in `body`.
    pub(super) fn open_call(&mut self, here: &mut Cursor<'_>, name: &str, body: Body) -> Step {
        name.clone_into(&mut self.name);
        let (start, brackets) = match body {
            Body::Object(start) => (start, Brackets::Braces),
            Body::Call(start) => (start, Brackets::Parentheses),
            Body::Tags(start, style) => {
                self.begin_call(here, start, Brackets::Braces);
                let names = here.tools.find(name).tool();
                let names = names.map(|tool| Arc::clone(&tool.parameters));
                let names = names.filter(|names| !names.is_empty());
                self.parameters = Parameters::new(style, names);
                return self.advance(start, State::Tags);
            }
        };
        self.balance.restart(Balance::default());
        self.begin_call(here, start, brackets);
        self.advance(start, State::Arguments)
    }

    /// A call without arguments. One at the very end of the reply may have been cut off before them.
    pub(super) fn empty_call(&mut self, here: &mut Cursor<'_>, name: &str, taken: usize) -> Step {
        let cut = here.finished && self.nesting == 0 && here.tail(taken).trim_ascii().is_empty();
        here.markup(here.head(taken));
        let call = FoundCall::whole(name, Written::Nothing, self.format).cut(cut);
        here.tell(ParseEvent::Call(call, ""));
        self.call_ended();
        self.advance(taken, State::Inside(Inside::between_calls()))
    }

    #[inline(never)]
    pub(super) fn tags(&mut self, here: &mut Cursor<'_>) -> Step {
        let parameters = &mut self.parameters;
        let (end, complete) = match parameters.run(here.text, here.finished) {
            _ if here.text.len() > limits::CALL => {
                (here.text.floor_char_boundary(limits::CALL), false)
            }
            Err(More) => {
                let decided = parameters.decided.min(here.text.len());
                self.open.show(here, decided);
                return Err(More);
            }
            Ok(done) => (done.end, done.complete),
        };
        self.open.show(here, end);
        let repaired = parameters.repaired;
        let list = std::mem::take(&mut parameters.list).into();
        let text = here.head(end);
        let arguments = Written::Tags(Cow::Borrowed(text), list);
        let call = self.begun_call(arguments).cut(!complete);
        here.tell(ParseEvent::Call(FoundCall { repaired, ..call }, text));
        self.call_ended();
        self.advance(end, State::Inside(Inside::between_calls()))
    }
}

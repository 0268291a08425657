//! Turns events into pieces: counts calls, reads and checks their arguments, drops repetitions
//! and the white space that stood around calls.

mod ahead;
mod marks;

use haft_core::{InvalidToolCall, ToolCall};
use haft_schema::{Coerced, Repair, RepairKind};

use self::ahead::Ahead;
use self::marks::Marks;
use crate::calls;
use crate::machine::event::ParseEvent;
use crate::machine::raw_call::RawCall;
use crate::machine::seam::Seam;
use crate::tool_set::Named;
use crate::{ExtractOptions, Format, Mention, Piece, ToolSet};

/// What was handed out so far.
#[derive(Debug)]
pub(crate) struct Output {
    /// The place of the next call.
    index: usize,
    /// The calls so far.
    seen: Marks,
    /// The place of the last call, if it can run.
    last: Option<usize>,
    /// The next call was announced.
    is_begun: bool,
    /// What comes next has no marker.
    is_bare: bool,
    text: Seam,
    /// Made at the first thought.
    reasoning: Option<Box<Seam>>,
    ahead: Ahead,
}

/// Where pieces go.
pub(crate) type Sink<'s> = &'s mut dyn FnMut(Piece<'_>);

impl Output {
    pub(crate) fn new() -> Self {
        Self {
            index: 0,
            seen: Marks::default(),
            last: None,
            is_begun: false,
            is_bare: false,
            text: Seam::outer(),
            reasoning: None,
            ahead: Ahead::default(),
        }
    }

    /// Takes in the next event.
    pub(crate) fn take(
        &mut self,
        event: ParseEvent<'_>,
        about: (&ToolSet, &ExtractOptions),
        sink: Sink<'_>,
    ) {
        match event {
            ParseEvent::Text(text) => self.text.add(text, &mut |text| sink(Piece::Text(text))),
            ParseEvent::Arguments(fragment) => self.fragment(fragment, sink),
            ParseEvent::Markup(text) => self.syntax(text, sink),
            ParseEvent::CallBegins(name) => {
                self.is_begun = true;
                self.announce(name, about.0.find(name), sink);
            }
            ParseEvent::Call(call, _) => {
                let named = about.0.find(&call.name);
                if !std::mem::take(&mut self.is_begun) {
                    self.announce(&call.name, named, sink);
                    self.fragment(call.arguments.text(), sink);
                }
                self.end((call, named), about, sink);
            }
            event => self.take_rare(&event, about.0, sink),
        }
    }

    /// The events that a reply has few of.
    fn take_rare(&mut self, event: &ParseEvent<'_>, tools: &ToolSet, sink: Sink<'_>) {
        let index = self.index;
        match event {
            ParseEvent::ArgumentsAhead(fragment) => self.ahead.arguments(fragment, sink),
            ParseEvent::CallMayBegin(name) => match tools.find(name) {
                Named::Bound(tool) => {
                    self.ahead.announce(index, &tool.definition.name, sink);
                }
                Named::Anything => self.ahead.announce(index, name, sink),
                Named::Unknown => {}
            },
            ParseEvent::Decided => self.ahead.clear(),
            ParseEvent::Reasoning(text) => {
                self.text.cut();
                let seam = || Box::new(Seam::inner());
                let reasoning = self.reasoning.get_or_insert_with(seam);
                reasoning.add(text, &mut |text| sink(Piece::Reasoning(text)));
            }
            ParseEvent::ThinkingEnded => {
                *self = Self::new();
                self.text.cut();
                sink(Piece::ThinkingEnded);
            }
            ParseEvent::Unclosed => {
                if let Some(index) = self.last {
                    let repair = Repair::new("", RepairKind::TagRepaired, "", "");
                    sink(Piece::Repaired { index, repair });
                }
            }
            _ => {}
        }
    }

    fn syntax(&mut self, text: &str, sink: Sink<'_>) {
        self.text.cut();
        if !text.is_empty() {
            sink(Piece::Syntax(text));
        }
    }

    /// A call begins of what is `written` so.
    fn announce(&mut self, written: &str, named: Named<'_>, sink: Sink<'_>) {
        let index = self.index;
        self.text.cut();
        let name = match named {
            Named::Bound(tool) => &tool.definition.name,
            Named::Anything => written,
            Named::Unknown => return,
        };
        if !self.ahead.begins(index, name) {
            self.ahead.clear();
            sink(Piece::CallStart { index, name });
        }
    }

    /// All arguments of the call that began, or more of them.
    fn fragment(&mut self, fragment: &str, sink: Sink<'_>) {
        if fragment.is_empty() {
        } else if self.ahead.is_empty() {
            let index = self.index;
            sink(Piece::CallArgs { index, fragment });
        } else {
            self.ahead.complete(fragment, sink);
        }
    }

    fn end(
        &mut self,
        (mut call, named): (RawCall<'_>, Named<'_>),
        (tools, options): (&ToolSet, &ExtractOptions),
        sink: Sink<'_>,
    ) {
        self.text.cut();
        self.ahead.ends();
        if options.raw {
            self.raw_call(&call, named, sink);
        } else {
            self.call(&mut call, (tools, named), sink);
        }
    }

    /// What follows as text reads like a call.
    pub(crate) fn not_a_call(&mut self, reason: Mention, sink: Sink<'_>) {
        self.ahead.clear();
        sink(Piece::NotACall { reason });
    }

    /// What comes next has a marker or not.
    pub(crate) fn set_bare(&mut self, is_bare: bool) {
        self.is_bare = is_bare;
    }

    /// Hands out the white space that stood at the end of a reply.
    pub(crate) fn finish(&mut self, sink: Sink<'_>) {
        self.text.finish(&mut |text| sink(Piece::Text(text)));
    }

    fn raw_call(&mut self, found: &RawCall<'_>, named: Named<'_>, sink: Sink<'_>) {
        let name: &str = match named {
            Named::Bound(tool) => &tool.definition.name,
            _ => &found.name,
        };
        let arguments = calls::raw_arguments(found, named);
        sink(Piece::RawCall(crate::RawCall {
            index: self.index,
            name,
            arguments: &arguments,
        }));
        self.index += 1;
    }

    fn call(
        &mut self,
        found: &mut RawCall<'_>,
        (tools, named): (&ToolSet, Named<'_>),
        sink: Sink<'_>,
    ) {
        let name = match named {
            Named::Bound(tool) => tool.definition.name.clone(),
            _ => found.name.clone().into_owned(),
        };
        if matches!(named, Named::Unknown) && is_none(&name) {
            return;
        }
        let written = found.name.clone();
        let nearest = || {
            let nearest = tools.nearest(&written).into_iter();
            nearest.map(str::to_owned).collect()
        };
        match calls::read(found, named, nearest) {
            Ok(mut readable) => {
                if name != written {
                    let written = written.into_owned();
                    let repair = Repair::new("", RepairKind::ToolSpelling, written, name.clone());
                    readable.repairs.insert(0, repair);
                }
                self.complete((name, found.format), readable, sink);
            }
            Err(error) => {
                self.last = None;
                let index = self.index;
                sink(Piece::Invalid {
                    index,
                    call: InvalidToolCall {
                        id: call_id(&name, index),
                        name,
                        args: found.arguments.text().to_owned(),
                        error,
                    },
                    format: found.format.name(),
                });
                self.index += 1;
                for mut inner in calls::inner_calls(found, tools) {
                    let named = tools.find(&inner.name);
                    self.call(&mut inner, (tools, named), &mut *sink);
                }
            }
        }
    }

    /// Hands out a call that can run, unless it is a repetition.
    #[inline(never)]
    fn complete(&mut self, (name, format): (String, Format), readable: Coerced, sink: Sink<'_>) {
        let arguments = readable.arguments;
        if !self.seen.insert(&name, &arguments) {
            return;
        }
        let index = self.index;
        self.last = Some(index);
        self.index += 1;
        sink(Piece::CallEnd {
            index,
            call: ToolCall {
                id: call_id(&name, index),
                name,
                args: arguments,
            },
            repairs: readable.repairs,
            format: format.name(),
            is_bare: self.is_bare,
        });
    }
}

/// `name_0`, without the machinery of formatting: every call has one.
fn call_id(name: &str, index: usize) -> String {
    let mut id = String::with_capacity(name.len() + 4);
    id.push_str(name);
    id.push('_');
    match char::from_digit(u32::try_from(index).unwrap_or(10), 10) {
        Some(digit) => id.push(digit),
        None => id.push_str(&index.to_string()),
    }
    id
}

/// Names under which models say that they call nothing: Command R's and Granite's.
fn is_none(name: &str) -> bool {
    matches!(name, "directly_answer" | "directly-answer" | "no_function")
}

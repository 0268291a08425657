//! Turns readings into pieces: counts calls, reads and checks their arguments, drops repetitions
//! and the white space that stood around calls.

mod ahead;
mod marks;

use haft_core::{InvalidToolCall, ToolCall};
use haft_schema::{Coerced, Repair, RepairKind};

use self::ahead::Ahead;
use self::marks::Marks;
use crate::calls;
use crate::machine::reading::{Found, Reading};
use crate::machine::seam::Seam;
use crate::tool_set::Named;
use crate::{ExtractOptions, Format, Mention, Piece, RawCall, ToolSet};

/// What was handed out so far.
#[derive(Debug)]
pub(crate) struct Output {
    /// The place of the next call.
    index: usize,
    /// The calls so far.
    seen: Marks,
    /// The place of the last call, if it can run.
    last: Option<usize>,
    /// The tool that was named last, if it was named exactly.
    tool: Option<usize>,
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
            tool: None,
            is_bare: false,
            text: Seam::outer(),
            reasoning: None,
            ahead: Ahead::default(),
        }
    }

    /// Takes in text.
    fn words(&mut self, text: &str, sink: Sink<'_>) {
        self.text.add(text, &mut |text| sink(Piece::Text(text)));
    }

    /// Takes in the next reading.
    pub(crate) fn take(
        &mut self,
        reading: &mut Reading<'_>,
        about: (&ToolSet, &ExtractOptions),
        sink: Sink<'_>,
    ) {
        match reading {
            Reading::Text(text) => self.words(text, sink),
            Reading::Fragment(fragment) if self.ahead.is_empty() => sink(Piece::CallArgs {
                index: self.index,
                fragment,
            }),
            reading => self.take_rare(reading, about, sink),
        }
    }

    /// The readings that a reply has few of.
    #[inline(never)]
    fn take_rare(
        &mut self,
        reading: &mut Reading<'_>,
        about: (&ToolSet, &ExtractOptions),
        sink: Sink<'_>,
    ) {
        let (tools, _) = about;
        let index = self.index;
        match reading {
            Reading::Text(_) | Reading::Candidate(_) | Reading::Source(_) => {}
            Reading::AheadArguments(fragment) => self.ahead.arguments(fragment, sink),
            Reading::Syntax(text) => self.syntax(text, sink),
            Reading::Start(name) => {
                self.tool = tools.place(name);
                self.announce(name, tools.find_again(name, self.tool), sink);
            }
            Reading::Fragment(fragment) => self.fragment(fragment, sink),
            Reading::Call(found) => {
                let named = self.named(found, tools);
                self.end((found, named), about, sink);
            }
            Reading::Ahead(name) => match tools.find(name) {
                Named::Bound(tool) => {
                    self.ahead.announce(index, &tool.definition.name, sink);
                }
                Named::Anything => self.ahead.announce(index, name, sink),
                Named::Unknown => {}
            },
            Reading::Decided if self.ahead.is_empty() => {}
            Reading::Decided => self.ahead.clear(),
            Reading::Reasoning(text) => {
                self.text.cut();
                let seam = || Box::new(Seam::inner());
                let reasoning = self.reasoning.get_or_insert_with(seam);
                reasoning.add(text, &mut |text| sink(Piece::Reasoning(text)));
            }
            Reading::ThinkingEnded => {
                *self = Self::new();
                self.text.cut();
                sink(Piece::ThinkingEnded);
            }
            Reading::Unclosed => {
                if let Some(index) = self.last {
                    let repair = Repair::new("", RepairKind::TagRepaired, "", "");
                    sink(Piece::Repaired { index, repair });
                }
            }
        }
    }

    fn syntax(&mut self, text: &str, sink: Sink<'_>) {
        self.text.cut();
        if !text.is_empty() {
            sink(Piece::Syntax(text));
        }
    }

    /// What the call is one of.
    fn named<'s>(&self, found: &Found<'_>, tools: &'s ToolSet) -> Named<'s> {
        match found.tool.and_then(|place| tools.tools().get(place)) {
            Some(tool) => Named::Bound(tool),
            None => tools.find_again(&found.name, self.tool),
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
            if !self.ahead.is_empty() {
                self.ahead.clear();
            }
            sink(Piece::CallStart { index, name });
        }
    }

    /// All arguments of the call that began, or more of them.
    fn fragment(&mut self, fragment: &str, sink: Sink<'_>) {
        if self.ahead.is_empty() {
            let index = self.index;
            sink(Piece::CallArgs { index, fragment });
        } else {
            self.ahead.complete(fragment, sink);
        }
    }

    fn end(
        &mut self,
        (found, named): (&mut Found<'_>, Named<'_>),
        (tools, options): (&ToolSet, &ExtractOptions),
        sink: Sink<'_>,
    ) {
        self.text.cut();
        self.ahead.ends();
        if options.raw {
            self.raw_call(found, named, sink);
        } else {
            self.call(found, (tools, named), sink);
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

    fn raw_call(&mut self, found: &Found<'_>, named: Named<'_>, sink: Sink<'_>) {
        let name: &str = match named {
            Named::Bound(tool) => &tool.definition.name,
            _ => &found.name,
        };
        let arguments = calls::raw_arguments(found, named);
        sink(Piece::RawCall(RawCall {
            index: self.index,
            name,
            arguments: &arguments,
        }));
        self.index += 1;
    }

    fn call(
        &mut self,
        found: &mut Found<'_>,
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

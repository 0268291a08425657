//! Turns events into pieces: counts calls, reads and checks their arguments, drops repetitions
//! and the white space that stood around calls.

mod shown_ahead;

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use haft_core::{Arguments, InvalidToolCall, ToolCall};
use haft_schema::{Coerced, Repair, RepairKind};

use self::shown_ahead::ShownAhead;
use crate::machine::seam::Seam;
use crate::machine::{About, FoundCall, ParseEvent};
use crate::{Format, Mention, Piece, calls, scan::is_one_of, tool_set::Named};

/// Names under which models say that they call nothing: Command R's and Granite's.
const NONE: &str = "directly_answer directly-answer no_function";

/// What was handed out so far.
#[derive(Debug, Default)]
pub(crate) struct Output {
    /// The place of the next call.
    index: usize,
    /// The [marks](mark) of the calls so far.
    seen: HashSet<u64>,
    /// The place of the last call, if it can run.
    last: Option<usize>,
    /// The next call was announced.
    is_announced: bool,
    /// What comes next has no marker.
    pub(crate) is_bare: bool,
    text: Seam,
    /// Made at the first thought.
    reasoning: Option<Box<Seam>>,
    /// Calls that were shown before it was decided that they are calls: those of `CallMayBegin`.
    ahead: ShownAhead,
}

/// Where pieces go.
pub(crate) type PieceSink<'s> = &'s mut dyn FnMut(Piece<'_>);

/// The output at work: with what is known, and where pieces go.
pub(crate) struct Target<'t> {
    pub(crate) output: &'t mut Output,
    pub(crate) about: About<'t>,
    pub(crate) sink: PieceSink<'t>,
}

impl Target<'_> {
    /// Takes in the next event.
    pub(crate) fn take(&mut self, event: ParseEvent<'_>) {
        let index = self.output.index;
        let sink = &mut *self.sink;
        match event {
            ParseEvent::Text(text) => self.text(text),
            ParseEvent::Markup(text) => {
                self.output.text.note_removal();
                if !text.is_empty() {
                    sink(Piece::Syntax(text));
                }
            }
            ParseEvent::CallBegins(name) => {
                self.output.is_announced = true;
                self.announce(name, self.about.tools.find(name));
            }
            ParseEvent::Call(mut call, _) => {
                let named = self.about.tools.find(&call.name);
                if !std::mem::take(&mut self.output.is_announced) {
                    self.announce(&call.name, named);
                    self.fragment(call.arguments.text());
                }
                self.output.text.note_removal();
                self.output.ahead.ends();
                match self.about.options.raw {
                    true => self.raw_call(&call, named),
                    false => self.call(&mut call, named),
                }
            }
            ParseEvent::CallMayBegin(name) => {
                let named = self.about.tools.find(name);
                let name = named.name(name);
                let index = self.output.ahead.note(index, name);
                if !matches!(named, Named::Unknown) {
                    sink(Piece::CallStart { index, name });
                }
            }
            ParseEvent::Decided => self.output.ahead.clear(),
            ParseEvent::Reasoning(text) => {
                self.output.text.note_removal();
                let seam = || Box::new(Seam::inner());
                let reasoning = self.output.reasoning.get_or_insert_with(seam);
                reasoning.add(text, &mut |text| sink(Piece::Reasoning(text)));
            }
            ParseEvent::ThinkingEnded => {
                *self.output = Output::default();
                self.output.text.note_removal();
                sink(Piece::ThinkingEnded);
            }
            ParseEvent::Unclosed => {
                if let Some(index) = self.output.last {
                    let repair = Repair::new("", RepairKind::TagRepaired, "", "");
                    sink(Piece::Repaired { index, repair });
                }
            }
            // The judge has `fragment` and `fragment_ahead` for what is shown of a call.
            ParseEvent::Arguments(_) | ParseEvent::ArgumentsAhead(_) | ParseEvent::NextCall(_) => {}
        }
    }

    /// More text.
    pub(crate) fn text(&mut self, text: &str) {
        let (seam, sink) = (&mut self.output.text, &mut *self.sink);
        seam.add(text, &mut |text| sink(Piece::Text(text)));
    }

    /// A call begins of what is `written` so.
    fn announce(&mut self, written: &str, named: Named<'_>) {
        let output = &mut *self.output;
        let (index, name) = (output.index, named.name(written));
        output.text.note_removal();
        if !matches!(named, Named::Unknown) && !output.ahead.begins(index, name) {
            output.ahead.clear();
            (self.sink)(Piece::CallStart { index, name });
        }
    }

    /// All arguments of the call that began, or more of them.
    pub(crate) fn fragment(&mut self, fragment: &str) {
        let index = self.output.index;
        let fragment = self.output.ahead.rest_of(fragment);
        if !fragment.is_empty() {
            (self.sink)(Piece::CallArgs { index, fragment });
        }
    }

    /// More of the arguments of a call that may have begun.
    pub(crate) fn fragment_ahead(&mut self, fragment: &str) {
        self.output.ahead.arguments(fragment, self.sink);
    }

    /// What follows as text reads like a call.
    pub(crate) fn not_a_call(&mut self, reason: Mention) {
        self.output.ahead.clear();
        (self.sink)(Piece::NotACall { reason });
    }

    /// Hands out the white space that stood at the end of a reply, unless a call did.
    pub(crate) fn finish(&mut self) {
        let sink = &mut *self.sink;
        self.output.text.finish(&mut |text| sink(Piece::Text(text)));
    }

    fn raw_call(&mut self, found: &FoundCall<'_>, named: Named<'_>) {
        let arguments = calls::raw_arguments(found, named);
        (self.sink)(Piece::RawCall(crate::RawCall {
            index: self.output.index,
            name: named.name(&found.name),
            arguments: &arguments,
        }));
        self.output.index += 1;
    }

    fn call(&mut self, found: &mut FoundCall<'_>, named: Named<'_>) {
        let tools = self.about.tools;
        let name = named.name(&found.name).to_owned();
        if matches!(named, Named::Unknown) && is_one_of(&name, NONE) {
            return;
        }
        match calls::read(found, named, tools) {
            Ok(mut readable) => {
                if name != found.name {
                    let written = found.name.clone().into_owned();
                    let repair = Repair::new("", RepairKind::ToolSpelling, written, name.clone());
                    readable.repairs.insert(0, repair);
                }
                self.complete(name, found.format, readable);
            }
            Err(error) => {
                let index = self.output.index;
                (self.sink)(Piece::Invalid {
                    index,
                    call: InvalidToolCall {
                        id: call_id(&name, index),
                        name,
                        args: found.arguments.text().to_owned(),
                        error,
                    },
                    format: found.format.name(),
                });
                self.output.last = None;
                self.output.index += 1;
                for mut inner in calls::inner_calls(found, tools) {
                    let named = tools.find(&inner.name);
                    self.call(&mut inner, named);
                }
            }
        }
    }

    /// Hands out a call that can run, unless it is a repetition.
    #[inline(never)]
    fn complete(&mut self, name: String, format: Format, readable: Coerced) {
        let output = &mut *self.output;
        let args = readable.arguments;
        if !output.seen.insert(mark(&name, &args)) {
            return;
        }
        let index = output.index;
        output.last = Some(index);
        output.index += 1;
        let id = call_id(&name, index);
        (self.sink)(Piece::CallEnd {
            index,
            call: ToolCall { id, name, args },
            repairs: readable.repairs,
            format: format.name(),
            is_bare: output.is_bare,
        });
    }
}

/// By what a repetition of a call is known, in whatever order its arguments are: a call that is taken
/// for a repetition of another hurts only its own reply.
fn mark(name: &str, arguments: &Arguments) -> u64 {
    let mut hasher = DefaultHasher::new();
    (name, arguments).hash(&mut hasher);
    hasher.finish()
}

/// `name_0`.
fn call_id(name: &str, index: usize) -> String {
    format!("{name}_{index}")
}

#[cfg(test)]
mod tests;

//! What is held back of a reply: texts, and candidates with the text that they were read from.

use super::Placement;
use crate::ToolSet;
use crate::machine::event::ParseEvent;
use crate::machine::raw_call::RawCall;

/// A part of what is held back.
#[derive(Debug)]
pub(super) enum Segment {
    Text(String),
    Candidate(Candidate),
    Thought(String),
    /// The wrapper of the last call was not closed.
    Unclosed,
}

impl Segment {
    /// The candidate that it is, if that holds calls.
    pub(super) fn with_calls(&self) -> Option<&Candidate> {
        match self {
            Self::Candidate(candidate) if !candidate.calls.is_empty() => Some(candidate),
            _ => None,
        }
    }
}

/// Markup and calls that may be no more than text.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) placement: Placement,
    /// The text that it was read from.
    pub(super) source: String,
    pub(super) calls: Vec<RawCall<'static>>,
}

impl Candidate {
    /// True when one of its calls is of a tool that may do harm.
    pub(super) fn is_destructive(&self, tools: &ToolSet) -> bool {
        let does_harm = |call: &RawCall<'_>| {
            let tool = tools.definition(&call.name);
            tool.is_some_and(|tool| tool.destructive)
        };
        self.calls.iter().any(does_harm)
    }
}

/// What is held back, in order.
#[derive(Debug, Default)]
pub(super) struct Held {
    pub(super) segments: Vec<Segment>,
    /// How long it is, in bytes.
    pub(super) len: usize,
    /// How much text stands behind the last candidate, in bytes.
    pub(super) text_behind: usize,
    /// Nothing more belongs to the last candidate.
    is_whole: bool,
}

impl Held {
    /// A candidate begins.
    pub(super) fn begin(&mut self, placement: Placement) {
        self.text_behind = 0;
        self.is_whole = false;
        if let Some(Segment::Candidate(candidate)) = self.segments.last_mut()
            && candidate.calls.is_empty()
            && candidate.source.is_empty()
        {
            candidate.placement = placement;
            return;
        }
        self.segments.push(Segment::Candidate(Candidate {
            placement,
            source: String::new(),
            calls: Vec::new(),
        }));
    }

    /// What comes next belongs to no call before it that has no marker.
    pub(super) fn end_unmarked(&mut self) {
        if let Some(Segment::Candidate(candidate)) = self.segments.last() {
            self.is_whole |= !candidate.placement.is_marked() && !candidate.calls.is_empty();
        }
    }

    /// Takes in the next event.
    pub(super) fn take(&mut self, event: ParseEvent<'_>) {
        match event {
            ParseEvent::Text(text) => self.text(text),
            ParseEvent::Reasoning(text) => {
                self.len += text.len();
                match self.segments.last_mut() {
                    Some(Segment::Thought(last)) => last.push_str(text),
                    _ => self.segments.push(Segment::Thought(text.to_owned())),
                }
            }
            ParseEvent::Unclosed => self.segments.push(Segment::Unclosed),
            ParseEvent::Markup(text) => self.markup(text),
            ParseEvent::Decided => self.is_whole = true,
            ParseEvent::Call(call, text) => {
                self.markup(text);
                if let Some(Segment::Candidate(candidate)) = self.segments.last_mut() {
                    candidate.calls.push(call.into_owned());
                }
            }
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        self.len += text.len();
        self.text_behind += text.len();
        match self.segments.last_mut() {
            Some(Segment::Text(last)) => last.push_str(text),
            _ => self.segments.push(Segment::Text(text.to_owned())),
        }
    }

    /// More of the text that a candidate is read from.
    fn markup(&mut self, text: &str) {
        self.len += text.len();
        if self.is_whole || !matches!(self.segments.last(), Some(Segment::Candidate(_))) {
            self.begin(Placement::Marked);
        }
        if let Some(Segment::Candidate(candidate)) = self.segments.last_mut() {
            candidate.source.push_str(text);
        }
    }
}

//! What is held back of a reply: texts, and candidates with the text that they were read from. What
//! becomes of each candidate is seen with the texts around it.

use super::{Judge, Placement};
use crate::machine::{Calls, FoundCall, ParseEvent};
use crate::mention::{Mention, Situation};
use crate::{ToolSet, limits, mention, scan::near};

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
    pub(super) calls: Calls,
}

impl Candidate {
    /// True when one of its calls is of a tool that may do harm.
    pub(super) fn is_destructive(&self, tools: &ToolSet) -> bool {
        let tool = |call: &FoundCall<'_>| tools.definition(&call.name);
        let mut called = self.calls.iter().filter_map(tool);
        called.any(|tool| tool.destructive)
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
        let is_empty = |last: &mut Segment| match last {
            Segment::Candidate(it) => it.calls.is_empty() && it.source.is_empty(),
            _ => false,
        };
        self.segments.pop_if(is_empty);
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
            ParseEvent::Text(text) => {
                self.len += text.len();
                self.text_behind += text.len();
                match self.segments.last_mut() {
                    Some(Segment::Text(last)) => last.push_str(text),
                    _ => self.segments.push(Segment::Text(text.to_owned())),
                }
            }
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

impl Judge {
    /// What each of the segments is, if it is no call.
    pub(super) fn verdicts(
        &self,
        segments: &[Segment],
        tools: &ToolSet,
        is_over: bool,
    ) -> Vec<Option<Mention>> {
        let texts = texts_around(&self.lead, segments);
        let is_alone = !self.has_said_more && hold_no_more_than_a_lead_in(&texts);
        let closing = texts.last().filter(|_| is_over).map_or("", String::as_str);
        let (mut place, mut last_verdict, mut element) = (0, None, self.element);
        let verdicts = segments.iter().map(|segment| {
            let candidate = segment.with_calls()?;
            place += 1;
            let (before, behind) = texts.split_at_checked(place)?;
            element = element.before_call(before.last()?);
            last_verdict = mention::why_not_a_call(&Situation {
                is_in_list: last_verdict == Some(Mention::Format),
                setting: self.setting,
                placement: candidate.placement,
                is_alone,
                is_cut: self.is_cut,
                is_only: !self.has_said_more && texts.len() == 2,
                calls: &candidate.calls,
                is_destructive: candidate.is_destructive(tools),
                // Calls with nothing between them share their texts.
                lead: nearest(before.iter().rev()),
                is_quoted: element.is_open(),
                source: &candidate.source,
                follow: near(nearest(behind.iter()), limits::NEAR),
                closing: near(closing, limits::NEAR),
            });
            last_verdict
        });
        verdicts.collect()
    }
}

/// The texts around the candidates that hold calls: one before each, and one behind the last.
fn texts_around(lead: &str, segments: &[Segment]) -> Vec<String> {
    let mut texts = Vec::new();
    let mut last = lead.to_owned();
    for segment in segments {
        match segment {
            Segment::Text(text) => last.push_str(text),
            segment if segment.with_calls().is_some() => texts.push(std::mem::take(&mut last)),
            _ => {}
        }
    }
    texts.push(last);
    texts
}

/// True where the reply says nothing beside its calls but that they come.
fn hold_no_more_than_a_lead_in(texts: &[String]) -> bool {
    texts.split_first().is_none_or(|(lead, others)| {
        let is_lead_in = lead.trim().is_empty() || mention::is_plain_lead_in(lead);
        is_lead_in && others.iter().all(|text| text.trim().is_empty())
    })
}

/// The first text that says something.
fn nearest<'t>(mut texts: impl Iterator<Item = &'t String>) -> &'t str {
    let text = texts.find(|text| !mention::only_connects(text));
    text.map_or("", String::as_str)
}

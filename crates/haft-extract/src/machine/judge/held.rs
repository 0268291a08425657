//! What is held back of a reply: texts, and candidates with the text that they were read from. What
//! becomes of each candidate is seen with the texts around it.

use super::{Judge, Placement};
use crate::machine::{Calls, FoundCall, ParseEvent};
use crate::mention::{Mention, Situation};
use crate::{ToolSet, limits, mention, scan::near};

/// A part of what is held back.
#[derive(Debug, Default)]
pub(super) struct Segment {
    pub(super) kind: Kind,
    /// The text that it was read from.
    pub(super) source: String,
    /// How the calls of a candidate stand.
    pub(super) placement: Placement,
    pub(super) calls: Calls,
}

/// What a segment was found as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
    /// Text between candidates.
    #[default]
    Text,
    Thought,
    /// Markup and calls that may be no more than text.
    Candidate,
    /// The wrapper of the last call was not closed.
    Unclosed,
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
        let is_empty = |last: &mut Segment| {
            last.kind == Kind::Candidate && last.calls.is_empty() && last.source.is_empty()
        };
        self.segments.pop_if(is_empty);
        self.segments.push(Segment {
            kind: Kind::Candidate,
            placement,
            ..Segment::default()
        });
    }

    /// What comes next belongs to no call before it that has no marker.
    pub(super) fn end_unmarked(&mut self) {
        let is_unmarked = |last: &Segment| !last.placement.is_marked() && !last.calls.is_empty();
        self.is_whole |= self.segments.last().is_some_and(is_unmarked);
    }

    /// Takes in the next event.
    pub(super) fn take(&mut self, event: ParseEvent<'_>) {
        let (kind, text, call) = match event {
            ParseEvent::Text(text) => (Kind::Text, text, None),
            ParseEvent::Reasoning(text) => (Kind::Thought, text, None),
            ParseEvent::Unclosed => (Kind::Unclosed, "", None),
            ParseEvent::Markup(text) => (Kind::Candidate, text, None),
            ParseEvent::Call(call, text) => (Kind::Candidate, text, Some(call.into_owned())),
            ParseEvent::Decided => {
                self.is_whole = true;
                return;
            }
            _ => return,
        };
        let goes_on = self.segments.last().is_some_and(|last| last.kind == kind);
        match kind {
            Kind::Candidate if self.is_whole || !goes_on => self.begin(Placement::Marked),
            _ if goes_on => {}
            _ => self.segments.push(Segment {
                kind,
                ..Segment::default()
            }),
        }
        self.len += text.len();
        self.text_behind += if kind == Kind::Text { text.len() } else { 0 };
        if let Some(last) = self.segments.last_mut() {
            last.source.push_str(text);
            last.calls.extend(call);
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
            let segment = Some(segment).filter(|it| !it.calls.is_empty())?;
            let tool = |call: &FoundCall<'_>| tools.definition(&call.name);
            let mut called = segment.calls.iter().filter_map(tool);
            place += 1;
            let (before, behind) = texts.split_at_checked(place)?;
            element = element.before_call(before.last()?);
            last_verdict = mention::why_not_a_call(&Situation {
                is_in_list: last_verdict == Some(Mention::Format),
                setting: self.setting,
                placement: segment.placement,
                is_alone,
                is_cut: self.is_cut,
                is_only: !self.has_said_more && texts.len() == 2,
                calls: &segment.calls,
                is_destructive: called.any(|tool| tool.destructive),
                // Calls with nothing between them share their texts.
                lead: nearest(before.iter().rev()),
                is_quoted: element.is_open(),
                source: &segment.source,
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
            Segment {
                kind: Kind::Text,
                source,
                ..
            } => last.push_str(source),
            segment if !segment.calls.is_empty() => texts.push(std::mem::take(&mut last)),
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

//! What is held back of a reply: texts, and candidates with the text that they were read from.

use super::Placement;
use crate::ToolSet;
use crate::machine::reading::{Found, Reading};
use crate::tool_set::Named;

/// A part of what is held back.
#[derive(Debug)]
pub(super) enum Segment {
    Text(String),
    Candidate(Candidate),
    /// Thinking and the like.
    Other(Reading<'static>),
}

/// Markup and calls that may be no more than text.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) placement: Placement,
    /// The text that it was read from.
    pub(super) source: String,
    pub(super) readings: Vec<Reading<'static>>,
    /// What comes next does not belong to it.
    is_whole: bool,
}

impl Candidate {
    pub(super) fn has_calls(&self) -> bool {
        self.calls().next().is_some()
    }

    /// True when one of its calls is of a tool that may do harm.
    pub(super) fn is_destructive(&self, tools: &ToolSet) -> bool {
        let does_harm = |found: &Found<'_>| match tools.find(&found.name) {
            Named::Bound(tool) => tool.definition.destructive,
            Named::Anything | Named::Unknown => false,
        };
        self.calls().any(does_harm)
    }

    /// The names of its tools, and their arguments as written.
    pub(super) fn words(&self) -> (String, String) {
        let names: Vec<&str> = self.calls().map(|found| found.name.as_ref()).collect();
        let arguments: Vec<&str> = self.calls().map(|found| found.arguments.text()).collect();
        (names.join(" "), arguments.join(" "))
    }

    fn calls(&self) -> impl Iterator<Item = &Found<'static>> {
        self.readings.iter().filter_map(|reading| match reading {
            Reading::Call(found) => Some(found),
            _ => None,
        })
    }
}

/// What is held back, in order.
#[derive(Debug, Default)]
pub(super) struct Held {
    segments: Vec<Segment>,
    /// How long it is, in bytes.
    len: usize,
    /// How much text stands behind the last candidate, in bytes.
    text_behind: usize,
    step: Step,
}

/// What was handed out since the source was told of last: text, markup, text.
#[derive(Debug, Default)]
struct Step {
    /// So many bytes of text before the markup.
    before: usize,
    /// The candidate that holds the markup.
    candidate: Option<usize>,
    /// So many bytes of text behind it.
    behind: usize,
}

impl Held {
    /// Begins in a step of which so many bytes of text were handed on already.
    pub(super) fn behind(step_text: usize) -> Self {
        Self {
            step: Step {
                before: step_text,
                ..Step::default()
            },
            ..Self::default()
        }
    }

    /// So many bytes of text came of which the source has not come.
    pub(super) fn step_text(&self) -> usize {
        self.step.before + self.step.behind
    }

    pub(super) fn into_segments(self) -> Vec<Segment> {
        self.segments
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn text_behind(&self) -> usize {
        self.text_behind
    }

    /// A candidate begins.
    pub(super) fn begin(&mut self, placement: Placement) {
        self.text_behind = 0;
        if let Some(Segment::Candidate(candidate)) = self.segments.last_mut()
            && candidate.readings.is_empty()
            && candidate.source.is_empty()
        {
            candidate.placement = placement;
            return;
        }
        self.segments.push(Segment::Candidate(Candidate {
            placement,
            source: String::new(),
            readings: Vec::new(),
            is_whole: false,
        }));
    }

    /// Takes in the next reading. `placement`: how a call stands that begins with it.
    pub(super) fn take(&mut self, reading: &mut Reading<'_>, placement: Placement) {
        match reading {
            Reading::Source(source) => self.source(source),
            Reading::Text(text) => self.text(text),
            Reading::Ahead(_) | Reading::AheadArguments(_) => {}
            Reading::Decided => {
                if let Some(candidate) = self.open_candidate() {
                    candidate.readings.push(Reading::Decided);
                }
            }
            Reading::Reasoning(_) | Reading::Unclosed => {
                self.segments.push(Segment::Other(owned(reading)));
            }
            reading => self.markup(owned(reading), placement),
        }
    }

    fn text(&mut self, text: &str) {
        let is_blank = text.trim_ascii().is_empty();
        if is_blank
            && self.step.candidate.is_some()
            && let Some(candidate) = self.open_candidate()
        {
            // Between two calls of one step.
            let text = Reading::Text(text.to_owned().into());
            return candidate.readings.push(text);
        }
        match self.step.candidate {
            Some(_) => self.step.behind += text.len(),
            None => self.step.before += text.len(),
        }
        self.text_behind += text.len();
        match self.segments.last_mut() {
            Some(Segment::Text(last)) => last.push_str(text),
            _ => self.segments.push(Segment::Text(text.to_owned())),
        }
    }

    fn markup(&mut self, reading: Reading<'static>, placement: Placement) {
        if self.open_candidate().is_none() {
            self.begin(placement);
        }
        self.step.candidate = Some(self.segments.len() - 1);
        self.step.behind = 0;
        if let Some(candidate) = self.open_candidate() {
            candidate.readings.push(reading);
        }
    }

    /// The text that was decided by this step.
    fn source(&mut self, source: &str) {
        self.len += source.len();
        let step = std::mem::take(&mut self.step);
        let end = source.len().saturating_sub(step.behind);
        let markup = source.get(step.before..end).unwrap_or_default();
        let place = step.candidate.or(self.segments.len().checked_sub(1));
        let segment = place.and_then(|place| self.segments.get_mut(place));
        if let Some(Segment::Candidate(candidate)) = segment {
            candidate.source.push_str(markup);
            candidate.is_whole = !candidate.placement.is_marked() && candidate.has_calls();
        }
    }

    /// The candidate at the end, if more may belong to it.
    fn open_candidate(&mut self) -> Option<&mut Candidate> {
        match self.segments.last_mut() {
            Some(Segment::Candidate(candidate)) if !candidate.is_whole => Some(candidate),
            _ => None,
        }
    }
}

/// The reading, independent of the text it was found in.
fn owned(reading: &mut Reading<'_>) -> Reading<'static> {
    std::mem::replace(reading, Reading::Decided).into_owned()
}

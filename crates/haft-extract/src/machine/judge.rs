//! Holds calls back that a reply may only mention, until enough of the text around them is there
//! to tell.
//!
//! It stands between the [`reader`](crate::machine::reader), which finds calls, and the
//! [`output`](crate::machine::output), which hands them out. Calls with a marker outside of fences and
//! quotations go through at once, unless the text before them explains a format. All others wait
//! for the text behind them; what [`mention`](crate::mention) says of them decides whether they go
//! on as calls or as the text that they were read from. The decision depends on the text alone,
//! never on how the reply was cut.

mod held;
mod line;
mod tail;

use crate::machine::output::{Output, Sink};
use crate::machine::reading::Reading;
use crate::mention::{self, Mention, Situation};
use crate::{BareCalls, ExtractOptions, ToolSet};
use held::{Candidate, Held, Segment};
use line::Lines;
use tail::Tail;

/// How much of the text before a call is looked at, in bytes.
const LEAD: usize = 1024;

/// How much of the text behind a call is waited for and looked at, in bytes.
const FOLLOW: usize = 1024;

/// How much is held back at most, in bytes: more than any reply that a person reads.
const MAX_HELD: usize = 1024 * 1024;

/// How a call stands in its reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Placement {
    /// Behind a marker of its format, outside of fences and quotations.
    Marked,
    /// Without a marker, alone in its line.
    Bare,
    /// Without a marker, at the end of a line of text that ends the reply.
    Inline,
    /// In a fence.
    Fenced,
    /// In a quotation: a line that begins with `>`.
    Quoted,
    /// In the form that the prompt taught (text mode): it is always meant.
    Taught,
    /// In words, without brackets: it is meant only where the reply holds nothing else.
    InWords,
}

impl Placement {
    /// True if the form of the call says that it is one.
    pub(crate) fn is_marked(self) -> bool {
        matches!(self, Self::Marked | Self::Taught)
    }
}

/// The output, and what it needs to know.
pub(crate) type Target<'t> = (&'t mut Output, (&'t ToolSet, &'t ExtractOptions));

/// What is known of a reply so far.
#[derive(Debug)]
pub(crate) struct Judge {
    setting: BareCalls,
    /// The reply was cut before its end.
    is_cut: bool,
    /// The end of the text since the last call.
    lead: String,
    lines: Lines,
    /// More was said before than a plain lead-in.
    has_said_more: bool,
    /// Markup came since the last text.
    in_markup: bool,
    /// So many bytes of text were handed on of which the source has not come.
    step_text: usize,
    /// Markup was handed on of which the source has not come. What is read in one step is judged
    /// as one, by what leads to its first markup.
    step_markup: bool,
    held: Option<Box<Held>>,
    /// An object within a line that may end the reply.
    tail: Option<Box<Tail>>,
}

impl Judge {
    pub(crate) fn new(options: &ExtractOptions) -> Self {
        Self {
            setting: options.bare_calls,
            is_cut: false,
            lead: String::new(),
            lines: Lines::default(),
            has_said_more: false,
            in_markup: false,
            step_text: 0,
            step_markup: false,
            held: None,
            tail: None,
        }
    }

    /// Takes in words that decide nothing, as most chunks of a stream of text are.
    pub(crate) fn take_words(&mut self, text: &str, (output, about): Target<'_>, sink: Sink<'_>) {
        if self.held.is_none() && self.tail.is_none() && !text.contains('{') {
            self.note_text(text);
            self.lines.pass(text);
            self.step_markup = false;
            self.step_text = 0;
            return output.take(&mut Reading::Text(text.into()), about, sink);
        }
        for mut reading in [Reading::Text(text.into()), Reading::Source(text.into())] {
            self.take(&mut reading, (output, about), sink);
        }
    }

    /// Takes in the next reading.
    pub(crate) fn take(
        &mut self,
        reading: &mut Reading<'_>,
        (output, about): Target<'_>,
        sink: Sink<'_>,
    ) {
        let is_quoted = self.lines.take(reading);
        if self.held.is_none() && self.take_tail(reading, (output, about), sink) {
            return;
        }
        if let Reading::Candidate(placement) = reading {
            match placement {
                // Whether a call in words is one depends on the rest of the reply.
                _ if self.setting == BareCalls::Always && *placement != Placement::InWords => {}
                // Nothing to wait for, unless a call before it waits.
                Placement::Taught if self.held.is_none() => self.in_markup = true,
                _ => self.hold(*placement),
            }
            return;
        }
        if self.begins_markup(reading) {
            self.in_markup = true;
            self.step_markup = true;
            if self.setting != BareCalls::Always
                && let Some(placement) = self.placement_of_markup(is_quoted)
            {
                self.hold(placement);
            }
        }
        self.step_markup &= !matches!(reading, Reading::Source(_));
        let Some(held) = &mut self.held else {
            return self.pass(reading, (output, about), sink);
        };
        if matches!(reading, Reading::ThinkingEnded) {
            self.drop_thoughts((output, about), sink);
            return output.take(reading, about, sink);
        }
        held.take(
            reading,
            if is_quoted {
                Placement::Quoted
            } else {
                Placement::Marked
            },
        );
        if held.text_behind() > FOLLOW || held.len() > MAX_HELD {
            self.decide((output, about), false, sink);
        }
    }

    /// The reply was cut: what would have followed is not known.
    pub(crate) fn cut(&mut self) {
        self.is_cut = true;
    }

    /// Decides about what is held back when the reply is over.
    pub(crate) fn finish(&mut self, (output, about): Target<'_>, sink: Sink<'_>) {
        self.end_tail((output, about), sink);
        self.decide((output, about), true, sink);
    }

    /// Takes in text from a brace within a line on, which may be a call that ends the reply. False
    /// where the reading is to be taken in as usual.
    fn take_tail(
        &mut self,
        reading: &mut Reading<'_>,
        (output, about): Target<'_>,
        sink: Sink<'_>,
    ) -> bool {
        let Reading::Text(text) = reading else {
            if !matches!(reading, Reading::Source(_)) {
                self.end_text((output, about), sink);
            }
            return false;
        };
        self.step_text += text.len();
        if let Some(tail) = &mut self.tail {
            if !tail.add(text) {
                self.drop_tail((output, about), sink);
            }
            return true;
        }
        let text = std::mem::take(text);
        self.look_for_tail(&text, (output, about), sink);
        true
    }

    /// Hands text on, up to a brace from which on it may be a call that ends the reply.
    fn look_for_tail(&mut self, text: &str, (output, about): Target<'_>, sink: Sink<'_>) {
        let mut rest = text;
        loop {
            let Some(at) = Tail::begins_in(rest, &self.lead) else {
                return self.say(rest, (output, about), sink);
            };
            let (head, object) = rest.split_at_checked(at).unwrap_or((rest, ""));
            self.say(head, (output, about), sink);
            let mut tail = Box::new(Tail::default());
            if tail.add(object) {
                self.tail = Some(tail);
                return;
            }
            let (brace, behind) = object.split_at_checked(1).unwrap_or((object, ""));
            self.say(brace, (output, about), sink);
            rest = behind;
        }
    }

    /// Hands text on.
    fn say(&mut self, text: &str, (output, about): Target<'_>, sink: Sink<'_>) {
        if !text.is_empty() {
            self.note_text(text);
            output.take(&mut Reading::Text(text.into()), about, sink);
        }
    }

    /// The object within a line does not end the reply: it is text, in which another may begin.
    fn drop_tail(&mut self, (output, about): Target<'_>, sink: Sink<'_>) {
        if let Some(tail) = self.tail.take() {
            let text = tail.into_text();
            let (brace, behind) = text.split_at_checked(1).unwrap_or((&text, ""));
            self.say(brace, (output, about), sink);
            self.look_for_tail(behind, (output, about), sink);
        }
    }

    /// What follows the text is no text: an object within a line does not end the reply.
    fn end_text(&mut self, (output, about): Target<'_>, sink: Sink<'_>) {
        if let Some(tail) = self.tail.take() {
            self.say(&tail.into_text(), (output, about), sink);
        }
    }

    /// The reply ends with the object within a line, if there is one.
    fn end_tail(&mut self, (output, about): Target<'_>, sink: Sink<'_>) {
        let Some(tail) = self.tail.take() else {
            return;
        };
        let Some(readings) = tail.calls(about.0) else {
            return self.say(&tail.into_text(), (output, about), sink);
        };
        let source = tail.into_text();
        let mut held = Box::new(Held::default());
        held.begin(Placement::Inline);
        for mut reading in readings {
            held.take(&mut reading, Placement::Inline);
        }
        held.take(&mut Reading::Source(source.into()), Placement::Inline);
        self.held = Some(held);
    }

    /// True for the first markup behind text while nothing is held back.
    fn begins_markup(&self, reading: &Reading<'_>) -> bool {
        let is_markup = matches!(
            reading,
            Reading::Syntax(_) | Reading::Start(_) | Reading::Call(_)
        );
        is_markup && !self.in_markup && !self.step_markup && self.held.is_none()
    }

    /// How a call stands that has a marker, where it is to be held back.
    fn placement_of_markup(&self, is_quoted: bool) -> Option<Placement> {
        if is_quoted {
            return Some(Placement::Quoted);
        }
        mention::explains_format(&self.lead).then_some(Placement::Marked)
    }

    fn hold(&mut self, mut placement: Placement) {
        if placement == Placement::Bare && self.lines.is_quoted() {
            placement = Placement::Quoted;
        }
        let step_text = self.step_text;
        let held = self
            .held
            .get_or_insert_with(|| Box::new(Held::behind(step_text)));
        held.begin(placement);
    }

    /// Hands a reading on at once.
    fn pass(&mut self, reading: &mut Reading<'_>, (output, about): Target<'_>, sink: Sink<'_>) {
        match reading {
            Reading::Text(text) => self.note_text(text),
            Reading::Source(_) => self.step_text = 0,
            Reading::Call(_) => self.note_call(),
            Reading::ThinkingEnded => {
                self.lead.clear();
                self.has_said_more = false;
            }
            _ => {}
        }
        output.take(reading, about, sink);
    }

    /// Remembers the end of the text.
    fn note_text(&mut self, text: &str) {
        self.in_markup &= text.trim_ascii().is_empty();
        let from = text.ceil_char_boundary(text.len().saturating_sub(LEAD));
        self.has_said_more |= from > 0;
        self.lead.push_str(text.get(from..).unwrap_or_default());
        if self.lead.len() > 2 * LEAD {
            self.has_said_more = true;
            let from = self.lead.ceil_char_boundary(self.lead.len() - LEAD);
            self.lead.drain(..from);
        }
    }

    fn note_call(&mut self) {
        self.has_said_more |= !self.lead.trim().is_empty();
        self.lead.clear();
    }

    /// The text so far was thinking, and so were the calls in it.
    fn drop_thoughts(&mut self, (output, about): Target<'_>, sink: Sink<'_>) {
        let held = self.held.take().unwrap_or_default();
        for segment in held.into_segments() {
            match segment {
                Segment::Text(text) => output.take(&mut Reading::Text(text.into()), about, sink),
                Segment::Other(mut reading) => output.take(&mut reading, about, sink),
                Segment::Candidate(_) => {}
            }
        }
        self.lead.clear();
        self.has_said_more = false;
    }

    /// Hands on what is held back, as calls or as text. `is_over`: the reply ends here.
    fn decide(&mut self, (output, about): Target<'_>, is_over: bool, sink: Sink<'_>) {
        let Some(held) = self.held.take() else {
            return;
        };
        self.step_text = held.step_text();
        let segments = held.into_segments();
        let verdicts = self.verdicts(&segments, about.0, is_over);
        // What markup without a call belongs to.
        let mut is_text = false;
        for (segment, verdict) in segments.into_iter().zip(verdicts) {
            match segment {
                Segment::Text(text) => {
                    is_text &= text.trim_ascii().is_empty();
                    self.note_text(&text);
                    output.take(&mut Reading::Text(text.into()), about, sink);
                }
                Segment::Other(mut reading) => output.take(&mut reading, about, sink),
                Segment::Candidate(candidate) => {
                    if candidate.has_calls() {
                        is_text = verdict.is_some();
                    }
                    if let Some(reason) = verdict {
                        output.not_a_call(reason, sink);
                    }
                    if is_text {
                        self.note_text(&candidate.source);
                        let mut source = Reading::Text(candidate.source.into());
                        output.take(&mut source, about, sink);
                    } else {
                        self.note_call();
                        output.set_bare(!candidate.placement.is_marked());
                        for mut reading in candidate.readings {
                            output.take(&mut reading, about, sink);
                        }
                        output.set_bare(false);
                    }
                }
            }
        }
    }

    /// What each of the segments is, if it is no call.
    fn verdicts(
        &self,
        segments: &[Segment],
        tools: &ToolSet,
        is_over: bool,
    ) -> Vec<Option<Mention>> {
        let texts = Texts::around(&self.lead, segments);
        let closing = texts.last().map_or("", |text| text.as_str());
        let is_alone = !self.has_said_more && texts.hold_no_more_than_a_lead_in();
        let mut place = 0;
        let is_only = !self.has_said_more && texts.0.len() == 2;
        let judge = |candidate: &Candidate, place: usize| {
            let (tool, arguments) = candidate.words();
            mention::judge(&Situation {
                setting: self.setting,
                placement: candidate.placement,
                is_alone,
                is_cut: self.is_cut,
                is_only,
                tool: &tool,
                arguments: &arguments,
                is_destructive: candidate.is_destructive(tools),
                lead: texts.before(place),
                source: &candidate.source,
                follow: head(texts.behind(place)),
                closing: if is_over { head(closing) } else { "" },
            })
        };
        let verdicts = segments.iter().map(|segment| match segment {
            Segment::Candidate(candidate) if candidate.has_calls() => {
                place += 1;
                judge(candidate, place)
            }
            _ => None,
        });
        verdicts.collect()
    }
}

/// As much of a text behind a call as is looked at.
fn head(text: &str) -> &str {
    text.get(..text.floor_char_boundary(FOLLOW)).unwrap_or(text)
}

/// The texts around the candidates that hold calls: one before each, and one behind the last.
struct Texts(Vec<String>);

impl Texts {
    fn around(lead: &str, segments: &[Segment]) -> Self {
        let mut texts = vec![lead.to_owned()];
        for segment in segments {
            match segment {
                Segment::Candidate(candidate) if candidate.has_calls() => texts.push(String::new()),
                Segment::Text(text) => {
                    if let Some(last) = texts.last_mut() {
                        last.push_str(text);
                    }
                }
                Segment::Candidate(_) | Segment::Other(_) => {}
            }
        }
        Self(texts)
    }

    fn last(&self) -> Option<&String> {
        self.0.last()
    }

    /// The text that leads to a candidate, counted from 1. Calls with nothing between them share
    /// theirs.
    fn before(&self, place: usize) -> &str {
        let texts = self.0.get(..place).unwrap_or_default().iter().rev();
        nearest(texts)
    }

    /// The text behind a candidate, counted from 1.
    fn behind(&self, place: usize) -> &str {
        nearest(self.0.get(place..).unwrap_or_default().iter())
    }

    /// True where the reply says nothing beside its calls but that they come.
    fn hold_no_more_than_a_lead_in(&self) -> bool {
        let Some((lead, others)) = self.0.split_first() else {
            return true;
        };
        let is_lead_in = lead.trim().is_empty() || mention::is_plain_lead_in(lead);
        is_lead_in && others.iter().all(|text| text.trim().is_empty())
    }
}

/// The first text that says something.
fn nearest<'t>(mut texts: impl Iterator<Item = &'t String>) -> &'t str {
    texts
        .find(|text| !mention::only_connects(text))
        .map_or("", String::as_str)
}

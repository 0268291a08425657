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
mod tail;

use std::borrow::Cow;

use crate::machine::event::ParseEvent;
use crate::machine::output::{Output, Sink};
use crate::mention::{self, Mention, Situation};
use crate::{BareCalls, ExtractOptions, ToolSet};
use held::{Candidate, Held, Segment};
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
    /// The end of the text since the last call: what is looked at of it, and at most as much again.
    lead: String,
    /// More was said before than a plain lead-in.
    has_said_more: bool,
    /// Markup came since the last text.
    in_markup: bool,
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
            has_said_more: false,
            in_markup: false,
            held: None,
            tail: None,
        }
    }

    /// Takes in the next event.
    pub(crate) fn take(
        &mut self,
        event: ParseEvent<'_>,
        (output, about): Target<'_>,
        sink: Sink<'_>,
    ) {
        if self.held.is_none() {
            if let ParseEvent::Text(text) = event {
                return self.take_text(text, (output, about), sink);
            }
            // An object within a line does not end the reply.
            if let Some(tail) = self.tail.take() {
                self.say(&tail.into_text(), (output, about), sink);
            }
        }
        if let ParseEvent::Candidate(placement) = event {
            match placement {
                // Whether a call in words is one depends on the rest of the reply.
                _ if self.setting == BareCalls::Always && placement != Placement::InWords => {}
                // Nothing to wait for, unless a call before it waits.
                Placement::Taught if self.held.is_none() => self.in_markup = true,
                Placement::Marked => {
                    if let Some(held) = &mut self.held {
                        held.end_unmarked();
                    }
                }
                _ => self.held.get_or_insert_default().begin(placement),
            }
            return;
        }
        if self.held.is_none() && !self.in_markup && is_markup(&event) {
            self.in_markup = true;
            if self.setting != BareCalls::Always && mention::explains_format(last(&self.lead)) {
                self.held.get_or_insert_default().begin(Placement::Marked);
            }
        }
        let Some(held) = &mut self.held else {
            match event {
                ParseEvent::Call(..) => self.note_call(),
                ParseEvent::ThinkingEnded => self.forget(),
                _ => {}
            }
            return output.take(event, about, sink);
        };
        if matches!(event, ParseEvent::ThinkingEnded) {
            self.drop_thoughts((output, about), sink);
            return output.take(event, about, sink);
        }
        held.take(event);
        if held.text_behind > FOLLOW || held.len > MAX_HELD {
            self.decide((output, about), false, sink);
        }
    }

    /// The reply was cut: what would have followed is not known.
    pub(crate) fn cut(&mut self) {
        self.is_cut = true;
    }

    /// Decides about what is held back when the reply is over.
    pub(crate) fn finish(&mut self, (output, about): Target<'_>, sink: Sink<'_>) {
        if let Some(tail) = self.tail.take() {
            match tail.calls(about.0) {
                Some(calls) => {
                    let held = self.held.get_or_insert_default();
                    held.begin(Placement::Inline);
                    held.take(ParseEvent::Markup(&tail.into_text()));
                    for call in calls {
                        held.take(ParseEvent::Call(call, ""));
                    }
                }
                None => self.say(&tail.into_text(), (output, about), sink),
            }
        }
        self.decide((output, about), true, sink);
    }

    /// Takes in text, of which what begins with a brace within a line may be a call that ends the
    /// reply.
    fn take_text(&mut self, text: &str, (output, about): Target<'_>, sink: Sink<'_>) {
        let mut text = Cow::Borrowed(text);
        loop {
            let mut tail = match self.tail.take() {
                Some(tail) => tail,
                None => {
                    let at = Tail::begins_in(&text, last(&self.lead)).unwrap_or(text.len());
                    let (head, object) = text.split_at_checked(at).unwrap_or_default();
                    self.say(head, (output, about), sink);
                    if object.is_empty() {
                        return;
                    }
                    text = Cow::Owned(object.to_owned());
                    Box::default()
                }
            };
            if tail.add(&text) {
                self.tail = Some(tail);
                return;
            }
            // It is text, in which another object may begin.
            let mut whole = tail.into_text();
            text = Cow::Owned(whole.split_off(1));
            self.say(&whole, (output, about), sink);
        }
    }

    /// Hands text on.
    fn say(&mut self, text: &str, (output, about): Target<'_>, sink: Sink<'_>) {
        if !text.is_empty() {
            self.note_text(text);
            output.take(ParseEvent::Text(text), about, sink);
        }
    }

    /// Remembers the end of the text.
    fn note_text(&mut self, text: &str) {
        self.in_markup &= text.trim_ascii().is_empty();
        self.has_said_more |= self.lead.len() + text.len() > LEAD;
        if text.len() >= LEAD {
            self.lead.clear();
        }
        self.lead.push_str(last(text));
        // Not with each text, as that would move all of it each time.
        if self.lead.len() > 2 * LEAD {
            self.lead = last(&self.lead).to_owned();
        }
    }

    fn note_call(&mut self) {
        self.has_said_more |= !self.lead.trim().is_empty();
        self.lead.clear();
    }

    /// What was said so far was a thought.
    fn forget(&mut self) {
        self.lead.clear();
        self.has_said_more = false;
    }

    /// The text so far was thinking, and so were the calls in it.
    fn drop_thoughts(&mut self, (output, about): Target<'_>, sink: Sink<'_>) {
        let held = self.held.take().unwrap_or_default();
        for segment in held.segments {
            match segment {
                Segment::Text(text) => output.take(ParseEvent::Text(&text), about, sink),
                Segment::Thought(text) => output.take(ParseEvent::Reasoning(&text), about, sink),
                Segment::Candidate(_) | Segment::Unclosed => {}
            }
        }
        self.forget();
    }

    /// Hands on what is held back, as calls or as text. `is_over`: the reply ends here.
    fn decide(&mut self, (output, about): Target<'_>, is_over: bool, sink: Sink<'_>) {
        let Some(held) = self.held.take() else {
            return;
        };
        let verdicts = self.verdicts(&held.segments, about.0, is_over);
        // What markup without a call belongs to.
        let mut is_text = false;
        let mut segments = held.segments.into_iter().zip(verdicts).peekable();
        while let Some((segment, verdict)) = segments.next() {
            match segment {
                Segment::Text(text) => {
                    is_text &= text.trim_ascii().is_empty();
                    self.say(&text, (output, about), sink);
                }
                Segment::Thought(text) => {
                    is_text = false;
                    output.take(ParseEvent::Reasoning(&text), about, sink);
                }
                Segment::Unclosed => output.take(ParseEvent::Unclosed, about, sink),
                Segment::Candidate(candidate) => {
                    let is_before_thought =
                        matches!(segments.peek(), Some((Segment::Thought(_), _)));
                    is_text &= !is_before_thought;
                    if !candidate.calls.is_empty() {
                        is_text = verdict.is_some();
                    }
                    if let Some(reason) = verdict {
                        output.not_a_call(reason, sink);
                    }
                    match is_text {
                        true => self.say(&candidate.source, (output, about), sink),
                        false => self.make(candidate, (output, about), sink),
                    }
                }
            }
        }
    }

    /// The calls of a candidate are made.
    fn make(&mut self, candidate: Candidate, (output, about): Target<'_>, sink: Sink<'_>) {
        self.note_call();
        output.set_bare(!candidate.placement.is_marked());
        if candidate.calls.is_empty() {
            output.take(ParseEvent::Markup(&candidate.source), about, sink);
        }
        for call in candidate.calls {
            output.take(ParseEvent::Call(call, ""), about, sink);
        }
        output.take(ParseEvent::Decided, about, sink);
        output.set_bare(false);
    }

    /// What each of the segments is, if it is no call.
    fn verdicts(
        &self,
        segments: &[Segment],
        tools: &ToolSet,
        is_over: bool,
    ) -> Vec<Option<Mention>> {
        let texts = Texts::around(last(&self.lead), segments);
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
            Segment::Candidate(candidate) if !candidate.calls.is_empty() => {
                place += 1;
                judge(candidate, place)
            }
            _ => None,
        });
        verdicts.collect()
    }
}

/// As much of a text before a call as is looked at.
fn last(text: &str) -> &str {
    let from = text.ceil_char_boundary(text.len().saturating_sub(LEAD));
    text.get(from..).unwrap_or_default()
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
                Segment::Candidate(candidate) if !candidate.calls.is_empty() => {
                    texts.push(String::new());
                }
                Segment::Text(text) => {
                    if let Some(last) = texts.last_mut() {
                        last.push_str(text);
                    }
                }
                _ => {}
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

fn is_markup(event: &ParseEvent<'_>) -> bool {
    matches!(
        event,
        ParseEvent::Markup(_) | ParseEvent::CallBegins(_) | ParseEvent::Call(..)
    )
}

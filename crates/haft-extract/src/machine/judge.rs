//! Holds calls back that a reply may only mention, until enough of the text around them is there
//! to tell.
//!
//! It stands between the [`reader`](crate::machine::reader), which finds calls, and the
//! [`output`](crate::machine::output), which hands them out. Calls with a marker outside of fences and
//! quotations go through at once, unless the text before them says that they are not made. All others
//! wait for the text behind them; what [`mention`](crate::mention) says of them decides whether they go
//! on as calls or as the text that they were read from. The decision depends on the text alone,
//! never on how the reply was cut.

mod held;
mod tail;

use std::borrow::Cow;

use memchr::memchr2;

use held::{Held, Kind, Segment};
use tail::Tail;

use crate::machine::ParseEvent;
use crate::machine::output::Target;
use crate::mention::QuotingElement;
use crate::{BareCalls, ExtractOptions, limits, mention};

/// How a call stands in its reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Placement {
    /// Behind a marker of its format, outside of fences and quotations.
    #[default]
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

/// What is known of a reply so far.
#[derive(Debug, Default)]
pub(crate) struct Judge {
    setting: BareCalls,
    /// The reply was cut before its end: what would have followed is not known.
    pub(crate) is_cut: bool,
    /// The end of the text since the last call: at least as much as is looked at, at most twice that.
    lead: String,
    /// The element that quotes, if one is open where `lead` begins.
    element: QuotingElement,
    /// More was said before than a plain lead-in.
    has_said_more: bool,
    /// Markup came since the last text.
    in_markup: bool,
    held: Option<Box<Held>>,
    /// An object or a list within a line that may end the reply.
    tail: Option<Box<Tail>>,
}

impl Judge {
    pub(crate) fn new(options: &ExtractOptions) -> Self {
        Self {
            setting: options.bare_calls,
            ..Self::default()
        }
    }

    /// Takes in the next event.
    pub(crate) fn take(&mut self, event: ParseEvent<'_>, to: &mut Target<'_>) {
        if self.held.is_none() {
            match event {
                ParseEvent::Text(text) => return self.take_text(text, to),
                ParseEvent::Arguments(fragment) => return to.fragment(fragment),
                ParseEvent::ArgumentsAhead(fragment) => return to.fragment_ahead(fragment),
                _ => {}
            }
            // A bracket within a line does not end the reply.
            if let Some(tail) = self.tail.take() {
                self.say(&tail.text, to);
            }
        }
        if let ParseEvent::NextCall(placement) = event {
            return self.begin(placement);
        }
        use ParseEvent::{Call, CallBegins, Markup};
        let is_markup = matches!(event, Markup(_) | CallBegins(_) | Call(..));
        if self.held.is_none() && !self.in_markup && is_markup {
            self.in_markup = true;
            self.shorten_lead();
            let is_doubtful = || mention::may_mention(&self.lead, self.element);
            if self.setting != BareCalls::Always && is_doubtful() {
                self.held.get_or_insert_default().begin(Placement::Marked);
            }
        }
        match (&event, &mut self.held) {
            (ParseEvent::ThinkingEnded, _) => self.forget(to),
            (_, Some(held)) => {
                held.take(event);
                if held.text_behind > limits::NEAR || held.len > limits::HELD {
                    self.decide(to, false);
                }
                return;
            }
            (Call(..), None) => self.note_call(),
            _ => {}
        }
        to.take(event);
    }

    /// The next calls stand so.
    fn begin(&mut self, placement: Placement) {
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
    }

    /// Decides about what is held back when the reply is over.
    pub(crate) fn finish(&mut self, to: &mut Target<'_>) {
        if let Some(mut tail) = self.tail.take() {
            match tail.calls(to.about.tools) {
                Some(calls) => {
                    let held = self.held.get_or_insert_default();
                    held.begin(Placement::Inline);
                    held.take(ParseEvent::Markup(&tail.text));
                    for call in calls {
                        held.take(ParseEvent::Call(call, ""));
                    }
                }
                None => self.say(&tail.text, to),
            }
        }
        self.decide(to, true);
        to.finish();
    }

    /// Takes in text, of which what begins with a bracket within a line may be a call that ends
    /// the reply.
    fn take_text(&mut self, text: &str, to: &mut Target<'_>) {
        if self.tail.is_none() && memchr2(b'{', b'[', text.as_bytes()).is_none() {
            return self.say(text, to);
        }
        let mut text = Cow::Borrowed(text);
        loop {
            let Some(mut tail) = self.tail.take() else {
                self.shorten_lead();
                let at = Tail::begins_in(&text, &self.lead).unwrap_or(text.len());
                let (head, object) = text.split_at_checked(at).unwrap_or_default();
                self.say(head, to);
                if object.is_empty() {
                    return;
                }
                text = Cow::Owned(object.to_owned());
                self.tail = Some(Box::default());
                continue;
            };
            if tail.add(&text) {
                self.tail = Some(tail);
                return;
            }
            // It is text, in which another object may begin.
            let mut whole = tail.text;
            text = Cow::Owned(whole.split_off(1));
            self.say(&whole, to);
        }
    }

    /// Hands text on.
    fn say(&mut self, text: &str, to: &mut Target<'_>) {
        if !text.is_empty() {
            self.note_text(text);
            to.text(text);
        }
    }

    /// Remembers the end of the text.
    fn note_text(&mut self, text: &str) {
        self.in_markup = self.in_markup && text.trim_ascii().is_empty();
        self.has_said_more |= self.lead.len() + text.len() > limits::NEAR;
        let mut rest = text;
        while !rest.is_empty() {
            let (piece, behind) = rest.split_at(rest.floor_char_boundary(limits::NEAR));
            self.lead.reserve(limits::ROOM);
            self.lead.push_str(piece);
            // Not with each text, as that would move all of it each time.
            if self.lead.len() > 2 * limits::NEAR {
                self.shorten_lead();
            }
            rest = behind;
        }
    }

    /// Keeps no more of the text than is looked at.
    fn shorten_lead(&mut self) {
        let from = self.lead.len().saturating_sub(limits::NEAR);
        let from = self.lead.ceil_char_boundary(from);
        self.element.take(&self.lead, from);
        self.lead.drain(..from);
    }

    fn note_call(&mut self) {
        self.has_said_more |= !self.lead.trim().is_empty();
        self.element = self.element.before_call(&self.lead);
        self.lead.clear();
    }

    /// What was said so far was a thought, and so were the calls in it.
    fn forget(&mut self, to: &mut Target<'_>) {
        for Segment { kind, source, .. } in self.held.take().unwrap_or_default().segments {
            match kind {
                Kind::Text => to.take(ParseEvent::Text(&source)),
                Kind::Thought => to.take(ParseEvent::Reasoning(&source)),
                // White space around it is not put together.
                Kind::Candidate | Kind::Unclosed => to.take(ParseEvent::Markup("")),
            }
        }
        self.lead.clear();
        self.element = QuotingElement::default();
        self.has_said_more = false;
    }

    /// Hands on what is held back, as calls or as text. `is_over`: the reply ends here.
    fn decide(&mut self, to: &mut Target<'_>, is_over: bool) {
        let Some(held) = self.held.take() else {
            return;
        };
        self.shorten_lead();
        let verdicts = self.verdicts(&held.segments, to.about.tools, is_over);
        // What markup without a call belongs to.
        let mut is_text = false;
        let mut segments = held.segments.into_iter().zip(verdicts).peekable();
        while let Some((segment, verdict)) = segments.next() {
            match segment.kind {
                Kind::Text => {
                    is_text &= segment.source.trim_ascii().is_empty();
                    self.say(&segment.source, to);
                }
                Kind::Thought => {
                    is_text = false;
                    to.take(ParseEvent::Reasoning(&segment.source));
                }
                Kind::Unclosed => to.take(ParseEvent::Unclosed),
                Kind::Candidate => {
                    is_text &= !segments
                        .peek()
                        .is_some_and(|(it, _)| it.kind == Kind::Thought);
                    if !segment.calls.is_empty() {
                        is_text = verdict.is_some();
                    }
                    if let Some(reason) = verdict {
                        to.not_a_call(reason);
                    }
                    match is_text {
                        true => self.say(&segment.source, to),
                        false => self.make(segment, to),
                    }
                }
            }
        }
    }

    /// The calls of a candidate are made.
    fn make(&mut self, candidate: Segment, to: &mut Target<'_>) {
        self.note_call();
        to.output.is_bare = !candidate.placement.is_marked();
        if candidate.calls.is_empty() {
            to.take(ParseEvent::Markup(&candidate.source));
        }
        for call in candidate.calls {
            to.take(ParseEvent::Call(call, ""));
        }
        to.take(ParseEvent::Decided);
        to.output.is_bare = false;
    }
}

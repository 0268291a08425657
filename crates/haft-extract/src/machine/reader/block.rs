//! What may be a call that has no marker: held back until it is whole, then read or told of as
//! text.
//!
//! The end is found by brackets ([`Balance`]) or by the closing fence; what stands between is
//! read on its own. A call counts when its line holds nothing but calls.

mod action;
mod action_ends;
mod assigned;
mod beside;
mod bracketed;
mod calls_in_line;
mod ends;
mod example;
mod in_line;
mod line_end;
mod loose;
mod named;
mod signature;

use std::borrow::Cow;

pub(super) use action::{BEFORE_INPUT, is_sentence, named_in_words};
pub(super) use action_ends::INPUT;
use action_ends::action_end;
use assigned::{TOOL_CODE, without_assignments};
use ends::{bracket_end, ends_with_line, fence_content, parenthesised};
pub(super) use ends::{fence_end, may_hold_marker};
use example::are_examples;
use line_end::LineEnd;
use named::is_named_call;
use signature::{is_code, is_comment, is_signature};

use super::fence::FenceMark;
use super::inside::Inside;
use super::line::{beginning, name_length};
use super::preview::Preview;
use super::{Coast, Reader, State, Step, Turn};
use crate::ToolSet;
use crate::interpret;
use crate::machine::judge::Placement;
use crate::machine::reading::{Found, Reading, Written};
use crate::scan::balance::Balance;

/// A candidate that was looked at over more bytes than this, in vain, is not looked at again
/// from one of its own lines: that keeps the work in proportion to the text.
const SMALL: usize = 4096;

/// How much text after a candidate decides whether it is one.
const LOOK_AHEAD: usize = 1024;

/// What a candidate looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// `{...}`.
    Object,
    /// `[...]`.
    List,
    /// `name(...)`, or several in one line.
    Call,
    /// A name and an object, or a name and tags.
    Named,
    /// A fence.
    Fence,
    /// `Action: name` and `Action Input: ...`.
    Action,
}

impl Shape {
    /// True where the end is found by the brackets.
    pub(super) fn ends_with_brackets(self) -> bool {
        !matches!(self, Self::Fence | Self::Action)
    }
}

/// A candidate.
#[derive(Debug)]
pub(super) struct Block {
    /// So many bytes of decoration stand before it.
    lead: usize,
    shape: Shape,
    /// The scan of its brackets; of a fence or an action, for the preview alone.
    balance: Option<Balance>,
    /// Where the search for its end goes on.
    at: usize,
    /// The end of the line in which that is.
    line: LineEnd,
    /// The opening of the fence is behind.
    is_opened: bool,
    /// So many fences were opened or closed in an action, up to where the search goes on.
    fences: usize,
    /// What is known of the input of an action.
    input: Input,
    /// Text stands before it in its line.
    in_sentence: bool,
    /// It counts only where it ends the reply.
    ends_reply: bool,
    /// Its last bracket was closed here.
    close: Option<usize>,
    /// Its calls are shown as they come: its end was not there at the first look.
    is_shown: bool,
    /// More of it decides nothing as long as its brackets are open.
    coasts: bool,
    preview: Preview,
}

/// How far the input of an action was looked at as an object.
#[derive(Debug, Default)]
struct Input {
    /// It was up to here.
    tried: usize,
    /// So often.
    tries: u8,
    /// It is one, up to there.
    is_whole: bool,
    /// The last fence that was opened holds the action or its input.
    is_fenced: bool,
}

/// Where a candidate ends.
pub(super) enum End {
    More,
    /// It is none.
    None,
    /// Its content ends before the first offset, what belongs to it before the second. The reply
    /// ended before it did: the flag.
    At(usize, usize, bool),
}

impl Block {
    pub(super) fn new(lead: usize, shape: Shape) -> Self {
        Self {
            lead,
            shape,
            balance: None,
            at: lead,
            line: LineEnd::default(),
            is_opened: false,
            fences: 0,
            input: Input::default(),
            in_sentence: false,
            ends_reply: false,
            close: None,
            is_shown: false,
            coasts: false,
            preview: Preview::default(),
        }
    }

    /// As [`Balance::coast`]; what is to be told of its arguments.
    pub(super) fn coast(&mut self, text: &str) -> Option<Coast> {
        let is_open = self.coasts && self.close.is_none();
        let balance = self.balance.as_mut().filter(|_| is_open)?;
        let coasts = balance.coast(text);
        coasts.then(|| self.preview.coast(balance.at()))
    }

    /// Over how many bytes it was looked at, where they are not looked at again.
    pub(super) fn looked_far(&self) -> Option<usize> {
        let looked_at = self.at.max(self.balance.as_ref().map_or(0, Balance::at));
        (looked_at > SMALL).then_some(looked_at)
    }

    /// Shows what is there of a candidate whose end has not come.
    fn show(&mut self, turn: &mut Turn<'_, '_>) {
        let is_first = !std::mem::replace(&mut self.is_shown, true);
        if is_first {
            self.preview.begin(self.lead);
        }
        if !self.shape.ends_with_brackets() {
            self.preview.advance(turn, self.shape, &mut self.balance);
        } else if is_first {
            // Once more from the beginning, now with someone who looks on.
            self.coasts = !ends_with_line(turn.tools, self.shape);
            self.at = self.lead;
            self.line = LineEnd::default();
            self.balance = None;
            self.close = None;
            bracket_end(turn, self);
        }
    }

    /// Shows what is missing of a candidate that holds calls and ends at `end`.
    fn finish(&mut self, turn: &mut Turn<'_, '_>, end: usize) {
        if self.preview.has_shown() && !self.shape.ends_with_brackets() {
            let mut turn = Turn {
                text: turn.head(end),
                finished: true,
                sink: &mut *turn.sink,
                ..*turn
            };
            self.show(&mut turn);
        }
    }

    /// How its calls are written; none if the form says itself that it is an action.
    fn placement(&self, turn: &Turn<'_, '_>) -> Option<Placement> {
        let is_quoted = turn.head(self.lead).trim_ascii_start().starts_with('>');
        match self.shape {
            Shape::Action => None,
            _ if is_quoted => Some(Placement::Quoted),
            Shape::Fence => Some(Placement::Fenced),
            Shape::Call if turn.options.text_mode => Some(Placement::Taught),
            _ if self.ends_reply => Some(Placement::Inline),
            _ => Some(Placement::Bare),
        }
    }

    /// Says that the calls which are told of next are a candidate.
    fn announce(&self, turn: &mut Turn<'_, '_>) {
        if let Some(placement) = self.placement(turn) {
            turn.tell(Reading::Candidate(placement));
        }
    }

    /// The same, with text before it in its line.
    pub(super) fn in_sentence(self) -> Self {
        Self {
            in_sentence: true,
            ..self
        }
    }
}

impl Reader {
    #[inline(never)]
    pub(super) fn block(&mut self, turn: &mut Turn<'_, '_>, mut block: Box<Block>) -> Step {
        match self.settle(turn, &mut block) {
            Some(step) => step,
            None => self.wait(State::Block(block)),
        }
    }

    /// Decides about a candidate, if enough of the text is there.
    fn settle(&mut self, turn: &mut Turn<'_, '_>, block: &mut Block) -> Option<Step> {
        let end = match block.shape {
            Shape::Fence => fence_end(turn, block),
            Shape::Action => action_end(turn, block),
            _ => bracket_end(turn, block),
        };
        Some(match end {
            End::More if turn.text.len() > turn.options.hold_limit + LOOK_AHEAD => {
                self.no_block(turn, block)
            }
            End::More => {
                block.show(turn);
                return None;
            }
            End::None => self.no_block(turn, block),
            End::At(_, whole, _) if whole > turn.options.hold_limit => self.no_block(turn, block),
            End::At(content, whole, cut) => {
                let text = turn.text.get(block.lead..content).unwrap_or_default();
                let readings = self.read_block(turn, block.shape, (text, cut));
                let readings = readings.filter(|readings| {
                    let is_named = block.shape != Shape::Named
                        || is_named_call(turn, block, (text, content), readings);
                    is_named && !are_examples(readings, turn.tools)
                });
                match readings {
                    Some(readings) => {
                        block.finish(turn, content);
                        block.announce(turn);
                        turn.syntax(turn.head(block.lead));
                        Self::tell_readings(turn, readings);
                        turn.tell(Reading::Decided);
                        turn.syntax(turn.text.get(content..whole).unwrap_or_default());
                        self.call_ended();
                        self.take(whole, State::Line)
                    }
                    None => self.no_block(turn, block),
                }
            }
        })
    }

    /// What may be a call begins after so many bytes.
    pub(super) fn candidate(
        &mut self,
        turn: &mut Turn<'_, '_>,
        (lead, shape): (usize, Shape),
    ) -> Step {
        let mut block = Block::new(lead, shape);
        self.scan = 0;
        match self.settle(turn, &mut block) {
            Some(step) => step,
            None => {
                self.state = State::Block(Box::new(block));
                Step::More
            }
        }
    }

    /// The candidate is text: its first line is, and the rest is looked at again.
    fn no_block(&mut self, turn: &mut Turn<'_, '_>, block: &Block) -> Step {
        turn.tell(Reading::Decided);
        if let Some(looked_at) = block.looked_far() {
            self.quiet = self.quiet.max(looked_at);
        }
        if block.shape == Shape::Fence {
            self.fence = FenceMark::at_start(turn.tail(block.lead));
        }
        if let Some(step) = self.calls_in_broken_list(turn, block) {
            return step;
        }
        self.go(State::Prose);
        // Past the first bracket, so that the prose state does not come here again.
        let first = turn
            .tail(block.lead)
            .chars()
            .next()
            .map_or(0, char::len_utf8);
        let is_marker = turn.byte(block.lead) == Some(b'[');
        if !is_marker && block.lead + first > 0 {
            self.tell_text(turn, turn.head(block.lead + first));
            return self.take(block.lead + first, State::Prose);
        }
        Step::Take(0)
    }

    /// A list of calls that is no list as a whole: its calls may still be ones.
    fn calls_in_broken_list(&mut self, turn: &Turn<'_, '_>, block: &Block) -> Option<Step> {
        if block.shape != Shape::List || turn.tools.is_any() {
            return None;
        }
        let text = beginning(turn.tail(block.lead));
        let inner = text.trim_start_matches(['[', '(', ' ', '\n', '\r', '\t', '\'', '"', '{']);
        let len = name_length(inner);
        let is_call = turn.tools.binds(inner.get(..len)?) && inner.get(len..)?.starts_with('(');
        let lead = block.lead + (text.len() - inner.len());
        is_call.then(|| {
            let state = State::Block(Box::new(Block::new(lead, Shape::Call)));
            self.take(0, state)
        })
    }

    fn read_block(
        &mut self,
        turn: &Turn<'_, '_>,
        shape: Shape,
        (text, cut): (&str, bool),
    ) -> Option<Vec<Reading<'static>>> {
        // Markers count in a fence whatever tool they name.
        let is_plain_fence = shape == Shape::Fence && !may_hold_marker(text);
        let needs_name = is_plain_fence || matches!(shape, Shape::Object | Shape::List);
        if needs_name && !turn.tools.may_be_named_in(text) {
            return None;
        }
        let readings = self.read_shape(turn, shape, (text, cut));
        let is_doubtful = match &readings {
            None => true,
            Some(readings) => loose::is_doubtful(readings, turn.tools),
        };
        if is_doubtful && matches!(shape, Shape::Call | Shape::List) {
            return loose::calls(text, turn.tools)
                .or_else(|| bracketed::calls(text, turn.tools))
                .or(readings);
        }
        readings
    }

    fn read_shape(
        &mut self,
        turn: &Turn<'_, '_>,
        shape: Shape,
        (text, cut): (&str, bool),
    ) -> Option<Vec<Reading<'static>>> {
        match shape {
            Shape::Object => interpret::object(text, cut, turn.tools)
                .or_else(|| cut.then(|| broken_object(text, turn.tools)).flatten()),
            Shape::List => interpret::list(text, cut, turn.tools)
                .or_else(|| cut.then(|| broken_object(text, turn.tools)).flatten())
                .or_else(|| {
                    let inner = text.trim_start_matches(['[', ' ', '\n', '\r', '\t']);
                    let name = inner.get(..name_length(inner)).unwrap_or_default();
                    let is_calls = !name.is_empty() && turn.tools.binds(name);
                    let state = State::Inside(Inside::open());
                    is_calls
                        .then(|| self.only_calls(turn, (text, false), state))
                        .flatten()
                }),
            Shape::Call => self.calls_in_line(turn, text, cut),
            Shape::Named => {
                let inside = State::Inside(Inside::open());
                let text = bracketed::without_brackets(text);
                self.only_calls(turn, (&text, false), inside)
            }
            Shape::Fence => {
                let content = fence_content(text);
                // No template puts DeepSeek's tokens or another fence into a fence: they are quoted.
                let inner = content.trim_start();
                let is_quoted = inner.starts_with("<｜") || FenceMark::at_start(inner).is_some();
                // The fence is closed, so the last value in it is whole.
                let ended = match !cut && content.trim_end().ends_with(char::is_alphanumeric) {
                    true => Cow::from(format!("{}\n", content.trim_end())),
                    false => content.into(),
                };
                let content = match text.starts_with(TOOL_CODE) {
                    true => without_assignments(&ended, turn.tools),
                    false => ended,
                };
                (!is_quoted)
                    .then(|| self.only_calls(turn, (&content, cut), State::Line))
                    .flatten()
            }
            Shape::Action => self.action(turn, text, cut),
        }
    }

    /// The calls in `text`, if it holds nothing else; with `cut` the last may be incomplete.
    fn only_calls(
        &self,
        turn: &Turn<'_, '_>,
        (text, cut): (&str, bool),
        state: State,
    ) -> Option<Vec<Reading<'static>>> {
        let is_words =
            |reading: &Reading<'_>| matches!(reading, Reading::Text(text) if !is_comment(text));
        let readings = self.nested(turn, (text, state), is_words);
        let mut calls = 0;
        for reading in &readings {
            match reading {
                Reading::Call(Found {
                    name,
                    tool: None,
                    arguments: Written::Call(text),
                    ..
                }) if is_signature(name, text, turn.tools) => return None,
                Reading::Call(found)
                    if cut || !matches!(found.arguments, Written::Unreadable(..)) =>
                {
                    calls += 1;
                }
                reading if is_words(reading) => return None,
                Reading::Call(_) | Reading::Reasoning(_) | Reading::ThinkingEnded => return None,
                _ => {}
            }
        }
        let keep = |reading: &Reading<'_>| !matches!(reading, Reading::Text(_));
        (calls > 0).then(|| readings.into_iter().filter(keep).collect())
    }
}

/// The call of a bound tool in an object that the end of the reply cut in the middle.
fn broken_object(text: &str, tools: &ToolSet) -> Option<Vec<Reading<'static>>> {
    let is_bound = |name: &str| tools.binds(name) && !tools.is_any();
    interpret::broken(text, is_bound)
}

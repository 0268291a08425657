//! What may be a call that has no marker: held back until it is whole, then read or reported as
//! text.
//!
//! The end is found by brackets ([`Balance`], in `ends`), by the closing fence (`fence_ends`) or by
//! what a model writes behind an action (`action_ends`). What stands between is read on its own in
//! `shapes`: calls as Python has them in `python`, damaged ones in
//! `loose`, actions in `action`. A call counts when its line holds nothing but calls.

mod action;
mod action_ends;
mod ends;
mod fence_ends;
mod loose;
mod python;
mod shapes;
mod signature;

use memchr::memchr;

pub(super) use action::{BEFORE_INPUT, is_sentence, named_in_words};
pub(super) use action_ends::INPUT;
use action_ends::action_end;
use ends::{bracket_end, parenthesised};
use fence_ends::fence_end;
pub(super) use signature::is_type;
use signature::{is_code, is_comment, is_signature};

use super::cursor::beginning;
use super::line::{begins_call, name_length};
use super::{Cursor, FenceMark, LineStart, Preview, Reader, State, Step};
use crate::limits;
use crate::machine::{ParseEvent, Placement};
use crate::scan::{Balance, More, Text};

/// What a candidate looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Shape {
    /// `{...}`.
    #[default]
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

/// A candidate.
#[derive(Debug, Default)]
pub(super) struct Block {
    /// So many bytes of decoration stand before it.
    lead: usize,
    shape: Shape,
    /// The scan of its brackets.
    balance: Option<Balance>,
    /// Where the search for its end goes on.
    at: usize,
    /// The line in which that is does not end before here.
    searched: usize,
    /// The opening of the fence is behind.
    is_opened: bool,
    /// So many fences were opened or closed in an action, up to where the search goes on.
    fences: usize,
    /// What is known of the input of an action.
    input: Input,
    /// Text stands before it in its line.
    pub(super) in_sentence: bool,
    /// Its last bracket was closed here.
    close: Option<usize>,
    preview: Preview,
}

/// How far the input of an action was looked at as an object.
#[derive(Debug, Default)]
struct Input {
    /// It was up to here.
    tried: usize,
    /// So often.
    tries: usize,
    /// It is one, up to there.
    is_whole: bool,
    /// The last fence that was opened holds the action or its input.
    is_fenced: bool,
}

impl Block {
    pub(super) fn new(lead: usize, shape: Shape) -> Self {
        Self {
            lead,
            shape,
            at: lead,
            preview: Preview::starting_at(lead),
            ..Self::default()
        }
    }

    /// The line break that ends the line which `at` stands in; nothing while it has not come.
    /// `text` is the same as before, or longer, and `at` never lies further ahead: no byte is looked
    /// at twice.
    fn line_end(&mut self, text: &str, at: usize) -> Option<usize> {
        let from = self.searched.max(at);
        let rest = text.as_bytes().get(from..).unwrap_or_default();
        let end = memchr(b'\n', rest).map(|len| from + len);
        self.searched = end.unwrap_or(text.len());
        end
    }

    /// Shows what came of one whose calls are not shown by the scan that looks for its end.
    fn show(&mut self, here: &mut Cursor<'_>) {
        if !matches!(self.shape, Shape::Object | Shape::List) {
            self.preview.advance(here, self.shape);
        }
    }

    /// Shows what is missing of a candidate that holds calls and ends at `end`.
    fn finish(&mut self, here: &mut Cursor<'_>, end: usize) {
        if self.preview.has_shown() {
            let (text, about) = (Text::whole(here.head(end)), here.about());
            self.show(&mut Cursor::new(text, about, &mut *here.sink));
        }
    }

    /// How its calls are written, in the `line` that it begins in; none if the form says itself that
    /// it is an action.
    fn placement(&self, here: &Cursor<'_>, line: LineStart) -> Option<Placement> {
        let lead = here.head(self.lead);
        match self.shape {
            Shape::Action => None,
            _ if LineStart::Blank.after(lead) == LineStart::Quoted => Some(Placement::Quoted),
            Shape::Fence => Some(Placement::Fenced),
            Shape::Call if here.options.text_mode => Some(Placement::Taught),
            _ if line.after(lead) == LineStart::Quoted => Some(Placement::Quoted),
            _ => Some(Placement::Bare),
        }
    }
}

impl Reader {
    #[inline(never)]
    pub(super) fn block(&mut self, here: &mut Cursor<'_>, block: &mut Block) -> Step {
        let end = match block.shape {
            Shape::Fence => fence_end(here, block),
            Shape::Action => action_end(here, block),
            _ => bracket_end(here, block),
        };
        let limit = here.options.hold_limit;
        let end = match end {
            Err(More) if here.text.len() <= limit + limits::NEAR => {
                block.show(here);
                return Err(More);
            }
            end => end.ok().flatten().filter(|end| end.whole <= limit),
        };
        let calls = end.and_then(|end| self.read_block(here, block, end));
        let Some((end, calls)) = end.zip(calls) else {
            return self.no_block(here, block);
        };
        block.finish(here, end.content);
        if let Some(placement) = block.placement(here, self.line) {
            here.tell(ParseEvent::NextCall(placement));
        }
        self.take_calls(here, calls, block.lead..end.content)?;
        here.markup(here.part(end.content, end.whole));
        here.tell(ParseEvent::Decided);
        self.advance(end.whole, State::Line)
    }

    /// What may be a call begins after so many bytes.
    pub(super) fn candidate(&mut self, lead: usize, shape: Shape) -> Step {
        self.advance(0, State::Block(Box::new(Block::new(lead, shape))))
    }

    /// The candidate is text: its first line is, and the rest is looked at again.
    #[inline(never)]
    fn no_block(&mut self, here: &mut Cursor<'_>, block: &Block) -> Step {
        here.tell(ParseEvent::Decided);
        let looked_at = block.at.max(block.balance.as_ref().map_or(0, Balance::at));
        if looked_at > limits::REREAD {
            self.quiet = self.quiet.max(looked_at);
        }
        if block.shape == Shape::Fence {
            self.fence = FenceMark::at_start(here.tail(block.lead));
        }
        if let Some(step) = self.calls_in_broken_list(here, block) {
            return step;
        }
        // Past the first bracket, so that the prose state does not come here again.
        let end = match here.tail(block.lead).chars().next() {
            Some('[') => 0,
            first => block.lead + first.map_or(0, char::len_utf8),
        };
        self.tell_text(here, here.head(end));
        self.advance(end, State::Prose)
    }

    /// A list of calls that is no list as a whole: its calls may still be ones.
    fn calls_in_broken_list(&mut self, here: &Cursor<'_>, block: &Block) -> Option<Step> {
        if block.shape != Shape::List || here.tools.is_any() {
            return None;
        }
        let text = beginning(here.tail(block.lead));
        let inner = text.trim_start_matches(['[', '(', ' ', '\n', '\r', '\t', '\'', '"', '{']);
        let lead = block.lead + (text.len() - inner.len());
        begins_call(inner, here.tools).then(|| self.candidate(lead, Shape::Call))
    }
}

#[cfg(test)]
mod tests;

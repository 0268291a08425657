//! What the states tell of, and what they remember of it for the next decisions: whether a line is a
//! quotation, one that begins with `>`, among it.

use std::ops::Range;

use memchr::memrchr;

use super::{Cursor, Reader, State, Step, line};
use crate::machine::{Calls, ParseEvent};
use crate::scan::{More, bytes::SHORT};

impl Reader {
    /// Tells of text and remembers what the next decisions depend on.
    pub(super) fn tell_text(&mut self, here: &mut Cursor<'_>, text: &str) {
        if text.is_empty() {
            return;
        }
        self.has_said = self.has_said
            || !(matches!(self.state, State::TurnOfUser) || text.trim_ascii().is_empty());
        self.last = self.last_of(text);
        let line = last_line(text);
        if line.len() < text.len() {
            self.line_is_blank = true;
            self.names_thought = false;
        }
        self.line_is_blank = self.line_is_blank && line.bytes().all(line::is_decoration);
        self.after_call = self.after_call && text.trim_ascii().is_empty();
        here.tell(ParseEvent::Text(text));
    }

    /// The last character of `text`, which follows the text so far; blanks behind the quotation mark
    /// of French are a part of it.
    pub(super) fn last_of(&self, text: &str) -> char {
        let last = |text: &str| text.chars().next_back().unwrap_or(self.last);
        match last(text.trim_end_matches([' ', '\u{A0}', '\u{202F}'])) {
            '«' => '«',
            _ => last(text),
        }
    }

    /// Text up to `end`; what follows cannot be told yet.
    pub(super) fn take_text(&mut self, here: &mut Cursor<'_>, end: usize) -> Step {
        self.tell_text(here, here.head(end));
        match end {
            0 => Err(More),
            end => self.advance(end, State::Prose),
        }
    }

    /// Goes to `state` behind markup that ends at `end`.
    pub(super) fn take_markup(&mut self, here: &mut Cursor<'_>, end: usize, state: State) -> Step {
        here.markup(here.head(end));
        self.advance(end, state)
    }

    /// Goes on behind markup that ends at `end`, as at the beginning of a line.
    pub(super) fn line_after(&mut self, here: &mut Cursor<'_>, end: usize) -> Step {
        self.line_is_blank = true;
        self.take_markup(here, end, State::Line)
    }

    /// Tells of calls that stand in this part of the text, behind markup.
    pub(super) fn take_calls(
        &mut self,
        here: &mut Cursor<'_>,
        calls: Calls,
        range: Range<usize>,
    ) -> Step {
        here.markup(here.head(range.start));
        let mut source = here.part(range.start, range.end);
        for call in calls {
            here.tell(ParseEvent::Call(call, std::mem::take(&mut source)));
        }
        self.call_ended();
        self.advance(range.end, State::Line)
    }

    /// Says that the closing tag of a wrapper came, so that none is missing behind what another
    /// token opens.
    pub(super) fn wrapper_closed(&mut self) {
        self.wrapped = false;
        self.needs_close = false;
    }

    /// Says that a call or its markup ended: what stood in the line so far does not count.
    pub(super) fn call_ended(&mut self) {
        self.has_said = true;
        self.after_call = true;
        self.line_is_blank = true;
        self.last = '\n';
    }
}

/// What stands in a line so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum LineStart {
    /// Nothing but blanks.
    #[default]
    Blank,
    /// It begins with `>`.
    Quoted,
    Other,
}

impl LineStart {
    /// The line at the end of `text`, which begins in this one.
    pub(super) fn after(self, text: &str) -> Self {
        let line = last_line(text);
        if self != Self::Blank && line.len() == text.len() {
            return self;
        }
        match line.trim_ascii_start().as_bytes().first() {
            Some(b'>') => Self::Quoted,
            Some(_) => Self::Other,
            None => Self::Blank,
        }
    }
}

/// What stands behind the last line break.
fn last_line(text: &str) -> &str {
    let line_break = match text.len() < SHORT {
        true => text.bytes().rposition(|byte| byte == b'\n'),
        false => memrchr(b'\n', text.as_bytes()),
    };
    text.get(line_break.map_or(0, |at| at + 1)..)
        .unwrap_or_default()
}

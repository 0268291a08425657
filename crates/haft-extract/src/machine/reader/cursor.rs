//! What a step has at hand: the text that is not decided, what is known of the reply, and where
//! events go. The small questions about a text that may go on are answered here.

use crate::machine::{About, EventSink, ParseEvent};
use crate::scan::{More, Seen, Tag, Text, near, tag_at};
use crate::{ExtractOptions, ToolSet, limits};

/// The place of a step in a reply.
pub(crate) struct Cursor<'t> {
    /// The text that is not decided.
    pub(super) text: &'t str,
    /// Nothing follows the text.
    pub(super) finished: bool,
    pub(super) tools: &'t ToolSet,
    pub(super) options: &'t ExtractOptions,
    pub(super) sink: EventSink<'t>,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: Text<'t>, about: About<'t>, sink: EventSink<'t>) -> Self {
        Self {
            text: text.text,
            finished: text.finished,
            tools: about.tools,
            options: about.options,
            sink,
        }
    }

    #[inline]
    pub(super) fn tell(&mut self, event: ParseEvent<'_>) {
        (self.sink)(event);
    }

    pub(super) fn reasoning(&mut self, text: &str) {
        if !text.is_empty() {
            self.tell(ParseEvent::Reasoning(text));
        }
    }

    pub(super) fn markup(&mut self, text: &str) {
        if !text.is_empty() {
            self.tell(ParseEvent::Markup(text));
        }
    }

    /// What was known before the reply.
    pub(super) fn about(&self) -> About<'t> {
        let Self { tools, options, .. } = *self;
        About { tools, options }
    }

    /// The text up to `end`.
    pub(super) fn head(&self, end: usize) -> &'t str {
        self.text.get(..end).unwrap_or(self.text)
    }

    /// The text from `start`.
    pub(super) fn tail(&self, start: usize) -> &'t str {
        self.text.get(start..).unwrap_or_default()
    }

    /// The text from `start` to `end`.
    pub(super) fn part(&self, start: usize, end: usize) -> &'t str {
        self.text.get(start..end).unwrap_or_default()
    }

    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    /// As much of the text as is held back for its end, however the reply is cut: what ends behind
    /// it has no end.
    pub(super) fn near(&self) -> &'t str {
        near(self.text, self.options.hold_limit)
    }

    /// There is more text than is held back.
    pub(super) fn is_beyond_limit(&self) -> bool {
        self.text.len() > self.options.hold_limit
    }

    /// `value`, where nothing follows that could tell more.
    pub(super) fn at_end<T>(&self, value: T) -> Seen<T> {
        self.finished.then_some(value).ok_or(More)
    }

    /// Waits for more text where that may come and is to be known first.
    pub(super) fn wait_if(&self, is_open: bool) -> Seen<()> {
        (self.finished || !is_open).then_some(()).ok_or(More)
    }

    /// True where `text`, which ends as the text at hand does, begins with `word`.
    pub(super) fn begins(&self, text: &str, word: &str) -> Seen<bool> {
        let finished = self.finished;
        Text { text, finished }.begins(0, word)
    }

    /// Which of `words` such a `text` begins with.
    pub(super) fn begun_by<'w>(&self, text: &str, words: &[&'w str]) -> Seen<Option<&'w str>> {
        for word in words {
            if self.begins(text, word)? {
                return Ok(Some(word));
            }
        }
        Ok(None)
    }

    /// Where `end` stands behind `from`, no further than `longest` bytes: how much is looked through
    /// again with each chunk.
    pub(super) fn find(&self, from: usize, end: &str, longest: usize) -> Seen<Option<usize>> {
        let text = self.tail(from);
        match near(text, longest).find(end) {
            None if text.len() <= longest => self.at_end(None),
            len => Ok(len.map(|len| from + len)),
        }
    }

    /// The tag at `at`.
    pub(super) fn tag(&self, at: usize) -> Seen<Option<Tag<'t>>> {
        let Self { text, finished, .. } = *self;
        match self.byte(at) {
            Some(b'<' | b'[') => tag_at(Text { text, finished }, at),
            _ => Ok(None),
        }
    }

    /// What stands behind the blanks at `from`, and where; empty at the end of the reply.
    pub(super) fn body(&self, from: usize) -> Seen<(&'t str, usize)> {
        let body = behind_blanks(self.tail(from));
        self.wait_if(body.is_empty())?;
        Ok((body, self.text.len() - body.len()))
    }
}

/// What stands behind blanks. Endless ones are not looked through again with each chunk: behind so
/// many, nothing belongs to what stands before them.
pub(super) fn behind_blanks(text: &str) -> &str {
    let near = near(text, limits::REREAD);
    let blanks = near.len() - near.trim_start().len();
    text.get(blanks..).unwrap_or_default()
}

/// As much of a text as shows what it begins with.
pub(super) fn beginning(text: &str) -> &str {
    near(text, limits::AHEAD)
}

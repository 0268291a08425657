//! Harmony (gpt-oss) without its special tokens, as servers hand it out that drop them:
//! `analysisWe look.assistantcommentary to=functions.N json{...}` and `assistantfinalIt rains.`
//!
//! No reply of another model holds these words glued together. What begins with `analysis` alone
//! is held back until one of them comes, or until it is plain that none does.

use memchr::memchr;

use super::{Attempt, Cursor, Reader, State, Step, channel::behind_words};
use crate::{Format, scan::Seen};

/// With what a message begins, and what it is.
const HEADERS: [(&str, Message); 3] = [
    ("assistantfinal", Message::Text),
    ("assistantcommentary", Message::Open),
    ("assistantanalysis", Message::Thought),
];

/// What stands before the word for a message, but before the first: there it is part of the prompt.
const ROLE: &str = "assistant";

/// What stands behind the first words of a header that was not dropped.
const TOKENS: [&str; 3] = ["<|message|>", "<|channel|>", "<|constrain|>"];

/// What stands before the recipient of a call.
const RECIPIENT: &str = " to=";

/// What a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Message {
    Thought,
    /// Said to the user while calls are still to come, or a call.
    Open,
    /// The answer.
    Text,
}

impl Reader {
    /// A reply that begins within a header, whose first token was part of the prompt,
    /// `final<|message|>`, or with the words of one.
    pub(super) fn first_header(&mut self, here: &mut Cursor<'_>) -> Attempt {
        let words = behind_words(here, 0)?;
        if words > 0 && here.begun_by(here.tail(words), &TOKENS)?.is_some() {
            self.format = Format::Harmony;
            return self.advance(0, State::ChannelHeader).map(Some);
        }
        if let Some(taken) = self.bare_header(here)? {
            return Ok(Some(taken));
        }
        for (header, message) in HEADERS {
            let word = header.trim_start_matches(ROLE);
            if message == Message::Text || !here.begins(here.text, word)? {
                continue;
            }
            let after = here.tail(word.len());
            let is_glued = after.starts_with(char::is_uppercase);
            let (at, next) = next_header(here, self.scan.max(word.len()));
            let is_near = |len: usize| at + len <= here.options.hold_limit;
            let is_followed = matches!(next, Ok(Some((len, _))) if is_near(len));
            if is_glued || is_followed || after.starts_with(RECIPIENT) {
                return self.begin_bare(here, word.len(), message).map(Some);
            }
            if RECIPIENT.starts_with(after) || !here.is_beyond_limit() {
                self.scan = at;
                return here.at_end(None);
            }
        }
        Ok(None)
    }

    /// A header of `len` bytes stands at the beginning of the text.
    fn begin_bare(&mut self, here: &mut Cursor<'_>, len: usize, message: Message) -> Step {
        self.is_bare = true;
        self.format = Format::Harmony;
        self.line_is_blank = true;
        self.last = '\n';
        if message != Message::Text && here.begins(here.tail(len), RECIPIENT)? {
            return self.advance(0, State::ChannelHeader);
        }
        let next = match message {
            Message::Text => State::Line,
            message => State::Bare(message),
        };
        self.take_markup(here, len, next)
    }

    /// In a message; the text may begin with the header of the next one.
    #[inline(never)]
    pub(super) fn bare(&mut self, here: &mut Cursor<'_>, message: Message) -> Step {
        let (end, next) = next_header(here, 0);
        if end == 0
            && let Some((len, next)) = next?
        {
            return self.begin_bare(here, len, next);
        }
        match message {
            Message::Thought => here.reasoning(here.head(end)),
            _ => self.tell_text(here, here.head(end)),
        }
        self.advance(end, State::Bare(message))
    }

    /// At the beginning of a line of a reply in such messages: the header of the next one.
    pub(super) fn bare_header(&mut self, here: &mut Cursor<'_>) -> Attempt {
        let header = header_at(here, 0)?;
        let step = header.map(|(len, message)| self.begin_bare(here, len, message));
        step.transpose()
    }
}

/// The length of the header at `at`, and what its message is.
fn header_at(here: &Cursor<'_>, at: usize) -> Seen<Option<(usize, Message)>> {
    for (header, message) in HEADERS {
        if here.begins(here.tail(at), header)? {
            return Ok(Some((header.len(), message)));
        }
    }
    Ok(None)
}

/// Where the next header begins, at `from` or behind it, or may begin; the end of the text where
/// none does.
fn next_header(here: &Cursor<'_>, from: usize) -> (usize, Seen<Option<(usize, Message)>>) {
    let mut at = from;
    while let Some(found) = memchr(b'a', here.text.as_bytes().get(at..).unwrap_or_default()) {
        at += found;
        match header_at(here, at) {
            Ok(None) => at += 1,
            header => return (at, header),
        }
    }
    (here.text.len(), Ok(None))
}

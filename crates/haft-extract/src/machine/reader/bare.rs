//! Harmony (gpt-oss) without its special tokens, as servers hand it out that drop them:
//! `analysisWe look.assistantcommentary to=functions.N json{...}` and `assistantfinalIt rains.`
//!
//! No reply of another model holds these words glued together. What begins with `analysis` alone
//! is held back until one of them comes, or until it is plain that none does.

use memchr::memmem;

use super::channel::{MAX_WORDS, WORDS};
use super::{Cursor, Reader, State, Step};
use crate::Format;
use crate::scan::More;

/// With what a message begins, and what it is.
const HEADERS: [(&str, Message); 3] = [
    ("assistantfinal", Message::Text),
    ("assistantcommentary", Message::Open),
    ("assistantanalysis", Message::Thought),
];

/// With what the first message may begin, whose role was part of the prompt.
const FIRST: [(&str, Message); 2] = [
    ("analysis", Message::Thought),
    ("commentary", Message::Open),
];

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
    /// At the very beginning of a reply.
    pub(super) fn start(&mut self, here: &mut Cursor<'_>) -> Step {
        // What files begin with to say how they are written.
        const MARK: &str = "\u{FEFF}";
        if here.text.starts_with(MARK) {
            here.markup(MARK);
            return self.take(MARK.len(), State::Start);
        }
        let begun = self.worded_thought(here);
        let begun = begun.and_then(|step| match step {
            Some(step) => Ok(Some(step)),
            None => self.message_to_all(here),
        });
        match begun {
            Err(More) => return self.wait(State::Start),
            Ok(Some(step)) => return step,
            Ok(None) => {}
        }
        let text = here.text;
        if !matches!(here.byte(0), Some(b'a' | b'c' | b'f')) {
            return self.take(0, State::Line);
        }
        match begins_in_header(text) {
            Some(true) => {
                self.format = Format::Harmony;
                return self.take(0, State::Header);
            }
            None if !here.finished => return self.wait(State::Start),
            _ => {}
        }
        match header_at_start(here) {
            Err(More) => return self.wait(State::Start),
            Ok(Some((header, message))) => return self.begin_bare(here, header.len(), message),
            Ok(None)
                if FIRST
                    .iter()
                    .any(|(word, _)| here.begins(text, word).is_err()) =>
            {
                return self.wait(State::Start);
            }
            Ok(None) => {}
        }
        let Some((word, message)) = FIRST.into_iter().find(|(word, _)| text.starts_with(word))
        else {
            return self.take(0, State::Line);
        };
        let after = here.tail(word.len());
        let is_call = after.starts_with(RECIPIENT);
        let is_glued = after.starts_with(|c: char| c.is_uppercase());
        if is_call || is_glued {
            return self.begin_bare(here, word.len(), message);
        }
        let may_be_call = RECIPIENT.starts_with(after);
        let from = self.scan.max(word.len());
        match next_header(here.near(), from, here.finished) {
            Ok(Some(_)) => self.begin_bare(here, word.len(), message),
            Err(at) if !here.finished && (may_be_call || text.len() <= here.options.hold_limit) => {
                self.scan = at;
                self.wait(State::Start)
            }
            _ => self.take(0, State::Line),
        }
    }

    /// A header of `len` bytes stands at the beginning of the text.
    fn begin_bare(&mut self, here: &mut Cursor<'_>, len: usize, message: Message) -> Step {
        self.is_bare = true;
        self.format = Format::Harmony;
        self.line_is_blank = true;
        self.last = b'\n';
        let after = here.tail(len);
        let may_call = message != Message::Text;
        if may_call && after.starts_with(RECIPIENT) {
            return self.take(0, State::Header);
        }
        if may_call && RECIPIENT.starts_with(after) && !here.finished {
            return self.wait(State::Bare(Message::Text));
        }
        here.markup(here.head(len));
        match message {
            Message::Text => self.take(len, State::Line),
            message => self.take(len, State::Bare(message)),
        }
    }

    /// In a message; the text may begin with the header of the next one.
    pub(super) fn bare(&mut self, here: &mut Cursor<'_>, message: Message) -> Step {
        let at = match next_header(here.text, self.scan, here.finished) {
            Ok(Some((0, header, next))) => return self.begin_bare(here, header.len(), next),
            Ok(Some((at, ..))) | Err(at) => at,
            Ok(None) => here.text.len(),
        };
        if message == Message::Thought {
            here.reasoning(here.head(at));
        } else {
            self.tell_text(here, here.head(at));
        }
        if at == 0 {
            return self.wait(State::Bare(message));
        }
        self.take(at, State::Bare(message))
    }

    /// At the beginning of a line of a reply in such messages: the header of the next one.
    pub(super) fn bare_header(&mut self, here: &mut Cursor<'_>) -> Option<Step> {
        match header_at_start(here) {
            Err(More) => Some(self.wait(State::Line)),
            Ok(found) => {
                found.map(|(header, message)| self.begin_bare(here, header.len(), message))
            }
        }
    }
}

/// The header that the text begins with.
fn header_at_start(here: &Cursor<'_>) -> Result<Option<(&'static str, Message)>, More> {
    for (header, message) in HEADERS {
        if here.begins(here.text, header)? {
            return Ok(Some((header, message)));
        }
    }
    Ok(None)
}

/// Whether the text begins within a header, whose first token was part of the prompt:
/// `final<|message|>`. Nothing while that cannot be told.
fn begins_in_header(text: &str) -> Option<bool> {
    const TOKENS: [&str; 3] = ["<|message|>", "<|channel|>", "<|constrain|>"];
    let mut rest = text;
    while let Some(word) = WORDS.iter().find(|word| rest.starts_with(**word)) {
        if text.len() - rest.len() > MAX_WORDS {
            return Some(false);
        }
        rest = rest.get(word.len()..).unwrap_or_default();
    }
    let has_word = rest.len() < text.len();
    if has_word && TOKENS.iter().any(|token| rest.starts_with(token)) {
        return Some(true);
    }
    let words = WORDS.iter().chain(TOKENS.iter().filter(|_| has_word));
    let may_go_on = words.into_iter().any(|word| word.starts_with(rest));
    (!may_go_on).then_some(false)
}

/// Where the next header begins, behind `from`, with its words and what it is; nothing if there is none. The
/// error says from where on that cannot be told yet.
fn next_header(
    text: &str,
    from: usize,
    finished: bool,
) -> Result<Option<(usize, &'static str, Message)>, usize> {
    const ROLE: &str = "assistant";
    let mut at = from;
    loop {
        let rest = text.as_bytes().get(at..).unwrap_or_default();
        let Some(found) = memmem::find(rest, ROLE.as_bytes()) else {
            let held = (1..ROLE.len())
                .rev()
                .find(|len| rest.ends_with(ROLE.as_bytes().get(..*len).unwrap_or_default()));
            return match held {
                _ if finished => Ok(None),
                held => Err(text.len() - held.unwrap_or(0)),
            };
        };
        at += found;
        let here = text.get(at..).unwrap_or_default();
        if let Some((header, message)) = HEADERS
            .into_iter()
            .find(|(header, _)| here.starts_with(header))
        {
            return Ok(Some((at, header, message)));
        }
        if !finished && HEADERS.iter().any(|(header, _)| header.starts_with(here)) {
            return Err(at);
        }
        at += ROLE.len();
    }
}

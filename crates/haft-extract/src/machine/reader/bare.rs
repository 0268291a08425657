//! Harmony (gpt-oss) without its special tokens, as servers hand it out that drop them:
//! `analysisWe look.assistantcommentary to=functions.N json{...}` and `assistantfinalIt rains.`
//!
//! No reply of another model holds these words glued together. What begins with `analysis` alone
//! is held back until one of them comes, or until it is plain that none does.

use memchr::memmem;

use super::channel::{MAX_WORDS, WORDS};
use super::{Reader, State, Step, Turn};
use crate::Format;

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
    pub(super) fn start(&mut self, turn: &mut Turn<'_, '_>) -> Step {
        // What files begin with to say how they are written.
        const MARK: &str = "\u{FEFF}";
        if turn.text.starts_with(MARK) {
            turn.syntax(MARK);
            return self.take(MARK.len(), State::Start);
        }
        if let Some(step) = self.worded_thought(turn) {
            return step;
        }
        if let Some(step) = self.message_to_all(turn) {
            return step;
        }
        let text = turn.text;
        if !matches!(turn.byte(0), Some(b'a' | b'c' | b'f')) {
            self.go(State::Line);
            return Step::Take(0);
        }
        match begins_in_header(text) {
            Some(true) => {
                self.format = Format::Harmony;
                return self.go_to_header();
            }
            None if !turn.finished => return self.wait(State::Start),
            _ => {}
        }
        if let Some((header, message)) = HEADERS
            .into_iter()
            .find(|(header, _)| text.starts_with(header))
        {
            return self.begin_bare(turn, header.len(), message);
        }
        let is_partial = |word: &str| word.len() > text.len() && word.starts_with(text);
        let known = HEADERS.into_iter().chain(FIRST);
        if !turn.finished && known.clone().any(|(word, _)| is_partial(word)) {
            return self.wait(State::Start);
        }
        let Some((word, message)) = FIRST.into_iter().find(|(word, _)| text.starts_with(word))
        else {
            self.go(State::Line);
            return Step::Take(0);
        };
        let after = turn.tail(word.len());
        let is_call = after.starts_with(RECIPIENT);
        let is_glued = after.starts_with(|c: char| c.is_uppercase());
        if is_call || is_glued {
            return self.begin_bare(turn, word.len(), message);
        }
        let may_be_call = RECIPIENT.starts_with(after);
        let from = self.scan.max(word.len());
        match next_header(turn.near(), from, turn.finished) {
            Ok(Some(_)) => self.begin_bare(turn, word.len(), message),
            Err(at) if !turn.finished && (may_be_call || text.len() <= turn.options.hold_limit) => {
                self.scan = at;
                self.wait(State::Start)
            }
            _ => {
                self.go(State::Line);
                Step::Take(0)
            }
        }
    }

    /// A header of `len` bytes stands at the beginning of the text.
    fn begin_bare(&mut self, turn: &mut Turn<'_, '_>, len: usize, message: Message) -> Step {
        self.is_bare = true;
        self.format = Format::Harmony;
        self.line_is_blank = true;
        self.last = b'\n';
        let after = turn.tail(len);
        let may_call = message != Message::Text;
        if may_call && after.starts_with(RECIPIENT) {
            return self.go_to_header();
        }
        if may_call && RECIPIENT.starts_with(after) && !turn.finished {
            return self.wait(State::Bare(Message::Text));
        }
        turn.syntax(turn.head(len));
        match message {
            Message::Text => self.take(len, State::Line),
            message => self.take(len, State::Bare(message)),
        }
    }

    /// In a message; the text may begin with the header of the next one.
    pub(super) fn bare(&mut self, turn: &mut Turn<'_, '_>, message: Message) -> Step {
        let at = match next_header(turn.text, self.scan, turn.finished) {
            Ok(Some((0, header, next))) => return self.begin_bare(turn, header.len(), next),
            Ok(Some((at, ..))) | Err(at) => at,
            Ok(None) => turn.text.len(),
        };
        if message == Message::Thought {
            turn.reasoning(turn.head(at));
        } else {
            self.tell_text(turn, turn.head(at));
        }
        if at == 0 {
            return self.wait(State::Bare(message));
        }
        self.take(at, State::Bare(message))
    }

    /// At the beginning of a line of a reply in such messages: the header of the next one.
    pub(super) fn bare_header(&mut self, turn: &mut Turn<'_, '_>) -> Option<Step> {
        let text = turn.text;
        let found = HEADERS
            .into_iter()
            .find(|(header, _)| text.starts_with(header));
        if let Some((header, message)) = found {
            return Some(self.begin_bare(turn, header.len(), message));
        }
        let is_partial = |word: &str| word.len() > text.len() && word.starts_with(text);
        let may_be = !turn.finished && HEADERS.into_iter().any(|(word, _)| is_partial(word));
        may_be.then(|| self.wait(State::Line))
    }
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

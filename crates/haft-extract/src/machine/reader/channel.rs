//! Replies in channels: a header says for whom a message is, a token ends it. Harmony (gpt-oss),
//! Beam, Muse, Inkling, Kimi K3 and Gemma 4.
//!
//! A message to a tool is a call, one to the model itself is thinking, all else is text. Headers
//! that say nothing are dropped; nothing in them is an error.

use std::ops::Range;

use super::cursor::behind_blanks;
use super::inside::{Inside, Kind};
use super::thinking::Thinking;
use super::{Cursor, Reader, State, Step};
use crate::Format;
use crate::arguments::parameters::{Style, unescaped};
use crate::formats::Role;
use crate::machine::raw_call::{RawCall, Written};
use crate::scan::More;
use crate::scan::lexis::key_ahead;
use crate::scan::tag::{Tag, attribute};

/// The longest header.
const MAX_HEADER: usize = 512;

/// More words than any header has, in bytes.
pub(super) const MAX_WORDS: usize = 64;

/// What stands in headers besides tokens and recipients.
pub(super) const WORDS: [&str; 4] = ["assistant", "analysis", "commentary", "final"];

/// Names of channels of Gemma whose messages are for the user.
const ANSWERS: [&str; 4] = ["response", "final", "answer", "content"];

impl Reader {
    /// A token of a channel stands at the beginning of the text.
    pub(super) fn channel(&mut self, here: &mut Cursor<'_>, tag: &Tag) -> Step {
        let letters = tag.marker.map_or("", |marker| marker.letters);
        match letters {
            "channel" if here.text.starts_with("<|channel>") => self.gemma_channel(here, tag),
            "start" | "channel" if !tag.close => self.take(0, State::Header),
            "messagemodel" => {
                self.format = Format::Inkling;
                self.take(0, State::Header)
            }
            "contentinvoketooljson" => {
                self.format = Format::Inkling;
                self.take(0, State::Inside(Inside::opened_by(tag.len)))
            }
            "contentinvoketooltext" => self.call_with_text(here, tag),
            "from" => self.sender(here, tag),
            "recipient" => self.message_to(here, tag),
            "contentthinking" => self.thinks(here, tag.len),
            "open" | "close" => self.kimi(here, letters == "open"),
            _ => {
                if here.text.starts_with("<channel|>") {
                    self.thinking_ended(here);
                }
                let Ok(end) = behind_stray_words(here, tag.len) else {
                    return self.wait(State::Prose);
                };
                here.markup(here.head(end));
                self.line_is_blank = true;
                self.take(end, State::Line)
            }
        }
    }

    fn thinks(&mut self, here: &mut Cursor<'_>, len: usize) -> Step {
        here.markup(here.head(len));
        self.take(len, State::Thinking(Thinking::in_channel()))
    }

    /// `<|content_invoke_tool_text|>` and the one argument, as text.
    fn call_with_text(&mut self, here: &mut Cursor<'_>, tag: &Tag) -> Step {
        if !here.tools.binds(&self.addressee) {
            here.markup(here.head(tag.len));
            return self.take(tag.len, State::Line);
        }
        let end = match memchr::memmem::find(here.text.as_bytes(), b"<|end_message|>") {
            Some(found) => found,
            None if here.finished => here.text.len(),
            None if here.text.len() > here.options.hold_limit => here.text.len(),
            None => return self.wait(State::Prose),
        };
        let name = std::mem::take(&mut self.addressee);
        self.tell_text_call(here, (&name, Format::Inkling), tag.len..end)
    }

    /// `<|channel>thought⏎...<channel|>`, and what lacks the name.
    fn gemma_channel(&mut self, here: &mut Cursor<'_>, tag: &Tag) -> Step {
        const LONGEST: usize = 32;
        let rest = here.tail(tag.len);
        let letters = rest.bytes().take(LONGEST);
        let word = letters.take_while(u8::is_ascii_alphabetic).count();
        if word == rest.len() && !here.finished && word < LONGEST {
            return self.wait(State::Prose);
        }
        let next = rest.as_bytes().get(word);
        let is_name = word < LONGEST && matches!(next, Some(b'\n' | b'<'));
        if is_name && rest.get(..word).is_some_and(|word| ANSWERS.contains(&word)) {
            here.markup(here.head(tag.len + word));
            self.line_is_blank = true;
            return self.take(tag.len + word, State::Line);
        }
        if !is_name && rest.get(..word) != Some("thought") {
            return self.thinks(here, tag.len);
        }
        self.thinks(here, tag.len + word + usize::from(next == Some(&b'\n')))
    }

    /// In a header: up to the token that begins the message.
    #[inline(never)]
    pub(super) fn header_of_channel(&mut self, here: &mut Cursor<'_>) -> Step {
        let mut at = 0;
        let mut opened = 0;
        loop {
            let header = here.text.as_bytes();
            let header = header.get(..MAX_HEADER).unwrap_or(header);
            let rest = header.get(at..).unwrap_or_default();
            let Some(found) = memchr::memchr2(b'<', b'{', rest) else {
                if here.finished || here.text.len() >= MAX_HEADER {
                    return self.no_message(here, opened);
                }
                return self.wait(State::Header);
            };
            at += found;
            if here.byte(at) == Some(b'{') {
                return self.message(here, here.head(at), at);
            }
            let Ok(tag) = here.tag(at) else {
                return self.wait(State::Header);
            };
            let Some(tag) = tag else {
                at += 1;
                continue;
            };
            let letters = tag.marker.map_or("", |marker| marker.letters);
            let end = at + tag.len;
            match letters {
                "message" => return self.message(here, here.head(at), end),
                "start" | "channel" | "constrain" | "messagemodel" => opened = end,
                _ => return self.header_ends(here, letters, (opened, at, end)),
            }
            at = end;
        }
    }

    /// A header whose last token ends at `opened` goes on with a token at `at` that begins no
    /// message, but perhaps the content of one.
    fn header_ends(
        &mut self,
        here: &mut Cursor<'_>,
        letters: &str,
        (opened, at, end): (usize, usize, usize),
    ) -> Step {
        let name = here.part(opened, at);
        if letters.starts_with("content") && letters != "content" {
            name.trim().clone_into(&mut self.addressee);
            here.markup(here.head(at));
            return self.take(at, State::Prose);
        }
        if is_sentence(name) {
            return self.no_message(here, opened);
        }
        here.markup(here.head(end));
        self.take(end, State::Line)
    }

    /// A header without a message: its tokens are markup, what follows them is text.
    fn no_message(&mut self, here: &mut Cursor<'_>, opened: usize) -> Step {
        let rest = here.tail(opened);
        if !here.finished && WORDS.iter().any(|word| word.starts_with(rest)) {
            return self.wait(State::Header);
        }
        let word = WORDS.iter().find(|word| rest.starts_with(**word));
        let word = match here.head(opened).ends_with("<|constrain|>") {
            // How the message would have been written, which the end cut off.
            true => {
                let letters = rest.bytes().take(MAX_HEADER.saturating_sub(opened));
                letters.take_while(u8::is_ascii_alphabetic).count()
            }
            false => word.map_or(0, |word| word.len()),
        };
        let end = opened + word;
        if end == 0 {
            self.tell_text(here, here.head(1));
            return self.take(1, State::Prose);
        }
        here.markup(here.head(end));
        self.take(end, State::Prose)
    }

    /// The message after `header` begins at `start`.
    fn message(&mut self, here: &mut Cursor<'_>, header: &str, start: usize) -> Step {
        self.line_is_blank = true;
        let is_thinking = header.contains("analysis");
        let recipient = recipient(header);
        if matches!(self.format, Format::Auto | Format::Pythonic) || header.contains("<|channel|>")
        {
            self.format = if header.contains("<|channel|>") {
                Format::Harmony
            } else {
                Format::MuseAtem
            };
        }
        match recipient {
            Some("self") => self.thinks(here, start),
            Some("assistant") | None if is_thinking => self.thinks(here, start),
            Some("user" | "assistant" | "all" | "commentary") | None => {
                here.markup(here.head(start));
                self.take(start, State::Line)
            }
            Some(name) => {
                let is_code = header.contains("code") || name.ends_with("python");
                self.call_in_message(here, (name, is_code), start)
            }
        }
    }

    fn call_in_message(
        &mut self,
        here: &mut Cursor<'_>,
        (name, is_code): (&str, bool),
        start: usize,
    ) -> Step {
        let name = name.strip_prefix("functions.").unwrap_or(name);
        let mut start = start;
        // The token may come twice.
        if let Some(rest) = behind_blanks(here.tail(start)).strip_prefix("<|message|>") {
            start = here.text.len() - rest.len();
        }
        self.content(here, (name, is_code), start)
            .unwrap_or_else(|More| self.wait(State::Header))
    }

    /// The content of a message to a tool, which begins at `start`.
    fn content(
        &mut self,
        here: &mut Cursor<'_>,
        (name, is_code): (&str, bool),
        start: usize,
    ) -> Result<Step, More> {
        let (body, at) = here.body(start)?;
        Ok(match body.as_bytes().first() {
            None => self.empty_call(here, name, here.text.len()),
            Some(b'<') => match here
                .tag(at)?
                .map(|tag| tag.marker.map(|marker| marker.role))
            {
                Some(Some(Role::Wrapper | Role::Invoke)) => {
                    here.markup(here.head(at));
                    self.take(at, State::Prose)
                }
                Some(Some(Role::Parameter)) => {
                    self.format = Format::Beam;
                    self.open_tags(here, (name, Style::Message), at)
                }
                Some(_) => self.empty_call(here, name, at),
                None => self.open_arguments(here, (name, Kind::Object), at),
            },
            Some(b'{' | b'[' | b'(' | b'"' | b'\'' | b'`') => {
                self.open_arguments(here, (name, Kind::Object), at)
            }
            Some(_) => match key_ahead(body.as_bytes(), here.finished)? {
                true if !is_code => self.open_arguments(here, (name, Kind::Object), at),
                _ => self.text_to_tool(here, name, at),
            },
        })
    }

    /// A message that is no object, such as code for an interpreter: its text is the argument.
    fn text_to_tool(&mut self, here: &mut Cursor<'_>, name: &str, start: usize) -> Step {
        let mut at = self.scan.max(start);
        let is_whole = loop {
            let rest = here.text.as_bytes().get(at..).unwrap_or_default();
            let Some(found) = memchr::memmem::find(rest, b"<|") else {
                // The last byte may begin a token.
                at = here.text.len().saturating_sub(1).max(start);
                break here.finished;
            };
            at += found;
            match here.tag(at) {
                Err(More) => break false,
                Ok(Some(tag)) if tag.marker.is_some_and(|marker| ends_message(marker.role)) => {
                    return self.tell_text_call(here, (name, Format::Harmony), start..at);
                }
                _ => at += 1,
            }
        };
        if is_whole {
            return self.tell_text_call(here, (name, Format::Harmony), start..here.text.len());
        }
        if at - start > here.options.hold_limit {
            return self.open_arguments(here, (name, Kind::Object), start);
        }
        self.scan = at;
        self.wait(State::Header)
    }

    /// A call whose one argument is the text in `range`.
    pub(super) fn tell_text_call(
        &mut self,
        here: &mut Cursor<'_>,
        (name, format): (&str, Format),
        range: Range<usize>,
    ) -> Step {
        if range.len() > here.options.hold_limit {
            return self.open_arguments(here, (name, Kind::Object), range.start);
        }
        let text = here.text.get(range.clone()).unwrap_or_default().to_owned();
        let value = serde_json::Value::String(text.clone());
        let call = RawCall::new(name.to_owned(), Written::Value(value, text.into()), format);
        self.take_calls(here, vec![call], (range.start, range.end))
    }

    /// `<|open|>call tool="N" index="1"<|sep|>` and `<|close|>call<|sep|>`.
    fn kimi(&mut self, here: &mut Cursor<'_>, open: bool) -> Step {
        const SEP: &str = "<|sep|>";
        let head = here.head(here.text.len().min(MAX_HEADER));
        let Some(sep) = memchr::memmem::find(head.as_bytes(), SEP.as_bytes()) else {
            if here.finished && ((!open && self.after_call) || is_cut_token(here.text)) {
                here.markup(here.text);
                return self.take(here.text.len(), State::Prose);
            }
            if here.finished || here.text.len() > MAX_HEADER {
                self.tell_text(here, here.head(1));
                return self.take(1, State::Prose);
            }
            return self.wait(State::Prose);
        };
        let end = sep + SEP.len();
        let content = here.text.get(..sep).unwrap_or_default();
        let content = content.rsplit("|>").next().unwrap_or_default().trim();
        let (word, attributes) = content.split_once(' ').unwrap_or((content, ""));
        // A token may be lost between the two: `<|open|>tools<|sep|><|open|>call`.
        if open && matches!(word, "call" | "toolscall") {
            self.format = Format::KimiK3;
            let name = attribute(attributes, "tool").unwrap_or_default();
            let name = &*unescaped(name);
            return match object_in_kimi(here, end) {
                Err(More) => self.wait(State::Prose),
                Ok(Some(start)) => self.open_arguments(here, (name, Kind::Object), start),
                Ok(None) => self.open_tags(here, (name, Style::Invoke), end),
            };
        }
        let is_thought = matches!(word, "think" | "thinking" | "reasoning");
        if open && is_thought {
            return self.thinks(here, end);
        }
        if !open && is_thought {
            self.thinking_ended(here);
        }
        here.markup(here.head(end));
        self.line_is_blank = true;
        self.take(end, State::Line)
    }
}

/// True for more words than a header has, which names nobody either: text between two tokens.
fn is_sentence(text: &str) -> bool {
    const MOST: usize = 3;
    text.split_whitespace().count() > MOST && !text.contains("to=")
}

/// True for a tag of Kimi K3 that the end of the reply cut: `<|open|>too`, `<|close|>response`.
fn is_cut_token(text: &str) -> bool {
    const TAGS: [&str; 7] = [
        "think", "response", "tools", "call", "argument", "message", "json",
    ];
    let content = text.split_once("|>").map_or("", |(_, content)| content);
    let (word, attributes) = content.split_once(' ').unwrap_or((content, ""));
    let is_known = TAGS.contains(&word);
    match attributes {
        "" => TAGS.iter().any(|tag| tag.starts_with(word)),
        attributes => is_known && attributes.contains("=\"") && !attributes.contains('\n'),
    }
}

/// Where the object begins of a call whose arguments are one: `<|open|>json type="object"<|sep|>{`.
fn object_in_kimi(here: &Cursor<'_>, from: usize) -> Result<Option<usize>, More> {
    const SEP: &str = "<|sep|>";
    let body = behind_blanks(here.tail(from));
    if !here.begins(body, "<|open|>json")? {
        return Ok(None);
    }
    let near = body.as_bytes().get(..MAX_HEADER).unwrap_or(body.as_bytes());
    match memchr::memmem::find(near, SEP.as_bytes()) {
        Some(sep) => Ok(Some(here.text.len() - body.len() + sep + SEP.len())),
        None if near.len() < MAX_HEADER => here.at_end(None),
        None => Ok(None),
    }
}

/// Where the words end that gpt-oss leaves between two messages, a header that lost its first
/// token: `<|call|>commentary<|channel|>`. Without such words that is `from`.
fn behind_stray_words(here: &Cursor<'_>, from: usize) -> Result<usize, More> {
    let mut at = from;
    loop {
        let rest = here.tail(at);
        if at > from && here.begins(rest, "<|")? {
            return Ok(at);
        }
        let mut len = 0;
        for word in WORDS {
            if here.begins(rest, word)? {
                len = word.len();
            }
        }
        if len == 0 || at - from > MAX_WORDS {
            return Ok(from);
        }
        at += len;
    }
}

fn ends_message(role: Role) -> bool {
    matches!(role, Role::Channel | Role::Noise)
}

/// The word after `to=` in a header.
fn recipient(header: &str) -> Option<&str> {
    let at = header.find("to=")?;
    let rest = header.get(at + 3..)?;
    let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '<' | '{'));
    let word = rest.get(..end.unwrap_or(rest.len()))?;
    (!word.is_empty()).then_some(word)
}

//! Replies in channels: a header says for whom a message is, a token ends it. Harmony (gpt-oss),
//! Beam, Muse, Inkling, Kimi K3 and Gemma 4.
//!
//! A message to a tool is a call, one to the model itself is thinking, all else is text. Headers
//! that say nothing are dropped; nothing in them is an error.

use std::ops::Range;

use super::inside::{Inside, Kind, behind_blanks};
use super::thinking::Thinking;
use super::{Reader, State, Step, Turn};
use crate::Format;
use crate::arguments::parameters::{Style, unescaped};
use crate::formats::Role;
use crate::machine::reading::{Found as FoundCall, Reading, Written};
use crate::scan::lexis::{Ends, key_ahead};
use crate::scan::tag::{Found, Tag, attribute, read_tag};

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
    pub(super) fn channel(&mut self, turn: &mut Turn<'_, '_>, tag: &Tag) -> Step {
        let letters = tag.marker.map_or("", |marker| marker.letters);
        match letters {
            "channel" if turn.text.starts_with("<|channel>") => self.gemma_channel(turn, tag),
            "start" | "channel" if !tag.close => self.go_to_header(),
            "messagemodel" => {
                self.format = Format::Inkling;
                self.go_to_header()
            }
            "contentinvoketooljson" => {
                self.format = Format::Inkling;
                self.take(0, State::Inside(Inside::opened_by(tag.len)))
            }
            "contentinvoketooltext" => self.call_with_text(turn, tag),
            "from" => self.sender(turn, tag),
            "recipient" => self.message_to(turn, tag),
            "contentthinking" => self.thinks(turn, tag.len),
            "open" | "close" => self.kimi(turn, letters == "open"),
            _ => {
                if turn.text.starts_with("<channel|>") {
                    self.thinking_ended(turn);
                }
                let end = match stray_words(turn, tag.len) {
                    Found::More => return self.wait(State::Prose),
                    Found::Yes(end) => end,
                    Found::No => tag.len,
                };
                turn.syntax(turn.head(end));
                self.line_is_blank = true;
                self.take(end, State::Line)
            }
        }
    }

    pub(super) fn go_to_header(&mut self) -> Step {
        self.take(0, State::Header)
    }

    fn thinks(&mut self, turn: &mut Turn<'_, '_>, len: usize) -> Step {
        turn.syntax(turn.head(len));
        self.take(len, State::Thinking(Thinking::in_channel()))
    }

    /// `<|content_invoke_tool_text|>` and the one argument, as text.
    fn call_with_text(&mut self, turn: &mut Turn<'_, '_>, tag: &Tag) -> Step {
        if !turn.tools.binds(&self.addressee) {
            turn.syntax(turn.head(tag.len));
            return self.take(tag.len, State::Line);
        }
        let end = match memchr::memmem::find(turn.text.as_bytes(), b"<|end_message|>") {
            Some(found) => found,
            None if turn.finished => turn.text.len(),
            None if turn.text.len() > turn.options.hold_limit => turn.text.len(),
            None => return self.wait(State::Prose),
        };
        let name = std::mem::take(&mut self.addressee);
        self.tell_text_call(turn, (&name, Format::Inkling), tag.len..end)
    }

    /// `<|channel>thought⏎...<channel|>`, and what lacks the name.
    fn gemma_channel(&mut self, turn: &mut Turn<'_, '_>, tag: &Tag) -> Step {
        const LONGEST: usize = 32;
        let rest = turn.tail(tag.len);
        let letters = rest.bytes().take(LONGEST);
        let word = letters.take_while(u8::is_ascii_alphabetic).count();
        if word == rest.len() && !turn.finished && word < LONGEST {
            return self.wait(State::Prose);
        }
        let next = rest.as_bytes().get(word);
        let is_name = word < LONGEST && matches!(next, Some(b'\n' | b'<'));
        if is_name && rest.get(..word).is_some_and(|word| ANSWERS.contains(&word)) {
            turn.syntax(turn.head(tag.len + word));
            self.line_is_blank = true;
            return self.take(tag.len + word, State::Line);
        }
        if !is_name && rest.get(..word) != Some("thought") {
            return self.thinks(turn, tag.len);
        }
        self.thinks(turn, tag.len + word + usize::from(next == Some(&b'\n')))
    }

    /// In a header: up to the token that begins the message.
    #[inline(never)]
    pub(super) fn header_of_channel(&mut self, turn: &mut Turn<'_, '_>) -> Step {
        let mut at = 0;
        let mut opened = 0;
        loop {
            let header = turn.text.as_bytes();
            let header = header.get(..MAX_HEADER).unwrap_or(header);
            let rest = header.get(at..).unwrap_or_default();
            let Some(found) = memchr::memchr2(b'<', b'{', rest) else {
                if turn.finished || turn.text.len() >= MAX_HEADER {
                    return self.no_message(turn, opened);
                }
                return self.wait(State::Header);
            };
            at += found;
            if turn.byte(at) == Some(b'{') {
                return self.message(turn, turn.head(at), at);
            }
            match read_tag(turn.tail(at), turn.finished) {
                Found::More => return self.wait(State::Header),
                Found::Yes(tag) => {
                    let letters = tag.marker.map_or("", |marker| marker.letters);
                    let end = at + tag.len;
                    match letters {
                        "message" => return self.message(turn, turn.head(at), end),
                        "start" | "channel" | "constrain" | "messagemodel" => opened = end,
                        _ => {
                            let is_content = letters.starts_with("content") && letters != "content";
                            if !is_content && is_sentence(turn.text.get(opened..at)) {
                                return self.no_message(turn, opened);
                            }
                            if is_content {
                                let name = turn.text.get(opened..at).unwrap_or_default();
                                name.trim().clone_into(&mut self.addressee);
                            }
                            turn.syntax(turn.head(if is_content { at } else { end }));
                            let next = if is_content {
                                State::Prose
                            } else {
                                State::Line
                            };
                            return self.take(if is_content { at } else { end }, next);
                        }
                    }
                    at = end;
                }
                Found::No => at += 1,
            }
        }
    }

    /// A header without a message: its tokens are markup, what follows them is text.
    fn no_message(&mut self, turn: &mut Turn<'_, '_>, opened: usize) -> Step {
        let rest = turn.tail(opened);
        if !turn.finished && WORDS.iter().any(|word| word.starts_with(rest)) {
            return self.wait(State::Header);
        }
        let word = WORDS.iter().find(|word| rest.starts_with(**word));
        let word = match turn.head(opened).ends_with("<|constrain|>") {
            // How the message would have been written, which the end cut off.
            true => {
                let letters = rest.bytes().take(MAX_HEADER.saturating_sub(opened));
                letters.take_while(u8::is_ascii_alphabetic).count()
            }
            false => word.map_or(0, |word| word.len()),
        };
        let end = opened + word;
        if end == 0 {
            self.tell_text(turn, turn.head(1));
            return self.take(1, State::Prose);
        }
        turn.syntax(turn.head(end));
        self.take(end, State::Prose)
    }

    /// The message after `header` begins at `start`.
    fn message(&mut self, turn: &mut Turn<'_, '_>, header: &str, start: usize) -> Step {
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
            Some("self") => self.thinks(turn, start),
            Some("assistant") | None if is_thinking => self.thinks(turn, start),
            Some("user" | "assistant" | "all" | "commentary") | None => {
                turn.syntax(turn.head(start));
                self.take(start, State::Line)
            }
            Some(name) => {
                let is_code = header.contains("code") || name.ends_with("python");
                self.call_in_message(turn, (name, is_code), start)
            }
        }
    }

    fn call_in_message(
        &mut self,
        turn: &mut Turn<'_, '_>,
        (name, is_code): (&str, bool),
        start: usize,
    ) -> Step {
        let name = name.strip_prefix("functions.").unwrap_or(name);
        let mut start = start;
        // The token may come twice.
        if let Some(rest) = behind_blanks(turn.tail(start)).strip_prefix("<|message|>") {
            start = turn.text.len() - rest.len();
        }
        let rest = turn.tail(start);
        let body = behind_blanks(rest);
        let at = start + (rest.len() - body.len());
        match body.as_bytes().first() {
            None if !turn.finished => self.wait(State::Header),
            None => self.empty_call(turn, name, turn.text.len()),
            Some(b'<') => match read_tag(body, turn.finished) {
                Found::More => self.wait(State::Header),
                Found::Yes(tag) => match tag.marker.map(|marker| marker.role) {
                    Some(Role::Wrapper | Role::Invoke) => {
                        turn.syntax(turn.head(at));
                        self.take(at, State::Prose)
                    }
                    Some(Role::Parameter) => {
                        self.format = Format::Beam;
                        self.open_tags(turn, (name, Style::Message), at)
                    }
                    _ => self.empty_call(turn, name, at),
                },
                Found::No => self.open_arguments(turn, (name, Kind::Object), at),
            },
            Some(b'{' | b'[' | b'(' | b'"' | b'\'' | b'`') => {
                self.open_arguments(turn, (name, Kind::Object), at)
            }
            Some(_) => match key_ahead(body.as_bytes(), turn.finished) {
                Ends::Unclear => self.wait(State::Header),
                Ends::Yes if !is_code => self.open_arguments(turn, (name, Kind::Object), at),
                _ => self.text_to_tool(turn, name, at),
            },
        }
    }

    /// A message that is no object, such as code for an interpreter: its text is the argument.
    fn text_to_tool(&mut self, turn: &mut Turn<'_, '_>, name: &str, start: usize) -> Step {
        let mut at = self.scan.max(start);
        let end = loop {
            let rest = turn.text.as_bytes().get(at..).unwrap_or_default();
            let Some(found) = memchr::memmem::find(rest, b"<|") else {
                if turn.finished {
                    break turn.text.len();
                }
                // The last byte may begin a token.
                at = turn.text.len().saturating_sub(1).max(start);
                break at;
            };
            at += found;
            match read_tag(turn.tail(at), turn.finished) {
                Found::More => break at,
                Found::Yes(tag) if tag.marker.is_some_and(|marker| ends_message(marker.role)) => {
                    return self.tell_text_call(turn, (name, Format::Harmony), start..at);
                }
                _ => at += 1,
            }
        };
        if end - start > turn.options.hold_limit {
            return self.open_arguments(turn, (name, Kind::Object), start);
        }
        if turn.finished {
            return self.tell_text_call(turn, (name, Format::Harmony), start..turn.text.len());
        }
        self.scan = at;
        self.wait(State::Header)
    }

    /// A call whose one argument is the text in `range`.
    pub(super) fn tell_text_call(
        &mut self,
        turn: &mut Turn<'_, '_>,
        (name, format): (&str, Format),
        range: Range<usize>,
    ) -> Step {
        if range.len() > turn.options.hold_limit {
            return self.open_arguments(turn, (name, Kind::Object), range.start);
        }
        turn.syntax(turn.head(range.start));
        let text = turn.text.get(range.clone()).unwrap_or_default().to_owned();
        let value = serde_json::Value::String(text.clone());
        Self::tell_readings(
            turn,
            vec![Reading::Call(FoundCall {
                name: name.to_owned().into(),
                tool: None,
                arguments: Written::Value(value, text.into()),
                format,
                cut: false,
                mended: false,
                repairs: Vec::new(),
            })],
        );
        self.call_ended();
        self.take(range.end, State::Line)
    }

    /// `<|open|>call tool="N" index="1"<|sep|>` and `<|close|>call<|sep|>`.
    fn kimi(&mut self, turn: &mut Turn<'_, '_>, open: bool) -> Step {
        const SEP: &str = "<|sep|>";
        let head = turn.head(turn.text.len().min(MAX_HEADER));
        let Some(sep) = memchr::memmem::find(head.as_bytes(), SEP.as_bytes()) else {
            if turn.finished && ((!open && self.after_call) || is_cut_token(turn.text)) {
                turn.syntax(turn.text);
                return self.take(turn.text.len(), State::Prose);
            }
            if turn.finished || turn.text.len() > MAX_HEADER {
                self.tell_text(turn, turn.head(1));
                return self.take(1, State::Prose);
            }
            return self.wait(State::Prose);
        };
        let end = sep + SEP.len();
        let content = turn.text.get(..sep).unwrap_or_default();
        let content = content.rsplit("|>").next().unwrap_or_default().trim();
        let (word, attributes) = content.split_once(' ').unwrap_or((content, ""));
        // A token may be lost between the two: `<|open|>tools<|sep|><|open|>call`.
        if open && matches!(word, "call" | "toolscall") {
            self.format = Format::KimiK3;
            let name = attribute(attributes, "tool").unwrap_or_default();
            let name = &*unescaped(name);
            return match object_in_kimi(turn, end) {
                Found::More => self.wait(State::Prose),
                Found::Yes(start) => self.open_arguments(turn, (name, Kind::Object), start),
                Found::No => self.open_tags(turn, (name, Style::Invoke), end),
            };
        }
        let is_thought = matches!(word, "think" | "thinking" | "reasoning");
        if open && is_thought {
            return self.thinks(turn, end);
        }
        if !open && is_thought {
            self.thinking_ended(turn);
        }
        turn.syntax(turn.head(end));
        self.line_is_blank = true;
        self.take(end, State::Line)
    }
}

/// True for more words than a header has, which names nobody either: text between two tokens.
fn is_sentence(text: Option<&str>) -> bool {
    const MOST: usize = 3;
    text.is_some_and(|text| text.split_whitespace().count() > MOST && !text.contains("to="))
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
fn object_in_kimi(turn: &Turn<'_, '_>, from: usize) -> Found<usize> {
    const OPEN: &str = "<|open|>json";
    const SEP: &str = "<|sep|>";
    let rest = turn.tail(from);
    let body = behind_blanks(rest);
    let start = from + (rest.len() - body.len());
    if body.len() < OPEN.len() && OPEN.starts_with(body) && !turn.finished {
        return Found::More;
    }
    let near = body.as_bytes().get(..MAX_HEADER).unwrap_or(body.as_bytes());
    if !body.starts_with(OPEN) {
        return Found::No;
    }
    match memchr::memmem::find(near, SEP.as_bytes()) {
        Some(sep) => Found::Yes(start + sep + SEP.len()),
        None if near.len() < MAX_HEADER && !turn.finished => Found::More,
        None => Found::No,
    }
}

/// Where the words end that gpt-oss leaves between two messages, a header that lost its first
/// token: `<|call|>commentary<|channel|>`.
fn stray_words(turn: &Turn<'_, '_>, from: usize) -> Found<usize> {
    let mut at = from;
    loop {
        let rest = turn.tail(at);
        if rest.starts_with("<|") && at > from {
            return Found::Yes(at);
        }
        let is_partial = |whole: &str| whole.len() > rest.len() && whole.starts_with(rest);
        match WORDS.iter().find(|word| rest.starts_with(**word)) {
            Some(_) if at - from > MAX_WORDS => return Found::No,
            Some(word) => at += word.len(),
            None if turn.finished => return Found::No,
            None if at > from && is_partial("<|") => return Found::More,
            None if WORDS.into_iter().any(is_partial) => return Found::More,
            None => return Found::No,
        }
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
